from __future__ import annotations

import pytest

from beleg.core.errors import EvidenceError
from beleg.core.evidence import SupportVerdict
from beleg.core.governance import ReviewedClaim
from beleg.core.review import ReviewEvent, ReviewEventKind
from beleg.gating.reviewed import reviewed_claims
from support.reviews import event, row, sheet, support, verdicts

NO, YES = SupportVerdict.NOT_SUPPORTED, SupportVerdict.SUPPORTED


def folded(*events: ReviewEvent) -> ReviewedClaim:
    return reviewed_claims("run-1", sheet(row()), events)["c1"][0]


def test_a_claim_that_nobody_looked_at_has_no_verdict() -> None:
    found = folded()
    assert (found.verdict, found.is_disputed, found.is_stale) == (None, False, False)


def test_reviewers_who_agree_decide_and_those_who_differ_do_not() -> None:
    assert folded(*verdicts(("A", NO), ("B", NO))).verdict is NO
    differing = folded(*verdicts(("A", NO), ("B", YES)))
    assert (differing.verdict, differing.is_disputed) == (None, True)


def test_of_one_reviewer_the_last_verdict_counts() -> None:
    assert folded(*verdicts(("A", NO), ("A", YES))).verdict is YES


def test_whoever_settles_a_disagreement_decides() -> None:
    settled = event(ReviewEventKind.ADJUDICATED, version=3, actor="C", support=support(NO, who="C"))
    assert folded(*verdicts(("A", NO), ("B", YES)), settled).verdict is NO


def test_a_dispute_leaves_the_claim_open() -> None:
    found = folded(*verdicts(("A", NO)), event(ReviewEventKind.DISPUTED, version=2, actor="B"))
    assert (found.verdict, found.is_disputed) == (None, True)


def test_a_verdict_that_was_withdrawn_counts_no_more() -> None:
    assert folded(*verdicts(("A", NO)), event(ReviewEventKind.WITHDRAWN, version=2, actor="A")).verdict is None


def test_a_machine_that_writes_into_the_ledger_confirms_nothing() -> None:
    assert folded(event(support=support(NO, by="llm", who="gpt"))).verdict is None


def test_a_verdict_on_other_evidence_is_stale() -> None:
    found = folded(event(about=row(text="Games: 21 days."), support=support(YES)))
    assert found.is_stale


def test_events_of_other_runs_are_left_out() -> None:
    assert folded(event(run="run-2", support=support(NO))).verdict is None


def test_a_gap_in_a_stream_is_refused_because_it_may_hide_a_withdrawal() -> None:
    with pytest.raises(EvidenceError, match="gap"):
        folded(event(version=1, support=support(NO)), event(version=3, support=support(NO)))
    with pytest.raises(EvidenceError, match="gap"):
        folded(event(version=2, support=support(YES)))


def test_a_verdict_on_a_claim_that_the_sheet_does_not_hold_is_refused() -> None:
    with pytest.raises(EvidenceError, match="C-9"):
        folded(event(about=row(claim_id="C-9"), support=support(NO)))
