from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from beleg.core.findings import Support
from beleg.core.inference import JudgeRequest
from beleg.core.score import ScoreStatus
from beleg.judges.measures.hearing import Hearing, Unanswered
from beleg.judges.measures.registry import MEASURES
from beleg.judges.measures.verified_claims import (
    answer_claims,
    claim_findings,
    claims_in,
    extraction_calls,
    reference_claims,
    verdicts_on,
)
from beleg.judges.panel import Docket
from beleg.judges.tasks.checking import numbered
from beleg.metrics.batch import Row
from support.judge_models import Script, scripted_panel
from unit.judges.measures.rows import row
from unit.metrics.building import case


def hearing(script: dict[str, Script], a_row: Row | None = None) -> Hearing:
    return Hearing(panel=scripted_panel(script), docket=Docket(), row=a_row or row())


def verify(request: JudgeRequest) -> dict[str, Any]:
    """Carries odd claims by the first words of whatever passage is shown, in the opposite order."""
    said = request.messages[-1].content
    label, text = re.findall(r'<passage id="([^"]+)" mark="\w+">\n(\w+)', said)[0]
    names = re.findall(r'<claim id="([^"]+)"', said)
    held = [(name, int(name[-1]) % 2 == 1) for name in reversed(names)]
    return {
        "verdicts": [
            {
                "claim_id": name,
                "passage_id": label if is_held else None,
                "quote": text if is_held else None,
                "reason": "so",
                "verdict": "supported" if is_held else "not_in_context",
            }
            for name, is_held in held
        ]
    }


def test_a_long_text_is_split_part_by_part() -> None:
    text = " ".join(f"Sentence number {number} is so." for number in range(400))
    asked = hearing({"claim_extraction": {"claims": ["Sentence number 1 is so."]}})
    assert len(asyncio.run(claims_in(asked, text))) == extraction_calls(text) == len(asked.docket.keys) > 1


def test_sides_without_claims_end_the_hearing_for_different_reasons() -> None:
    of_taste = row(case(reference_answer="That is a matter of taste.", language="en"))
    silent = hearing({"claim_extraction": {"claims": []}}, of_taste)
    for claims, status in ((answer_claims, ScoreStatus.NO_CLAIMS), (reference_claims, ScoreStatus.NOT_APPLICABLE)):
        with pytest.raises(Unanswered) as stopped:
            asyncio.run(claims(silent))
        assert stopped.value.score.status is status


def test_each_matter_gets_its_own_verdicts_however_many_batches_it_takes() -> None:
    asked = hearing({"claim_verification": verify})
    many = numbered(f"claim {number}" for number in range(1, 51))
    first, second = asyncio.run(verdicts_on(asked, [(many, (("p", "One."),)), (many[:3], (("q", "Two."),))]))
    assert (sorted(first, key=int), sorted(second)) == ([name for name, _ in many], ["1", "2", "3"])
    assert {verdict.passage_id for verdict in first.values()} == {"p", None}
    assert {verdict.passage_id for verdict in second.values()} == {"q", None}
    assert len(asked.docket.keys) == 3 + 1


def test_findings_keep_the_order_of_the_claims_and_the_ids_of_the_passages() -> None:
    found = asyncio.run(claim_findings(hearing({"claim_verification": verify}), numbered(["a", "b", "c"])))
    assert [finding.support for finding in found] == [
        Support.SUPPORTED,
        Support.NOT_IN_CONTEXT,
        Support.SUPPORTED,
    ]
    assert found[0].quotes[0].passage_id == "d1#0"


def test_without_passages_no_claim_is_in_the_context_and_nobody_is_asked() -> None:
    asked = hearing({}, row(delivered=()))
    found = asyncio.run(claim_findings(asked, numbered(["a"])))
    assert found[0].support is Support.NOT_IN_CONTEXT
    assert asked.docket.keys == []


@pytest.mark.parametrize("measure", ["claims_by_passage", "qualified_claims", "statement_matching", "claim_relations"])
def test_a_blank_answer_is_never_judged(measure: str) -> None:
    asked = hearing({"claim_extraction": {"claims": []}}, row(answer=" "))
    outcome = asyncio.run(MEASURES[measure].judge(asked.panel, asked.docket, asked.row))
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.INVALID
    assert asked.docket.keys == []
