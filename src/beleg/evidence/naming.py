"""The ids of a sheet: query, answer and claims named after their case, unique within the run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

MAX_STEM_CHARS = 200
"""A longer name is cut and told apart by a hash, so that every id fits."""

QUERY_PREFIX = "Q-"


@dataclass(frozen=True, slots=True)
class SheetNames:
    """Names the answers and claims of a run: ``Q-017`` gives ``A-017`` and ``C-017-1``.

    Where the prefix was left away, or the repeat put behind, and two cases would share a name, no case is shortened
    so.

    Example:
        >>> names = SheetNames.of(["Q-017", "shipping"], repeats=2)
        >>> names.answer("Q-017", 0), names.claim("Q-017", 1, 3), names.claim("shipping", 0, 1)
        ('A-017', 'C-017.r1-3', 'C-shipping-1')
        >>> SheetNames.of(["Q-1", "1"], repeats=1).answer("Q-1", 0)
        'A-Q-1'
    """

    _stem: Callable[[str, int], str] = field(repr=False)

    @classmethod
    def of(cls, case_ids: Sequence[str], *, repeats: int) -> SheetNames:
        """The names for the cases of a run."""
        for stem in (_without_prefix, _plain):
            names = {_fitting(stem(case_id, repeat)) for case_id in case_ids for repeat in range(repeats)}
            if len(names) == len(case_ids) * repeats:
                return cls(stem)
        return cls(_numbered)

    def answer(self, case_id: str, repeat: int) -> str:
        """The id of an answer."""
        return f"A-{_fitting(self._stem(case_id, repeat))}"

    def claim(self, case_id: str, repeat: int, number: int) -> str:
        """The id of a claim, by its number within the answer, counted from 1."""
        return f"C-{_fitting(self._stem(case_id, repeat))}-{number}"


def _without_prefix(case_id: str, repeat: int) -> str:
    bare = case_id.removeprefix(QUERY_PREFIX)
    return _plain(bare or case_id, repeat)


def _plain(case_id: str, repeat: int) -> str:
    return f"{case_id}.r{repeat}" if repeat else case_id


def _numbered(case_id: str, repeat: int) -> str:
    """Never the same for two rows: the number ends at the first stop."""
    return f"{repeat}.{case_id}"


def _fitting(stem: str) -> str:
    if len(stem) <= MAX_STEM_CHARS:
        return stem
    return f"{stem[:MAX_STEM_CHARS]}~{hashlib.sha256(stem.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
