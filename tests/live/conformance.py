#!/usr/bin/env python3
"""RFC 6455 against an echoing WebSocket, case by case, under the numbers of the Autobahn suite.

    conformance.py ws://127.0.0.1:8080/v1/echo [CASE-PREFIX]

A case sends bytes and names what must come back: messages, pongs and how the connection ends.
"""

import re
import struct
import sys
import time

from websocket import (BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Gone, WebSocket,
                       close_frame, frame)

SUITE = 301  # cases of the groups 1 to 7, 9 and 10
FAILED = "failed"  # closed by the server with 1002 or 1007, or dropped
CASES = {}


def case(number, sent, wanted, end=1000, chop=None, codes=(1002, 1007)):
    """sent: frames; wanted: [(opcode, payload)]; end: the code a clean close answers, or FAILED."""
    CASES[number] = (sent, wanted, end, chop, codes)


def split(data, size):
    return [data[at:at + size] for at in range(0, len(data), size)] or [b""]


def fragments(opcode, parts):
    """The frames of one message."""
    return [frame(opcode if i == 0 else CONTINUATION, part, fin=i == len(parts) - 1)
            for i, part in enumerate(parts)]


# --- 1: payloads of all forms of length; 2: pings and pongs ---------------------------------------
for kind, opcode in ((1, TEXT), (2, BINARY)):
    for i, size in enumerate((0, 125, 126, 127, 128, 65535, 65536)):
        case(f"1.{kind}.{i + 1}", [frame(opcode, b"*" * size)], [(opcode, b"*" * size)])
    case(f"1.{kind}.8", [frame(opcode, b"*" * 65536)], [(opcode, b"*" * 65536)], chop=997)

case("2.1", [frame(PING)], [(PONG, b"")])
case("2.2", [frame(PING, b"Hello, world!")], [(PONG, b"Hello, world!")])
BYTES = b"\0\xff\xfe\xfd\xfc\xfb\0\xff"
case("2.3", [frame(PING, BYTES)], [(PONG, BYTES)])
case("2.4", [frame(PING, b"\xfe" * 125)], [(PONG, b"\xfe" * 125)])
case("2.5", [frame(PING, b"\xfe" * 126)], [], FAILED)
case("2.6", [frame(PING, b"\xfe" * 125)], [(PONG, b"\xfe" * 125)], chop=1)
case("2.7", [frame(PONG)], [])
case("2.8", [frame(PONG, b"unsolicited")], [])
case("2.9", [frame(PONG, b"unsolicited"), frame(PING, b"ping")], [(PONG, b"ping")])
for number, chop in (("2.10", None), ("2.11", 1)):
    case(number, [frame(PING, b"payload-%d" % i) for i in range(10)],
         [(PONG, b"payload-%d" % i) for i in range(10)], chop=chop)

# --- 3: reserved bits; 4: reserved opcodes; masks -------------------------------------------------
HELLO = b"Hello, world!"
case("3.1", [frame(TEXT, HELLO, rsv=1)], [], FAILED)
for number, rsv, chop in (("3.2", 2, None), ("3.3", 3, 3), ("3.4", 4, 1)):
    case(number, [frame(TEXT, HELLO), frame(TEXT, HELLO, rsv=rsv), frame(PING)],
         [(TEXT, HELLO)], FAILED, chop)
case("3.5", [frame(BINARY, b"\0\xff", rsv=5)], [], FAILED)
case("3.6", [frame(PING, HELLO, rsv=6)], [], FAILED)
case("3.7", [frame(CLOSE, rsv=7)], [], FAILED)
for group, first in ((1, 3), (2, 11)):
    for i in range(5):
        sent = [frame(first + i, HELLO if i % 2 else b""), frame(PING)]
        if i < 2:
            case(f"4.{group}.{i + 1}", sent, [], FAILED)
        else:
            case(f"4.{group}.{i + 1}", [frame(TEXT, HELLO)] + sent, [(TEXT, HELLO)], FAILED,
                 chop=1 if i == 4 else None)
case("mask.text", [frame(TEXT, HELLO, masked=False)], [], FAILED)
case("mask.ping", [frame(PING, masked=False)], [], FAILED)
case("mask.close", [frame(CLOSE, struct.pack("!H", 1000), masked=False)], [], FAILED)
case("length.not-shortest", [b"\x81\xfe\x00\x05abcd" + b"\0" * 5], [], FAILED)
case("length.high-bit", [b"\x82\xff\x80" + b"\0" * 7 + b"abcd"], [], FAILED)

# --- 5: fragments ---------------------------------------------------------------------------------
A, B = b"fragment1", b"fragment2"
case("5.1", [frame(PING, A, fin=False), frame(CONTINUATION, B)], [], FAILED)
case("5.2", [frame(PONG, A, fin=False), frame(CONTINUATION, B)], [], FAILED)
for number, chop in (("5.3", None), ("5.4", None), ("5.5", 1)):
    case(number, fragments(TEXT, [A, B]), [(TEXT, A + B)], chop=chop)
for number, chop in (("5.6", None), ("5.7", None), ("5.8", 1)):
    case(number, [frame(TEXT, A, fin=False), frame(PING, b"ping"), frame(CONTINUATION, B)],
         [(PONG, b"ping"), (TEXT, A + B)], chop=chop)
for i, (fin, chop) in enumerate([(True, None), (True, None), (True, 1),
                                 (False, None), (False, None), (False, 1)]):
    case(f"5.{9 + i}", [frame(CONTINUATION, b"stray", fin=fin), frame(TEXT, HELLO)], [], FAILED,
         chop)
case("5.15", fragments(TEXT, [A, B]) + [frame(CONTINUATION, b"x", fin=False), frame(TEXT, HELLO)],
     [(TEXT, A + B)], FAILED)
for number, fin in (("5.16", False), ("5.17", True)):
    case(number, [frame(CONTINUATION, A, fin=fin), frame(TEXT, B, fin=False),
                  frame(CONTINUATION, B)] * 2, [], FAILED)
case("5.18", [frame(TEXT, A, fin=False), frame(TEXT, B)], [], FAILED)
PARTS = [b"fragment%d" % i for i in range(1, 6)]
for number, chop in (("5.19", None), ("5.20", 1)):
    sent = fragments(TEXT, PARTS)
    case(number, sent[:2] + [frame(PING, b"1")] + sent[2:4] + [frame(PING, b"2")] + sent[4:],
         [(PONG, b"1"), (PONG, b"2"), (TEXT, b"".join(PARTS))], chop=chop)

# --- 6: UTF-8 -------------------------------------------------------------------------------------
case("6.1.1", [frame(TEXT)], [(TEXT, b"")])
case("6.1.2", fragments(TEXT, [b"", b"", b""]), [(TEXT, b"")])
case("6.1.3", fragments(TEXT, [b"", b"middle", b""]), [(TEXT, b"middle")])
GOOD = "Hello-µ@ßöäüàá-UTF-8!!".encode()
case("6.2.1", [frame(TEXT, GOOD)], [(TEXT, GOOD)])
case("6.2.2", fragments(TEXT, [GOOD[:14], GOOD[14:]]), [(TEXT, GOOD)])
case("6.2.3", fragments(TEXT, split(GOOD, 1)), [(TEXT, GOOD)])
KOSME = "κ\u1f79σμε".encode()
case("6.2.4", fragments(TEXT, split(KOSME, 1)), [(TEXT, KOSME)])
SURROGATE = KOSME + b"\xed\xa0\x80edited"
case("6.3.1", [frame(TEXT, SURROGATE)], [], FAILED, codes=(1007,))
case("6.3.2", fragments(TEXT, split(SURROGATE, 1)), [], FAILED, codes=(1007,))
# Closed as soon as the text cannot become right: the rest is never sent.
case("6.4.1", [frame(TEXT, KOSME, fin=False),
               frame(CONTINUATION, b"\xf4\x90\x80\x80", fin=False)], [], FAILED, codes=(1007,))
case("6.4.2", [frame(TEXT, KOSME + b"\xf4", fin=False),
               frame(CONTINUATION, b"\x90", fin=False)], [], FAILED, codes=(1007,))
WHOLE = frame(TEXT, KOSME + b"\xf4\x90\x80\x80edited")
case("6.4.3", [WHOLE[:6 + len(KOSME) + 4]], [], FAILED, codes=(1007,))
case("6.4.4", [WHOLE[:6 + len(KOSME) + 2]], [], FAILED, codes=(1007,))

LONELY = [(0xc0, 0xdf), (0xe0, 0xef), (0xf0, 0xf7), (0xf8, 0xfb), (0xfc, 0xfd)]
CUT = [b"\xc0", b"\xe0\x80", b"\xf0\x80\x80", b"\xf8\x80\x80\x80", b"\xfc\x80\x80\x80\x80", b"\xdf",
       b"\xef\xbf", b"\xf7\xbf\xbf", b"\xfb\xbf\xbf\xbf", b"\xfd\xbf\xbf\xbf\xbf"]
SEQUENCES = {  # after Markus Kuhn's UTF-8-test.txt; which are text is what Python says
    5: [b"hello$world", "hello\u00a2world".encode(), "hello\u20acworld".encode(),
        "hello\U00024b62world".encode(), KOSME],
    6: [KOSME[:i + 1] for i in range(len(KOSME))],
    7: [b"\0", b"\xc2\x80", b"\xe0\xa0\x80", b"\xf0\x90\x80\x80"],
    8: [b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80"],
    9: [b"\x7f", b"\xdf\xbf", b"\xef\xbf\xbf", b"\xf4\x8f\xbf\xbf"],
    10: [b"\xf7\xbf\xbf\xbf", b"\xfb\xbf\xbf\xbf\xbf", b"\xfd\xbf\xbf\xbf\xbf\xbf"],
    11: [b"\xed\x9f\xbf", b"\xee\x80\x80", b"\xef\xbf\xbd", b"\xf4\x8f\xbf\xbf",
         b"\xf4\x90\x80\x80"],
    12: [b"\x80", b"\xbf"] + [(b"\x80\xbf" * 3)[:i] for i in range(2, 7)] +
        [bytes(range(0x80, 0xbf))],
    13: [b"".join(bytes([c, 0x20]) for c in range(*ends)) for ends in LONELY],
    14: CUT,
    15: [b"".join(CUT)],
    16: [b"\xfe", b"\xff", b"\xfe\xfe\xff\xff"],
    17: [b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf", b"\xf8\x80\x80\x80\xaf",
         b"\xfc\x80\x80\x80\x80\xaf"],
    18: [b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xf8\x87\xbf\xbf\xbf",
         b"\xfc\x83\xbf\xbf\xbf\xbf"],
    19: [b"\xc0\x80", b"\xe0\x80\x80", b"\xf0\x80\x80\x80", b"\xf8\x80\x80\x80\x80",
         b"\xfc\x80\x80\x80\x80\x80"],
    20: [b"\xed\xa0\x80", b"\xed\xad\xbf", b"\xed\xae\x80", b"\xed\xaf\xbf", b"\xed\xb0\x80",
         b"\xed\xbe\x80", b"\xed\xbf\xbf"],
    21: [high + low for high in (b"\xed\xa0\x80", b"\xed\xad\xbf", b"\xed\xae\x80", b"\xed\xaf\xbf")
         for low in (b"\xed\xb0\x80", b"\xed\xbf\xbf")],
    22: [chr(plane << 16 | last).encode() for plane in range(17) for last in (0xfffe, 0xffff)],
    23: [chr(c).encode() for c in range(0xfff9, 0x10000)],
}


def is_text(data):
    try:
        return data.decode() is not None
    except UnicodeDecodeError:
        return False


for group, sequences in SEQUENCES.items():
    for i, data in enumerate(sequences):
        number = f"6.{group}.{i + 1}"
        if is_text(data):
            case(number, [frame(TEXT, data)], [(TEXT, data)])
            case(number + ".split", fragments(TEXT, split(data, 1)), [(TEXT, data)], chop=1)
        else:
            case(number, [frame(TEXT, data)], [], FAILED, codes=(1007,))
            case(number + ".split", fragments(TEXT, split(data, 1)), [], FAILED, chop=1,
                 codes=(1007,))
case("6.binary", [frame(BINARY, b"\xff\xfe\x80")], [(BINARY, b"\xff\xfe\x80")])

# --- 7: closing -----------------------------------------------------------------------------------
case("7.1.1", [frame(TEXT, HELLO)], [(TEXT, HELLO)])
case("7.1.2", [close_frame(), close_frame()], [], None)
case("7.1.3", [close_frame(), frame(PING)], [], None)
case("7.1.4", [close_frame(), frame(TEXT, HELLO)], [], None)
case("7.1.5", [frame(TEXT, A, fin=False), close_frame(), frame(CONTINUATION, B)], [], None)
case("7.1.6", [frame(TEXT, b"B" * 262144), frame(TEXT, HELLO), close_frame(), frame(PING)],
     [(TEXT, b"B" * 262144), (TEXT, HELLO)], None)
case("7.3.1", [frame(CLOSE)], [], None)
case("7.3.2", [frame(CLOSE, b"a")], [], FAILED)
case("7.3.3", [close_frame()], [], None)
case("7.3.4", [close_frame(1000, b"Hello World!")], [], None)
case("7.3.5", [close_frame(1000, b"*" * 123)], [], None)
case("7.3.6", [close_frame(1000, b"*" * 124)], [], FAILED)
case("7.5.1", [close_frame(1000, SURROGATE)], [], FAILED)
for i, code in enumerate((1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000,
                          4999)):
    case(f"7.7.{i + 1}", [close_frame(code)], [], None, codes=(code,))
for i, code in enumerate((0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999)):
    case(f"7.9.{i + 1}", [close_frame(code)], [], FAILED, codes=(1002,))
for i, code in enumerate((5000, 65535)):
    case(f"7.13.{i + 1}", [close_frame(code)], [], FAILED, codes=(1002,))

# --- 9: sizes; 10: fragments of the sender's choice -----------------------------------------------
MEGABYTE = 1 << 20
for kind, opcode in ((1, TEXT), (2, BINARY)):
    for i, size in enumerate((65536, 262144, MEGABYTE, 4 * MEGABYTE, 8 * MEGABYTE, 16 * MEGABYTE)):
        case(f"9.{kind}.{i + 1}", [("big", opcode, size, size)], [(opcode, size)])
    for i, part in enumerate((64, 256, 1024, 4096, 16384, 65536, 262144, MEGABYTE, 4 * MEGABYTE)):
        case(f"9.{kind + 2}.{i + 1}", [("big", opcode, 4 * MEGABYTE, part)],
             [(opcode, 4 * MEGABYTE)])
    for i, chop in enumerate((64, 128, 256, 512, 1024, 2048)):
        case(f"9.{kind + 4}.{i + 1}", [("big", opcode, MEGABYTE, MEGABYTE)], [(opcode, MEGABYTE)],
             chop=chop)
    for i, size in enumerate((0, 16, 64, 256, 1024, 4096)):
        case(f"9.{kind + 6}.{i + 1}", [("many", opcode, size)], [])
case("9.too-large", [("big", BINARY, 16 * MEGABYTE + 1, 16 * MEGABYTE + 1)], [], FAILED,
     codes=(1009,))
case("9.too-large.fragments", [("big", BINARY, 17 * MEGABYTE, MEGABYTE)], [], FAILED, codes=(1009,))
case("10.1.1", fragments(TEXT, split(b"*" * 65536, 1300)), [(TEXT, b"*" * 65536)])


# --- running --------------------------------------------------------------------------------------

def bytes_of(sent):
    data = b""
    for item in sent:
        if isinstance(item, tuple):
            _, opcode, size, part = item
            item = b"".join(fragments(opcode, split(b"*" * size, part)))
        data += item
    return data


def read_wanted(client, wanted):
    for opcode, payload in wanted:
        got = client.receive()
        if isinstance(payload, int):
            payload = b"*" * payload
        if got != (opcode, payload):
            return f"got {got[0]} {got[1][:40]!r}, wanted {opcode} {payload[:40]!r}"
    return None


def read_end(client, end, codes):
    """How the connection ends; None when as it should."""
    try:
        opcode, payload = client.receive()
    except Gone:
        return None if end == FAILED and 1002 in codes else "dropped without a close"
    if opcode != CLOSE:
        return f"got {opcode} {payload[:40]!r}, wanted a close"
    code = struct.unpack("!H", payload[:2])[0] if payload else None
    if (end == FAILED or len(codes) == 1) and code not in codes:
        return f"closed with {code}, wanted {codes}"
    return None if client.at_end() else "not closed behind the close"


def many(client, opcode, size):
    """A thousand messages, each awaited."""
    message = frame(opcode, b"*" * size)
    for _ in range(1000):
        client.send_raw(message)
        if client.receive() != (opcode, b"*" * size):
            return "another message came back"
    return None


def run(url, number):
    sent, wanted, end, chop, codes = CASES[number]
    client = WebSocket(url)
    try:
        if sent[0][0] == "many":
            fault = many(client, *sent[0][1:])
        else:
            data = bytes_of(sent)
            for part in split(data, chop) if chop else [data]:
                client.send_raw(part)
            fault = read_wanted(client, wanted)
        if fault is None and end == 1000:
            client.send_raw(close_frame())
            codes = (1000,)
        return fault or read_end(client, end, codes)
    except Gone:
        return "dropped too early"
    except TimeoutError:
        return "nothing comes"
    finally:
        client.close()


# What clients offer for permessage-deflate (the suite's groups 12 and 13), all of it declined.
OFFERS = ("permessage-deflate", "permessage-deflate; client_max_window_bits",
          "permessage-deflate; server_no_context_takeover; server_max_window_bits=9, x-other",
          "permessage-deflate; client_max_window_bits=99")
RSV1 = 4


def run_offer(url, offer):
    client = WebSocket(url, headers={"Sec-WebSocket-Extensions": offer})
    if "sec-websocket-extensions" in client.headers:
        return "accepted"
    client.send(HELLO)
    fault = read_wanted(client, [(TEXT, HELLO)])
    client.send_raw(frame(TEXT, b"\xf2\x48\xcd\xc9\xc9\x07\x00", rsv=RSV1))
    fault = fault or read_end(client, FAILED, (1002,))
    client.close()
    return fault


def main(url, prefix=""):
    faults = 0
    numbers = [number for number in CASES if number.startswith(prefix)]
    for number in numbers:
        begun = time.monotonic()
        fault = run(url, number)
        if fault:
            faults += 1
            print(f"{number}: {fault}", file=sys.stderr)
        elif time.monotonic() - begun > 5:
            print(f"{number}: took {time.monotonic() - begun:.1f} s", file=sys.stderr)
    for offer in OFFERS if not prefix else ():
        fault = run_offer(url, offer)
        if fault:
            faults += 1
            print(f"{offer}: {fault}", file=sys.stderr)
    suite = sum(re.fullmatch(r"\d+(\.\d+)+", number) is not None for number in numbers)
    print(f"{suite} cases of the suite, {len(numbers) - suite} others, {faults} faults")
    return 1 if faults or not numbers or (not prefix and suite != SUITE) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
