"""What is said of a calibration record, in forms that fit the numbers."""

from __future__ import annotations

import pytest

from beleg.report.calibration import calibration_notes
from support.calibrations import record, task


@pytest.mark.parametrize(
    ("tasks", "en", "de"),
    [
        (1, "one prompt and its schema;", "einen Prompt und sein Schema;"),
        (2, "2 prompts and their schemas;", "2 Prompts und ihre Schemas;"),
    ],
)
def test_one_prompt_is_told_in_the_singular(tasks: int, en: str, de: str) -> None:
    last = calibration_notes(record(tasks=tuple(task(language) for language in ("en", "de")[:tasks])))[-1]
    assert en in last.en
    assert de in last.de


@pytest.mark.parametrize(("disputed", "de"), [(1, "Ein Fall blieb außen vor"), (3, "3 Fälle blieben außen vor")])
def test_one_disputed_item_is_told_in_the_singular(disputed: int, de: str) -> None:
    assert any(note.de.startswith(de) for note in calibration_notes(record(), disputed=disputed))
