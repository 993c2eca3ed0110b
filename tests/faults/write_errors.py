#!/usr/bin/env python3
"""The daemon on a disk that fails or fills: what cannot be stored is told, reads go on, and every
acknowledged move is there when the disk is well again.

    write_errors.py DRAUGHTSD MAKE_ARTEFACTS [SECONDS]

strace injects the errors into the system calls by which SQLite writes.
"""

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from load import check_games, run_players

from daemon import Daemon, same

# Which calls fail how, from the when-th call of a thread on, every so many; what clients see.
INJECTED = (
    ("writes that fail", "pwrite64:error=EIO:when=60+23", 503),
    ("a disk that is full now and then", "pwrite64:error=ENOSPC:when=60+23", 507),
    ("syncs that fail", "fdatasync,fsync:error=EIO:when=10+7", 503),
    ("a disk that is full and stays so", "pwrite64:error=ENOSPC:when=60+1", 507),
)

SETTINGS = ("accounts.signups_per_hour=0",)


def refused(players):
    total = {}
    for player in players:
        for status, count in player.refused.items():
            total[status] = total.get(status, 0) + count
    return total


def check_afterwards(daemon, players):
    games = {}
    for player in players:
        games.update(player.games)
    daemon.start(*SETTINGS)
    check_games(daemon, games)
    game = daemon.new_game(rules="classic", opponent="local")
    same("games go on", daemon.ask("POST", f"/v1/games/{game['id']}/moves",
                                   {"ply": 0, "move": "9-13"}, game["token"])[0], 200)
    daemon.stop()
    same("the file", sqlite3.connect(daemon.store).execute("PRAGMA integrity_check").fetchall(),
         [("ok",)])
    return f"{len(games)} games, {sum(map(len, games.values()))} acknowledged moves, none lost"


def play_while(daemon, seconds, wanted):
    players = run_players(daemon, 6, wanted, seconds, lambda: None)
    seen = refused(players)
    if not seen.get(wanted):
        raise AssertionError(f"nobody was answered {wanted}: {seen}")
    same("the daemon lives", daemon.process.poll(), None)
    same("and answers", daemon.ask("GET", "/v1/rules")[0], 200)
    daemon.stop()
    return players, seen


def fill(daemon):
    """Games until there is no room for more."""

    def make(_):
        while daemon.ask("POST", "/v1/games", {"rules": "classic", "opponent": "local"})[0] == 201:
            pass

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(make, range(16)))


DISK_KB, FILLER_KB = 65 * 1024, 64 * 1024
MOUNT = f'mount -t tmpfs -o size={DISK_KB}k none "$0" && exec "$@"'


def may_mount(place):
    """Whether this user may have a small disk of his own."""
    return subprocess.run(["unshare", "-rm", "sh", "-c", MOUNT, place, "true"], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def full_disk(daemon, seconds):
    """The store on a disk of its own, which somebody else fills and empties again."""
    disk = os.path.join(daemon.work, "disk")
    os.mkdir(disk)
    if not may_mount(disk):
        print("a disk that is really full: left out, no disk may be mounted here")
        return
    daemon.store = os.path.join(disk, "games.db")
    daemon.wrapper = ["unshare", "-rm", "sh", "-c", MOUNT, disk]
    daemon.start(*SETTINGS)
    inside = f"/proc/{daemon.process.pid}/root{disk}"
    with open(os.path.join(inside, "filler"), "wb") as filler:
        filler.write(b"x" * FILLER_KB * 1024)
    players = run_players(daemon, 6, 2, seconds, lambda: None)
    fill(daemon)
    hindered = run_players(daemon, 6, 3, seconds, lambda: None)
    seen = refused(hindered)
    if not seen.get(507):
        raise AssertionError(f"nobody was answered 507: {seen}")
    games = {}
    for player in players + hindered:
        games.update(player.games)
    check_games(daemon, games)
    os.remove(os.path.join(inside, "filler"))
    after = run_players(daemon, 6, 4, seconds, lambda: None)
    same("refused when there is room again", refused(after), {})
    same("games go on", min(len(player.games) for player in after) > 0, True)
    for player in after:
        games.update(player.games)
    check_games(daemon, games)
    with sqlite3.connect(os.path.join(inside, "games.db")) as store:
        same("the file", store.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
    daemon.stop()
    print(f"a disk that is really full, and then not: {len(games)} games, "
          f"{sum(map(len, games.values()))} acknowledged moves, none lost; refused: {seen}")


# The leak checker of a sanitized build cannot look at a traced process; the rest of it goes on.
NO_LEAK_CHECK = f"ASAN_OPTIONS={os.environ.get('ASAN_OPTIONS', '')}:detect_leaks=0"


def main(draughtsd, make_artefacts, seconds="5"):
    for what, injection, wanted in INJECTED:
        calls = injection.split(":")[0]
        wrapper = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-E", NO_LEAK_CHECK, "-e",
                   f"trace={calls}", "-e", f"inject={injection}"]
        with Daemon(draughtsd, make_artefacts) as daemon:
            daemon.start(*SETTINGS)  # makes the file
            daemon.stop()
            daemon.wrapper = wrapper
            daemon.start(*SETTINGS)
            players, seen = play_while(daemon, float(seconds), wanted)
            daemon.wrapper = []
            print(f"{what}: {check_afterwards(daemon, players)}; refused: {seen}")
    with Daemon(draughtsd, make_artefacts) as daemon:
        daemon.start(*SETTINGS, "store.max_megabytes=1")
        players = run_players(daemon, 6, 1, float(seconds), lambda: None)
        fill(daemon)
        hindered, seen = play_while(daemon, float(seconds), 507)
        players += hindered
        print(f"store.max_megabytes reached: {check_afterwards(daemon, players)}; refused: {seen}")
    with Daemon(draughtsd, make_artefacts) as daemon:
        full_disk(daemon, float(seconds))


if __name__ == "__main__":
    main(*sys.argv[1:])
