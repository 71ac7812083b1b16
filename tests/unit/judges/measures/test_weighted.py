from __future__ import annotations

import pytest

from beleg.core.judging import Call, TaskReference
from beleg.judges.measures.weighted import weighted_grade
from support.judge_models import spec

TASK = TaskReference(task="t", version="1", language="en", prompt_digest="p", schema_digest="s")


@pytest.mark.parametrize(
    ("distribution", "grade"),
    [(None, None), ({}, None), ({"2": 0.0}, None), ({"3": 1.0}, 3.0), ({"0": 0.25, "1": 0.25}, 0.5)],
)
def test_grades_are_weighted_by_their_probabilities(distribution: dict[str, float] | None, grade: float | None) -> None:
    call = Call(key="k", judge=spec(), task=TASK, messages=(), distribution=distribution)
    assert weighted_grade(call) == grade
