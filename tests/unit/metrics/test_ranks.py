from __future__ import annotations

import pytest

from beleg.core.score import ScoreStatus
from beleg.core.suite import RelevanceUnit
from beleg.metrics.matching import EvidenceMatcher
from beleg.metrics.ranks import RankedColumns, list_fault, rank_row, ranked_documents
from unit.metrics.building import case, gold, inventory, listed, passage

DOCUMENT, PASSAGE = RelevanceUnit.DOCUMENT, RelevanceUnit.PASSAGE
matcher = EvidenceMatcher()


def test_without_gold_the_question_does_not_arise() -> None:
    assert rank_row(listed("d"), case(), matcher, DOCUMENT).status is ScoreStatus.NOT_APPLICABLE


def test_a_list_that_repeats_a_passage_or_contradicts_its_scores_is_invalid_and_says_where() -> None:
    twice = rank_row(listed("d", "e", "d"), case(gold("d")), matcher, DOCUMENT)
    assert (twice.status, twice.detail) == (ScoreStatus.INVALID, "passage 'd#0' stands twice in the ranked list")
    upside_down = [passage("d", score=0.2), passage("e", score=0.9)]
    assert list_fault(upside_down) == "rank 1 has score 0.2 and rank 2 has the higher score 0.9"
    assert rank_row(upside_down, case(gold("d")), matcher, PASSAGE).status is ScoreStatus.INVALID
    assert list_fault([passage("d", score=0.2), passage("e")]) is None


def test_tied_scores_are_ordered_by_id_descending_in_both_units() -> None:
    tied = [passage("d1", score=1.0), passage("d2", score=1.0), passage("d3", score=1.0), passage("d0", score=0.5)]
    assert ranked_documents(tied) == ["d3", "d2", "d1", "d0"]
    assert rank_row(tied, case(gold("d1")), matcher, DOCUMENT).grades == (0, 0, 1, 0)
    assert rank_row(tied, case(gold("d1")), matcher, PASSAGE).grades == (0, 0, 1, 0)


def test_one_score_for_all_is_a_placeholder_and_the_list_stands_as_it_was_delivered() -> None:
    # Unlike trec_eval, which would rank by id what the system had ranked in another way.
    constant = [passage(name, score=1.0) for name in ("d2", "d3", "d1")]
    assert ranked_documents(constant) == ["d2", "d3", "d1"]
    assert rank_row(constant, case(gold("d2")), matcher, DOCUMENT).grades == (1, 0, 0)
    assert rank_row(constant, case(gold("d2")), matcher, PASSAGE).grades == (1, 0, 0)
    unscored = listed("d1", "d2", "d3")
    assert rank_row(unscored, case(gold("d1")), matcher, PASSAGE).grades == (1, 0, 0)


def test_documents_keep_their_best_rank_and_their_highest_grade() -> None:
    found = [passage("d"), passage("e"), passage("d", passage_id="d#1")]
    row = rank_row(found, case(gold("d", grade=1), gold("d", "x", grade=3), gold("f", grade=2)), matcher, DOCUMENT)
    assert (row.grades, row.judged, row.ideal) == ((3, 0), (True, False), (3, 2))


def test_a_passage_named_by_id_makes_its_document_relevant() -> None:
    assert rank_row(listed("d", "e"), case(gold(passage_id="e#0")), matcher, DOCUMENT).grades == (0, 1)
    unknown = rank_row(listed("d"), case(gold(passage_id="e#0")), matcher, DOCUMENT)
    assert (unknown.grades, unknown.ideal) == ((0,), (1,))
    known = EvidenceMatcher(inventory({}, {"e#0": ("e", "x"), "e#1": ("e", "y")}))
    other_chunk = [passage("e", passage_id="e#1")]
    assert rank_row(other_chunk, case(gold(passage_id="e#0")), known, DOCUMENT).grades == (1,)


def test_in_passages_a_quote_must_stand_in_the_text_and_counts_once() -> None:
    chunks = [
        passage("d", "Retoure 30 Tage"),
        passage("d", "Versand 4,90 €", passage_id="d#1"),
        passage("d", "Überlappung: Versand 4,90 €", passage_id="d#2"),
    ]
    row = rank_row(chunks, case(gold("d", "Versand 4,90 €", grade=2)), matcher, PASSAGE)
    assert (row.grades, row.judged, row.ideal) == ((0, 2, 0), (False, True, True), (2,))


def test_in_passages_a_document_without_a_quote_counts_once() -> None:
    chunks = [passage("d"), passage("d", passage_id="d#1"), passage("e")]
    row = rank_row(chunks, case(gold("d"), gold("e")), matcher, PASSAGE)
    assert (row.grades, row.ideal) == ((1, 0, 1), (1, 1))


def test_expectations_that_one_passage_meets_together_are_one_relevant_item() -> None:
    both = [passage("d", "a und b")]
    row = rank_row(both, case(gold("d", "a", grade=1), gold("d", "b", grade=3), gold("e")), matcher, PASSAGE)
    assert (row.grades, row.ideal) == ((3,), (3, 1))


def test_in_passages_an_id_names_the_one_passage_that_is_relevant() -> None:
    chunks = [passage("d", "x"), passage("d", "x", passage_id="d#1")]
    assert rank_row(chunks, case(gold("d", "x", passage_id="d#1")), matcher, PASSAGE).grades == (0, 1)


def test_in_passages_a_text_that_was_not_recorded_leaves_the_row_without_a_score() -> None:
    row = rank_row(listed("d"), case(gold("d", "x")), matcher, PASSAGE)
    assert (row.status, row.detail) == (ScoreStatus.MISSING, "the text of 'd#0' was not recorded")


@pytest.mark.parametrize("unit", [DOCUMENT, PASSAGE])
def test_an_empty_list_is_a_list(unit: RelevanceUnit) -> None:
    row = rank_row([], case(gold("d", grade=2)), matcher, unit)
    assert (row.status, row.grades, row.ideal) == (ScoreStatus.SCORED, (), (2,))


def test_columns_lay_rows_one_after_the_other() -> None:
    rows = [
        rank_row(listed("a", "b"), case(gold("b")), matcher, DOCUMENT),
        rank_row([], case(), matcher, DOCUMENT),
        rank_row(listed("c"), case(gold("c"), gold("d", grade=2)), matcher, DOCUMENT),
    ]
    columns = RankedColumns.from_rows(rows)
    assert columns.offsets.tolist() == [0, 2, 2, 3]
    assert columns.ranks.tolist() == [1, 2, 1]
    assert columns.relevant.tolist() == [1, 0, 2]
    assert columns.ideal.tolist() == [1, 2, 1]
    ideal_query, ideal_rank, ideal_grade = columns.as_hits.best_first
    assert (ideal_query.tolist(), ideal_rank.tolist(), ideal_grade.tolist()) == ([0, 2, 2], [1, 1, 2], [1, 2, 1])
    assert (columns.as_hits.hits.query.tolist(), columns.as_hits.hits.rank.tolist()) == ([0, 2], [2, 1])
    assert columns.details == {1: "the case expects no evidence"}
