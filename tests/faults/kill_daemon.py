#!/usr/bin/env python3
"""The daemon killed under load, again and again: no acknowledged move, account or game is lost.

    kill_daemon.py DRAUGHTSD MAKE_ARTEFACTS [ROUNDS [PLAYERS]]
"""

import random
import sqlite3
import sys

from load import check_games, check_tokens, run_players

from daemon import Daemon, same


def main(draughtsd, make_artefacts, rounds="100", players="8"):
    games, tokens = {}, {}
    draw = random.Random(1)
    with Daemon(draughtsd, make_artefacts) as daemon:
        daemon.start("accounts.signups_per_hour=0")
        for turn in range(int(rounds)):
            fresh, accounts = {}, {}
            for player in run_players(daemon, int(players), turn, draw.uniform(0.0, 0.3),
                                      daemon.kill, draw.randint(5, 60)):
                fresh.update(player.games)
                accounts.update(player.tokens)
            daemon.start("accounts.signups_per_hour=0", port=daemon.port)
            check_games(daemon, fresh)
            check_tokens(daemon, accounts)
            games.update(fresh)
            tokens.update(accounts)
        check_games(daemon, games)
        check_tokens(daemon, tokens)
        daemon.stop()
        same("the file", sqlite3.connect(daemon.store).execute("PRAGMA integrity_check").fetchall(),
             [("ok",)])
    print(f"killed {rounds} times: {len(games)} games with {sum(map(len, games.values()))} "
          f"acknowledged moves and {sum(tokens.values())} accounts, none lost")


if __name__ == "__main__":
    main(*sys.argv[1:])
