#!/usr/bin/env python3
"""Two who ask for the rematch of their game at the same time: it is one game, and both play in it.

    two_askers.py DRAUGHTSD MAKE_ARTEFACTS

The second asks while the game of the first is not stored yet, and when it is but the loop has not
heard of that: strace makes every sync of the store slow, or every ring for the loop.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

from lost_answers import await_held, slow

from daemon import Daemon, same


def ended_game(daemon):
    """(id, tokens) of a friend's game that is over."""
    game = daemon.new_game(rules="classic", opponent="friend")
    path = f"/v1/games/{game['id']}"
    status, friend = daemon.ask("POST", f"{path}/join")
    same("a friend joins", status, 200)
    same("and resigns", daemon.ask("POST", f"{path}/resign", None, friend["token"])[0], 200)
    return game["id"], (game["token"], friend["token"])


def play_again(daemon, what):
    """Both ask; then both make a move."""
    old, tokens = ended_game(daemon)
    with ThreadPoolExecutor(1) as other:
        first = other.submit(daemon.ask, "POST", f"/v1/games/{old}/rematch", None, tokens[0])
        await_held(daemon)
        status, joined = daemon.ask("POST", f"/v1/games/{old}/rematch", None, tokens[1])
        same(f"{what}: the second joins", status, 200)
        status, made = first.result()
        same(f"{what}: the first makes it", status, 201)
    same(f"{what}: they are in one game", made["id"], joined["id"])
    path = f"/v1/games/{made['id']}"
    for token in tokens:
        status, game = daemon.ask("GET", path, None, token)
        same(f"{what}: it is played", (status, game["status"]), (200, "playing"))
    for ply in range(2):
        turn = tokens[game["turn"] != made["you"][0]]
        move = {"ply": ply, "move": game["moves"][0]["move"]}
        status, game = daemon.ask("POST", f"{path}/moves", move, turn)
        same(f"{what}: move {ply}", status, 200)


def main(draughtsd, make_artefacts):
    with Daemon(draughtsd, make_artefacts) as daemon:
        daemon.start()  # makes the file
        daemon.stop()
        for what, call in (("not stored yet", "fdatasync"), ("not heard of yet", "write")):
            daemon.wrapper = slow(call)
            daemon.start()
            play_again(daemon, what)
            daemon.stop()
            print(f"{what}: one game")


if __name__ == "__main__":
    main(*sys.argv[1:])
