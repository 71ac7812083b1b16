from __future__ import annotations

import time

import pytest

from beleg.core.trace import Citation, Output
from beleg.metrics.generation.cited_sentences import MAX_SOURCES_OF_A_MARKER, CitedAnswer, cited_answer
from unit.metrics.building import citation, passage

DELIVERED = tuple(passage(f"d{number}", passage_id=f"p{number}") for number in range(1, 5))
RECORDED = tuple(citation(str(number), passage_id=f"p{number}") for number in range(1, 5))


def read(answer: str, *citations: Citation, **output: object) -> CitedAnswer:
    fields = {"delivered": DELIVERED, "citations": citations or RECORDED, **output}
    return cited_answer(Output.model_validate({"answer": answer, **fields}))


def cites(found: CitedAnswer) -> list[tuple[str, list[str]]]:
    """Each sentence with what it cites: the passages, or the marker in brackets where it names nothing."""
    return [
        (
            sentence.text,
            ["+".join(one.passage_id for one in c.passages) or f"<{c.marker}>" for c in sentence.citations],
        )
        for sentence in found.sentences
    ]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Claim one. [1] Claim two.", [("Claim one.", ["p1"]), ("Claim two.", [])]),
        ("Claim one.[1] Claim two [2].", [("Claim one.", ["p1"]), ("Claim two.", ["p2"])]),
        ("Claim one.【1】 Claim two.", [("Claim one.", ["p1"]), ("Claim two.", [])]),
        ("Claim one.[1](https://a.example/very/long) Claim two.", [("Claim one.", ["p1"]), ("Claim two.", [])]),
        ("Claim one.\n\n[1]\n\nClaim two.", [("Claim one.", ["p1"]), ("Claim two.", [])]),
        ("Claim one.\n\n[1] Claim two.", [("Claim one.", []), ("Claim two.", ["p1"])]),
        ("[1] Claim one.", [("Claim one.", ["p1"])]),
        ("- Claim one [1]\n- Claim two [2]", [("- Claim one", ["p1"]), ("- Claim two", ["p2"])]),
        ("Express kostet 4.50 Euro [2], z. B. am 1. März [1].",
         [("Express kostet 4.50 Euro, z. B. am 1. März.", ["p2", "p1"])]),
    ],
)  # fmt: skip
def test_a_mark_belongs_to_the_sentence_that_it_stands_on(answer: str, expected: list[tuple[str, list[str]]]) -> None:
    assert cites(read(answer)) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("A [9].", ["<9>"]),
        ("A [0].", ["<0>"]),
        ("A [1-3].", ["p1", "p2", "p3"]),
        ("A [1, 2].", ["p1", "p2"]),
        ("A [1][1], [1].", ["p1"]),
        ("A [9][9].", ["<9>"]),
        ("A [4-6].", ["p4", "<5>", "<6>"]),
        ("A [9](https://made-up.example).", ["<9>"]),
        ("A [1](https://made-up.example).", ["p1"]),
        ("A [so it says](https://made-up.example).", ["<https://made-up.example>"]),
        ("A [p2].", ["p2"]),
        ("A [d2].", ["p2"]),
        ("A [p99].", ["<p99>"]),
    ],
)
def test_what_a_mark_names(answer: str, expected: list[str]) -> None:
    ((_, found),) = cites(read(answer))
    assert found == expected


def test_a_link_to_the_address_of_a_delivered_passage_cites_it() -> None:
    page = passage("d1", passage_id="p1", metadata={"url": "https://shop.example/returns"})
    found = read("A [here](https://shop.example/returns).", delivered=(page,), citations=())
    assert cites(found) == [("A here.", ["p1"])]


def test_a_label_from_0_names_what_was_recorded_for_it() -> None:
    assert cites(read("A [0].", citation("0", passage_id="p1"))) == [("A.", ["p1"])]


def test_a_recorded_sentence_places_a_citation_without_a_mark() -> None:
    found = read("A says. B says.", citation("x", passage_id="p1", sentence="B says."))
    assert cites(found) == [("A says.", []), ("B says.", ["p1"])]


def test_a_recorded_sentence_may_be_a_clause_or_several_sentences() -> None:
    found = read(
        "A says this and that. B says. C says.",
        citation("x", passage_id="p1", sentence="A says this"),
        citation("y", passage_id="p2", sentence="B says. [9] C says."),
    )
    assert cites(found) == [("A says this and that.", ["p1"]), ("B says.", ["p2"]), ("C says.", ["p2"])]


def test_the_order_is_that_of_the_text_whatever_the_order_of_the_records() -> None:
    found = read(
        "A says [2][1].",
        citation("1", passage_id="p1", sentence="A says [2][1]."),
        citation("2", passage_id="p2", sentence="A says [2][1]."),
    )
    assert cites(found) == [("A says.", ["p2", "p1"])]


def test_one_marker_may_name_other_sources_on_other_sentences() -> None:
    found = read(
        "A says [1]. B says [1].",
        citation("1", passage_id="p1", sentence="A says"),
        citation("1", passage_id="p2", sentence="B says"),
    )
    assert cites(found) == [("A says.", ["p1"]), ("B says.", ["p2"])]


def test_a_marker_recorded_for_one_sentence_keeps_its_source_on_another() -> None:
    found = read("A says [1]. B says [1].", citation("1", passage_id="p1", sentence="A says [1]."))
    assert cites(found) == [("A says.", ["p1"]), ("B says.", ["p1"])]


def test_a_citation_by_document_names_all_its_delivered_passages() -> None:
    delivered = (passage("d1", passage_id="a"), passage("d1", passage_id="b"), passage("d2", passage_id="c"))
    assert cites(read("A [1].", citation("1", document_id="d1"), delivered=delivered)) == [("A.", ["a+b"])]


def test_a_passage_delivered_twice_is_one_source() -> None:
    found = read("A [1].", citation("1", document_id="d1"), delivered=(DELIVERED[0], DELIVERED[0]))
    assert cites(found) == [("A.", ["p1"])]


def test_a_record_that_names_nothing_or_nothing_delivered_does_not_resolve() -> None:
    found = read("A [1][2].", citation("1"), citation("2", passage_id="elsewhere"))
    assert cites(found) == [("A.", ["<1>", "<2>"])]
    assert found.unresolvable == 2


def test_what_stands_on_no_sentence_is_counted_apart() -> None:
    found = read("A [1].", RECORDED[0], citation("2", passage_id="made-up"))
    assert [one.marker for one in found.unplaced] == ["2"]
    assert found.unresolvable == 1
    assert not found.stands_on_nothing
    assert read("A says.", RECORDED[0]).stands_on_nothing


def test_a_marker_for_everything_names_nothing() -> None:
    many = tuple(passage(f"e{number}") for number in range(MAX_SOURCES_OF_A_MARKER + 1))
    records = tuple(citation("1", document_id=one.document_id) for one in many)
    assert cites(read("A [1].", *records, delivered=many)) == [("A.", ["<1>"])]
    assert len(read("A [1].", *records[:-1], delivered=many).sentences[0].citations) == MAX_SOURCES_OF_A_MARKER


def test_no_answer_has_no_sentence() -> None:
    assert read("").sentences == ()
    assert read("[1][2]").sentences == ()


@pytest.mark.parametrize("piece", ["[1]", "A [1]. ", "[9](https://x.example)", "A. ", "[1-40]"])
def test_the_longest_answer_with_the_most_citations_takes_seconds_at_most(piece: str) -> None:
    records = tuple(citation("1", passage_id=f"p{n % 4}", sentence=piece * 50) for n in range(200))
    started = time.process_time()
    read((piece * 200_000)[:200_000], *records)
    assert time.process_time() - started < 5
