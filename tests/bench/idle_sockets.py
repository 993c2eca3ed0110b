#!/usr/bin/env python3
"""Memory of idle WebSockets, and whether the daemon stays quick beside them.

    idle_sockets.py DRAUGHTSD MAKE_ARTEFACTS [SOCKETS]

Half of the sockets look on at one game each, half are players of one; a move in one of the games is
timed while all are open. Prints kilobytes a socket (resident memory) and the milliseconds of a move.
"""

import json
import os
import resource
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "live"))

from daemon import Daemon, same  # noqa: E402

WARM, MOVES = 200, 20
SQUARES = ("32-28", "19-23", "28x19x23", "14x23x19")


def resident(process):
    """Kilobytes."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def open_sockets(daemon, game, count):
    opened = []
    for i in range(count):
        client = daemon.live(game, game["token"] if i % 2 else None)
        same("a snapshot", json.loads(client.receive_text())["type"], "snapshot")
        opened.append(client)
    return opened


def time_moves(daemon, game):
    """Milliseconds from sending a move to its event, on a quiet game."""
    times = []
    for _ in range(MOVES // len(SQUARES)):
        game = daemon.new_game(rules="international", opponent="local")
        client = daemon.live(game, game["token"])
        client.receive_text()
        for ply, move in enumerate(SQUARES):
            begun = time.monotonic()
            client.send(json.dumps({"ply": ply, "move": move}))
            same("the move", json.loads(client.receive_text())["move"], move)
            times.append((time.monotonic() - begun) * 1e3)
        client.close()
    return statistics.median(times), max(times)


def main(draughtsd, make_artefacts, sockets="5000"):
    count = int(sockets)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 2 * count + 1000), most))
    with Daemon(draughtsd, make_artefacts) as daemon:
        daemon.start(f"http.max_connections={count + WARM + 100}")
        game = daemon.new_game(rules="international", opponent="friend")
        kept = open_sockets(daemon, game, WARM)
        time_moves(daemon, game)
        before = resident(daemon.process)
        kept += open_sockets(daemon, game, count)
        after = resident(daemon.process)
        median, longest = time_moves(daemon, game)
        print(f"{count} idle sockets: {(after - before) / count:.1f} kB each, {after / 1024:.0f} MB "
              f"in all; a move beside them: median {median:.1f} ms, longest {longest:.1f} ms")
        for client in kept:
            client.close()
        daemon.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
