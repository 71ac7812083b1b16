from __future__ import annotations

import itertools
import time

import pytest

from beleg.text.citation_marks import bare, citation_marks


def labels(text: str, *known: str) -> list[tuple[str, ...]]:
    return [mark.labels for mark in citation_marks(text, known)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A [1].", [("1",)]),
        ("A [1][2].", [("1",), ("2",)]),
        ("A [1, 2; 3].", [("1", "2", "3")]),
        ("A [1-3] and [4–5].", [("1", "2", "3"), ("4", "5")]),
        ("A [2, 4-6].", [("2", "4", "5", "6")]),
        ("A [0].", [("0",)]),
        ("A [^1].", [("1",)]),
        ("A【1】.", [("1",)]),
        ("A【4:0†source】.", [("4:0",)]),
        ("A [1](https://x.example).", [("1",)]),
        ("A [[1]](https://x.example).", [("1",)]),
        ("A [the page](https://x.example/a).", [("https://x.example/a",)]),
    ],
)
def test_marks_are_read_in_every_form(text: str, expected: list[tuple[str, ...]]) -> None:
    assert labels(text) == expected


@pytest.mark.parametrize(
    "text", ["A [sic].", "A [...]", "In [2024] so", "[a b c]", "A [] b", "![1](https://x/p.png)", "[top](#top)", "(1)"]
)
def test_a_bracket_of_prose_is_no_mark(text: str) -> None:
    assert labels(text, "1") == []


@pytest.mark.parametrize(
    ("text", "expected"), [("A [3-1].", [("3-1",)]), ("A [1-999].", [("1-999",)]), ("A [0-50].", [("0-50",)])]
)
def test_a_range_that_is_none_is_one_label_that_names_nothing(text: str, expected: list[tuple[str, ...]]) -> None:
    assert labels(text, "doc-1", "1") == expected


def test_known_labels_are_marks_in_any_brackets_that_were_recorded() -> None:
    assert labels("A (Muster 2020). B [lg-shipping-de].", "(Muster 2020)", "lg-shipping-de") == [
        ("Muster 2020",),
        ("lg-shipping-de",),
    ]


def test_a_label_of_the_same_form_as_a_known_one_is_a_mark_too() -> None:
    assert labels("A [doc-7]. B [doc-99]. C [so-called]. D [doc].", "doc-7") == [("doc-7",), ("doc-99",)]


def test_a_link_keeps_its_words_and_a_numbered_one_does_not() -> None:
    text = "A [the page](https://x.example). B [1](https://x.example)."
    first, second = citation_marks(text, ())
    assert first.words is not None
    assert text[slice(*first.words)] == "the page"
    assert second.words is None


def test_marks_do_not_overlap() -> None:
    marks = citation_marks("A [[1]](https://x.example/[2]) 【3】 [4][5]", ())
    assert all(one.end <= other.start for one, other in itertools.pairwise(marks))


@pytest.mark.parametrize("marker", ["1", "[1]", "【1】", "(1)", " [1] "])
def test_a_marker_is_the_same_with_and_without_brackets(marker: str) -> None:
    assert bare(marker) == "1"


@pytest.mark.parametrize("piece", ["[", "[1]", "[1-", "[a](", "(a", "[[", "【", "[1](x", "[1,"])
def test_hostile_text_costs_no_more_than_its_length(piece: str) -> None:
    text = (piece * 200_000)[:200_000]
    started = time.process_time()
    citation_marks(text, {"1", "doc-7"})
    assert time.process_time() - started < 3
