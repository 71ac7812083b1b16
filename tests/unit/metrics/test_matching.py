from __future__ import annotations

import pytest

from beleg.core.case import ExpectedPassage
from beleg.metrics.matching import EvidenceMatcher, cited_passages, pieces
from unit.metrics.building import case, citation, gold, inventory, listed, passage


def test_alternatives_are_one_piece_and_optional_evidence_is_left_out() -> None:
    evidence = case(gold("a", any_of="x"), gold("b"), gold("c", any_of="x", required=False), gold("d", required=False))
    assert [[item.document_id for item in piece] for piece in pieces(evidence)] == [["a", "c"], ["b"]]
    assert len(pieces(evidence, required_only=False)) == 3


@pytest.mark.parametrize(
    ("expected", "held"),
    [
        (gold("d", "4,90 €"), True),
        (gold("d", "4,80 €"), False),
        (gold("e", "4,90 €"), False),
        (gold("d"), True),
        (gold(passage_id="d#0"), True),
        (gold(passage_id="d#1"), False),
        (gold("d", passage_id="d#1"), False),
        # The chunking changed; the words are still there.
        (gold("d", "4,90 €", passage_id="old#7"), True),
    ],
)
def test_a_passage_holds_evidence_by_words_else_by_its_id_else_by_its_document(
    expected: ExpectedPassage, held: bool
) -> None:
    assert EvidenceMatcher().holds(passage("d", "Versand 4,90\u00a0€"), expected) is held


def test_a_text_that_nobody_recorded_leaves_the_question_open() -> None:
    silent = passage("d")
    assert EvidenceMatcher().holds(silent, gold("d", "x")) is None
    assert EvidenceMatcher().any_holds([silent], (gold("d", "x"),)) is None
    assert EvidenceMatcher().any_holds([silent, passage("d", "x", passage_id="d#1")], (gold("d", "x"),)) is True
    known = EvidenceMatcher(inventory({"d": "x"}, {"d#0": ("d", "x")}))
    assert known.holds(silent, gold("d", "x")) is True


def test_the_parent_of_a_named_passage_comes_from_inventory_or_from_what_was_seen() -> None:
    expected = gold(passage_id="d#0")
    assert EvidenceMatcher(inventory({}, {"d#0": ("d", "x")})).document_of(expected, ()) == "d"
    assert EvidenceMatcher().document_of(expected, listed("e", "d")) == "d"
    assert EvidenceMatcher().document_of(expected, listed("e")) is None


def test_a_citation_names_a_passage_or_all_delivered_passages_of_a_document() -> None:
    delivered = [passage("d"), passage("d", passage_id="d#1"), passage("e")]
    assert cited_passages(citation(passage_id="d#1", document_id="d"), delivered) == [delivered[1]]
    assert cited_passages(citation(document_id="d"), delivered) == delivered[:2]
    assert cited_passages(citation(), delivered) == []
