"""Feedback says who, when and what, and nothing else."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.feedback import Feedback

LINE = '{"case_id": "c", "rating": "down", "at": "2026-11-30T12:00:00+01:00", "source": "s"}'


def test_it_reads_back_as_it_was() -> None:
    one = Feedback.model_validate_json(LINE)
    assert Feedback.model_validate_json(one.model_dump_json(exclude_none=True)) == one


@pytest.mark.parametrize(
    ("old", "new"), [('"down"', '"bad"'), ("+01:00", ""), ('"c"', '""'), ('"source": "s"', '"source": "s", "x": 1')]
)
def test_anything_else_is_refused(old: str, new: str) -> None:
    with pytest.raises(ValidationError):
        Feedback.model_validate_json(LINE.replace(old, new))
