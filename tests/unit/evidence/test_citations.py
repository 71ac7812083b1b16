from __future__ import annotations

import pytest

from beleg.core.evidence import ShownCitation
from beleg.core.trace import Citation, Output, Passage
from beleg.evidence.citations import citations_of, cited_passages, storable
from beleg.evidence.claims import claims_by_sentence
from beleg.metrics.generation.cited_sentences import cited_answer

PASSAGES = (
    Passage(passage_id="p1", document_id="D-01"),
    Passage(passage_id="p2", document_id="D-01"),
    Passage(passage_id="p3", document_id="D-02"),
)


def shown(answer: str, *recorded: Citation) -> list[tuple[ShownCitation, ...]]:
    output = Output(answer=answer, delivered=PASSAGES, citations=recorded or None)
    cited = cited_answer(output)
    return [citations_of(claim, cited) for claim in claims_by_sentence(answer, cited)]


def test_a_mark_is_shown_as_it_stands_with_its_place() -> None:
    answer = "Das gilt immer.[D-02] Jenes gilt nie."
    first, second = shown(answer)
    (citation,) = first
    assert (citation.marker, citation.document_id, citation.passages) == ("D-02", "D-02", ("p3",))
    assert citation.span is not None
    assert answer[citation.span.start : citation.span.end] == "[D-02]"
    assert second == ()


def test_a_source_as_a_whole_stands_for_all_its_passages() -> None:
    ((citation,),) = shown("Das gilt immer. [D-01]")
    assert (citation.passage_id, citation.passages) == (None, ("p1", "p2"))


def test_a_passage_that_is_named_is_named() -> None:
    ((citation,),) = shown("Das gilt immer. [p2]")
    assert (citation.passage_id, citation.document_id, citation.passages) == ("p2", "D-01", ("p2",))


def test_two_marks_on_one_source_are_two_citations() -> None:
    ((first, second),) = shown("Das gilt [p3] immer [D-02].")
    assert (first.marker, second.marker) == ("p3", "D-02")
    assert cited_passages((first, second)) == ("p3",)


def test_a_citation_recorded_beside_the_text_has_no_place_in_it() -> None:
    ((citation,),) = shown("Das gilt immer.", Citation(marker="Quelle 1", passage_id="p1", sentence="Das gilt immer."))
    assert (citation.marker, citation.span, citation.passages) == ("Quelle 1", None, ("p1",))


def test_a_mark_that_names_nothing_returned_has_no_passages() -> None:
    ((citation,),) = shown("Das gilt immer. [9]", Citation(marker="9", passage_id="gone"))
    assert (citation.marker, citation.passage_id, citation.passages) == ("9", "gone", ())


@pytest.mark.parametrize("marker", ["x" * 9_000, "a\x00b", "\x1b[31m"])
def test_a_hostile_marker_can_be_stored(marker: str) -> None:
    assert ShownCitation(marker=storable(marker))
