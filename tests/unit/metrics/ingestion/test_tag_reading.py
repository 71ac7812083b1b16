"""Tags to spans: what each reading mends, and what it refuses."""

from __future__ import annotations

import pytest

from beleg.core.errors import DataError
from beleg.metrics.ingestion.tag_reading import TagReading, spans_of_tags


def read(tags: str, reading: TagReading = "conlleval") -> list[tuple[int, int, str]]:
    spans = spans_of_tags([tags.split()], reading)
    return [
        (start, end, spans.labels[label])
        for start, end, label in zip(spans.start.tolist(), spans.end.tolist(), spans.label.tolist(), strict=True)
    ]


@pytest.mark.parametrize(
    ("tags", "lenient", "strict"),
    [
        ("B-A I-A O", [(0, 2, "A")], [(0, 2, "A")]),
        ("B-A B-A", [(0, 1, "A"), (1, 2, "A")], [(0, 1, "A"), (1, 2, "A")]),
        ("I-A I-A O I-A", [(0, 2, "A"), (3, 4, "A")], []),
        ("B-A I-B I-B", [(0, 1, "A"), (1, 3, "B")], [(0, 1, "A")]),
        ("O O", [], []),
        ("", [], []),
        ("B-PER-X I-PER-X", [(0, 2, "PER-X")], [(0, 2, "PER-X")]),
        ("B I O", [(0, 2, "_")], [(0, 2, "_")]),
    ],
)
def test_iob_is_mended_or_taken_at_its_word(
    tags: str, lenient: list[tuple[int, int, str]], strict: list[tuple[int, int, str]]
) -> None:
    assert read(tags) == lenient
    assert read(tags, "strict_iob2") == strict


@pytest.mark.parametrize(
    ("tags", "strict"),
    [
        ("B-A I-A E-A S-B", [(0, 3, "A"), (3, 4, "B")]),
        ("U-A B-A L-A", [(0, 1, "A"), (1, 3, "A")]),
        ("B-A I-A O", []),
        ("B-A E-B", []),
        ("I-A E-A", []),
        ("S-A E-A", [(0, 1, "A")]),
    ],
)
def test_iobes_must_be_closed(tags: str, strict: list[tuple[int, int, str]]) -> None:
    assert read(tags, "strict_iobes") == strict


def test_no_span_reaches_into_the_next_document() -> None:
    spans = spans_of_tags([["B-A"], [], ["I-A", "O"], []])
    assert (spans.documents, spans.document.tolist(), spans.start.tolist(), spans.end.tolist()) == (
        4, [0, 2], [0, 0], [1, 1],
    )  # fmt: skip


@pytest.mark.parametrize("tag", ["o", "X-A", "B-", "OA", "O-A", "", "BI-A", "b-A"])
def test_what_is_no_tag_is_refused_with_its_place(tag: str) -> None:
    with pytest.raises(DataError, match="document 1, token 2: not a tag that conlleval knows"):
        spans_of_tags([["O"], ["O", "B-A", tag]])


def test_a_reading_refuses_the_prefixes_of_another() -> None:
    with pytest.raises(DataError, match="not a tag that strict_iob2 knows"):
        spans_of_tags([["S-A"]], "strict_iob2")


def test_more_tags_than_a_byte_can_number_are_read_too() -> None:
    tags = [f"B-{number}" for number in range(400)]
    assert spans_of_tags([tags]).labels == tuple(str(number) for number in range(400))
    with pytest.raises(DataError, match="labels"):
        spans_of_tags([[f"B-{number}" for number in range(30_002)]])
