"""Spans from the tags of tokens: IOB in its kinds, read leniently as conlleval does, or strictly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Literal

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, shown
from beleg.metrics.ingestion.spans import Integers, Spans

TagReading = Literal["conlleval", "strict_iob2", "strict_iobes"]
"""How tags become spans: ``conlleval`` mends, as conlleval and seqeval do by default; the other two do not."""

_OUTSIDE, _BEGIN, _INSIDE, _END, _SINGLE = range(5)
_PREFIXES = {"O": _OUTSIDE, "B": _BEGIN, "I": _INSIDE, "E": _END, "L": _END, "S": _SINGLE, "U": _SINGLE}
_ALLOWED = {"conlleval": "BIELSU", "strict_iob2": "BI", "strict_iobes": "BIELSU"}
_NO_LABEL = "_"
_MOST_LABELS = 30_000

Codes = npt.NDArray[np.signedinteger | np.unsignedinteger]


class _Tags(dict[str, int]):
    """Numbers every tag when it is first met."""

    def __missing__(self, tag: str) -> int:
        number = self[tag] = len(self)
        return number


def spans_of_tags(documents: Sequence[Sequence[str]], reading: TagReading = "conlleval") -> Spans:
    """The spans that tags stand for; a document is a list of tags, and no span reaches beyond it.

    A tag is a prefix, a hyphen and a label: B begins a span, I is inside one, E (or L) ends one, S (or U) is one, O is
    none. ``conlleval`` mends: a span also begins at an I or E that follows no token of the same label, and ends
    wherever the next token does not belong to it. ``strict_iob2`` takes a B and the I of the same label that follow it,
    and nothing that does not begin with a B. ``strict_iobes`` takes an S, or a B, then I, then an E, all of one
    label.

    Args:
        documents: the tags of each document.
        reading: how they are read.

    Returns:
        Spans of tokens.

    Raises:
        DataError: if a tag is none of these, or the reading does not know its prefix.

    Example:
        >>> tags = [["B-PER", "I-PER", "O", "I-ORG"]]
        >>> len(spans_of_tags(tags)), len(spans_of_tags(tags, "strict_iob2"))
        (2, 1)
    """
    codes, tags = _codes(documents)
    prefixes, label_of, labels = _taken_apart(tags, documents, reading)
    lengths = np.fromiter(map(len, documents), dtype=np.int64, count=len(documents))
    stops = np.cumsum(lengths)
    start, end = _read(prefixes[codes], label_of[codes], (stops - lengths)[lengths > 0], reading)
    document = np.searchsorted(stops, start, side="right")
    offset = (stops - lengths)[document]
    label = label_of[codes[start]].astype(np.int64)
    return Spans(len(documents), document, start - offset, end - offset, label, labels)


def _codes(documents: Sequence[Sequence[str]]) -> tuple[Codes, list[str]]:
    """The number of every token's tag, and the tags."""
    known = _Tags()
    flat = list(chain.from_iterable(documents))
    try:
        # Bytes are taken twice as fast as numbers; nobody has that many tags.
        return np.frombuffer(bytes(map(known.__getitem__, flat)), dtype=np.uint8), list(known)
    except ValueError:
        return np.fromiter(map(known.__getitem__, flat), dtype=np.int64, count=len(flat)), list(known)


def _taken_apart(
    tags: Sequence[str], documents: Sequence[Sequence[str]], reading: TagReading
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16], tuple[str, ...]]:
    """Prefix and label of each tag."""
    prefixes, label_of = np.zeros(len(tags), dtype=np.int8), np.zeros(len(tags), dtype=np.int16)
    labels: dict[str, int] = {}
    for number, tag in enumerate(tags):
        prefix, hyphen, label = str(tag).partition("-")
        known = not hyphen if prefix == "O" else prefix in [*_ALLOWED[reading]] and (not hyphen or label != "")
        if not known:
            raise DataError(_fault(tag, documents, reading))
        if len(labels) > _MOST_LABELS:
            raise DataError(Problem(message=f"more than {_MOST_LABELS:,} labels"))
        prefixes[number] = _PREFIXES[prefix]
        if prefix != "O":
            label_of[number] = labels.setdefault(label or _NO_LABEL, len(labels))
    return prefixes, label_of, tuple(labels)


def _fault(tag: str, documents: Sequence[Sequence[str]], reading: TagReading) -> Problem:
    number, place = next((number, tags.index(tag)) for number, tags in enumerate(map(list, documents)) if tag in tags)
    return Problem(
        message=f"document {number}, token {place}: not a tag that {reading} knows",
        value=shown(tag),
        remedy=f"Write O, or one of {', '.join(_ALLOWED[reading])} with a hyphen and a label, such as B-PER",
    )


def _read(
    prefix: npt.NDArray[np.int8], label: npt.NDArray[np.int16], first: Integers, reading: TagReading
) -> tuple[Integers, Integers]:
    """Where spans begin and end among all tokens; no span goes on at the first token of a document."""
    inside = prefix != _OUTSIDE
    goes_on = (prefix == _INSIDE) | (prefix == _END)
    goes_on[1:] &= label[1:] == label[:-1]
    goes_on[1:] &= (prefix[:-1] == _BEGIN) | (prefix[:-1] == _INSIDE)
    goes_on[first] = False
    # A run is a token and those that go on with it; every token inside stands in one.
    begins = np.flatnonzero(inside & ~goes_on)
    stops = np.append(np.flatnonzero(~goes_on), len(prefix))
    ends = stops[np.searchsorted(stops, begins, side="right")]
    if reading == "conlleval":
        return begins, ends
    if reading == "strict_iob2":
        sound = prefix[begins] == _BEGIN
    else:
        single = (prefix[begins] == _SINGLE) & (ends - begins == 1)
        sound = single | ((prefix[begins] == _BEGIN) & (prefix[ends - 1] == _END))
    return begins[sound], ends[sound]
