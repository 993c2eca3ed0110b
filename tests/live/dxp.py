#!/usr/bin/env python3
"""Games over DXP on the real daemon: random legal moves, which /v1/moves tells, against a level.

    dxp.py DRAUGHTSD MAKE_ARTEFACTS
"""

import random
import re
import socket
import sys
import threading
import time

from daemon import Daemon, Failed, same


class Program:
    """A program that begins games, as DXP calls it the initiator."""

    def __init__(self, port):
        self.stream = socket.create_connection(("127.0.0.1", port), 60)
        self.buffer = b""

    def say(self, text):
        self.stream.sendall(text.encode() + b"\0")

    def hear(self):
        """The next message; None at the end."""
        while b"\0" not in self.buffer:
            data = self.stream.recv(4096)
            if not data:
                return None
            self.buffer += data
        message, _, self.buffer = self.buffer.partition(b"\0")
        return message.decode()

    def close(self):
        self.stream.close()


def request(follower, position="A"):
    return f"R01{'Random':32}{follower}030075{position}"


def to_dxp(move):
    squares = [int(part) for part in re.split("[-x]", move)]
    taken = squares[2:]
    return f"M0000{squares[0]:02}{squares[1]:02}{len(taken):02}" + "".join(
        f"{square:02}" for square in taken)


def from_dxp(text):
    squares = [int(text[at:at + 2]) for at in (5, 7)]
    taken = sorted(int(text[at:at + 2]) for at in range(11, len(text), 2))
    return "x".join(map(str, squares + taken)) if taken else "-".join(map(str, squares))


def position(daemon, moves):
    status, answer = daemon.ask("POST", "/v1/moves", {"rules": "international", "moves": moves})
    same("the moves so far are legal", status, 200)
    return answer


def play(daemon, program, follower, draw):
    """One game to its end; returns the plies and how we saw it end."""
    moves, turn = [], "white"
    ours = "black" if follower == "W" else "white"
    program.say(request(follower))
    same("accepted", program.hear(), f"A{'Draughtsmith':32}0")
    while True:
        state = position(daemon, moves)
        turn = state["turn"]
        if state["outcome"]:
            break
        if turn == ours:
            moves.append(draw.choice(state["moves"])["move"])
            program.say(to_dxp(moves[-1]))
        else:
            moves.append(from_dxp(program.hear()))
    result = state["outcome"]["result"]
    wanted = {"draw": "2", f"{ours} wins": "1"}.get(result, "3")
    same(f"the end, {result}", program.hear(), f"E{wanted}0")
    program.say({"2": "E20", "1": "E30", "3": "E10"}[wanted])
    return len(moves), result


def test_games(daemon, port):
    program, draw = Program(port), random.Random(5)
    for follower in "ZW":
        plies, result = play(daemon, program, follower, draw)
        print(f"a game of {plies} plies: {result}")
    program.say(request("Z"))
    program.hear()
    program.say("M0000010100")
    same("an illegal move ends it", (program.hear(), program.hear()), ("E01", None))
    program.close()


def test_several_at_once(daemon, port):
    results = []

    def one(seed):
        program = Program(port)
        results.append(play(daemon, program, "ZW"[seed % 2], random.Random(seed)))
        program.say("E01")  # behind the end of the game: nothing more
        same("closed", program.hear(), None)
        program.close()

    players = [threading.Thread(target=one, args=(seed,)) for seed in range(3)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    same("all played", len(results), 3)


def test_faults(port):
    for text in ("x" * 200, "hello\0", "R01\0", "\0"):
        program = Program(port)
        program.stream.sendall(text.encode())
        same(f"{text[:8]!r} is closed", program.hear(), None)
        program.close()
    crowd = [Program(port) for _ in range(4)]
    same("one too many is closed", crowd[-1].hear(), None)
    for program in crowd:
        program.close()


def in_a_game(port):
    """A program in a game, as soon as the daemon has noticed that there is room for one."""
    for _ in range(100):
        program = Program(port)
        try:
            program.say(request("Z"))
            if program.hear():
                return program
        except ConnectionError:
            pass
        program.close()
        time.sleep(0.05)
    raise Failed("no room for a program")


def test_the_end(daemon, port):
    program = in_a_game(port)
    daemon.process.terminate()
    same("ended with the daemon", (program.hear(), program.hear()), ("E01", None))
    program.close()
    daemon.ended()


def main(draughtsd, make_artefacts):
    with Daemon(draughtsd, make_artefacts) as daemon:
        daemon.start("dxp.listen=127.0.0.1:0", "dxp.level=2", "dxp.clients=3")
        with open(daemon.log, encoding="utf-8") as log:
            found = re.search(r"^DXP on 127.0.0.1:(\d+), level 2$", log.read(), re.M)
        if not found:
            raise Failed("no port for DXP")
        port = int(found[1])
        test_games(daemon, port)
        test_several_at_once(daemon, port)
        test_faults(port)
        test_the_end(daemon, port)
    print("DXP as it should be")


if __name__ == "__main__":
    main(*sys.argv[1:])
