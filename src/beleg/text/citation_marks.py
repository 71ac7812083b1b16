"""Where an answer cites: marks such as [1], [1, 2], [1-3], 【4】, [doc-7] and links, with the labels that they name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from beleg.text.markers import rendered

MAX_RANGE = 50
"""The widest range that is read as one label for each number in it; a wider one is no honest citation."""

# Every run is bounded, so that an answer made of brackets costs no more than its length.
_SQUARE = re.compile(
    r"(?<!!)\[\[?(?P<name>[^\[\]\n]{1,200})\]\]?"
    r"(?:\((?P<target>[^()\s]{1,2000})(?:[ \t]+\"[^\"\n]{0,200}\")?\))?"
)
_OTHER = re.compile(r"(?:【(?P<lenticular>[^【】\n]{1,200})】)|(?:[(<{][^\[\]()<>{}【】\n]{1,200}[)>}])")
_SEPARATOR = re.compile(r"[,;]")
_RANGE = re.compile(r"(\d{1,3})\s*[-\u2013\u2014]\s*(\d{1,3})", re.ASCII)
_NUMBER = re.compile(r"\d{1,3}(?::\d{1,3})?", re.ASCII)
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_WEB = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationMark:
    """One mark of an answer: where it stands, and the labels that it names, in order."""

    start: int
    end: int
    labels: tuple[str, ...]
    words: tuple[int, int] | None = None
    """Where the words of a link stand; they belong to the sentence, what is around them does not."""


def bare(marker: str) -> str:
    """A marker without its brackets.

    Example:
        >>> bare("[1]"), bare("【2】"), bare("doc-7")
        ('1', '2', 'doc-7')
    """
    name = marker.strip()
    return name[1:-1].strip() if len(name) > 2 and name == rendered(name) else name


def citation_marks(text: str, known: Collection[str]) -> list[CitationMark]:
    """The citation marks of an answer, whether or not they name something.

    A bracket is a mark when it names a known label, a number of up to three digits, a list or range of them, or has
    the form of a known label, such as ``[doc-99]`` beside ``doc-7``: a fabricated label must not pass for prose. A link
    to a web address is a mark as well, under its words where they are a label and else under its target. Any other
    bracket, such as ``[sic]`` or ``[2024]``, is prose.

    Args:
        text: the answer.
        known: the labels that are known to be citations, with or without brackets: the markers that a candidate
            listed, and the ids of passages and documents.

    Returns:
        Marks in order of the text; they do not overlap.

    Example:
        >>> [mark.labels for mark in citation_marks("A [1, 2]. B [sic] [4-6]. C [9](https://x.example).", {"1"})]
        [('1', '2'), ('4', '5', '6'), ('9',)]
    """
    reader = _Reader(known)
    found: list[CitationMark] = []
    end = 0
    for mark in sorted(reader.marks(text), key=lambda mark: mark.start):
        if mark.start >= end:
            found.append(mark)
            end = mark.end
    return found


class _Reader:
    def __init__(self, known: Collection[str]) -> None:
        self._forms = {rendered(label) for label in known if label.strip()}
        self._labels = {bare(label) for label in known if label.strip()}
        self._shapes = {shape for label in self._labels if (shape := _shape(label)) is not None}

    def marks(self, text: str) -> Iterator[CitationMark]:
        for match in _SQUARE.finditer(text):
            if (mark := self._square(match)) is not None:
                yield mark
        for match in _OTHER.finditer(text):
            if match.group() in self._forms:
                yield CitationMark(start=match.start(), end=match.end(), labels=(bare(match.group()),))
            elif match["lenticular"] is not None and (labels := self._read(match["lenticular"].split("†")[0])):
                yield CitationMark(start=match.start(), end=match.end(), labels=labels)

    def _square(self, match: re.Match[str]) -> CitationMark | None:
        labels, target = self._read(match["name"]), match["target"]
        if labels:
            return CitationMark(start=match.start(), end=match.end(), labels=labels)
        if target is None or not (target in self._labels or _WEB.match(target)):
            return None
        return CitationMark(start=match.start(), end=match.end(), labels=(target,), words=match.span("name"))

    def _read(self, name: str) -> tuple[str, ...]:
        """The labels in a bracket; none where it is prose."""
        whole = name.strip().lstrip("^").strip()
        if whole in self._labels:
            return (whole,)
        found: list[str] = []
        for piece in _SEPARATOR.split(whole):
            labels = self._piece(piece.strip().lstrip("^").strip())
            if not labels:
                return ()
            found.extend(labels)
        return tuple(found)

    def _piece(self, piece: str) -> tuple[str, ...]:
        if piece in self._labels or _NUMBER.fullmatch(piece):
            return (piece,)
        numbers = _RANGE.fullmatch(piece)
        if numbers is not None:
            first, last = int(numbers[1]), int(numbers[2])
            is_honest = first <= last < first + MAX_RANGE
            return tuple(str(number) for number in range(first, last + 1)) if is_honest else (piece,)
        return (piece,) if _shape(piece) in self._shapes else ()


def _shape(label: str) -> str | None:
    """The form of a label: letters and digits apart; ``None`` for a bare word or number, which prose has as well."""
    if len(label) > 200 or any(character.isspace() for character in label):
        return None
    shape = _DIGITS.sub("0", _LETTERS.sub("a", label))
    return None if shape in {"a", "0", ""} else shape
