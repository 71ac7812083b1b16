from __future__ import annotations

from typing import Any

import pytest

from beleg.core.judging import JudgeFault
from beleg.judges.tasks.nuggets import (
    MAX_NUGGETS,
    NUGGET_ASSIGNMENT,
    NUGGET_CREATION,
    NuggetSources,
    NuggetsToAssign,
)
from unit.judges.tasks.replying import fault_of

SOURCES = NuggetSources(question="?", passages=(("1", "Returns are free within 30 days."),))
ASKED = NuggetsToAssign(question="?", nuggets=(("1", "free"), ("2", "30 days")), answer="They are free.")


def nugget(text: str, quote: str = "within 30 days", importance: str = "vital") -> Any:
    return {"passage_id": "1", "quote": quote, "text": text, "reason": "so", "importance": importance}


def assigned(name: str, support: str = "not_support", quote: str | None = None) -> Any:
    return {"nugget_id": name, "quote": quote, "reason": "so", "support": support}


@pytest.mark.parametrize(
    ("nuggets", "fault"),
    [
        ([], None),
        ([nugget("30 days"), nugget("free", "Returns are free", "okay")], None),
        ([nugget("60 days", "within 60 days")], JudgeFault.QUOTE_ABSENT),
        ([nugget("30 days"), nugget("30  Days")], JudgeFault.REPEATED_VERDICTS),
        ([nugget("…")], JudgeFault.EMPTY_CLAIM),
        ([nugget("30 days", importance="nice")], JudgeFault.SCHEMA),
        ([nugget(f"n{number}") for number in range(MAX_NUGGETS + 1)], JudgeFault.SCHEMA),
    ],
)
def test_nuggets_are_few_distinct_and_taken_from_a_passage(nuggets: Any, fault: JudgeFault | None) -> None:
    assert fault_of(NUGGET_CREATION, SOURCES, {"nuggets": nuggets}) is fault


@pytest.mark.parametrize(
    ("verdicts", "fault"),
    [
        ([assigned("1", "support", "They are free"), assigned("2")], None),
        ([assigned("1", "support"), assigned("2")], JudgeFault.QUOTE_ABSENT),
        ([assigned("1", "partial_support", "gratis"), assigned("2")], JudgeFault.QUOTE_ABSENT),
        ([assigned("1")], JudgeFault.MISSING_VERDICTS),
        ([assigned("1"), assigned("2"), assigned("2")], JudgeFault.REPEATED_VERDICTS),
    ],
)
def test_a_nugget_that_is_held_is_quoted_from_the_answer(verdicts: Any, fault: JudgeFault | None) -> None:
    assert fault_of(NUGGET_ASSIGNMENT, ASKED, {"verdicts": verdicts}) is fault
