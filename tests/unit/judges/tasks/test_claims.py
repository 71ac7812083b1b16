from __future__ import annotations

import json
from typing import Any

import pytest

from beleg.core.judging import JudgeFault
from beleg.judges.replies import read_reply
from beleg.judges.task import Flaw
from beleg.judges.tasks.claims import (
    CLAIM_EXTRACTION,
    CLAIM_QUALIFICATION,
    CLAIM_VERIFICATION,
    MAX_CLAIMS,
    AnswerToSplit,
    ClaimsToQualify,
    ClaimsToVerify,
    partition_flaw,
)
from unit.judges.tasks.replying import fault_of

ASKED = ClaimsToVerify(
    claims=(("1", "Returns are free."), ("2", "They take 30 days.")),
    passages=(("1", "Returns are free within 30 days."), ("2", "Shipping costs 4,90 €.")),
)


def verdict(claim_id: str, *, quote: str | None = "Returns are free", passage: str | None = "1", **fields: Any) -> Any:
    given = {"claim_id": claim_id, "passage_id": passage, "quote": quote, "reason": "so", "verdict": "supported"}
    return given | fields


def fault(*verdicts: Any) -> JudgeFault | None:
    found = read_reply(CLAIM_VERIFICATION, ASKED, json.dumps({"verdicts": verdicts}))
    return found.fault if isinstance(found, Flaw) else None


def test_one_verdict_for_each_claim_in_any_order_is_whole() -> None:
    assert fault(verdict("2"), verdict("1")) is None


@pytest.mark.parametrize(
    ("answered", "expected"),
    [
        ((), JudgeFault.MISSING_VERDICTS),
        (("1",), JudgeFault.MISSING_VERDICTS),
        (("1", "2", "2"), JudgeFault.REPEATED_VERDICTS),
        (("1", "2", "3"), JudgeFault.EXTRA_VERDICTS),
        (("1", "3"), JudgeFault.EXTRA_VERDICTS),
    ],
)
def test_verdicts_that_are_no_partition_are_refused(answered: tuple[str, ...], expected: JudgeFault) -> None:
    assert fault(*(verdict(name) for name in answered)) is expected
    flaw = partition_flaw(["1", "2"], answered)
    assert flaw is not None
    assert flaw.fault is expected


@pytest.mark.parametrize(
    "change",
    [
        {"quote": "Returns are cheap"},
        {"quote": "Returns are fre"},
        {"quote": None},
        {"passage": "2"},
        {"passage": "9"},
        {"passage": None},
    ],
)
def test_a_verdict_needs_a_quote_that_stands_in_the_passage_it_names(change: dict[str, Any]) -> None:
    assert fault(verdict("1"), verdict("2", **change)) is JudgeFault.QUOTE_ABSENT


def test_what_is_not_in_the_context_needs_no_quote() -> None:
    assert fault(verdict("1"), verdict("2", quote=None, passage=None, verdict="not_in_context")) is None


@pytest.mark.parametrize(
    ("quote", "passage", "expected"),
    [
        ("Returns are free", "1", None),
        ("", None, None),
        ("Returns are cheap", "1", JudgeFault.QUOTE_ABSENT),
        ("Returns are free", "x", JudgeFault.QUOTE_ABSENT),
    ],
)
def test_a_quote_that_carries_nothing_is_held_to_the_same_rule(
    quote: str, passage: str | None, expected: JudgeFault | None
) -> None:
    assert fault(verdict("1"), verdict("2", quote=quote, passage=passage, verdict="not_in_context")) is expected


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        (["Returns are free of charge."], None),
        ([], None),
        (["The Eiffel Tower stands in Paris."], JudgeFault.FOREIGN_CLAIM),
        (["Returns are free.", "  "], JudgeFault.EMPTY_CLAIM),
        (["Returns are free."] * (MAX_CLAIMS + 1), JudgeFault.SCHEMA),
    ],
)
def test_claims_are_those_of_the_answer(claims: list[str], expected: JudgeFault | None) -> None:
    asked = AnswerToSplit(question="Do I pay for a return?", answer="Returns are free.")
    assert fault_of(CLAIM_EXTRACTION, asked, {"claims": claims}) is expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Returns are accepted within 30 days.", JudgeFault.EMPTY_CLAIM),
        ("Der Vertrag endet am 4. März 2024.", JudgeFault.EMPTY_CLAIM),
        ("Returns are free. The label lies in the box. The shop pays for the way.", None),
        ("The label lies in the box. The shop pays the carrier. Refunds go to the card.", JudgeFault.EMPTY_CLAIM),
        ("I cannot answer that within 30 days of data.", None),
        ("Hello! How can I help you with your 2 orders?", None),
        ("Which of the 3 contracts do you mean?", None),
    ],
)
def test_an_answer_that_plainly_states_facts_is_not_left_without_claims(
    answer: str, expected: JudgeFault | None
) -> None:
    """Without claims it would leave the denominator, and a judge could make a bad answer vanish."""
    asked = AnswerToSplit(question="?", answer=answer)
    assert fault_of(CLAIM_EXTRACTION, asked, {"claims": []}) is expected


def test_the_message_says_why_no_claims_are_not_enough() -> None:
    asked = AnswerToSplit(question="?", answer="Returns are accepted within 30 days.")
    flaw = read_reply(CLAIM_EXTRACTION, asked, '{"claims": []}')
    assert isinstance(flaw, Flaw)
    assert "no claim is listed, and the answer states facts" in flaw.message


def test_text_before_a_part_is_shown_between_question_and_answer() -> None:
    asked = AnswerToSplit(question="q", answer="a", before="b")
    assert [part.name for part in CLAIM_EXTRACTION.parts(asked)] == ["question", "before", "answer"]


def test_each_claim_is_qualified_once() -> None:
    asked = ClaimsToQualify(question="?", claims=(("1", "a"), ("2", "b")))
    whole = [{"claim_id": name, "reason": "so", "verifiable": name == "1"} for name in "12"]
    assert fault_of(CLAIM_QUALIFICATION, asked, {"verdicts": whole}) is None
    assert fault_of(CLAIM_QUALIFICATION, asked, {"verdicts": whole[:1]}) is JudgeFault.MISSING_VERDICTS
