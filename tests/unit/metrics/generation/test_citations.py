from __future__ import annotations

import pytest

from beleg.core.case import Case
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.catalogue import compute
from unit.metrics.building import case, citation, gold, listed, one, passage

A, B, B2 = passage("a", "x"), passage("b", "y"), passage("b", "z", passage_id="b#1")
NEEDED = case(gold("a", "x"), gold("b", "z"), gold("c", "w", required=False))


def measured(metric: str, *citations: object, a_case: Case = NEEDED, **output: object) -> Score:
    given = {"delivered": (A, B, B2), "citations": citations, **output}
    return compute([metric], one(a_case, **given))[metric].score_at(0)


@pytest.mark.parametrize(
    ("metric", "citations", "expected"),
    [
        ("citation_id_validity", [citation(passage_id="a#0"), citation(passage_id="q#0")], 0.5),
        ("citation_id_validity", [citation(document_id="b"), citation(document_id="q"), citation()], 1 / 3),
        ("unknown_source_ids", [citation(document_id="b"), citation(document_id="q"), citation()], 2),
        ("unknown_source_ids", [], 0),
        ("citation_gold_recall", [citation(passage_id="a#0"), citation(passage_id="b#0")], 0.5),
        ("citation_gold_recall", [citation(passage_id="a#0"), citation(document_id="b")], 1.0),
        ("citation_gold_recall", [], 0.0),
        ("citation_gold_precision", [citation(passage_id="a#0"), citation(passage_id="b#0")], 0.5),
        ("citation_gold_precision", [citation(passage_id="a#0"), citation("9", passage_id="a#0")], 1.0),
        ("citation_gold_precision", [citation(passage_id="a#0"), citation("8"), citation("9")], 1 / 3),
        ("citation_coverage", [citation(passage_id="a#0"), citation(passage_id="a#0")], 1 / 3),
        ("citation_coverage", [citation(document_id="b"), citation(passage_id="q#0")], 2 / 3),
        ("citation_coverage", [], 0.0),
    ],
)
def test_citations_are_counted_against_what_was_delivered(
    metric: str, citations: list[object], expected: float
) -> None:
    assert measured(metric, *citations).value == pytest.approx(expected)


@pytest.mark.parametrize(
    "metric",
    [
        "citation_id_validity",
        "unknown_source_ids",
        "citation_gold_recall",
        "citation_gold_precision",
        "citation_coverage",
    ],
)
def test_citations_that_were_not_recorded_are_missing(metric: str) -> None:
    score = compute([metric], one(NEEDED, delivered=(A,)))[metric].score_at(0)
    assert score == Score.without(ScoreStatus.MISSING, "citations were not recorded")


def test_what_has_no_denominator_has_no_score() -> None:
    assert measured("citation_id_validity").status is ScoreStatus.NOT_APPLICABLE
    assert measured("citation_gold_precision").status is ScoreStatus.NOT_APPLICABLE
    assert measured("citation_coverage", delivered=()).status is ScoreStatus.NOT_APPLICABLE
    cited = citation(passage_id="a#0")
    assert measured("citation_gold_precision", cited, a_case=case()).status is ScoreStatus.NOT_APPLICABLE
    assert measured("citation_gold_recall", cited, a_case=case()).status is ScoreStatus.NOT_APPLICABLE


@pytest.mark.parametrize("metric", ["citation_gold_recall", "citation_gold_precision"])
def test_a_cited_text_that_was_not_recorded_leaves_the_question_open(metric: str) -> None:
    score = measured(metric, citation(document_id="a"), delivered=listed("a"), a_case=case(gold("a", "x")))
    assert score.status is ScoreStatus.MISSING


def test_coverage_of_a_third_looks_at_its_own_passages() -> None:
    run = one(case(), delivered=listed("a", "b", "c"), citations=(citation("1", "a"), citation("2", "a")))
    metrics = [f"citation_coverage(third={third})" for third in ("begin", "middle", "end")]
    assert [column.values.tolist() for column in compute(metrics, run).values()] == [[1.0], [0.0], [0.0]]
    short = one(case(), delivered=listed("a"), citations=(citation("1", "a"),))
    found = compute([metrics[0], "citation_coverage"], short)
    assert found[metrics[0]].score_at(0).status is ScoreStatus.NOT_APPLICABLE
    assert found["citation_coverage"].values.tolist() == [1.0]
