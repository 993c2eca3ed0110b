#!/usr/bin/env python3
"""Clients that are refused and stay, or vanish while their answer is being waited for: the daemon
notices, and its loop sleeps meanwhile.

    gone_clients.py DRAUGHTSD MAKE_ARTEFACTS

A loop that is awake all the time runs or waits for a processor all the time, which the scheduler
counts however busy the machine is.
"""

import json
import os
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "live"))

from daemon import Daemon, same  # noqa: E402

WATCHED = 1.5  # seconds, less than a refused client may linger
AWAKE = 0.5  # share of them; a loop that never sleeps has 1
WAIT = 20  # seconds of a long poll
REQUEST = b"GET /v1/rules HTTP/1.1\r\nHost: localhost\r\n\r\n"


def awake(daemon):
    """Seconds for which the loop's thread has run or waited for a processor."""
    with open(f"/proc/{daemon.process.pid}/schedstat", encoding="ascii") as stat:
        return sum(int(word) for word in stat.read().split()[:2]) / 1e9


def connections(daemon):
    return sum(os.readlink(f"/proc/{daemon.process.pid}/fd/{name}").startswith("socket")
               for name in os.listdir(f"/proc/{daemon.process.pid}/fd"))


def becomes(daemon, what, wanted):
    """Waits for so many sockets of the daemon."""
    for _ in range(100):
        if connections(daemon) == wanted:
            return
        time.sleep(0.1)
    same(what, connections(daemon), wanted)


def connect(daemon):
    return socket.create_connection((daemon.host, daemon.port), 30)


def reset(client):
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def sleeps(daemon, what):
    before = awake(daemon)
    time.sleep(WATCHED)
    share = (awake(daemon) - before) / WATCHED
    print(f"{what}: awake for {share * 100:.0f} % of the time")
    same(f"{what}: the loop sleeps", share < AWAKE, True)


def refused(daemon):
    client = connect(daemon)
    client.sendall(b"no HTTP at all\r\n\r\n")
    same("refused", client.recv(4096)[:12], b"HTTP/1.1 400")
    sleeps(daemon, "a refused client that stays")
    client.close()


def waiting(daemon, more=b""):
    """A client whose question is not answered yet; `more` is what it sends behind it."""
    game = daemon.new_game(rules="flying", opponent="friend")
    client = connect(daemon)
    client.sendall(f"GET /v1/games/{game['id']}?since=0&wait={WAIT} HTTP/1.1\r\nHost: localhost\r\n"
                   f"Authorization: Bearer {game['token']}\r\n\r\n".encode())
    time.sleep(0.3)
    client.sendall(more)
    return client


def searching(daemon):
    client = connect(daemon)
    body = json.dumps({"rules": "international", "time_ms": WAIT * 1000}).encode()
    client.sendall(b"POST /v1/analysis HTTP/1.1\r\nHost: localhost\r\n"
                   b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    return client


def gone(daemon, idle, what, client, leave):
    time.sleep(0.3)
    becomes(daemon, f"{what}: it waits", idle + 1)
    leave(client)
    sleeps(daemon, what)
    becomes(daemon, f"{what}: it is closed", idle)


def main(draughtsd, make_artefacts):
    with Daemon(draughtsd, make_artefacts) as daemon:
        daemon.start(f"http.timeout={2 * WAIT}", f"search.analysis={WAIT}")
        idle = connections(daemon)
        refused(daemon)
        for leave, how in ((reset, "reset"), (socket.socket.close, "closed")):
            becomes(daemon, "nobody is there", idle)
            gone(daemon, idle, f"a wait, {how}", waiting(daemon), leave)
            gone(daemon, idle, f"a wait and more behind it, {how}", waiting(daemon, REQUEST), leave)
            gone(daemon, idle, f"a search, {how}", searching(daemon), leave)
        client = waiting(daemon, REQUEST)
        sleeps(daemon, "a wait and more behind it, still there")
        becomes(daemon, "it still waits", idle + 1)
        client.close()
        daemon.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
