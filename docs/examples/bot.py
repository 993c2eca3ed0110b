#!/usr/bin/env python3
"""Plays one game against draughtsd: any legal move that takes most, else any that is not the last
one's way back. Python's standard library only.

    bot.py [URL] [RULES] [LEVEL]
"""
import json
import random
import sys
import time
import urllib.error
import urllib.request

url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
rules = sys.argv[2] if len(sys.argv) > 2 else "classic"
level = int(sys.argv[3]) if len(sys.argv) > 3 else 1
token = None


def ask(path, body=None, **headers):
    """One request, sent again when the daemon is busy. A POST if there is a body."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    headers["Content-Type"] = "application/json"
    if token:
        headers["Authorization"] = "Bearer " + token
    data = json.dumps(body).encode() if body is not None else None
    while True:
        try:
            request = urllib.request.Request(url + path, data, headers)
            with urllib.request.urlopen(request, timeout=90) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            if refusal.code not in (429, 503):
                sys.exit("%s: %s" % (path, refusal.read().decode()))
            time.sleep(int(refusal.headers.get("Retry-After", "1")))


def choose(game):
    """The move of a simple mind."""
    back = game["played"][-2].split("-")[::-1] if len(game["played"]) > 1 else None
    most = max(len(move["captures"]) for move in game["moves"])
    best = [move["move"] for move in game["moves"] if len(move["captures"]) == most]
    return random.choice([move for move in best if move.split("-") != back] or best)


game = ask("/v1/games", {"rules": rules, "opponent": "computer", "level": level})
token, path = game["token"], "/v1/games/" + game["id"]
while game["status"] != "over":
    if game["status"] == "playing" and game["turn"] in game["you"]:
        move = {"ply": game["ply"], "move": choose(game)}
        game = ask(path + "/moves", move, Prefer="wait=30")
    else:  # the computer still thinks
        game = ask("%s?since=%d&wait=30" % (path, game["ply"]))
print("%s: %s, %d plies, I had %s" % (
    game["outcome"]["result"], game["outcome"]["reason"], game["ply"], game["you"][0]))
