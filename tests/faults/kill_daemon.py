#!/usr/bin/env python3
"""The daemon killed under load, again and again: no acknowledged move, account, unlock or game is
lost.

    kill_daemon.py DRAUGHTSD MAKE_ARTEFACTS [ROUNDS [PLAYERS]]

In every tenth round and in the last, it is killed as soon as somebody has been told of the win that
opens a level.
"""

import functools
import random
import sqlite3
import sys

from load import Climber, check_games, check_tokens, check_unlock, run_players

from daemon import Daemon, same


def kill_behind_win(daemon, climber):
    if climber:
        climber.won.wait(120)
    daemon.kill()


def main(draughtsd, make_artefacts, rounds="100", players="8"):
    games, tokens, climbers = {}, {}, []
    draw = random.Random(1)
    with Daemon(draughtsd, make_artefacts) as daemon:
        daemon.start("accounts.signups_per_hour=0")
        for turn in range(int(rounds)):
            fresh, accounts, climber = {}, {}, None
            if turn % 10 == 9 or turn == int(rounds) - 1:
                climber = Climber(daemon, f"Climber {turn}")
                climber.start()
                climbers.append(climber)
            for player in run_players(daemon, int(players), turn, draw.uniform(0.0, 0.3),
                                      functools.partial(kill_behind_win, daemon, climber),
                                      draw.randint(5, 60)):
                fresh.update(player.games)
                accounts.update(player.tokens)
            daemon.start("accounts.signups_per_hour=0", port=daemon.port)
            check_games(daemon, fresh)
            check_tokens(daemon, accounts)
            if climber:
                same("the climber's trouble", climber.error, None)
                check_unlock(daemon, climber)
            games.update(fresh)
            tokens.update(accounts)
        check_games(daemon, games)
        check_tokens(daemon, tokens)
        for climber in climbers:
            check_unlock(daemon, climber)
        daemon.stop()
        same("the file", sqlite3.connect(daemon.store).execute("PRAGMA integrity_check").fetchall(),
             [("ok",)])
    print(f"killed {rounds} times: {len(games)} games with {sum(map(len, games.values()))} "
          f"acknowledged moves, {sum(tokens.values())} accounts and {len(climbers)} unlocks, "
          "none lost")


if __name__ == "__main__":
    main(*sys.argv[1:])
