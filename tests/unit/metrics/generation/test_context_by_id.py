from __future__ import annotations

import numpy as np
import pytest

from beleg.core.case import ExpectedPassage
from beleg.core.score import ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from beleg.metrics.generation.context_by_id import id_based_context_precision, id_based_context_recall
from unit.metrics.building import case, gold, listed, one, passage, trace


def by_passage(*names: str) -> tuple[ExpectedPassage, ...]:
    return tuple(ExpectedPassage(passage_id=name) for name in names)


def test_worked_values() -> None:
    assert id_based_context_precision(["a", "b", "c", "d"], ["a", "c", "x"]).value == 0.5
    assert id_based_context_recall(["a", "b"], ["a", "c", "x", "y"]).value == 0.25
    assert id_based_context_precision(["a", "a", "b"], ["a"]).value == 0.5


def test_nothing_delivered_is_0_where_ragas_gives_nan() -> None:
    assert id_based_context_precision([], ["a"]).value == 0.0
    assert id_based_context_recall([], ["a"]).value == 0.0


def test_nothing_expected_has_no_score() -> None:
    assert id_based_context_precision(["a"], []).status is ScoreStatus.NOT_APPLICABLE
    assert id_based_context_recall(["a"], []).status is ScoreStatus.NOT_APPLICABLE


def test_the_ids_are_those_that_the_evidence_names() -> None:
    run = one(case(*by_passage("a#0", "b#0")), delivered=(*listed("a"), passage("a", passage_id="a#1")))
    assert compute(["id_based_context_precision"], run)["id_based_context_precision"].values.tolist() == [0.5]
    run = one(case(gold("a"), gold("b")), delivered=(*listed("a"), passage("a", passage_id="a#1")))
    assert compute(["id_based_context_precision"], run)["id_based_context_precision"].values.tolist() == [1.0]
    name = "id_based_context_recall(ids=passage)"
    assert compute([name], run)[name].score_at(0).status is ScoreStatus.NOT_APPLICABLE


def test_one_piece_of_interchangeable_evidence_is_enough_and_optional_evidence_is_not_missed() -> None:
    a_case = case(gold("a", any_of="fee"), gold("b", any_of="fee"), gold("c"), gold("o", required=False))
    run = one(a_case, delivered=listed("b", "z"))
    found = compute(["id_based_context_recall", "id_based_context_precision"], run)
    assert found["id_based_context_recall"].values.tolist() == [0.5]
    assert found["id_based_context_precision"].values.tolist() == [0.5]


def test_a_case_that_requires_nothing_has_no_recall() -> None:
    found = compute(["id_based_context_recall"], one(case(gold("o", required=False)), delivered=listed("o")))
    assert found["id_based_context_recall"].score_at(0).detail == "the case requires no evidence"


def test_the_column_says_what_the_function_says() -> None:
    rng = np.random.default_rng(8)
    rows = [
        ([f"d{n}" for n in rng.permutation(9)[: rng.integers(0, 6)]], [f"d{n}" for n in rng.permutation(9)[:3]])
        for _ in range(300)
    ]
    cases = [case(*map(gold, wanted), case_id=f"c{number}") for number, (_, wanted) in enumerate(rows)]
    traces = [trace(f"c{number}", delivered=listed(*found)) for number, (found, _) in enumerate(rows)]
    columns = compute(["id_based_context_precision", "id_based_context_recall"], Batch.of(cases, traces))
    for number, (found, wanted) in enumerate(rows):
        precision = columns["id_based_context_precision"].score_at(number)
        recall = columns["id_based_context_recall"].score_at(number)
        assert precision.value == pytest.approx(id_based_context_precision(found, wanted).value)
        assert recall.value == pytest.approx(id_based_context_recall(found, wanted).value)
