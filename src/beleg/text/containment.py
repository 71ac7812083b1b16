"""Which of many texts stand whole in a longer one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from beleg.text.normalise import fold_typography

_WORD_START = re.compile(r"(?<!\w)\w")
_KEY_CHARS = 24


class TextIndex:
    """Finds the texts that stand whole in a longer text, by their first characters instead of one search each."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._by_start: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
        for name, text in texts.items():
            folded = fold_typography(text)
            first = _WORD_START.search(folded)
            if first is not None:
                body = folded[first.start() :]
                whole = re.compile(rf"(?<!\w){re.escape(body)}(?!\w)")
                self._by_start.setdefault(body[:_KEY_CHARS], []).append((name, whole))
        self._lengths = sorted({len(start) for start in self._by_start})

    def found_in(self, text: str) -> list[str]:
        """The names of the texts that stand in this one, at word boundaries and after folding typography.

        Example:
            >>> TextIndex({"a": "PIN 4711", "b": "PIN 47"}).found_in("Die PIN  4711.")
            ['a']
        """
        folded = fold_typography(text)
        positions = [match.start() for match in _WORD_START.finditer(folded)]
        starts = {folded[at : at + length] for length in self._lengths for at in positions}
        candidates = (item for start in self._by_start.keys() & starts for item in self._by_start[start])
        return sorted(name for name, whole in candidates if whole.search(folded))
