#!/usr/bin/env python3
"""A thousand games at once against a level: every answer within five seconds, or 503.

    many_games.py DRAUGHTSD MAKE_ARTEFACTS|WEIGHTS_DIRECTORY [GAMES [LEVEL [MOVES]]]

Each game is played by an invented player who answers at once with a random legal move, so that the
daemon never rests. Prints moves a second and how long their answers, the computer's reply included,
took.
"""

import asyncio
import json
import os
import random
import resource
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "live"))

from daemon import Daemon, same  # noqa: E402

PATIENCE = 5  # seconds


class Client:
    """One connection that is kept."""

    def __init__(self, reader, writer, host):
        self.reader, self.writer, self.host = reader, writer, host

    async def ask(self, path, body, token=None, wait=None):
        text = json.dumps(body).encode()
        lines = [f"POST {path} HTTP/1.1", f"Host: {self.host}", "Content-Type: application/json",
                 f"Content-Length: {len(text)}"]
        if token:
            lines.append(f"Authorization: Bearer {token}")
        if wait:
            lines.append(f"Prefer: wait={wait}")
        self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + text)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        size = int(head.split("content-length: ")[1].split("\r\n")[0])
        data = await self.reader.readexactly(size)
        return int(head.split()[1]), json.loads(data)


async def play(daemon, seed, level, moves, times, refused):
    draw = random.Random(seed)
    reader, writer = await asyncio.open_connection(daemon.host, daemon.port)
    client = Client(reader, writer, f"{daemon.host}:{daemon.port}")
    status, game = await client.ask("/v1/games", {"rules": "international",
                                                  "opponent": "computer", "level": level})
    same("a new game", status, 201)
    token = game["token"]
    for _ in range(moves):
        if not game["moves"]:
            break
        begun = time.monotonic()
        move = draw.choice(game["moves"])["move"]
        status, answer = await client.ask(f"/v1/games/{game['id']}/moves",
                                          {"ply": game["ply"], "move": move}, token, PATIENCE)
        seconds = time.monotonic() - begun
        times.append(seconds)
        if status == 503 or (status == 200 and answer["status"] == "thinking"):
            refused.append(seconds)
            break
        same("a move", status, 200)
        game = answer
    writer.close()


async def play_all(daemon, games, level, moves):
    times, refused = [], []
    begun = time.monotonic()
    await asyncio.gather(*(play(daemon, seed, level, moves, times, refused)
                           for seed in range(games)))
    return times, refused, time.monotonic() - begun


def main(draughtsd, data, games="1000", level="3", moves="10"):
    count = int(games)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 4 * count + 1000), most))
    with Daemon(draughtsd, data) as daemon:
        daemon.start(f"http.max_connections={count + 100}", "search.queue=2000",
                     "games.all_levels=on")
        times, refused, seconds = asyncio.run(play_all(daemon, count, int(level), int(moves)))
        times.sort()
        print(f"{count} games against level {level}: {len(times)} moves in {seconds:.1f} s "
              f"({len(times) / seconds:.0f}/s), median {times[len(times) // 2] * 1e3:.0f} ms, "
              f"99 % {times[len(times) * 99 // 100] * 1e3:.0f} ms, longest {times[-1] * 1e3:.0f} ms; "
              f"{len(refused)} without a reply")
        daemon.stop()
    if times[-1] > PATIENCE + 0.5:
        raise AssertionError("an answer took too long")


if __name__ == "__main__":
    main(*sys.argv[1:])
