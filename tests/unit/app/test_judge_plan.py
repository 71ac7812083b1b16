from __future__ import annotations

from typing import Any

import pytest

from beleg.app.judge_plan import CHARS_PER_TOKEN, SYSTEM_CHARS, JudgingPlan, plan_of
from beleg.core.judge_settings import JudgeBudget, JudgeSettings
from beleg.judges.measures.registry import MEASURES
from beleg.judges.rows import RowJob
from support.judged_rows import row

SETTINGS = JudgeSettings(name="j", base_url="http://127.0.0.1:9/v1", model="m")


def planned(measure: str, *, answer: str, passages: list[str]) -> JudgingPlan:
    job = RowJob(row=row(1, answer=answer, passages=passages), measure=MEASURES[measure])
    return plan_of([job], expected=1, settings=SETTINGS)


@pytest.mark.parametrize("sentences", [10, 100, 1_000])
def test_a_long_answer_is_parted_between_its_calls_and_not_paid_whole_in_each(sentences: int) -> None:
    answer = "Order one was sent on Monday. " * sentences
    plan = planned("claim_support", answer=answer, passages=["Order one was sent."])
    system = plan.calls_at_most * (SYSTEM_CHARS + 100) / CHARS_PER_TOKEN
    assert plan.prompt_tokens <= system + 2 * len(answer) / CHARS_PER_TOKEN
    assert plan.completion_tokens <= 300 * plan.calls_at_most + 2 * len(answer) / CHARS_PER_TOKEN


def test_a_measure_that_looks_at_each_passage_by_itself_sends_each_once() -> None:
    passages = ["word " * 1_000 for _ in range(20)]
    plan = planned("passage_grades", answer="Yes.", passages=passages)
    assert plan.calls_at_most == 20
    text = sum(map(len, passages)) / CHARS_PER_TOKEN
    assert text < plan.prompt_tokens < text + 20 * (SYSTEM_CHARS + 100) / CHARS_PER_TOKEN


@pytest.mark.parametrize(
    ("budget", "rows"),
    [
        ({}, None),
        ({"max_calls": 40}, None),
        ({"max_calls": 10}, 5),
        ({"max_calls": 10, "max_tokens": 3_000}, 2),
        ({"max_usd": 0.1}, 1),
    ],
)
def test_a_budget_pays_for_about_so_many_rows(budget: dict[str, Any], rows: int | None) -> None:
    plan = JudgingPlan(
        rows=20, held=0, by_measure={}, calls_at_most=40, prompt_tokens=20_000, completion_tokens=10_000, cost_usd=9.0
    )
    assert plan.affordable_rows(JudgeBudget(**budget)) == rows
