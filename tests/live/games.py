#!/usr/bin/env python3
"""WebSockets of hosted games on the real daemon: what each client is shown and told.

    games.py DRAUGHTSD MAKE_ARTEFACTS
"""

import http.client
import json
import sqlite3
import sys
import threading
import time

from daemon import Daemon, Failed, ask_on, same
from websocket import BINARY, CLOSE, PING, PONG, Gone, Refused, close_frame, frame


def told(client, kind):
    """The next message, which must be of a type."""
    message = json.loads(client.receive_text())
    same("a message's type", message["type"], kind)
    return message


def send(client, **message):
    client.send(json.dumps(message))


def close_code(client):
    """The code with which the server closes; messages before it are skipped."""
    while True:
        try:
            client.receive_text()
        except Gone as gone:
            return gone.args[0] if gone.args else None


def refusal(opening, *arguments, **options):
    try:
        opening(*arguments, **options).close()
    except Refused as refused:
        return refused.status
    return 101


def test_against_the_computer(daemon):
    game = daemon.new_game(rules="international", opponent="computer", level=1)
    token = game["token"]
    first, second = daemon.live(game, token), daemon.live(game, token)
    for client in first, second:
        snapshot = told(client, "snapshot")
        same("number", snapshot["number"], 0)
        same("present", snapshot["present"], {"white": True, "black": True})
        same("missed", snapshot["missed"], None)
        same("the game", (snapshot["game"]["id"], snapshot["game"]["you"]), (game["id"], ["white"]))
    send(first, ply=0, move="32-28")
    for client in first, second:
        move = told(client, "move")
        same("the move", (move["number"], move["side"], move["move"]), (1, "white", "32-28"))
        same("its game", (move["game"]["ply"], move["game"]["status"]), (1, "thinking"))
        same("thinking", told(client, "thinking")["side"], "black")
        reply = told(client, "move")
        same("the reply", (reply["number"], reply["side"], reply["game"]["ply"]), (2, "black", 2))
        same("its status", reply["game"]["status"], "playing")
    send(second, ply=0, move="32-28")
    same("sent again", told(second, "snapshot")["number"], 2)
    send(second, ply=0, move="32-27")
    same("stale", told(second, "problem")["problem"]["reason"], "stale")
    send(second, ply=2, move="1-50")
    same("illegal", told(second, "problem")["problem"]["status"], 422)
    second.send("no JSON")
    same("no JSON", told(second, "problem")["problem"]["type"],
         "urn:draughtsmith:problem:bad-json")
    status, _ = daemon.ask("POST", f"/v1/games/{game['id']}/undo", {}, token)
    same("undo", status, 200)
    for client in first, second:
        undo = told(client, "undo")
        same("taken back", (undo["plies"], undo["game"]["ply"]), (2, 0))
    _, metrics = daemon.ask("GET", "/metrics")
    same("open sockets are counted", b"\ndraughtsd_websockets 2\n" in metrics, True)
    first.close()
    second.close()


def test_two_sockets_of_one_token_are_alike(daemon):
    """lichess api #518: two streams of one token fight. Here both stay, are told the same and may
    both move."""
    game = daemon.new_game(rules="international", opponent="local")
    tabs = [daemon.live(game, game["token"]) for _ in range(3)]
    for tab in tabs:
        told(tab, "snapshot")
    for ply, move in enumerate(("32-28", "19-23", "28x19x23")):
        send(tabs[ply], ply=ply, move=move)
        same("all are told", [told(tab, "move")["move"] for tab in tabs], [move] * 3)
    tabs[0].close()
    send(tabs[1], ply=3, move="14x23x19")
    same("one goes, the others stay", [told(tab, "move")["number"] for tab in tabs[1:]], [4, 4])


def test_a_move_made_while_a_socket_connects_is_seen(daemon):
    """lila #3984: a move lost at connect. It is in the snapshot or comes behind it."""
    connection = http.client.HTTPConnection(daemon.host, daemon.port, timeout=30)
    for turn in range(30):
        game = daemon.new_game(rules="international", opponent="local")
        before = daemon.live(game, game["token"])
        told(before, "snapshot")
        mover = threading.Thread(target=ask_on, args=(
            connection, "POST", f"/v1/games/{game['id']}/moves", {"ply": 0, "move": "32-28"},
            game["token"]))
        mover.start()
        time.sleep(turn * 1e-4)
        client = daemon.live(game, game["token"], "?since=0")
        snapshot = told(client, "snapshot")
        seen = [event["number"] for event in snapshot["missed"]]
        if snapshot["number"] == 0:
            seen.append(told(client, "move")["number"])
        mover.join()
        same("the move is seen once", seen, [1])
        same("the one who was there sees it", told(before, "move")["number"], 1)
        client.close()
        before.close()


def test_a_move_sent_before_the_handshake_is_answered_is_made(daemon):
    """lila #3984 from the other end."""
    game = daemon.new_game(rules="international", opponent="local")
    move = frame(1, json.dumps({"ply": 0, "move": "32-28"}))
    client = daemon.live(game, game["token"], early=move)
    same("first the game", told(client, "snapshot")["number"], 0)
    same("then the move", told(client, "move")["number"], 1)


def test_who_comes_back_sees_the_game_as_it_is(daemon):
    """pychess-variants #468: a reconnect does not refresh."""
    game = daemon.new_game(rules="international", opponent="friend")
    _, joined = daemon.ask("POST", f"/v1/games/{game['id']}/join", {})
    path, ann, ben = f"/v1/games/{game['id']}", game["token"], joined["token"]
    client = daemon.live(game, ann)
    told(client, "snapshot")
    client.stream.close()  # the line is cut
    daemon.ask("POST", path + "/moves", {"ply": 0, "move": "32-28"}, ann)
    daemon.ask("POST", path + "/moves", {"ply": 1, "move": "19-23"}, ben)
    daemon.ask("POST", path + "/draw", {"action": "offer"}, ben)
    client = daemon.live(game, ann)
    snapshot = told(client, "snapshot")
    same("all of it", snapshot["game"], daemon.ask("GET", path, None, ann)[1])
    same("the offer, too", snapshot["game"]["draw_offer"], "black")
    daemon.ask("POST", path + "/draw", {"action": "withdraw"}, ben)
    same("and what comes now", told(client, "withdraw")["game"]["draw_offer"], None)


def test_unlocks_are_the_servers(daemon):
    """codecombat #6350: unlocks decided in the client."""
    game = daemon.new_game(rules="classic", opponent="computer", level=1)
    token = game["token"]
    beaten = {"rules": "classic", "opponent": "computer", "level": 2}
    same("a level not won", daemon.ask("POST", "/v1/games", beaten, token)[0], 403)
    for claim in ({"opened": 6}, {"unlocked": True}, {"clean": True}, {"progress": {"classic": 6}}):
        same(f"{claim} of a game",
             daemon.ask("POST", "/v1/games", {**beaten, **claim}, token)[0], 400)
        same(f"{claim} of a move", daemon.ask("POST", f"/v1/games/{game['id']}/moves", {
            "ply": 0, "move": "9-13", **claim}, token)[0], 400)
        for method in "POST", "PUT", "PATCH":
            same(f"{method} of one's progress", daemon.ask(method, "/v1/me", claim, token)[0], 405)
    same("still not open", daemon.ask("POST", "/v1/games", beaten, token)[0], 403)


def test_scores_cannot_be_posted(daemon):
    """uncivilised-game-base #143: scores posted by curl."""
    account = {"name": "Curl", "password": "correct horse battery"}
    for claim in ({"wins": 99}, {"level": 6}):
        same("sign-up", daemon.ask("POST", "/v1/players", {**account, **claim})[0], 400)
    token = daemon.ask("POST", "/v1/players", account)[1]["token"]
    before = daemon.ask("GET", "/v1/leaderboard")[1]
    score = {"player": "Curl", "rules": "classic", "level": 6, "wins": 99, "games": 99}
    for method in "POST", "PUT", "PATCH", "DELETE":
        same(f"{method} a row", daemon.ask(method, "/v1/leaderboard", score, token)[0], 405)
    game = daemon.new_game(token, rules="classic", opponent="computer", level=1)
    path = f"/v1/games/{game['id']}"
    for method in "PUT", "PATCH":
        same(f"{method} a game", daemon.ask(method, path, {"outcome": "black wins"}, token)[0], 405)
    same("a result of one's own", daemon.ask("POST", path + "/moves", {
        "ply": 0, "move": "9-13", "result": "black wins"}, token)[0], 400)
    same("a claim", daemon.ask("POST", path + "/claim", {}, token)[0], 409)
    _, local = daemon.ask("POST", "/v1/games", {"rules": "classic", "opponent": "local"}, token)
    same("a win against oneself", daemon.ask("POST", f"/v1/games/{local['id']}/resign", {},
                                             token)[0], 200)
    same("is none", daemon.ask("GET", "/v1/leaderboard")[1], before)


def test_resume(daemon):
    """RoyalUr.net-Backend #7, lichobile #153: what was told is there after a kill."""
    game = daemon.new_game(rules="international", opponent="local",
                           fen="W:WK4,50:B1,13,20,32,37")
    token = game["token"]
    client = daemon.live(game, token)
    told(client, "snapshot")
    send(client, ply=0, path=[4, 27])
    step = told(client, "step")
    same("half a capture", (step["path"], step["game"]["half_made"]["next"]), ([4, 27], [38]))
    daemon.kill()
    daemon.start(port=daemon.port)
    client = daemon.live(game, token, "?since=0")
    snapshot = told(client, "snapshot")
    same("half a capture is there after a kill", snapshot["game"]["half_made"]["path"], [4, 27])
    same("what was missed", [(event["number"], event["type"], event["path"])
                             for event in snapshot["missed"]], [(1, "step", [4, 27])])
    send(client, ply=0, path=[4, 27, 38, 15])
    same("the whole capture", told(client, "move")["move"], "4x15x13x20x32")
    late = daemon.live(game, None, "?since=1")
    same("from a number on", [event["type"] for event in told(late, "snapshot")["missed"]],
         ["move"])
    late = daemon.live(game, None, "?since=7")
    same("a number to come", told(late, "snapshot")["missed"], [])
    same("no number", refusal(daemon.live, game, None, "?since=x"), 400)
    same("another parameter", refusal(daemon.live, game, None, "?from=1"), 400)


def test_friends_see_each_other(daemon):
    game = daemon.new_game(rules="flying", opponent="friend")
    ann = daemon.live(game, game["token"])
    same("alone", told(ann, "snapshot")["present"], {"white": True, "black": False})
    status, joined = daemon.ask("POST", f"/v1/games/{game['id']}/join", {})
    same("joined", status, 200)
    same("told of it", told(ann, "join")["game"]["status"], "playing")
    ben = daemon.live(game, headers={
        "Sec-WebSocket-Protocol": f"draughtsmith.v1, bearer.{joined['token']}"})
    same("the protocol", ben.headers["sec-websocket-protocol"], "draughtsmith.v1")
    snapshot = told(ben, "snapshot")
    same("both", (snapshot["present"], snapshot["game"]["you"]),
         ({"white": True, "black": True}, ["black"]))
    same("he came", told(ann, "presence")["present"], {"white": True, "black": True})
    tab = daemon.live(game, joined["token"])
    told(tab, "snapshot")
    ben.close()
    send(ann, ply=0, move=snapshot["game"]["moves"][0]["move"])
    same("one of his tabs is left", (told(ann, "move")["number"], told(tab, "move")["number"]),
         (2, 2))
    tab.close()
    same("he went", told(ann, "presence")["present"], {"white": True, "black": False})
    ben = daemon.live(game, joined["token"])
    told(ben, "snapshot")
    told(ann, "presence")
    spectator = daemon.live(game)
    same("a spectator", told(spectator, "snapshot")["game"]["you"], [])
    send(spectator, ply=1, move="1-2")
    same("may not move", told(spectator, "problem")["problem"]["status"], 403)
    daemon.ask("POST", f"/v1/games/{game['id']}/draw", {"action": "offer"}, game["token"])
    for client in ann, ben, spectator:
        same("an offer", told(client, "offer")["game"]["draw_offer"], "white")
    daemon.ask("POST", f"/v1/games/{game['id']}/draw", {"action": "accept"}, joined["token"])
    for client in ann, ben, spectator:
        told(client, "accept")
        same("over", told(client, "over")["outcome"], {"result": "draw", "reason": "agreed"})
    send(ann, ply=1, move="1-2")
    same("no move behind the end", told(ann, "problem")["problem"]["reason"], "game-over")


def test_a_hint_is_its_players_alone(daemon):
    game = daemon.new_game(rules="classic", opponent="computer", level=1)
    player, spectator = daemon.live(game, game["token"]), daemon.live(game)
    for client in player, spectator:
        told(client, "snapshot")
    daemon.ask("POST", f"/v1/games/{game['id']}/hint", {}, game["token"])
    same("the player sees it", len(told(player, "hint")["game"]["hint"]) > 2, True)
    seen = told(spectator, "hint")
    same("nobody else does", (seen["game"]["hint"], "move" in seen), (None, False))


def test_twenty_racing_submits_are_one_move(daemon):
    """backgammonjs #2: two players, two tabs each, over HTTP and sockets at once."""
    game = daemon.new_game(rules="international", opponent="friend")
    _, joined = daemon.ask("POST", f"/v1/games/{game['id']}/join", {})
    tokens = game["token"], joined["token"]
    tabs = [[daemon.live(game, token) for _ in range(2)] for token in tokens]
    for client in tabs[0] + tabs[1]:
        while json.loads(client.receive_text())["type"] != "snapshot":
            pass
    for ply, move in enumerate(("32-28", "19-23", "28x19x23", "14x23x19")):
        statuses = []

        def submit():
            statuses.append(daemon.ask("POST", f"/v1/games/{game['id']}/moves",
                                       {"ply": ply, "move": move}, tokens[ply % 2])[0])

        racers = [threading.Thread(target=submit) for _ in range(10)]
        for racer in racers:
            racer.start()
        for i in range(10):
            send(tabs[ply % 2][i % 2], ply=ply, move=move)
        for racer in racers:
            racer.join()
        same(f"answers at ply {ply}", statuses, [200] * 10)
        _, state = daemon.ask("GET", f"/v1/games/{game['id']}")
        same("one move was made", (state["ply"], state["events"]), (ply + 1, ply + 2))
    for client in tabs[0] + tabs[1]:
        client.send_raw(close_frame())
        moves = []
        while True:  # whoever came too late was shown the game
            opcode, payload = client.receive()
            if opcode == CLOSE:
                break
            message = json.loads(payload)
            if message["type"] == "move":
                moves.append(message["number"])
            elif message["type"] not in ("snapshot", "presence"):
                raise Failed(f"a racer was told {message}")
        same("each move once, in order", moves, [2, 3, 4, 5])


def test_a_burst_on_one_socket(daemon):
    game = daemon.new_game(rules="international", opponent="local")
    client = daemon.live(game, game["token"])
    told(client, "snapshot")
    move = frame(1, json.dumps({"ply": 0, "move": "32-28"}))
    client.send_raw(move * 20)
    told(client, "move")
    for _ in range(19):
        same("sent again", told(client, "snapshot")["number"], 1)
    client.send_raw(frame(1, json.dumps({"ply": 1, "move": "19-23"})) * 200)
    same("too many at once", close_code(client), 1008)


def test_pages_of_other_sites_open_no_socket(daemon):
    """keryx #83: Origin not checked."""
    game = daemon.new_game(rules="classic", opponent="local")
    own = f"http://{daemon.host}:{daemon.port}"
    same("its own page", refusal(daemon.live, game, headers={"Origin": own}), 101)
    for origin in ("https://evil.example", "null", own + ".evil.example", "http://127.0.0.1:1"):
        same(origin, refusal(daemon.live, game, headers={"Origin": origin}), 403)


def test_refused_handshakes(daemon):
    game = daemon.new_game(rules="classic", opponent="local")
    same("a plain GET", daemon.ask("GET", f"/v1/games/{game['id']}/live")[0], 426)
    same("no such game", refusal(daemon.live, {"id": "none"}), 404)
    same("a token of nobody", refusal(daemon.live, game, "x" * 43), 401)
    same("in the protocol", refusal(daemon.live, game, headers={
        "Sec-WebSocket-Protocol": "bearer." + "x" * 43}), 401)
    same("another name", refusal(daemon.live, game, headers={"Host": "evil.example"}), 403)


def test_closes(daemon):
    game = daemon.new_game(rules="classic", opponent="local")
    client = daemon.live(game, game["token"])
    client.send(b"{}", BINARY)
    same("binary", close_code(client), 1003)
    client = daemon.live(game, game["token"])
    client.send(b"x" * 65537)
    same("too long", close_code(client), 1009)
    client = daemon.live(game, game["token"])
    client.send(b"\xff")
    same("no UTF-8", close_code(client), 1007)
    open_ones = [daemon.live(game, game["token"]) for _ in range(3)]
    begun = time.monotonic()
    daemon.process.terminate()
    for client in open_ones:
        same("at the end", close_code(client), 1001)
        client.close()
    daemon.ended()
    same("without delay", time.monotonic() - begun < 5, True)
    daemon.start()


def test_log_out_closes(daemon):
    """console #4906: a socket alive after log-out."""
    account = {"name": "Ann", "password": "correct horse battery"}
    status, player = daemon.ask("POST", "/v1/players", account)
    same("an account", status, 201)
    status, other = daemon.ask("POST", "/v1/sessions", account)
    same("another session", status, 201)
    game = daemon.new_game(player["token"], rules="classic", opponent="local")
    here, there = daemon.live(game, player["token"]), daemon.live(game, other["token"])
    cookie = daemon.live(game, headers={"Cookie": "a=b; draughtsd=" + player["token"]})
    for client in here, there, cookie:
        same("who one is", told(client, "snapshot")["game"]["you"], ["white", "black"])
    same("log-out", daemon.ask("DELETE", "/v1/sessions", None, player["token"])[0], 204)
    same("its sockets", (close_code(here), close_code(cookie)), (4001, 4001))
    send(there, ply=0, move="9-13")
    same("the other session's", told(there, "move")["number"], 1)
    there.close()


def test_the_end_of_a_session_closes_its_sockets(daemon):
    """The same when the session ends by itself."""
    daemon.stop()
    daemon.start("games.expire=4")  # which has sessions looked at every second
    game = daemon.new_game(rules="classic", opponent="local")
    other = daemon.new_game(rules="classic", opponent="local")
    client, unhurt = daemon.live(game, game["token"]), daemon.live(game, other["token"])
    told(client, "snapshot")
    told(unhurt, "snapshot")
    with sqlite3.connect(daemon.store, timeout=10) as store:
        store.execute("UPDATE sessions SET expires = ? WHERE person = "
                      "(SELECT host_person FROM games WHERE id = ?)",
                      (int(time.time()) - 1, game["id"]))
    same("closed", close_code(client), 4001)
    unhurt.send(b"", PING)
    opcode = None
    while opcode != PONG:  # an open end is Gone
        unhurt.send(b"", PING)
        opcode, _ = unhurt.receive()
    same("and its token is none", daemon.ask("GET", "/v1/me", None, game["token"])[0], 401)


def test_pings(daemon):
    daemon.stop()
    daemon.start("live.ping=0.3")
    game = daemon.new_game(rules="flying", opponent="friend")
    ghost = daemon.live(game, game["token"])
    opcode, payload = ghost.receive()
    while opcode != PING:  # a ghost is pinged, says nothing and is dropped
        opcode, payload = ghost.receive()
    begun = time.monotonic()
    try:
        while True:
            ghost.receive()
    except Gone:
        pass
    same("dropped in time", time.monotonic() - begun < 2, True)
    ann = daemon.live(game, game["token"])
    told(ann, "snapshot")
    for _ in range(3):  # who answers stays
        opcode, payload = ann.receive()
        same("a ping", (opcode, payload), (PING, b""))
        ann.send(payload, PONG)
    ann.close()


TESTS = [value for name, value in list(globals().items()) if name.startswith("test_")]


def main(draughtsd, make_artefacts):
    with Daemon(draughtsd, make_artefacts) as daemon:
        daemon.start()
        for test in TESTS:
            try:
                test(daemon)
            except BaseException:
                print(f"FAILED: {test.__name__}", file=sys.stderr)
                raise
        daemon.stop()
    print(f"{len(TESTS)} tests of live games passed")


if __name__ == "__main__":
    main(*sys.argv[1:])
