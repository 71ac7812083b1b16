from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from beleg.core.errors import CandidateError
from beleg.core.findings import Support
from beleg.core.inference import JudgeRequest
from beleg.core.score import ScoreStatus
from beleg.core.trace import Passage
from beleg.judges.measures.claim_support import BATCH_CLAIMS, CLAIM_SUPPORT, judge_claim_support
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.batch import Row
from beleg.metrics.generation.claims import ClaimSupport, faithfulness
from support.judge_models import Script, scripted_panel
from unit.metrics.building import case, one, passage

RETURNS = passage("d1", "Returns are free within 30 days.")


def verdict(claim_id: str, verdict: str, quote: str | None = None) -> dict[str, Any]:
    passage_id = None if quote is None else "1"
    return {"claim_id": claim_id, "passage_id": passage_id, "quote": quote, "reason": "so", "verdict": verdict}


def row_of(answer: str | None = "…", delivered: tuple[Passage, ...] = (RETURNS,)) -> Row:
    (row,) = one(case(), answer=answer, delivered=delivered).rows
    assert isinstance(row, Row)
    return row


def judged(claims: Any, verdicts: Script, row: Row | None = None) -> tuple[Outcome, Docket]:
    docket = Docket()
    script: dict[str, Script] = {"claim_extraction": claims, "claim_verification": verdicts}
    return asyncio.run(judge_claim_support(scripted_panel(script), docket, row or row_of())), docket


def claims_of(outcome: Outcome) -> ClaimSupport:
    return ClaimSupport.model_validate(outcome.evidence, strict=False)


def all_supported(request: JudgeRequest) -> dict[str, Any]:
    names = re.findall(r'<claim id="(\d+)"', request.messages[-1].content)
    return {"verdicts": [verdict(name, "supported", "Returns are free") for name in reversed(names)]}


def test_claims_are_split_verified_and_quoted() -> None:
    outcome, docket = judged(
        {"claims": ["Returns are free.", "Returns take 60 days."]},
        {"verdicts": [verdict("2", "contradicted", "within 30 days"), verdict("1", "supported", "Returns are free")]},
    )
    found = claims_of(outcome)
    assert [claim.support for claim in found.claims] == [Support.SUPPORTED, Support.CONTRADICTED]
    assert [claim.quotes[0].match for claim in found.claims] == ["exact", "exact"]
    assert faithfulness(found).value == 0.5
    assert len(docket.keys) == 2
    assert set(docket.tasks) == {"claim_extraction", "claim_verification"}


def test_an_answer_without_claims_has_no_score_and_costs_one_call() -> None:
    outcome, docket = judged({"claims": []}, {"verdicts": []})
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.NO_CLAIMS
    assert len(docket.keys) == 1


def test_a_judge_that_answers_one_claim_of_two_gives_no_score() -> None:
    outcome, _ = judged({"claims": ["a", "b"]}, {"verdicts": [verdict("1", "supported", "Returns are free")]})
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.INVALID


def test_500_claims_are_verified_in_batches_and_each_keeps_its_own_verdict() -> None:
    claims = [f"Claim number {number}." for number in range(1, 501)]

    def verdicts(request: JudgeRequest) -> dict[str, Any]:
        shown = re.findall(r'<claim id="(\d+)" mark="\w+">\nClaim number (\d+)\.', request.messages[-1].content)
        assert len(shown) <= 40
        assert all(name == number for name, number in shown)
        odd = {name for name, _ in shown if int(name) % 2}
        return {
            "verdicts": [
                verdict(name, "supported", "Returns are free") if name in odd else verdict(name, "not_in_context")
                for name, _ in reversed(shown)
            ]
        }

    outcome, docket = judged({"claims": claims}, verdicts)
    found = claims_of(outcome)
    assert [claim.claim for claim in found.claims] == claims
    assert [claim.claim_id for claim in found.claims] == [str(number) for number in range(1, 501)]
    assert faithfulness(found).value == 0.5
    assert all((claim.support is Support.SUPPORTED) == bool(int(claim.claim_id) % 2) for claim in found.claims)
    assert len(docket.keys) == len(set(docket.keys)) == 1 + 500 // BATCH_CLAIMS


def test_one_batch_without_verdicts_leaves_the_whole_answer_without_a_score() -> None:
    def verdicts(request: JudgeRequest) -> Any:
        is_second = '<claim id="21"' in request.messages[-1].content
        return CandidateError("slow", kind="timeout", retryable=False) if is_second else all_supported(request)

    outcome, docket = judged({"claims": [f"c{number}" for number in range(50)]}, verdicts)
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.TIMEOUT
    assert outcome.evidence is None
    assert len(docket.keys) == 4


def test_an_answer_of_50000_words_is_split_part_by_part_and_its_claims_stay_in_order() -> None:
    answer = " ".join(f"R{number} is so." for number in range(16_667))
    row = row_of(answer[:199_999])

    def claims(request: JudgeRequest) -> dict[str, Any]:
        part = request.messages[-1].content.rpartition("<answer")[2]
        return {"claims": [re.findall(r"R\d+", part)[0]]}

    outcome, docket = judged(claims, all_supported, row)
    numbers = [int(claim.claim[1:]) for claim in claims_of(outcome).claims]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == 0
    assert len(numbers) > 50
    assert len(docket.keys) <= CLAIM_SUPPORT.calls(row)


def test_a_context_of_2_mb_is_shown_whole() -> None:
    passages = tuple(passage(f"d{number}", "Returns are free. " + "x" * 99_000) for number in range(21))
    requests: list[JudgeRequest] = []

    def verdicts(request: JudgeRequest) -> dict[str, Any]:
        requests.append(request)
        return all_supported(request)

    outcome, _ = judged({"claims": ["c"]}, verdicts, row_of("…", passages))
    assert claims_of(outcome).claims[0].support is Support.SUPPORTED
    assert len(requests[0].messages[-1].content) > 2_000_000


@pytest.mark.parametrize(
    ("row", "status"),
    [
        (row_of(None), ScoreStatus.MISSING),
        (row_of("  \n"), ScoreStatus.INVALID),
        (row_of("Free.", (RETURNS, passage("d2", None))), ScoreStatus.MISSING),
    ],
)
def test_a_row_that_cannot_be_judged_costs_no_call(row: Row, status: ScoreStatus) -> None:
    outcome, docket = judged(CandidateError("must not be asked", kind="rejected"), {"verdicts": []}, row)
    assert outcome.without is not None
    assert outcome.without.status is status
    assert docket.keys == []


def test_without_a_judge_the_score_is_missing() -> None:
    outcome = asyncio.run(judge_claim_support(Panel(), Docket(), row_of()))
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.MISSING


def test_where_nothing_was_delivered_nothing_is_carried_and_nobody_is_asked_for_verdicts() -> None:
    outcome, docket = judged({"claims": ["a", "b"]}, CandidateError("must not be asked"), row_of("…", ()))
    assert [claim.support for claim in claims_of(outcome).claims] == [Support.NOT_IN_CONTEXT] * 2
    assert len(docket.keys) == 1


def test_a_quote_that_carries_nothing_is_taken_as_it_is() -> None:
    outcome, _ = judged(
        {"claims": ["a"]}, {"verdicts": [{**verdict("1", "not_in_context"), "passage_id": "77", "quote": ""}]}
    )
    assert claims_of(outcome).claims[0].quotes == ()


@pytest.mark.parametrize(
    ("answer", "delivered", "calls"), [("A b c d.", (RETURNS,), 2), ("a " * 400, (RETURNS,), 6), ("A b.", (), 1)]
)
def test_the_plan_counts_parts_and_batches(answer: str, delivered: tuple[Passage, ...], calls: int) -> None:
    assert CLAIM_SUPPORT.calls(row_of(answer, delivered)) == calls


def test_a_supported_claim_with_another_number_than_its_quote_keeps_its_verdict_and_is_flagged() -> None:
    outcome, _ = judged(
        {"claims": ["Returns are free within 60 days.", "Returns are free within 30 days."]},
        {
            "verdicts": [
                verdict("1", "supported", "Returns are free within 30 days"),
                verdict("2", "supported", "Returns are free within 30 days"),
            ]
        },
    )
    wrong, right = claims_of(outcome).claims
    assert (wrong.support, right.support) == (Support.SUPPORTED, Support.SUPPORTED)
    assert len(wrong.flags) == 1
    assert "60" in wrong.flags[0]
    assert right.flags == ()
