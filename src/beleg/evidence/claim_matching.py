"""Which claims of two answers are the same: by their place in one answer, or by their words. Never by resemblance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from beleg.core.evidence import ClaimRow

MIN_RESEMBLANCE = 0.6
MAX_RESEMBLANCE_CHARS = 400
"""Only the beginning of a claim is looked at for a resemblance: it is a hint, and must not cost more than that."""
MAX_RESEMBLANCE_CLAIMS = 20
"""Of more unmatched claims in one answer no resemblance is looked for."""


@dataclass(frozen=True, slots=True)
class ClaimPair:
    """One claim in both answers."""

    old: ClaimRow
    new: ClaimRow
    by: Literal["span", "wording"]


@dataclass(frozen=True, slots=True)
class MatchedClaims:
    """The claims of two answers: in both, and in one of them."""

    pairs: tuple[ClaimPair, ...]
    only_old: tuple[ClaimRow, ...]
    only_new: tuple[ClaimRow, ...]


def match_claims(old: Sequence[ClaimRow], new: Sequence[ClaimRow]) -> MatchedClaims:
    """Finds the claims that two answers share.

    First the same spans of the same answer, then the same wording. Where one wording stands several times, the claims
    are taken in their order if both answers have it equally often, and none of them otherwise: nobody can tell which
    is which.

    Args:
        old: the claims of the old answer.
        new: those of the new one.

    Returns:
        The pairs in the order of the new answer, and what is left on either side.
    """
    by_place = _unique({(row.answer_digest, row.spans): row for row in old}, old)
    pairs: dict[int, ClaimPair] = {}
    taken: set[int] = set()
    for at, row in enumerate(new):
        found = by_place.get((row.answer_digest, row.spans))
        if found is not None and id(found) not in taken:
            pairs[at] = ClaimPair(found, row, "span")
            taken.add(id(found))
    left = [row for row in old if id(row) not in taken]
    for at, mine in _by_wording(left, [(at, row) for at, row in enumerate(new) if at not in pairs]):
        pairs[at] = ClaimPair(mine, new[at], "wording")
        taken.add(id(mine))
    return MatchedClaims(
        pairs=tuple(pairs[at] for at in sorted(pairs)),
        only_old=tuple(row for row in old if id(row) not in taken),
        only_new=tuple(row for at, row in enumerate(new) if at not in pairs),
    )


def resembling(row: ClaimRow, others: Sequence[ClaimRow]) -> str | None:
    """The claim whose words are most like those of a row, for a person to look at; ``None`` where none is much alike.

    Measure: 2 · matching characters / all characters (Ratcliff and Obershelp), of the first 400 characters.
    """
    if not 0 < len(others) <= MAX_RESEMBLANCE_CLAIMS:
        return None
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(row.text[:MAX_RESEMBLANCE_CHARS])
    best, found = MIN_RESEMBLANCE, None
    for other in others:
        matcher.set_seq1(other.text[:MAX_RESEMBLANCE_CHARS])
        if matcher.real_quick_ratio() < best or matcher.quick_ratio() < best:
            continue
        ratio = matcher.ratio()
        if ratio > best or (ratio == best and found is None):
            best, found = ratio, other.claim_id
    return found


def _unique(found: dict[object, ClaimRow], rows: Sequence[ClaimRow]) -> dict[object, ClaimRow]:
    """The rows by their place; none at all where two rows claim one place."""
    return found if len(found) == len(rows) else {}


def _by_wording(old: Sequence[ClaimRow], new: Sequence[tuple[int, ClaimRow]]) -> list[tuple[int, ClaimRow]]:
    mine: dict[str, list[ClaimRow]] = defaultdict(list)
    theirs: dict[str, list[int]] = defaultdict(list)
    for row in old:
        mine[row.text].append(row)
    for at, row in new:
        theirs[row.text].append(at)
    return [
        pair
        for text, places in theirs.items()
        if len(mine.get(text, ())) == len(places)
        for pair in zip(places, mine[text], strict=True)
    ]
