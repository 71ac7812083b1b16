"""Elements paired by their text: equal ones in order, the others so that most are paired."""

from __future__ import annotations

import pytest

from beleg.core.errors import DataError, UsageError
from beleg.metrics.ingestion import layout
from beleg.metrics.ingestion.layout import LayoutElement, matched_elements


def elements(*texts: str) -> list[LayoutElement]:
    return [LayoutElement(kind="paragraph", text=text) for text in texts]


def test_repeated_texts_are_paired_in_their_order() -> None:
    assert matched_elements(elements("Page", "a", "Page"), elements("Page", "Page", "a")) == [(0, 0), (1, 2), (2, 1)]


def test_equal_texts_come_before_similar_ones() -> None:
    page, read = elements("Invoice 2023", "Invoice 2024"), elements("Invoice 2024", "lnvoice 2023")
    assert matched_elements(page, read) == [(0, 1), (1, 0)]


def test_most_are_paired_and_nothing_below_the_similarity() -> None:
    # The first gold text is most like the first read one, which is the only one that the second is like.
    page, read = elements("abcdefghij", "abcdefghxy"), elements("abcdefghix", "abcdefgzij")
    assert matched_elements(page, read, least_similarity=0.8) == [(0, 1), (1, 0)]
    assert matched_elements(page, read, least_similarity=0.95) == []


def test_elements_without_words_are_no_pair() -> None:
    assert matched_elements(elements("", " "), elements(" ", "")) == []


def test_limits_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for similarity in (0, 1.5, float("nan")):
        with pytest.raises(UsageError):
            matched_elements([], [], least_similarity=similarity)
    monkeypatch.setattr(layout, "MOST_UNEQUAL", 1)
    with pytest.raises(DataError, match="more than 1 elements have no equal"):
        matched_elements(elements("a", "b"), elements("c"))
