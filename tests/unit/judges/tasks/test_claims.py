from __future__ import annotations

import json
from typing import Any

import pytest

from beleg.core.judging import JudgeFault
from beleg.judges.replies import read_reply
from beleg.judges.task import Flaw
from beleg.judges.tasks.claims import CLAIM_VERIFICATION, ClaimsToVerify, partition_flaw

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
