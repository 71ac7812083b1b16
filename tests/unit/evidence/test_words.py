from __future__ import annotations

import pytest

from beleg.core.case import Case
from beleg.evidence.words import cut, language_of, listed, texts_missing


@pytest.mark.parametrize(
    ("language", "question", "expected"),
    [
        ("de-AT", "?", "de"),
        ("en", "Wann kommt das Paket an?", "en"),
        (None, "Wann kommt das Paket an?", "de"),
        (None, "When does it arrive?", "en"),
        ("fr", "Wann kommt das Paket an?", "en"),
    ],
)
def test_reasons_follow_the_language_of_the_case(language: str | None, question: str, expected: str) -> None:
    assert language_of(Case(case_id="c", user_input=question, language=language)) == expected


def test_of_many_names_the_rest_is_counted() -> None:
    names = [f"p{number}" for number in range(13)]
    assert listed(names, "en").endswith("p9 and 3 more")
    assert listed(names, "de").endswith("p9 und 3 weitere")
    assert listed([], "en") == ""


def test_hostile_names_stay_short_and_on_one_line() -> None:
    told = texts_missing(["a\nb", "{x}", "y" * 5_000])
    assert "\n" not in told.en
    assert "{x}" in told.de
    assert len(cut("y" * 5_000)) == 300
