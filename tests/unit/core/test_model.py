from __future__ import annotations

import json

import pytest
from pydantic import Field, ValidationError

from beleg.core.model import StoredModel


class Reading(StoredModel):
    """What a test stores."""

    value: float
    """What was read."""
    note: str | None = None
    labels: tuple[str, ...] = Field(default=())


def test_a_stored_value_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Reading(value=1.0).value = 2.0  # type: ignore[misc]


@pytest.mark.parametrize(
    "text",
    [
        '{"value": "1.0"}',
        '{"value": true}',
        '{"value": NaN}',
        '{"value": Infinity}',
        '{"value": 1.0, "vlaue": 2.0}',
        '{"value": 1.0, "note": 3}',
        '{"value": 1.0, "labels": "ab"}',
        "{}",
    ],
    ids=["text as number", "truth as number", "NaN", "infinity", "unknown field", "number as text", "text as list",
         "absent"],
)  # fmt: skip
def test_nothing_is_guessed_or_let_through(text: str) -> None:
    with pytest.raises(ValidationError):
        Reading.model_validate_json(text)


def test_what_was_not_set_is_not_written_and_what_is_written_reads_back() -> None:
    stored = Reading(value=0.5, labels=("a", "b"))
    assert stored.to_json_dict() == {"value": 0.5, "labels": ["a", "b"]}
    assert Reading.model_validate_json(json.dumps(stored.to_json_dict())) == stored


def test_the_line_under_a_field_is_its_description() -> None:
    assert Reading.model_json_schema()["properties"]["value"]["description"] == "What was read."
