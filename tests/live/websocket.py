"""A WebSocket client for tests: it sends whatever frames it is told to, wrong ones too.

Python's standard library only.
"""

import base64
import hashlib
import os
import socket
import struct
import urllib.parse

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def mask_bytes(key, data):
    """data with the mask of four bytes on it."""
    size = len(data)
    long_key = (key * (size // 4 + 1))[:size]
    masked = int.from_bytes(data, "little") ^ int.from_bytes(long_key, "little")
    return masked.to_bytes(size, "little")


def frame(opcode, payload=b"", fin=True, rsv=0, masked=True):
    """One frame as a client sends it."""
    if isinstance(payload, str):
        payload = payload.encode()
    head = bytearray([fin << 7 | rsv << 4 | opcode])
    bit = masked << 7
    if len(payload) < 126:
        head.append(bit | len(payload))
    elif len(payload) < 65536:
        head += struct.pack("!BH", bit | 126, len(payload))
    else:
        head += struct.pack("!BQ", bit | 127, len(payload))
    if not masked:
        return bytes(head) + payload
    key = os.urandom(4)
    return bytes(head) + key + mask_bytes(key, payload)


def close_frame(code=1000, reason=b""):
    return frame(CLOSE, struct.pack("!H", code) + reason)


class Refused(Exception):
    """The handshake was answered with something else than 101."""

    def __init__(self, status, head, body):
        super().__init__(f"refused with {status}")
        self.status, self.head, self.body = status, head, body


class Gone(Exception):
    """The other end has closed the connection."""


class WebSocket:
    def __init__(self, url, token=None, timeout=20, headers=None, drop=(), key=None, early=b""):
        """Opens url; `headers` are added to the usual ones or replace them, `drop` are left out;
        `early` is sent with the request, before it is answered."""
        parts = urllib.parse.urlsplit(url)
        self.stream = socket.create_connection((parts.hostname, parts.port), timeout)
        self.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = bytearray()
        self.headers = {}
        key = key or base64.b64encode(os.urandom(16)).decode()
        lines = {
            "Host": parts.netloc,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
        }
        if token:
            lines["Authorization"] = f"Bearer {token}"
        lines.update(headers or {})
        target = parts.path + ("?" + parts.query if parts.query else "")
        text = f"GET {target} HTTP/1.1\r\n"
        text += "".join(f"{name}: {lines[name]}\r\n" for name in lines if name not in drop)
        self.stream.sendall(text.encode() + b"\r\n" + early)
        self._read_answer(key)

    def _read_answer(self, key):
        while b"\r\n\r\n" not in self.buffer:
            self._fill()
        head, _, rest = bytes(self.buffer).partition(b"\r\n\r\n")
        self.buffer = bytearray(rest)
        lines = head.decode().split("\r\n")
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            self.headers[name.lower()] = value
        status = int(lines[0].split()[1])
        if status != 101:
            size = int(self.headers.get("content-length", 0))
            while len(self.buffer) < size:
                self._fill()
            self.stream.close()
            raise Refused(status, self.headers, bytes(self.buffer))
        digest = hashlib.sha1(key.encode() + MAGIC).digest()
        assert self.headers["sec-websocket-accept"] == base64.b64encode(digest).decode()

    def _fill(self):
        try:
            data = self.stream.recv(1 << 18)
        except ConnectionError as error:
            raise Gone() from error
        if not data:
            raise Gone()
        self.buffer += data

    def _take(self, size):
        while len(self.buffer) < size:
            self._fill()
        data = bytes(self.buffer[:size])
        del self.buffer[:size]
        return data

    def send_raw(self, data):
        try:
            self.stream.sendall(data)
        except ConnectionError:
            pass  # what came before tells why

    def send(self, payload, opcode=TEXT):
        self.send_raw(frame(opcode, payload))

    def receive_frame(self):
        """(fin, opcode, payload) of the next frame; Gone at the end of the stream."""
        first, second = self._take(2)
        assert first & 0x70 == 0 and second & 0x80 == 0, "RSV or mask from a server"
        size = second
        if size == 126:
            (size,) = struct.unpack("!H", self._take(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self._take(8))
        return bool(first & 0x80), first & 15, self._take(size)

    def receive(self):
        """(opcode, payload) of the next message or control frame."""
        fin, opcode, payload = self.receive_frame()
        while not fin:
            fin, more, part = self.receive_frame()
            if more >= CLOSE:
                continue
            payload += part
        return opcode, payload

    def receive_text(self):
        """The next text, pings answered; Gone with a code behind a close."""
        while True:
            opcode, payload = self.receive()
            if opcode == PING:
                self.send(payload, PONG)
            elif opcode == CLOSE:
                code = struct.unpack("!H", payload[:2])[0] if payload else 1005
                self.send_raw(frame(CLOSE, payload))
                raise Gone(code)
            elif opcode == TEXT:
                return payload.decode()

    def at_end(self):
        """Whether the other end closes now without another byte."""
        try:
            self._take(1)
        except Gone:
            return True
        return False

    def close(self):
        self.stream.close()
