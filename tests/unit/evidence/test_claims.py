from __future__ import annotations

import pytest

from beleg.core.locators import Span
from beleg.core.trace import Citation, Output
from beleg.evidence.claims import claims_by_sentence, visible_spans, wording
from beleg.metrics.generation.cited_sentences import cited_answer
from beleg.text.citation_marks import citation_marks


def claimed(answer: str, *markers: str) -> list[str]:
    output = Output(answer=answer, citations=tuple(Citation(marker=marker) for marker in markers))
    return [wording(answer, claim.spans) for claim in claims_by_sentence(answer, cited_answer(output))]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "Die Rückgabe ist kostenlos und die Erstattung wird in fünf Tagen gebucht.",
            ["Die Rückgabe ist kostenlos", "die Erstattung wird in fünf Tagen gebucht."],
        ),
        ("Returns are free; shipping costs 5 euros.", ["Returns are free", "shipping costs 5 euros."]),
        ("You can return shirts and shoes.", ["You can return shirts and shoes."]),
        ("Der Artikel ist rot und hat Räder.", ["Der Artikel ist rot und hat Räder."]),
        (
            "Im Shop (er ist neu, und er ist groß) gilt das.",
            ["Im Shop (er ist neu, und er ist groß) gilt das."],
        ),
        ("Was möchten Sie wissen? Die Gebühr ist 5 Euro.", ["Die Gebühr ist 5 Euro."]),
    ],
)
def test_sentences_are_parted_only_where_two_statements_are_joined(answer: str, expected: list[str]) -> None:
    assert claimed(answer) == expected


def test_marks_are_no_words_of_a_claim() -> None:
    assert claimed("Die Gebühr [1] ist 5 Euro [2].", "1", "2") == ["Die Gebühr ist 5 Euro"]
    assert claimed("Die Gebühr ist 5 Euro.[1] Sie gilt überall.", "1") == [
        "Die Gebühr ist 5 Euro.",
        "Sie gilt überall.",
    ]


def test_the_words_of_a_link_stay() -> None:
    answer = "Siehe [die Gebühren](https://x.example/a) für mehr."
    marks = citation_marks(answer, ())
    assert wording(answer, visible_spans(answer, Span(start=0, end=len(answer)), marks)) == (
        "Siehe die Gebühren für mehr."
    )


def test_a_text_that_is_one_endless_sentence_is_one_claim() -> None:
    endless = "das ist so und " * 13_000
    assert len(claimed(endless)) == 1


@pytest.mark.parametrize("answer", ["", "   ", "…", "[1]", "Was meinen Sie?"])
def test_where_nothing_is_said_nothing_is_claimed(answer: str) -> None:
    assert claimed(answer, "1") == []
