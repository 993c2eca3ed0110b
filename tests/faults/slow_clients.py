#!/usr/bin/env python3
"""Clients that dawdle, vanish or come by the thousand: the rest of the service stays quick.

    slow_clients.py DRAUGHTSD MAKE_ARTEFACTS [CONNECTIONS]

Prints for each kind of trouble how long a well-behaved client's requests take beside it, and checks
that those who dawdle are closed in time.
"""

import json
import os
import resource
import socket
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "live"))

from daemon import Daemon, same  # noqa: E402
from websocket import Gone, frame  # noqa: E402

TIMEOUT = 3  # seconds, http.timeout and live.ping
SLOWER = 10 if "ASAN_OPTIONS" in os.environ else 1  # what the sanitizers cost
QUICK = 1.0 * SLOWER  # seconds that a small request may take beside any trouble, on a busy machine
REQUEST = b"POST /v1/moves HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def connect(daemon, receive_buffer=None):
    client = socket.socket()
    if receive_buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.settimeout(30)
    client.connect((daemon.host, daemon.port))
    return client


def probe(daemon, what, step=None, seconds=0.0):
    """Times small requests for a while, with `step` called between them."""
    times, begun = [], time.monotonic()
    while len(times) < 20 or time.monotonic() - begun < seconds:
        asked = time.monotonic()
        same("a small request", daemon.ask("POST", "/v1/moves", {"rules": "classic"})[0], 200)
        times.append(time.monotonic() - asked)
        if step:
            step()
    longest = max(times)
    print(f"{what}: {len(times)} requests beside it, median {statistics.median(times) * 1e3:.1f} "
          f"ms, longest {longest * 1e3:.1f} ms")
    if longest > QUICK:
        raise AssertionError(f"{what}: a small request took {longest:.2f} s")


def is_closed(client):
    """Whether the other end has closed; what it has sent is read."""
    client.settimeout(5)
    try:
        while client.recv(65536):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return True


def drip(daemon, what, head, letter):
    """Many connections that send one byte at a time for ever."""
    clients = [connect(daemon) for _ in range(50)]
    for client in clients:
        client.sendall(head)

    def step():
        for client in clients:
            try:
                client.send(letter)
            except OSError:
                pass
        time.sleep(0.05)

    probe(daemon, what, step, TIMEOUT + 1.5)
    same(f"{what}: all are closed", [is_closed(client) for client in clients], [True] * 50)


def slow_readers(daemon):
    """Requests without end, answers never read."""
    body = json.dumps({"rules": "international"}).encode()
    request = REQUEST + b"Content-Length: %d\r\n\r\n" % len(body) + body
    clients = [connect(daemon, 4096) for _ in range(50)]

    def step():
        for client in clients:
            client.setblocking(False)
            try:
                client.send(request * 20)
            except OSError:
                pass
        time.sleep(0.02)

    probe(daemon, "slow readers", step, TIMEOUT + 1.5)
    for client in clients:
        client.close()


def slow_sockets(daemon):
    """WebSockets that ask and never read: they are dropped, the game's others are told all."""
    game = daemon.new_game(rules="international", opponent="local")
    clients = [daemon.live(game, game["token"]) for _ in range(20)]
    for client in clients:
        client.stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    ask = frame(1, json.dumps({"ply": 0, "move": "32-28"})) + frame(9, b"x" * 125) * 20

    def step():
        for client in clients:
            client.stream.setblocking(False)
            try:
                client.stream.send(ask * 3)
            except OSError:
                pass
        time.sleep(0.02)

    daemon.ask("POST", f"/v1/games/{game['id']}/moves", {"ply": 0, "move": "32-28"}, game["token"])
    probe(daemon, "WebSockets that never read", step, 2 * TIMEOUT + 1.5)
    reader = daemon.live(game, game["token"])
    same("one that reads", json.loads(reader.receive_text())["game"]["ply"], 1)
    reader.close()
    same("they are dropped", [is_closed(client.stream) for client in clients], [True] * 20)


def half_open(daemon):
    """WebSockets whose client has gone without a word: nothing answers their pings."""
    game = daemon.new_game(rules="flying", opponent="friend")
    clients = [daemon.live(game, game["token"]) for _ in range(100)]
    begun = time.monotonic()
    probe(daemon, "half-open WebSockets", None, 0)
    for client in clients:
        try:
            while True:
                client.receive()
        except Gone:
            pass
    same("dropped in time", time.monotonic() - begun < 4 * TIMEOUT, True)


def many_connects(daemon, count):
    begun = time.monotonic()
    clients = [connect(daemon) for _ in range(count)]
    print(f"{count} connections within {time.monotonic() - begun:.1f} s")
    probe(daemon, f"{count} open connections")
    time.sleep(TIMEOUT + 1)
    same("idle ones are closed", sum(is_closed(client) for client in clients), count)
    probe(daemon, "behind them")


def main(draughtsd, make_artefacts, connections="10000"):
    count = int(connections)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with Daemon(draughtsd, make_artefacts) as daemon:
        daemon.start(f"http.max_connections={count + 200}", f"http.timeout={TIMEOUT}",
                     f"live.ping={TIMEOUT}")
        drip(daemon, "slow headers", b"GET /v1/rules HTTP/1.1\r\nHost: localhost\r\nX: ", b"x")
        drip(daemon, "slow bodies", REQUEST + b"Content-Length: 60000\r\n\r\n{\"rules\":\"", b"x")
        slow_readers(daemon)
        slow_sockets(daemon)
        half_open(daemon)
        many_connects(daemon, count)
        daemon.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
