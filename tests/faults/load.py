"""Players who play while the daemon is hurt, and who remember all that it has acknowledged."""

import http.client
import json
import os
import random
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "live"))

from daemon import ask_on, same  # noqa: E402
from websocket import Gone, Refused  # noqa: E402

RULES = ("international", "classic", "flying")
BROKEN = (OSError, http.client.HTTPException, Gone, Refused)  # a killed daemon's connections


class Player(threading.Thread):
    """Plays one game after the other, every third over a WebSocket; some against the computer."""

    PATIENCE = 2  # seconds; a reply that could not be stored is not searched again until one asks

    def __init__(self, daemon, number, moves=30):
        super().__init__(daemon=True)
        self.server, self.moves = daemon, moves
        self.draw = random.Random(number)
        self.games = {}  # id -> moves acknowledged
        self.tokens = {}  # token -> whether it is an account's
        self.refused = {}  # status -> how often
        self.stopping = threading.Event()
        self.number = number
        self.error = self.broken = None

    def run(self):
        turn = 0
        try:
            while not self.stopping.is_set():
                turn += 1
                self.play(over_socket=turn % 3 == 0)
        except BROKEN as broken:  # killed; what was acknowledged is written down
            self.broken = broken
        except Exception as error:  # pylint: disable=broad-except
            self.error = error

    def note(self, status):
        self.refused[status] = self.refused.get(status, 0) + 1

    def sign_up(self, connection):
        name = f"p{self.draw.getrandbits(40):x}"
        status, player = ask_on(connection, "POST", "/v1/players",
                                {"name": name, "password": "correct horse battery"})
        if status == 201:
            self.tokens[player["token"]] = True
        else:
            self.note(status)

    def play(self, over_socket):
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=30)
        rules = self.draw.choice(RULES)
        body = {"rules": rules, "opponent": "local"}
        if self.draw.random() < 0.3:
            body = {"rules": rules, "opponent": "computer", "level": 1}
        if self.draw.random() < 0.25:
            self.sign_up(connection)
        status, game = ask_on(connection, "POST", "/v1/games", body)
        if status != 201:
            self.note(status)
            return
        self.tokens[game["token"]] = False
        self.games[game["id"]] = []
        if over_socket:
            self.play_socket(game)
        else:
            self.play_http(connection, game)
        connection.close()

    def choose(self, game):
        return self.draw.choice(game["moves"])["move"]

    def play_http(self, connection, game):
        token = game["token"]
        for _ in range(self.moves):
            if self.stopping.is_set() or not game["moves"]:
                return
            status, answer = ask_on(connection, "POST", f"/v1/games/{game['id']}/moves",
                                    {"ply": game["ply"], "move": self.choose(game)}, token,
                                    {"Prefer": f"wait={self.PATIENCE}"})
            if status != 200:
                self.note(status)
                if status not in (409, 503, 507):
                    raise AssertionError(f"a move was answered {status}: {answer}")
                status, answer = ask_on(connection, "GET", f"/v1/games/{game['id']}", None, token)
                same("a read while writes fail", status, 200)
            game = dict(answer, token=token)
            self.games[game["id"]] = game["played"]

    def play_socket(self, game):
        client = self.server.live(game, game["token"])
        for _ in range(self.moves):
            message = json.loads(client.receive_text())
            if message["type"] == "problem":
                self.note(message["problem"]["status"])
            elif "game" in message:
                game = message["game"]
                self.games[game["id"]] = game["played"]
            if self.stopping.is_set() or game["status"] == "over":
                break
            if game["status"] == "playing":
                client.send(json.dumps({"ply": game["ply"], "move": self.choose(game)}))
        client.close()


class Climber(threading.Thread):
    """Somebody with an account who plays classic draughts against the first level, with a much
    higher one's moves, until a win is acknowledged, which opens the second level."""

    def __init__(self, daemon, name):
        super().__init__(daemon=True)
        self.server, self.name = daemon, name
        self.token = None
        self.won = threading.Event()
        self.error = None

    def run(self):
        try:
            connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=60)
            status, player = ask_on(connection, "POST", "/v1/players",
                                    {"name": self.name, "password": "correct horse battery"})
            same("sign-up", status, 201)
            self.token = player["token"]
            while not self.play(connection):
                pass
            self.won.set()
            connection.close()
        except BaseException as error:
            self.error = error
            self.won.set()
            raise

    def play(self, connection):
        status, game = ask_on(connection, "POST", "/v1/games",
                              {"rules": "classic", "opponent": "computer", "level": 1}, self.token)
        same("a new game", status, 201)
        while game["status"] != "over":
            status, best = ask_on(connection, "POST", "/v1/bestmove",
                                  {"rules": "classic", "moves": game["played"], "level": 5})
            same("a level's move", status, 200)
            status, game = ask_on(connection, "POST", f"/v1/games/{game['id']}/moves",
                                  {"ply": game["ply"], "move": best["move"]}, self.token,
                                  {"Prefer": "wait=20"})
            same("a move", status, 200)
        return game["outcome"]["result"] == game["you"][0] + " wins"


def acknowledged(players):
    return sum(len(moves) for player in players for moves in list(player.games.values()))


def run_players(daemon, count, seed, seconds, hurt, moves=0):
    """Has so many players play for a while, at least so many moves, does `hurt` to the daemon and
    waits for them."""
    players = [Player(daemon, seed * 1000 + i) for i in range(count)]
    for player in players:
        player.start()
    begun = time.monotonic()
    while (time.monotonic() - begun < seconds or
           (acknowledged(players) < moves and time.monotonic() - begun < 60)):
        time.sleep(0.01)
    hurt()
    for player in players:
        player.stopping.set()
    for player in players:
        player.join(60)
        if player.error:
            raise player.error
    return players


def check_games(daemon, games):
    """Every acknowledged move is there: what is stored goes on from it."""
    connection = http.client.HTTPConnection(daemon.host, daemon.port, timeout=30)
    for game, moves in games.items():
        status, state = ask_on(connection, "GET", f"/v1/games/{game}")
        same(f"game {game} loads", status, 200)
        same(f"the acknowledged moves of game {game}", state["played"][:len(moves)], moves)
    connection.close()


def check_tokens(daemon, tokens):
    connection = http.client.HTTPConnection(daemon.host, daemon.port, timeout=30)
    for token, account in tokens.items():
        status, me = ask_on(connection, "GET", "/v1/me", None, token)
        if account:
            same("an account is there", status, 200)
            same("its name", bool(me.get("name")), True)
    connection.close()


def check_unlock(daemon, climber):
    """A win that was acknowledged has opened the level above, and is on the leaderboard."""
    _, me = daemon.ask("GET", "/v1/me", None, climber.token)
    progress = next(each for each in me["progress"] if each["rules"] == "classic")
    same("wins", progress["wins"], 1)
    same("the second level", progress["level"]["number"], 2)
    status, _ = daemon.ask("POST", "/v1/games", {"rules": "classic", "opponent": "computer",
                                                 "level": 2}, climber.token)
    same("a game against it", status, 201)
    _, board = daemon.ask("GET", "/v1/leaderboard?rules=classic", None, climber.token)
    same("one's own row", (board["me"]["wins"], board["me"]["beaten"]), (1, 1))
