from __future__ import annotations

import pytest

from beleg.judges.tasks.core_claims import CLAIM_WEIGHING, ClaimsToWeigh, ClaimWeight, WeightsReply

ASKED = ClaimsToWeigh(question="?", claims=(("1", "a"), ("2", "b")))


def fault(*repeats: str | None) -> str | None:
    verdicts = [
        ClaimWeight(claim_id=str(number), repeats=each, reason="so", informative=True)
        for number, each in enumerate(repeats, start=1)
    ]
    flaw = CLAIM_WEIGHING.check(ASKED, WeightsReply(verdicts=verdicts))
    return None if flaw is None else flaw.fault.value


def test_a_claim_may_repeat_an_earlier_one() -> None:
    assert fault(None, "1") is None


@pytest.mark.parametrize("repeats", [("1", None), ("2", None), (None, "2"), (None, "9")])
def test_a_claim_repeats_neither_itself_nor_a_later_nor_an_unknown_one(repeats: tuple[str | None, str | None]) -> None:
    assert fault(*repeats) == "schema"


def test_one_verdict_for_two_claims_is_not_whole() -> None:
    assert fault(None) == "missing_verdicts"
