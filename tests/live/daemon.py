"""The real daemon under a test's hand: started on a store of its own, asked over HTTP, stopped, killed.

Python's standard library only.
"""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from websocket import WebSocket


class Failed(Exception):
    """A check of a test."""


def same(what, got, wanted):
    if got != wanted:
        raise Failed(f"{what}: got {got!r}, wanted {wanted!r}")


class Daemon:
    def __init__(self, program, data, wrapper=()):
        """data: a directory of weights, or the program that makes some; wrapper: a command that runs
        the program, as strace."""
        self.program, self.wrapper = program, list(wrapper)
        self.work = tempfile.mkdtemp(prefix="draughtsd.")
        self.log = os.path.join(self.work, "log")
        self.store = os.path.join(self.work, "games.db")
        self.data = data
        if not os.path.isdir(data):
            self.data = os.path.join(self.work, "data")
            os.mkdir(self.data)
            subprocess.run([data, self.data], check=True, stdout=subprocess.DEVNULL)
        self.process = None
        self.url = self.host = self.port = None

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process:
            self.process.kill()
            self.process.wait()
        if kind and os.path.exists(self.log):
            with open(self.log, encoding="utf-8", errors="replace") as log:
                sys.stderr.write("".join(log.readlines()[-20:]))
        shutil.rmtree(self.work, ignore_errors=True)

    def start(self, *settings, port=0):
        command = self.wrapper + [self.program, "-s", f"http.listen=127.0.0.1:{port}", "-s",
                                  f"weights.dir={self.data}", "-s",
                                  f"store.file={self.store}"]
        for setting in settings:
            command += ["-s", setting]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stderr=log)
        for _ in range(600):
            with open(self.log, encoding="utf-8", errors="replace") as log:
                found = re.search(r"^listening on (http://(.*):(\d+))$", log.read(), re.M)
            if found:
                self.url, self.host, self.port = found[1], found[2], int(found[3])
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise Failed("the daemon does not listen")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process = None

    def stop(self):
        """SIGTERM; it must end with status 0."""
        self.process.send_signal(signal.SIGTERM)
        self.ended()

    def ended(self):
        """Waits for the end that a SIGTERM has begun."""
        status = self.process.wait(30)
        self.process = None
        same("exit status after SIGTERM", status, 0)

    def ask(self, method, path, body=None, token=None, headers=None, timeout=30):
        """(status, what the JSON says) of one request on a connection of its own."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            return ask_on(connection, method, path, body, token, headers)
        finally:
            connection.close()

    def new_game(self, token=None, **body):
        status, game = self.ask("POST", "/v1/games", body, token)
        same("a new game", status, 201)
        return game

    def live(self, game, token=None, query="", **options):
        return WebSocket(f"ws://{self.host}:{self.port}/v1/games/{game['id']}/live{query}", token,
                         **options)


def ask_on(connection, method, path, body=None, token=None, headers=None):
    lines = dict(headers or {})
    if token:
        lines["Authorization"] = f"Bearer {token}"
    text = None
    if body is not None:
        lines["Content-Type"] = "application/json"
        text = json.dumps(body)
    connection.request(method, path, text, lines)
    answer = connection.getresponse()
    data = answer.read()
    try:
        return answer.status, json.loads(data) if data else None
    except ValueError:
        return answer.status, data
