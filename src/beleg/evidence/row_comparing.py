"""Claim rows of two answers side by side; verdicts are compared only on what is still the same (E9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from beleg.core.decision import Sentence
from beleg.core.evidence import ClaimRow, EvidenceCase
from beleg.core.run_comparison import Aspect, ComparedAspect, ComparedClaim, Likeness, LoneClaim
from beleg.evidence import comparison_words as words
from beleg.evidence.claim_matching import ClaimPair, match_claims, resembling

MAX_LOOKED_AT = 20
"""Of further claims in one answer nobody is told what they resemble."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowContext:
    """The two cases that rows belong to, and what is known of them as a whole."""

    old: EvidenceCase
    new: EvidenceCase
    same_query: bool
    same_snapshot: bool
    drifted: frozenset[str]
    """The passages of either case that are not known to stand in the other run as they stand in their own."""


def compare_rows(
    context: RowContext,
) -> tuple[tuple[ComparedClaim, ...], tuple[LoneClaim, ...], tuple[LoneClaim, ...]]:
    """The claims that stand in both answers, those in the old one alone, and those in the new one alone.

    A row is comparable if the question is the same and every passage that it rests on, in either run, is known to be
    where it was; a row that rests on no passage needs the same documents as a whole. In any other row the verdicts are
    not compared.
    """
    matched = match_claims(context.old.claims, context.new.claims)
    return (
        tuple(_row(pair, context) for pair in matched.pairs),
        _alone(matched.only_old, matched.only_new),
        _alone(matched.only_new, matched.only_old),
    )


def _alone(rows: Sequence[ClaimRow], others: Sequence[ClaimRow]) -> tuple[LoneClaim, ...]:
    return tuple(
        LoneClaim(claim_id=row.claim_id, text=row.text, resembles=resembling(row, others if at < MAX_LOOKED_AT else ()))
        for at, row in enumerate(rows)
    )


def _row(pair: ClaimPair, context: RowContext) -> ComparedClaim:
    why_not = _not_comparable(pair, context)
    old, new = pair.old, pair.new
    return ComparedClaim(
        old_claim_id=old.claim_id,
        new_claim_id=new.claim_id,
        text=new.text,
        matched_by=pair.by,
        comparable=why_not is None,
        aspects=(
            _citations(old, new),
            _passages(pair, context),
            _locators(pair, context),
            _attribution(old, new, why_not),
            *_support(old, new, why_not),
        ),
        old_attribution=old.attribution.verdict,
        new_attribution=new.attribution.verdict,
        old_support=None if old.support is None else old.support.verdict,
        new_support=None if new.support is None else new.support.verdict,
    )


def _not_comparable(pair: ClaimPair, context: RowContext) -> Sentence | None:
    if not context.same_query:
        return words.ROW_QUERY
    lost = _lost(pair, context)
    if lost:
        return words.row_drifted(lost)
    if not context.same_snapshot and not (pair.old.passages and pair.new.passages):
        return words.ROW_SNAPSHOT
    return None


def _lost(pair: ClaimPair, context: RowContext) -> list[str]:
    return [name for name in dict.fromkeys((*pair.old.passages, *pair.new.passages)) if name in context.drifted]


def _citations(old: ClaimRow, new: ClaimRow) -> ComparedAspect:
    shown = [[(each.marker, each.document_id, each.passage_id) for each in row.citations] for row in (old, new)]
    return _told(Aspect.CITATIONS, shown[0] == shown[1], words.CITATIONS_DIFFER)


def _passages(pair: ClaimPair, context: RowContext) -> ComparedAspect:
    """Whether the row rests on the same passages; that their words differ is a matter of the locators."""
    before, after = pair.old.passages, pair.new.passages
    gone = [name for name in before if name not in after]
    added = [name for name in after if name not in before]
    reordered = not (gone or added) and before != after
    digests = [{each.passage_id: each.passage_digest for each in case.passages} for case in (context.old, context.new)]
    kept = [name for name in before if name in after]
    reworded = [name for name in kept if digests[0].get(name) != digests[1].get(name)]
    detail = words.passages_differ(gone, added, reworded, reordered=reordered)
    return _told(Aspect.PASSAGES, not detail.en, detail)


def _locators(pair: ClaimPair, context: RowContext) -> ComparedAspect:
    lost = _lost(pair, context)
    if lost:
        return ComparedAspect(aspect=Aspect.LOCATOR_TEXT, likeness=Likeness.NOT_COMPARABLE, detail=words.drifted(lost))
    return ComparedAspect(aspect=Aspect.LOCATOR_TEXT, likeness=Likeness.SAME)


def _attribution(old: ClaimRow, new: ClaimRow, why_not: Sentence | None) -> ComparedAspect:
    before, after = old.attribution.verdict, new.attribution.verdict
    return _verdict(Aspect.ATTRIBUTION, before.value, after.value, why_not)


def _support(old: ClaimRow, new: ClaimRow, why_not: Sentence | None) -> tuple[ComparedAspect, ...]:
    """The proposals on support; none where nobody judged either answer, which is no verdict to compare."""
    if old.support is None and new.support is None:
        return ()
    if old.support is None or new.support is None:
        return (_verdict(Aspect.SUPPORT, "", "", why_not or words.NOBODY_JUDGED),)
    if why_not is None and old.support.decider != new.support.decider:
        why_not = words.OTHER_DECIDER
    if why_not is None and old.restated != new.restated:
        why_not = words.OTHER_RESTATEMENT
    return (_verdict(Aspect.SUPPORT, old.support.verdict.value, new.support.verdict.value, why_not),)


def _verdict(aspect: Aspect, before: str, after: str, why_not: Sentence | None) -> ComparedAspect:
    if why_not is not None:
        return ComparedAspect(aspect=aspect, likeness=Likeness.NOT_COMPARABLE, detail=why_not)
    return _told(aspect, before == after, words.verdicts_differ(before, after))


def _told(aspect: Aspect, is_same: bool, detail: Sentence) -> ComparedAspect:  # noqa: FBT001 - one finding
    if is_same:
        return ComparedAspect(aspect=aspect, likeness=Likeness.SAME)
    return ComparedAspect(aspect=aspect, likeness=Likeness.CHANGED, detail=detail)
