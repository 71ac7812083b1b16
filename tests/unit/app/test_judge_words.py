from __future__ import annotations

import asyncio

import pytest

from beleg.app.judge_words import stop_sentence
from beleg.core.judge_settings import JudgeBudget, JudgePrice
from beleg.core.judging import JudgeFault
from beleg.judges.budget import Budget, Need
from beleg.judges.outage import Outage

PRICE = JudgePrice(usd_per_million_prompt_tokens=1e6, usd_per_million_completion_tokens=1e6)


@pytest.mark.parametrize("limits", [{"max_calls": 1_000}, {"max_tokens": 1_000}, {"max_usd": 1.5}])
def test_every_reason_of_a_budget_is_told_in_german(limits: dict[str, float]) -> None:
    budget = Budget(limits=JudgeBudget(**limits), price=PRICE)  # type: ignore[arg-type]
    budget._charged.calls = 1_000
    reason = asyncio.run(budget.reserve(Need(2_000, 0)))
    told = stop_sentence(f"not asked: {reason}", "de")
    assert told.startswith("nicht gefragt: das Budget von ")
    assert "1.000" in told or "1.5 USD" in told


def test_a_deadline_and_an_outage_are_told_in_german_with_the_words_of_the_server() -> None:
    assert "die 5 s des Laufs" in stop_sentence(f"not asked: {Budget(run_timeout_s=5).stop_late()}", "de")
    gone, used_up = Outage(outage_s=0), Outage()
    for _ in range(20):
        gone.note(JudgeFault.UNREACHABLE, r"said \\2, so", now=1.0)
    used_up.note(JudgeFault.QUOTA_EXHAUSTED, "no, 1,000", now=1.0)
    assert gone.stopped is not None
    assert used_up.stopped is not None
    assert stop_sentence(gone.stopped[1], "de").endswith("in 0 s fehl; die letzte: unreachable: said \\\\2, so")
    assert stop_sentence(used_up.stopped[1], "de") == "nicht gefragt: das Konto darf nicht mehr fragen (no, 1,000)"
    assert stop_sentence(used_up.stopped[1], "en") == used_up.stopped[1]
