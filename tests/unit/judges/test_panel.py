from __future__ import annotations

from beleg.core.findings import Finding
from beleg.core.score import Score, ScoreStatus
from beleg.judges.panel import Outcome, Panel
from support.judge_models import scripted_panel

BLANK = Finding(case_id="c1", measure="m", measure_version="1", subject_digest="d", status=ScoreStatus.MISSING)


def test_a_panel_offers_what_it_holds() -> None:
    assert Panel().offers() == frozenset()
    assert scripted_panel({}).offers() == {"judge"}


def test_an_outcome_becomes_a_finding_with_evidence_or_a_reason() -> None:
    found = Outcome(evidence={"claims": []}).as_finding(BLANK)
    assert (found.status, found.evidence) == (ScoreStatus.SCORED, {"claims": []})
    found = Outcome(without=Score.without(ScoreStatus.TIMEOUT, "too slow")).as_finding(BLANK)
    assert (found.status, found.detail, found.evidence) == (ScoreStatus.TIMEOUT, "too slow", None)
