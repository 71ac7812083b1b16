"""Which claims of two answers are the same: by their place in one answer, or by their words. Never by resemblance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
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

    First the same spans of the same answer, then the same wording; of several claims on the same words, those that
    were restated alike belong together. Where that leaves it open which is which, claims that are alike in everything
    are taken in their order if both answers have them equally often, and none of them otherwise.

    Args:
        old: the claims of the old answer.
        new: those of the new one.

    Returns:
        The pairs in the order of the new answer, and what is left on either side.
    """
    pairs: dict[int, ClaimPair] = {}
    left = dict(enumerate(old))
    for by, key, may_repeat in _KEYS:
        mine, theirs = _places(left, key), _places({at: row for at, row in enumerate(new) if at not in pairs}, key)
        for value, places in theirs.items():
            before = mine.get(value, ())
            if len(before) == len(places) and (may_repeat or len(places) == 1):
                pairs |= {at: ClaimPair(left.pop(was), new[at], by) for at, was in zip(places, before, strict=True)}
    return MatchedClaims(
        pairs=tuple(pairs[at] for at in sorted(pairs)),
        only_old=tuple(left.values()),
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


_KEYS: tuple[tuple[Literal["span", "wording"], Callable[[ClaimRow], Hashable], bool], ...] = (
    ("span", lambda row: (row.answer_digest, row.spans, row.restated), False),
    ("span", lambda row: (row.answer_digest, row.spans), False),
    ("wording", lambda row: (row.text, row.restated), True),
    ("wording", lambda row: row.text, False),
)
"""By what claims are known again, in turn; and whether several that share it may be taken in their order."""


def _places(rows: Mapping[int, ClaimRow], key: Callable[[ClaimRow], Hashable]) -> dict[Hashable, list[int]]:
    found: dict[Hashable, list[int]] = defaultdict(list)
    for at, row in rows.items():
        found[key(row)].append(at)
    return found
