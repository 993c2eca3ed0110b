#!/usr/bin/env python3
"""Clients that vanish while what they asked for is being stored, and ask again with the same
Idempotency-Key: it was done once, and they are told what came of it.

    lost_answers.py DRAUGHTSD MAKE_ARTEFACTS

strace makes every sync of the store slow, so that there is time to vanish.
"""

import json
import os
import sys
import time

from write_errors import NO_LEAK_CHECK

from daemon import Daemon, same
from gone_clients import connect

HELD = 1.0  # seconds that a system call takes
EXPIRE = 6  # seconds
PASSWORD = "correct horse battery"


def slow(call):
    """A wrapper in which a system call takes long."""
    return ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-E", NO_LEAK_CHECK, "-e",
            f"trace={call}", "-e", f"inject={call}:delay_enter={int(HELD * 1e6)}"]


def held(daemon):
    """The threads that strace holds."""
    threads = set()
    for name in os.listdir(f"/proc/{daemon.process.pid}/task"):
        with open(f"/proc/{daemon.process.pid}/task/{name}/stat", encoding="ascii") as stat:
            if stat.read().rpartition(")")[2].split()[0] == "t":
                threads.add(name)
    return threads


def await_held(daemon):
    """Waits until a thread is held for longer than for a look."""
    for _ in range(1000):
        if held(daemon) and time.sleep(HELD / 20) is None and held(daemon):
            return
        time.sleep(0.01)
    raise AssertionError("nothing is stored")


def vanish(daemon, path, body, token, key):
    """Sends a request and leaves while it is being stored."""
    text = json.dumps(body).encode()
    client = connect(daemon)
    who = f"Authorization: Bearer {token}\r\n" if token else ""
    client.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{who}"
                   f"Idempotency-Key: {key}\r\nContent-Type: application/json\r\n"
                   f"Content-Length: {len(text)}\r\n\r\n".encode() + text)
    await_held(daemon)
    client.close()


def again(daemon, path, body, token, key):
    """The answer to the same request, once it is there."""
    for _ in range(100):
        status, answer = daemon.ask("POST", path, body, token, {"Idempotency-Key": key})
        if not (status == 409 and answer["type"].endswith(":key-busy")):
            return status, answer
        time.sleep(0.1)
    raise AssertionError("its answer does not come")


def lose(daemon, path, body, token=None):
    key = path
    vanish(daemon, path, body, token, key)
    return again(daemon, path, body, token, key)


def guest(daemon):
    return daemon.new_game(rules="classic", opponent="local")["token"]


def accounts(daemon):
    status, player = lose(daemon, "/v1/players", {"name": "ann", "password": PASSWORD},
                          guest(daemon))
    same("a sign-up whose answer was lost", status, 201)
    status, found = lose(daemon, "/v1/recovery", {"name": "ann", "password": PASSWORD + "!",
                                                  "recovery_code": player["recovery_code"]})
    same("a recovery whose answer was lost", status, 201)
    status, back = daemon.ask("POST", "/v1/recovery",
                              {"name": "ann", "password": PASSWORD + "?",
                               "recovery_code": found["recovery_code"]})
    same("the recovery code that it told", status, 201)
    status, _ = lose(daemon, "/v1/me/delete", {"password": PASSWORD + "?"}, back["token"])
    same("a farewell whose answer was lost", status, 204)


def expired(daemon):
    """A game ends for its age behind a request that comes too late, whoever waits for that."""
    time.sleep(1.02 - time.time() % 1)  # the daemon's own look comes a second behind the end
    end = int(time.time()) + EXPIRE + 0.02
    game = daemon.new_game(rules="classic", opponent="local")
    time.sleep(end - time.time())
    status, answer = lose(daemon, f"/v1/games/{game['id']}/resign", {}, game["token"])
    same("resigning an expired game", (status, answer.get("type", "")[-10:]), (409, ":game-over"))


def main(draughtsd, make_artefacts):
    with Daemon(draughtsd, make_artefacts) as daemon:
        daemon.start()  # makes the file
        daemon.stop()
        daemon.wrapper = slow("fdatasync")
        daemon.start()
        accounts(daemon)
        daemon.stop()
        daemon.start(f"games.expire={EXPIRE}")
        expired(daemon)
        daemon.stop()
        print("4 answers were lost and told")


if __name__ == "__main__":
    main(*sys.argv[1:])
