"""Normalised scores: closed forms, lists without an order, missing documents, scores that no scale can hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.metrics.ranking_runs.normalising import DEFAULT_MISSING, NORMS, Norm, normalise
from beleg.metrics.ranking_runs.table import table_from_mapping

Run = dict[str, dict[str, float]]

LANE: Run = {"q1": {"a": 1.0, "b": 4.0, "c": 3.0}, "q2": {"a": 10.0, "b": 30.0}}
SD = math.sqrt(14 / 9)


@pytest.mark.parametrize(
    ("norm", "expected"),
    [
        ("minmax", [0, 1, 2 / 3, 0, 1]),
        ("zscore", [(1 - 8 / 3) / SD, (4 - 8 / 3) / SD, (3 - 8 / 3) / SD, -1, 1]),
        ("rank", [1 / 3, 1, 2 / 3, 1 / 2, 1]),
        ("max", [1 / 4, 1, 3 / 4, 1 / 3, 1]),
        ("sum", [0, 3 / 5, 2 / 5, 0, 1]),
        ("none", [1, 4, 3, 10, 30]),
    ],
)
def test_every_formula_by_hand_and_query_by_query(norm: Norm, expected: list[float]) -> None:
    assert normalise(table_from_mapping(LANE), norm).value.tolist() == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("norm", NORMS)
def test_the_lowest_is_what_a_missing_document_counts_where_that_is_asked(norm: Norm) -> None:
    scaled = normalise(table_from_mapping(LANE), norm, missing="lowest")
    assert scaled.floor.tolist() == [scaled.value[:3].min(), scaled.value[3:].min()]
    assert normalise(table_from_mapping(LANE), norm, missing="zero").floor.tolist() == [0.0, 0.0]


def test_only_under_z_scores_a_missing_document_is_not_zero_of_itself() -> None:
    assert {norm for norm, rule in DEFAULT_MISSING.items() if rule == "lowest"} == {"zscore"}
    assert (normalise(table_from_mapping(LANE), "zscore").floor < 0.0).all()


@pytest.mark.parametrize("missing", ["zero", "lowest"])
@pytest.mark.parametrize("norm", ["minmax", "zscore", "max", "sum"])
@pytest.mark.parametrize("scores", [{"a": 7.0}, {"a": 0.0, "b": 0.0}, {"a": 0.3, "b": 0.3, "c": 0.3}])
def test_a_list_without_an_order_keeps_its_documents_above_what_is_missing(
    norm: Norm, missing: str, scores: dict[str, float]
) -> None:
    scaled = normalise(table_from_mapping({"q": scores}), norm, missing=missing)  # type: ignore[arg-type]
    assert scaled.value.tolist() == [1.0 / len(scores) if norm == "sum" else 1.0] * len(scores)
    assert scaled.floor.tolist() == [0.0]


def test_one_document_alone_is_above_what_is_missing_by_rank_too() -> None:
    scaled = normalise(table_from_mapping({"q": {"a": 7.0}}), "rank", missing="lowest")
    assert (scaled.value.tolist(), scaled.floor.tolist()) == ([1.0], [0.0])


@pytest.mark.parametrize("norm", [norm for norm in NORMS if norm != "rank"])
@pytest.mark.parametrize("score", [math.inf, -math.inf])
def test_an_infinite_score_is_refused_by_name(norm: Norm, score: float) -> None:
    lane = table_from_mapping({"q1": {"a": 1.0}, "q2": {"b": score, "c": 1.0}})
    with pytest.raises(DataError, match=r"infinite score in bm25\.run .*query 'q2', document 'b'"):
        normalise(lane, norm, name="bm25.run")


def test_ranks_do_not_mind_an_infinite_score() -> None:
    assert normalise(table_from_mapping({"q": {"a": 1.0, "b": math.inf}}), "rank").value.tolist() == [0.5, 1.0]


@pytest.mark.parametrize("norm", ["max", "none"])
def test_a_score_below_zero_that_a_missing_document_would_beat_is_refused(norm: Norm) -> None:
    lane = table_from_mapping({"q": {"a": -1.0, "b": 2.0}})
    with pytest.raises(DataError, match=r"below 0 in the lane.*document 'a'"):
        normalise(lane, norm)
    assert normalise(lane, norm, missing="lowest").floor.tolist() == [-0.5 if norm == "max" else -1.0]


def test_a_list_without_a_score_above_zero_has_no_maximum_to_divide_by() -> None:
    with pytest.raises(DataError, match="query 'q' has no score above 0"):
        normalise(table_from_mapping({"q": {"a": -1.0, "b": -2.0}}), "max", missing="lowest")


def test_scores_whose_difference_is_no_number_are_refused() -> None:
    with pytest.raises(DataError, match="query 'q' in the lane lie too far apart"):
        normalise(table_from_mapping({"q": {"a": -1.7e308, "b": 1.7e308}}), "minmax")


def test_differences_whose_square_vanishes_still_have_a_z_score() -> None:
    scaled = normalise(table_from_mapping({"q": {"a": 1e-200, "b": 3e-200}}), "zscore")
    assert scaled.value.tolist() == [-1.0, 1.0]


@pytest.mark.parametrize("norm", NORMS)
def test_a_query_without_documents_counts_nothing(norm: Norm) -> None:
    scaled = normalise(table_from_mapping({"q1": {}, "q2": {"a": 2.0, "b": 1.0}, "q3": {}}), norm, missing="lowest")
    assert len(scaled.value) == 2
    assert scaled.floor[[0, 2]].tolist() == [0.0, 0.0]
    assert len(normalise(table_from_mapping({"q1": {}}), norm).value) == 0


@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0.0, 1e6, width=32), min_size=1),
    st.sampled_from(NORMS),
)
def test_no_normalisation_turns_an_order_round(scores: dict[str, float], norm: Norm) -> None:
    lane = table_from_mapping({"q": scores})
    order = np.argsort(lane.value, kind="stable")
    assert (np.diff(normalise(lane, norm).value[order]) >= 0.0).all() or norm == "rank"
    assert np.isfinite(normalise(lane, norm).value).all()
