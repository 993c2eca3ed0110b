#!/usr/bin/env python3
"""The daemon under a mixed load for long: memory and file descriptors stay flat.

    soak.py DRAUGHTSD MAKE_ARTEFACTS|WEIGHTS_DIRECTORY [SECONDS [PLAYERS]]

Players play over HTTP and WebSockets and make accounts; others log in and out, send requests with
keys, ask for moves, analyses and pages, leave before they are answered, stop in the middle of a
request, open sockets and vanish. Whatever fills up to a limit has a low one (games in memory) or is
filled first (kept answers, the page caches of the store), so that what still grows behind the first
third has no limit. Prints resident memory, file descriptors and requests every minute; fails when
the last third has more memory than the middle one, or a descriptor stays open behind the last
client. The memory of a third is the least that was seen in it, five times a second: a password that
is being hashed takes 19 MB, and on a busy machine one nearly always is. What may still come on top
of it are pages of the search threads' tables and stacks that are touched for the first time.
"""

import concurrent.futures
import http.client
import json
import os
import random
import socket
import statistics
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "live"), os.path.join(HERE, "..", "faults")]

from daemon import Daemon, ask_on, same  # noqa: E402
from load import Player, acknowledged  # noqa: E402
from websocket import Gone, frame  # noqa: E402

KEPT_ANSWERS = 4096  # REPLAYS of daemon/net/replay.h
STORED_GAMES, CROWD = 6000, 8  # by so many clients
STORE_CACHE = 2.0  # MB that SQLite keeps of the file, for the writer and for the reader
GROWTH = 0.5  # MB by which the last third may have more memory than the middle one
SAMPLE = 0.2  # seconds
SETTINGS = ("accounts.signups_per_hour=0", "accounts.logins_per_hour=0", "games.in_memory=200",
            "games.all_levels=on", "live.ping=3", "games.expire=60", "store.games_days=1",
            "search.analysis=0.2")


class Visitor(threading.Thread):
    """Does everything a client may do besides playing, mannerly or not."""

    def __init__(self, daemon, number):
        super().__init__(daemon=True)
        self.server, self.draw = daemon, random.Random(number)
        self.stopping = threading.Event()
        self.keys = self.refused = 0
        self.number = number
        self.error = self.broken = None

    def run(self):
        visits = (self.account, self.keyed, self.searches, self.reads, self.mistakes, self.leave,
                  self.half, self.vanish, self.look_on)
        try:
            while not self.stopping.is_set():
                self.draw.choice(visits)()
        except Exception as error:  # pylint: disable=broad-except
            self.error = error

    def ask(self, wanted, method, path, body=None, token=None):
        """The answer; None when the daemon is too busy for it."""
        status, answer = self.server.ask(method, path, body, token)
        if status == 503:
            self.refused += 1
            return None
        same(f"{method} {path}", status, wanted)
        return answer

    def connect(self):
        client = socket.create_connection((self.server.host, self.server.port), 30)
        client.settimeout(30)
        return client

    def account(self):
        login = {"name": f"v{self.draw.getrandbits(40):x}", "password": "correct horse battery"}
        player = self.ask(201, "POST", "/v1/players", login)
        again = player and self.ask(201, "POST", "/v1/sessions", login, player["token"])
        if again:
            self.ask(200, "GET", "/v1/me", None, again["token"])
            self.ask(401, "POST", "/v1/sessions", {**login, "password": "wrong"})
            self.server.ask("DELETE", "/v1/sessions", None, again["token"])

    def key_some(self, count):
        """Requests with fresh keys, each sent twice."""
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=30)
        for _ in range(count):
            self.keys += 1
            headers = {"Idempotency-Key": f"{self.number}.{self.keys}"}
            answers = [ask_on(connection, "POST", "/v1/moves", {"rules": "international"}, None,
                              headers) for _ in range(2)]
            same("answered alike", answers[0], answers[1])
        connection.close()

    def keyed(self):
        self.key_some(10)

    def searches(self):
        rules = self.draw.choice(("international", "classic", "flying"))
        self.ask(200, "POST", "/v1/bestmove", {"rules": rules, "level": 3})
        self.ask(200, "POST", "/v1/analysis", {"rules": rules, "time_ms": 50})

    def reads(self):
        for path in ("/", "/openapi.json", "/v1/rules", "/v1/levels?rules=classic", "/metrics",
                     "/v1/leaderboard", "/healthz"):
            self.ask(200, "GET", path)

    def mistakes(self):
        self.ask(404, "GET", "/nowhere")
        self.ask(400, "POST", "/v1/moves", "x")
        self.ask(404, "GET", "/v1/games/none")
        client = self.connect()
        client.sendall(b"no HTTP at all\r\n\r\n")
        client.close()

    def leave(self):
        """Gone before the search is done."""
        body = json.dumps({"rules": "international", "time_ms": 150}).encode()
        client = self.connect()
        client.sendall(b"POST /v1/analysis HTTP/1.1\r\nHost: localhost\r\n"
                       b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) +
                       body)
        client.close()

    def half(self):
        """Stops in the middle of a request and waits to be closed, or goes."""
        client = self.connect()
        client.sendall(b"POST /v1/moves HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{")
        if self.draw.random() < 0.1:
            while client.recv(4096):
                pass
        client.close()

    def vanish(self):
        """A socket that is dropped without a close, in the middle of a frame."""
        game = self.server.new_game(rules="flying", opponent="friend")
        live = self.server.live(game, game["token"])
        live.receive_text()
        live.send_raw(frame(1, b"x" * 100)[:50])
        live.stream.close()

    def look_on(self):
        """A socket that says nothing until it is pinged and dropped."""
        game = self.server.new_game(rules="classic", opponent="local")
        live = self.server.live(game)
        if self.draw.random() < 0.2:
            try:
                while True:
                    live.receive()
            except Gone:
                pass
        live.close()


def fill_store(daemon):
    """Both connections to the store see more pages than they keep."""
    def make_and_read(count):
        connection = http.client.HTTPConnection(daemon.host, daemon.port, timeout=60)
        games = [ask_on(connection, "POST", "/v1/games", {"rules": "flying", "opponent": "friend"})
                 for _ in range(count)]
        same("new games", {status for status, _ in games}, {201})
        for _, game in games:
            same("a game", ask_on(connection, "GET", f"/v1/games/{game['id']}")[0], 200)
        connection.close()

    with concurrent.futures.ThreadPoolExecutor(CROWD) as crowd:
        list(crowd.map(make_and_read, [STORED_GAMES // CROWD] * CROWD))
    size = os.path.getsize(daemon.store) / 2**20
    print(f"filled: {STORED_GAMES} games, {size:.1f} MB stored", flush=True)
    same("the store outgrows its caches", size > STORE_CACHE, True)


def resident(process):
    """Megabytes."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def descriptors(process):
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def requests(daemon):
    text = daemon.ask("GET", "/metrics")[1].decode()
    return sum(int(line.split()[-1]) for line in text.splitlines()
               if line.startswith("draughtsd_request_seconds_count"))


def fewest_descriptors(daemon, seconds=20):
    """Of a daemon that nobody asks anything."""
    fewest = descriptors(daemon.process)
    for _ in range(seconds):
        time.sleep(1)
        fewest = min(fewest, descriptors(daemon.process))
    return fewest


def watch(daemon, seconds, clients):
    """(memory, descriptors) of every moment; prints each minute's."""
    begun = time.monotonic()
    samples, printed = [], 0
    while (now := time.monotonic() - begun) < seconds:
        samples.append((resident(daemon.process), descriptors(daemon.process)))
        for client in clients:
            if client.error or not client.is_alive():  # broken: a player took it for killed
                raise client.error or client.broken or AssertionError("a client ended")
        if now >= printed:
            printed += 60
            memory, files = samples[-1]
            players = [client for client in clients if isinstance(client, Player)]
            busy = sum(client.refused for client in clients if isinstance(client, Visitor))
            print(f"{now / 60:5.1f} min: {memory:.1f} MB, {files} descriptors, "
                  f"{requests(daemon)} requests, {sum(len(p.games) for p in players)} games, "
                  f"{acknowledged(players)} moves, {busy} times too busy", flush=True)
        time.sleep(SAMPLE)
    return samples


def main(draughtsd, data, seconds="1800", players="4"):
    with Daemon(draughtsd, data) as daemon:
        daemon.start(*SETTINGS)
        daemon.ask("GET", "/v1/leaderboard")
        idle = fewest_descriptors(daemon, 2)
        Visitor(daemon, 0).key_some(KEPT_ANSWERS)
        fill_store(daemon)
        clients = [Player(daemon, i) for i in range(int(players))]
        clients += [Visitor(daemon, i + 1) for i in range(int(players))]
        for client in clients:
            client.start()
        samples = watch(daemon, float(seconds), clients)
        for client in clients:
            client.stopping.set()
        for client in clients:
            client.join(60)
            same("a client's fault", client.error or client.broken, None)
        left = fewest_descriptors(daemon)
        third = len(samples) // 3
        middle, last = (min(memory for memory, _ in part)
                        for part in (samples[third:2 * third], samples[2 * third:]))
        files = [statistics.median(count for _, count in part)
                 for part in (samples[third:2 * third], samples[2 * third:])]
        total = requests(daemon)
        daemon.stop()
        print(f"{float(seconds) / 60:.0f} minutes, {total} requests: memory {middle:.1f} MB in the "
              f"middle third, {last:.1f} MB in the last; descriptors {files[0]:.0f} and "
              f"{files[1]:.0f}, {idle} before and {left} behind all clients")
        same("descriptors behind all clients", left, idle)
        same("memory is flat", last <= middle + GROWTH, True)


if __name__ == "__main__":
    main(*sys.argv[1:])
