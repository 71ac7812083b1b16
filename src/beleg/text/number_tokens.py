"""The digits and words of a text in one pass, from which numbers are read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

# One pass over digits and words; every alternative begins with another kind of character.
_TOKEN = re.compile(
    r"(?P<digits>\d+(?:[.,:]\d+|[\u00a0\u202f'’ ]\d{3}(?![\d.,]?\d))*)|(?P<word>[^\W\d_]+(?:[-'’][^\W\d_]+)*)"
)
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_JOINTS = (" ", "-", "\u00a0")


def words_without_digits(text: str) -> list[str] | None:
    """The words of a text as `NumberTokens` sees them, at one go; ``None`` for a text that holds digits.

    Example:
        >>> words_without_digits("a twenty-one, b"), words_without_digits("B12")
        (['a', 'twenty-one', 'b'], None)
    """
    return None if _DIGIT.search(text) else _WORD.findall(text)


class NumberTokens:
    """The tokens of a text outside of the ranges that are taken; a run of number words is taken off its front."""

    def __init__(self, text: str, taken: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._taken = list(taken)
        self._resumed: int | None = None

    def __iter__(self) -> Iterator[re.Match[str]]:
        at: int | None = 0
        next_taken = 0
        while at is not None:
            start, at = at, None
            for match in _TOKEN.finditer(self._text, start):
                while next_taken < len(self._taken) and self._taken[next_taken][1] <= match.start():
                    next_taken += 1
                if next_taken < len(self._taken) and self._taken[next_taken][0] < match.end():
                    at = max(match.end(), self._taken[next_taken][1])
                    break
                yield match
                if self._resumed is not None:
                    at, self._resumed = self._resumed, None
                    break

    def run_on(self, end: int) -> Iterator[re.Match[str]]:
        """The words behind one, as long as a single space parts each from the next."""
        while self._text[end : end + 1] in _JOINTS:
            at = end + 5 if self._text.startswith(" and ", end) else end + 1
            match = _TOKEN.match(self._text, at)
            if match is None or match.lastgroup != "word":
                return
            end = match.end()
            yield match

    def resume(self, end: int) -> None:
        """Goes on behind a run that was read."""
        self._resumed = end
