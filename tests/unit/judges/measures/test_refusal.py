from __future__ import annotations

import asyncio

from beleg.core.score import ScoreStatus
from beleg.judges.measures.refusal import judge_refusal
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.batch import Row
from beleg.metrics.generation.judged_answers import RefusalVerdict
from support.judge_models import Script, scripted_panel
from unit.metrics.building import case, one


def judged(script: Script | None, answer: str = "Sadly our records are silent.") -> Outcome:
    (row,) = one(case(), answer=answer).rows
    assert isinstance(row, Row)
    panel = Panel() if script is None else scripted_panel({"refusal": script})
    return asyncio.run(judge_refusal(panel, Docket(), row))


def test_the_words_that_decline_are_kept_with_the_verdict() -> None:
    outcome = judged({"quote": "our records are silent", "reason": "r", "verdict": "refused"})
    found = RefusalVerdict.model_validate(outcome.evidence, strict=False)
    assert (found.verdict, found.quote, found.rationale) == ("refused", "our records are silent", "r")


def test_a_refusal_without_words_that_stand_in_the_answer_is_no_verdict() -> None:
    for quote in (None, "I cannot say"):
        outcome = judged({"quote": quote, "reason": "r", "verdict": "refused"})
        assert outcome.without is not None
        assert outcome.without.status is ScoreStatus.INVALID


def test_without_a_judge_there_is_no_verdict() -> None:
    outcome = judged(None)
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.MISSING
