"""The words of an evidence in which names are looked for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property, lru_cache

from beleg.text.names import Name
from beleg.text.tokens import words

MIN_SHARED = 4
MAX_RUN = 8
MIN_ACRONYM = 2
MAX_KEPT = 60
"""Longer words are no words of a language, and not worth remembering."""
MAX_FIRST_LETTERS = 2_000
"""In a longer evidence three letters stand in a row by chance."""
_PARTS = re.compile(r"[-.&/]+")
_SMALL_WORDS = frozenset(("of", "the", "and", "for", "de", "der", "die", "das", "und", "für", "von"))
_FOLD = str.maketrans({"’": "'", "‐": "-", "‑": "-"})


class NameWords:
    """Tells whether the words of a name stand in an evidence: themselves, inflected, or as initials."""

    def __init__(self, evidence: str) -> None:
        self._listed = words(evidence)
        self._known = {form for word in set(self._listed) for form in _forms(word)}

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._known)

    @cached_property
    def _initials(self) -> frozenset[str]:
        return frozenset(_initials(self._listed))

    @cached_property
    def _first_letters(self) -> str:
        """The first letters of all words in a row: in lower case, an expansion has no other mark."""
        return "".join(word[0] for word in self._listed).casefold()

    def lacks(self, name: Name) -> bool:
        """Whether at least half of the words of a name are not in the evidence in any form.

        Example:
            >>> from beleg.text.names import names_of
            >>> known = NameWords("The World Health Organization met in Germany.")
            >>> [known.lacks(name) for name in names_of("In short, the WHO and German experts met Dr. Smith.", "en")]
            [False, True]
        """
        if len(name.words) > 1 and "".join(word[0] for word in name.words).casefold() in self._known:
            return False
        absent = sum(not self._carries(word) for word in name.words)
        return 2 * absent >= len(name.words)

    def _carries(self, word: str) -> bool:
        bare = _folded(word)
        if bare in self._known or self._stands_for_words(word):
            return True
        parts = _PARTS.split(bare)
        if len(parts) > 1:
            marked = [part for part in _PARTS.split(word) if any(mark.isupper() for mark in part)]
            return all(_folded(part) in self._known or self._stands_for_words(part) for part in marked or parts if part)
        return word.isalpha() and not word.isupper() and self._shares_beginning(bare)

    def _stands_for_words(self, word: str) -> bool:
        """Whether an acronym is made of the first letters of words of the evidence, side by side."""
        capitals = word.removesuffix("s")
        if not capitals.isupper() or len(capitals) < MIN_ACRONYM:
            return False
        bare = capitals.casefold()
        few_words = len(self._first_letters) <= MAX_FIRST_LETTERS
        in_a_row = few_words and len(bare) > MIN_ACRONYM and bare in self._first_letters
        return bare in self._known or bare in self._initials or in_a_row

    def _shares_beginning(self, bare: str) -> bool:
        """Whether a word of the evidence begins the same: German, Germany; Müller, Müllers."""
        beginning = bare[: max(MIN_SHARED, len(bare) - 3)]
        if len(beginning) < MIN_SHARED:
            return False
        at = bisect_left(self._sorted, beginning)
        return at < len(self._sorted) and self._sorted[at].startswith(beginning)


def _forms(word: str) -> tuple[str, ...]:
    return _kept_forms(word) if len(word) <= MAX_KEPT else _forms_of(word)


def _forms_of(word: str) -> tuple[str, ...]:
    """What a word is known by: itself, and its parts between hyphens."""
    return tuple(map(_folded, (word, *word.replace("-", " ").split()))) if "-" in word else (_folded(word),)


_kept_forms = lru_cache(maxsize=16_384)(_forms_of)


def _folded(word: str) -> str:
    return word.casefold().translate(_FOLD).removesuffix("'s").removesuffix("'")


def _initials(listed: list[str]) -> Iterator[str]:
    """The initials of every row of two to eight capitalised words; small words between them may be left out."""
    run: list[str] = []
    for word in listed:
        if word[0].isupper():
            run = [*run[1 - MAX_RUN :], word[0].casefold()]
            for length in range(2, len(run) + 1):
                yield "".join(run[-length:])
        elif word not in _SMALL_WORDS:
            run = []
