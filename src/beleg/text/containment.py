"""Which of many texts stand in a longer one: whole, or with a long run of their words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from beleg.text.edges import stands_whole
from beleg.text.normalise import fold_typography

RUN_WORDS = 12
"""How many consecutive words of a text tell that it was copied."""

_WORD_START = re.compile(r"(?<!\w)\w")
_WORD = re.compile(r"\w+")
_KEY_SIZES = (64, 32, 16, 8, 4, 2, 1)
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[nrtbf\"'/\\])")
_SPACE_ESCAPES = frozenset("nrtbf")

# Odd, so that a product loses nothing modulo 2^64: the mixing constants of splitmix64 (Steele et al., 2014).
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def unescaped(text: str) -> str:
    r"""The text with the escapes of JSON and of program text resolved, escaped line breaks as spaces.

    Example:
        >>> unescaped(r"secret plan\nfor \u00fcber")
        'secret plan for über'
    """

    def resolve(match: re.Match[str]) -> str:
        escape = match.group()
        if escape[1] in _SPACE_ESCAPES:
            return " "
        return str(json.loads(f'"{escape}"')) if escape[1] == "u" else escape[1]

    return _ESCAPE.sub(resolve, text) if "\\" in text else text


class TextIndex:
    """Finds the texts that stand whole in a longer text, by characters from their middle instead of one search each.

    The middle tells texts apart that all begin with the same heading.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._by_key: dict[str, list[tuple[str, str]]] = {}
        for name, text in texts.items():
            folded = fold_typography(text)
            first = _WORD_START.search(folded)
            if first is not None:
                body = folded[first.start() :]
                self._by_key.setdefault(_key(body), []).append((name, body))
        self._lengths = sorted({len(key) for key in self._by_key})

    def found_in(self, text: str) -> list[str]:
        """The names of the texts that stand in this one, at word boundaries and after folding typography.

        Example:
            >>> TextIndex({"a": "PIN 4711", "b": "PIN 47"}).found_in("Die PIN  4711.")
            ['a']
        """
        folded = fold_typography(text)
        positions = [match.start() for match in _WORD_START.finditer(folded)]
        seen = {folded[at : at + length] for length in self._lengths for at in positions}
        candidates = (item for key in self._by_key.keys() & seen for item in self._by_key[key])
        return sorted(name for name, body in candidates if stands_whole(folded, body))


def _key(body: str) -> str:
    size = next(size for size in _KEY_SIZES if size <= len(body))
    middle = _WORD_START.search(body, (len(body) - size) // 2)
    at = middle.start() if middle is not None and middle.start() + size <= len(body) else 0
    return body[at : at + size]


class RunIndex:
    """Finds which owners' texts share a run of `RUN_WORDS` consecutive words with a longer text.

    Case, punctuation and layout do not count. Every run is one 64-bit number, so that a large index stays small.
    """

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self._vocabulary: dict[str, int] = {}
        numbers: dict[str, int] = {}
        keys, owners = [], []
        for owner, text in texts:
            number = numbers.setdefault(owner, len(numbers))
            runs = self._runs([self._vocabulary.setdefault(word, len(self._vocabulary) + 1) for word in _words(text)])
            keys.append(runs)
            owners.append(np.full(len(runs), number, dtype=np.int64))
        self._owners = list(numbers)
        all_keys = np.concatenate([np.empty(0, dtype=np.uint64), *keys])
        all_owners = np.concatenate([np.empty(0, dtype=np.int64), *owners])
        order = np.lexsort((all_owners, all_keys))
        self._keys, self._owner = all_keys[order], all_owners[order]

    def owners_in(self, text: str, *, apart_from: Iterable[str] = ()) -> list[frozenset[str]]:
        """The owners of each run that stands in a text, every set of owners once.

        Args:
            text: the text searched.
            apart_from: texts whose own runs do not count.

        Returns:
            For every run found, all owners of texts that hold it; sorted.

        Example:
            >>> index = RunIndex([("d", "one two three four five six seven eight nine ten eleven twelve, and more")])
            >>> index.owners_in("One two three four five six seven eight nine ten eleven twelve.")
            [frozenset({'d'})]
        """
        runs = np.unique(self._known_runs(text))
        lower, upper = np.searchsorted(self._keys, runs), np.searchsorted(self._keys, runs, side="right")
        present = upper > lower
        if not present.any():
            return []
        known = np.unique(np.concatenate([np.empty(0, np.uint64), *map(self._known_runs, apart_from)]))
        present &= ~np.isin(runs, known)
        spans = zip(lower[present].tolist(), upper[present].tolist(), strict=True)
        groups = {self._owner[start:end].tobytes() for start, end in spans}
        named = {frozenset(self._owners[number] for number in np.frombuffer(group, np.int64)) for group in groups}
        return sorted(named, key=sorted)

    def _known_runs(self, text: str) -> npt.NDArray[np.uint64]:
        """The runs of a text that hold no word which the index does not know."""
        numbers = [self._vocabulary.get(word, 0) for word in _words(text)]
        runs = self._runs(numbers)
        unknown = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.array(numbers, dtype=np.int64) == 0)])
        known: npt.NDArray[np.uint64] = runs[unknown[RUN_WORDS:] == unknown[: len(runs)]]
        return known

    @staticmethod
    def _runs(numbers: list[int]) -> npt.NDArray[np.uint64]:
        """One number for every run of consecutive words: a polynomial over their mixed word numbers."""
        count = max(len(numbers) - RUN_WORDS + 1, 0)
        mixed = np.array(numbers, dtype=np.uint64) * _STEP
        for factor, shift in zip(_MIX, (30, 27), strict=True):
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * factor
        mixed ^= mixed >> np.uint64(31)
        runs = np.zeros(count, dtype=np.uint64)
        for offset in range(RUN_WORDS if count else 0):
            runs = runs * _STEP + mixed[offset : offset + count]
        return runs


def _words(text: str) -> list[str]:
    return _WORD.findall(fold_typography(text).casefold())
