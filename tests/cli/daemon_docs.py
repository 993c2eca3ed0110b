#!/usr/bin/env python3
"""Runs the examples of docs/http-api.md against a daemon and compares what they print with what the
document says: to the letter where the rules alone decide, in shape (names, kinds of value, length
of what is no list of moves) where weights, chance or the clock do.

    daemon_docs.py FILE URL KEY         KEY: of another back end, as an operator makes them
"""
import json
import re
import subprocess
import sys

path, url, key = sys.argv[1:]
DECIDED = re.compile(r"/v1/moves ")
FREE = {"line", "played", "moves"}  # lists whose length may vary
known = {"key": key}  # and $id and $token for later examples


def examples(text):
    """Pairs of command and expected output: indented blocks that begin with "$ "."""
    for block in re.findall(r"(?m)^    \$ (?:.*\n)(?:    .*\n)*", text):
        lines = [line[4:] for line in block.splitlines()]
        command = lines[0][2:]
        rest = lines[1:]
        while subprocess.run(["bash", "-nc", command], stderr=subprocess.DEVNULL).returncode != 0 \
                or command.endswith("\\"):
            command += "\n" + rest.pop(0)
        yield command, "\n".join(rest)


def differs(wanted, got, exact, name=""):
    """What is different, or None."""
    if isinstance(wanted, (int, float)) and isinstance(got, (int, float)) \
            and not isinstance(wanted, bool) and not exact:
        return None
    if type(wanted) is not type(got):
        return "%s: %r is no %s" % (name, got, type(wanted).__name__)
    if isinstance(wanted, dict) and isinstance(got, dict):
        if list(wanted) != list(got):
            return "%s has %s, not %s" % (name, list(got), list(wanted))
        pairs = [(wanted[key], got[key], key) for key in wanted]
    elif isinstance(wanted, list) and isinstance(got, list):
        if len(wanted) != len(got) and name not in FREE:
            return "%s has %d elements, not %d" % (name, len(got), len(wanted))
        pairs = [(a, b, name) for a, b in zip(wanted, got)]
    else:
        same = wanted == got or not exact or \
            (isinstance(wanted, str) and "…" in wanted and got.startswith(wanted.split("…")[0]))
        return None if same else "%s is %r, not %r" % (name, got, wanted)
    return next(filter(None, (differs(a, b, exact, key) for a, b, key in pairs)), None)


count = 0
for command, expected in examples(open(path, encoding="utf-8").read()):
    run = command.replace("http://127.0.0.1:8080", url)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", run], env={"PATH": "/usr/bin:/bin", **known},
                          capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        sys.exit("FAILED (%d): %s\n%s%s" % (done.returncode, command, done.stdout, done.stderr))
    wanted, got = json.loads(expected), json.loads(done.stdout)
    fault = differs(wanted, got, bool(DECIDED.search(command)), "answer")
    if fault:
        sys.exit("FAILED: %s\n%s\nprinted: %s" % (command, fault, done.stdout))
    if "[.id, .token" in command:
        known["id"], known["token"] = got[0], got[1]
    count += 1
assert count >= 8, "only %d examples were found" % count
print("%d examples print what is said" % count)
