#!/usr/bin/env python3
"""How much sooner several threads reach a depth: threads.py DRAUGHTS [options]

Each position is searched to its depth by one thread, by two processes of one thread at once, and by
so many threads, in turns, round after round. Two processes at once show what the machine gives: on
two free cores each is as quick as alone. Every search is a new process with an empty table, and its
time is the one that it tells itself; with one thread it must say the same each time.
"""
import argparse
import math
import pathlib
import statistics
import subprocess
import sys

POSITIONS = pathlib.Path(__file__).with_name("positions.tsv")


def searches(draughts, rules, fen, depth, threads, processes):
    """Runs so many searches at once; for each (seconds, nodes, depth, best move)."""
    call = [draughts, "search", "-q", "-r", rules, "-p", fen, "--depth", str(depth)]
    call += ["--threads", str(threads)]
    running = [subprocess.Popen(call, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    answers = []
    for process in running:
        lines = process.communicate()[0].splitlines()
        if process.returncode != 0 or len(lines) < 2 or not lines[-1].startswith("bestmove "):
            sys.exit(f"threads.py: error: {' '.join(call)}: failed")
        info = lines[-2].split()
        seconds, nodes, reached = (info[info.index(key) + 1] for key in ("time", "nodes", "depth"))
        answers.append((float(seconds), int(nodes), int(reached), lines[-1]))
    return answers


def positions(rules, step):
    rows = [line.split("\t") for line in POSITIONS.read_text().splitlines() if line[0] != "#"]
    return [(int(depth), fen) for name, depth, fen in rows if name == rules][::step]


def mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios)))


def measure(options, rules):
    """Prints the row of a rule set."""
    speed_up, side_by_side, nodes, totals = [], [], [], [0.0, 0.0]
    for depth, fen in positions(rules, options.step):
        alone, both, threaded = [], [], []
        for _ in range(options.rounds):
            told = (options.draughts, rules, fen, depth + options.deeper)
            alone += searches(*told, 1, 1)
            both += searches(*told, 1, 2)
            threaded += searches(*told, options.threads, 1)
        if len({answer[1:] for answer in alone + both}) != 1:
            sys.exit(f"threads.py: error: {fen}: one thread does not say the same each time")
        if {answer[2] for answer in threaded} != {alone[0][2]}:
            continue  # a forced end was found, which ends the search at a depth of its own
        one, pair, several = (statistics.median(a[0] for a in every) for every in
                              (alone, both, threaded))
        speed_up.append(one / several)
        side_by_side.append(2 * one / pair)
        nodes.append(statistics.median(a[1] for a in threaded) / alone[0][1])
        totals[0] += one
        totals[1] += several
    print(f"{rules:<13} {len(speed_up):>9} {totals[0]:>8.1f} {mean(speed_up):>9.2f} "
          f"{totals[0] / totals[1]:>8.2f} {mean(nodes):>6.2f} {mean(side_by_side):>12.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("draughts")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--deeper", type=int, default=6, help="plies over those of positions.tsv (6)")
    parser.add_argument("--step", type=int, default=3, help="every so many positions (3)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rules", default="international classic flying")
    options = parser.parse_args()
    print("rules         positions  seconds  speed-up  in all  nodes  side by side")
    for rules in options.rules.split():
        measure(options, rules)


if __name__ == "__main__":
    main()
