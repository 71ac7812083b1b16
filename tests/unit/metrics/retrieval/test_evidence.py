from __future__ import annotations

from beleg.core.case import Case
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.catalogue import compute
from unit.metrics.building import case, gold, listed, one, passage


def measured(a_case: Case, metric: str = "evidence_recall@2", **output: object) -> Score:
    return compute([metric], one(a_case, **output))[metric].score_at(0)


def test_required_pieces_are_found_by_document_and_words_in_the_top_k() -> None:
    needed = case(gold("a", "x"), gold("b", "y"), gold("c", "z", required=False))
    delivered = (passage("a", "… x …"), passage("b", "no"), passage("b", "y", passage_id="b#1"))
    assert measured(needed, delivered=delivered).value == 0.5
    assert measured(needed, "evidence_recall@3", delivered=delivered).value == 1.0
    assert measured(needed, "evidence_recall", delivered=delivered).value == 1.0
    assert measured(needed, "evidence_recall(stage=retrieved)", delivered=delivered).value == 0.0


def test_with_a_cut_the_order_counts_and_must_be_sound() -> None:
    tied = (passage("a", score=1.0), passage("b", score=1.0), passage("c", score=0.5))
    assert measured(case(gold("b")), "evidence_recall@1", retrieved=tied).value == 1.0
    twice = listed("b", "b")
    assert measured(case(gold("b")), "evidence_recall@1", retrieved=twice).status is ScoreStatus.INVALID
    assert measured(case(gold("b")), "evidence_recall", retrieved=twice).value == 1.0


def test_alternatives_count_once() -> None:
    either = case(gold("a", any_of="x"), gold("b", any_of="x"), gold("c"))
    assert measured(either, retrieved=listed("b")).value == 0.5
    assert measured(either, retrieved=listed("a", "b")).value == 0.5
    assert measured(either, retrieved=listed("b", "c")).value == 1.0


def test_what_cannot_be_known_has_a_reason() -> None:
    assert measured(case(gold("a", required=False))).status is ScoreStatus.NOT_APPLICABLE
    assert measured(case(gold("a", "x")), retrieved=listed("a")).status is ScoreStatus.MISSING
    assert measured(case(gold("a")), "evidence_recall(stage=reranked)").detail == "the stage reranked was not recorded"
    assert measured(case(gold("a", "x")), retrieved=listed("b")).value == 0.0


def test_a_budget_of_tokens_takes_whole_passages_as_long_as_they_fit() -> None:
    needed = case(gold("a"), gold("b"))
    found = (passage("a", "one two three"), passage("b", "four five"))
    values = {n: measured(needed, f"evidence_recall(tokens={n})", retrieved=found).value for n in (2, 3, 4, 5)}
    assert values == {2: 0.0, 3: 0.5, 4: 0.5, 5: 1.0}
    assert measured(needed, "evidence_recall@1(tokens=5)", retrieved=found).value == 0.5


def test_a_budget_needs_the_texts_it_counts() -> None:
    assert measured(case(gold("a")), "evidence_recall(tokens=5)", retrieved=listed("a")).status is ScoreStatus.MISSING


def test_missing_evidence_is_one_exactly_where_evidence_recall_falls_short_of_one() -> None:
    needed = case(gold("a"), gold("b"))
    for found, recall, missing in ((listed("a", "b"), 1.0, 0.0), (listed("a"), 0.5, 1.0), (listed("x"), 0.0, 1.0)):
        assert measured(needed, "evidence_recall", retrieved=found).value == recall
        assert measured(needed, "missing_evidence", retrieved=found).value == missing
    assert measured(needed, "missing_evidence@1", retrieved=listed("a", "b")).value == 1.0


def test_missing_evidence_has_the_reasons_of_evidence_recall() -> None:
    assert measured(case(gold("a", required=False)), "missing_evidence").status is ScoreStatus.NOT_APPLICABLE
    unrecorded = measured(case(gold("a")), "missing_evidence(stage=reranked)")
    assert (unrecorded.status, unrecorded.detail) == (ScoreStatus.MISSING, "the stage reranked was not recorded")
