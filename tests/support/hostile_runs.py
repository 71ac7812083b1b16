"""Texts that are nearly runs: well-formed lines, and every way that a line can be wrong."""

from __future__ import annotations

import random
from collections.abc import Callable

QUERIES = (b"q1", b"q2", b"q10", b"a-query-with-a-long-name", b"\xc3\xa9", b"0")
DOCUMENTS = (
    b"d1",
    b"d2",
    b"d10",
    b"D1",
    b"\xc3\xa9",
    b"a\0b",
    b"a\0c",
    b"a-name-of-more-than-8",
    b"a-name-of-more-than-9",
    b"7",
)
SCORES = (
    b"1", b"0.5", b".5", b"-0", b"0", b"1e-5", b"2.5E+2", b"inf", b"-inf", b"0.30000000000000004", b"9007199254740993",
    b"1234567890.123456789", b"1e-300", b"3",
)  # fmt: skip
GRADES = (b"0", b"1", b"2", b"+3", b"-1", b"-0", b"0.5", b"1.", b".25", b"12345678.125", b"3.141592653589793")
LONG_GRADES = (b"1e0", b"9007199254740993", b"0.30000000000000004", b"1234567890.123456789", b"1e-300")
WRONG_SCORES = (b"nan", b"abc", b"1,5", b"0x1", b"1_0", b"-", b".", b"1e", b"1e9999999", b"1" * 401, b"", b"\xff")
GAPS = (b" ", b"\t", b"  ", b" \t ", b"\v", b"\f")
"""A carriage return is none: it ends a line, or it is a fault."""
ENDS = (b"\n", b"\r\n", b" \n", b"\n\n", b"\n \t\n")
DEBRIS = (
    b"\n",
    b"#\n",
    b"q1\n",
    b"\xff\xfe\n",
    b"q1 Q0 d1 1 1\n",
    b"x" * 300 + b"\n",
    b"\xef\xbb\xbf",
    b"\0",
    b"q\xff Q0 d 1 1 t\n",
    b"# a comment\n",
    b"# Q0 d1 1 1 t\n",
    b"  #\n",
    b"#q Q0 d1 1 1 t\n",
)


def orderly(rng: random.Random) -> bytes:
    """A run as it should be: each query once, each document once, scores with many ties."""
    lines = []
    for query in rng.sample(QUERIES, rng.randint(1, len(QUERIES))):
        for name in rng.sample(DOCUMENTS, rng.randint(1, len(DOCUMENTS))):
            gaps = [rng.choice(GAPS) if rng.random() < 0.2 else b" " for _ in range(5)]
            fields = (query, b"Q0", name, b"1", rng.choice(SCORES), b"tag")
            line = fields[0] + b"".join(gap + field for gap, field in zip(gaps, fields[1:], strict=True))
            lines.append(line + (rng.choice(ENDS) if rng.random() < 0.2 else b"\n"))
    text = b"".join(lines)
    return text.removesuffix(b"\n") if rng.random() < 0.2 else text


def orderly_judgements(rng: random.Random) -> bytes:
    """Judgements as they should be; one separator between two fields, or sometimes several."""
    has_gaps, grades = rng.random() < 0.3, GRADES if rng.random() < 0.7 else (*GRADES, *LONG_GRADES)
    lines = []
    for query in rng.sample(QUERIES, rng.randint(1, len(QUERIES))):
        for name in rng.sample(DOCUMENTS, rng.randint(1, len(DOCUMENTS))):
            gaps = [rng.choice(GAPS) if has_gaps else rng.choice(GAPS[:2]) for _ in range(3)]
            lines.append(b"".join((query, gaps[0], b"0", gaps[1], name, gaps[2], rng.choice(grades), b"\n")))
    return b"".join(lines)


def disorderly(rng: random.Random, text_of: Callable[[random.Random], bytes] = orderly) -> bytes:
    """An orderly text with bytes changed, lines moved and debris put in."""
    text = bytearray(text_of(rng))
    for _ in range(rng.randint(1, 4)):
        kind = rng.randrange(6)
        at = rng.randrange(len(text) + 1)
        if kind == 0 and text:
            text[rng.randrange(len(text))] = rng.randrange(256)
        elif kind == 1:
            del text[at : at + rng.randint(1, 20)]
        elif kind == 2:
            text[at:at] = rng.choice(DEBRIS)
        elif kind == 3:
            lines = bytes(text).splitlines(keepends=True)
            rng.shuffle(lines)
            text = bytearray(b"".join(lines))
        elif kind == 4:
            lines = bytes(text).splitlines(keepends=True)
            text += rng.choice(lines) if lines else b""
        else:
            text = bytearray(bytes(text).replace(rng.choice(SCORES), rng.choice(WRONG_SCORES), 1))
    return bytes(text)
