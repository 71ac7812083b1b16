from __future__ import annotations

from typing import Any

from beleg.core.decision import Sentence
from beleg.core.evidence import ClaimRow, EvidenceCase, SupportDecision, SupportVerdict
from beleg.core.run_comparison import Aspect, ComparedClaim, Likeness
from beleg.evidence.row_comparing import RowContext, compare_rows
from support import q017

OLD = q017.evidence()


def with_support(verdict: SupportVerdict, **decider: Any) -> EvidenceCase:
    """The case with another proposal on its first claim."""
    first = OLD.claims[0]
    assert first.support is not None
    update = {"verdict": verdict, "decider": first.support.decider.model_copy(update=decider)}
    return with_first(support=first.support.model_copy(update=update))


def with_first(**fields: Any) -> EvidenceCase:
    return OLD.model_copy(update={"claims": (OLD.claims[0].model_copy(update=fields), *OLD.claims[1:])})


def first_row(new: EvidenceCase, *, old: EvidenceCase = OLD, **context: Any) -> ComparedClaim:
    given = {"same_query": True, "same_snapshot": True, "drifted": frozenset()} | context
    rows, only_old, only_new = compare_rows(RowContext(old=old, new=new, **given))
    assert (only_old, only_new) == ((), ())
    return rows[0]


def detail(row: ComparedClaim, aspect: Aspect) -> Sentence:
    found = next(each.detail for each in row.aspects if each.aspect is aspect)
    assert found is not None
    return found


def test_another_verdict_of_the_same_judge_is_a_change() -> None:
    row = first_row(with_support(SupportVerdict.SUPPORTED))
    assert row.likeness(Aspect.SUPPORT) is Likeness.CHANGED
    assert detail(row, Aspect.SUPPORT).en == "not_supported → supported"
    assert (row.old_support, row.new_support) == (SupportVerdict.NOT_SUPPORTED, SupportVerdict.SUPPORTED)


def test_verdicts_of_different_judges_are_not_compared() -> None:
    for other in ({"name": "judge-2"}, {"version": "sha256:other"}):
        row = first_row(with_support(SupportVerdict.SUPPORTED, **other))
        assert row.likeness(Aspect.SUPPORT) is Likeness.NOT_COMPARABLE
        assert "beleg rejudge" in detail(row, Aspect.SUPPORT).de


def test_a_claim_that_one_run_alone_was_judged_on_is_not_compared() -> None:
    row = first_row(with_first(support=None))
    assert row.likeness(Aspect.SUPPORT) is Likeness.NOT_COMPARABLE
    assert row.new_support is None


def test_a_claim_that_nobody_judged_has_no_support_to_compare() -> None:
    row = first_row(with_first(support=None), old=with_first(support=None))
    assert row.likeness(Aspect.SUPPORT) is None
    assert row.overall is Likeness.SAME


def test_a_row_is_compared_on_what_both_answers_rest_on() -> None:
    """A passage that only the new row rests on must be what it was, too."""
    new = with_first(passages=("p04", "p07"))
    assert first_row(new).likeness(Aspect.PASSAGES) is Likeness.CHANGED
    assert detail(first_row(new), Aspect.PASSAGES).en == "new: p07"
    drifted = first_row(new, drifted=frozenset({"p07"}))
    assert not drifted.comparable
    assert detail(drifted, Aspect.SUPPORT).en == "p07 is not known to be where it was"


def test_citations_of_a_row_are_compared_by_what_they_name() -> None:
    shown = OLD.claims[0].citations[0]
    moved = with_first(citations=(shown.model_copy(update={"span": None}),))
    assert first_row(moved).likeness(Aspect.CITATIONS) is Likeness.SAME
    other = with_first(citations=(shown.model_copy(update={"document_id": "D-02"}),))
    assert first_row(other).likeness(Aspect.CITATIONS) is Likeness.CHANGED
    assert first_row(with_first(citations=())).likeness(Aspect.CITATIONS) is Likeness.CHANGED


def test_an_abstaining_verdict_stays_a_verdict() -> None:
    first = OLD.claims[0]
    assert isinstance(first, ClaimRow)
    assert first.support is not None
    void = SupportDecision(
        verdict=SupportVerdict.NOT_ASSESSABLE,
        rationale="The passage was not recorded.",
        missing=("p04",),
        decider=first.support.decider,
    )
    row = first_row(with_first(support=void))
    assert detail(row, Aspect.SUPPORT).en == "not_supported → not_assessable"


def test_verdicts_on_other_restatements_of_the_same_words_are_not_compared() -> None:
    """One sentence can hold several statements; only one of them may have been asked about in each run."""
    row = first_row(
        with_first(support=with_support(SupportVerdict.SUPPORTED).claims[0].support, restated="Es gibt Rückgaben.")
    )
    assert row.likeness(Aspect.SUPPORT) is Likeness.NOT_COMPARABLE
    assert "restated" in detail(row, Aspect.SUPPORT).en
    assert row.likeness(Aspect.ATTRIBUTION) is Likeness.SAME
