"""Measures of cumulated gain, worked by hand."""

from __future__ import annotations

import math

import pytest

from unit.metrics.ranking_runs.worked import Mapping, listed, mean

JUDGED: Mapping = {"q": {"a": 3, "b": 1}}
LOG3 = math.log2(3)


def test_gains_by_grade() -> None:
    assert mean(JUDGED, listed("b", "a"), "DCG") == pytest.approx(1 + 3 / LOG3)
    assert mean(JUDGED, listed("b", "a"), "DCG(gains={1:7})") == pytest.approx(7 + 3 / LOG3)
    assert mean(JUDGED, listed("b", "a"), "nDCG(gains={1:7})") == 1.0
    assert mean(JUDGED, listed("b", "a"), "DCG(dcg='exp-log2')@1") == 1.0


def test_gain_averaged_at_each_document_with_gain() -> None:
    at_first, at_second = 1 / 3, (1 + 3 / LOG3) / (3 + 1 / LOG3)
    assert mean(JUDGED, listed("b", "a"), "nDCGRel") == pytest.approx((at_first + at_second) / 2)
    missed = (1 / 1) / (3 + 1 / LOG3)
    assert mean(JUDGED, listed("b"), "nDCGRel") == pytest.approx((at_first + missed) / 2)


def test_gain_averaged_where_the_grade_steps() -> None:
    steps = [1 / 3, (1 + 3 / LOG3) / (3 + 1 / LOG3)]
    assert mean(JUDGED, listed("b", "a"), "RnDCG") == pytest.approx(sum(steps) / 2)
    whole = (1 / math.log2(5)) / (3 + 1 / LOG3)
    assert mean(JUDGED, listed("x", "y", "z", "b"), "RnDCG") == pytest.approx(whole / 3)


def test_balanced_gain() -> None:
    assert mean(JUDGED, listed("b", "a"), "G") == pytest.approx((1 / math.log2(4) + 3) / 4)
    assert mean(JUDGED, listed("x", "b"), "G") == pytest.approx(1 / math.log2(5) / 4)
    assert mean({"q": {"a": 1, "b": 1}}, listed("x", "a", "b"), "BinG") == pytest.approx(2 / LOG3 / 2)


def test_a_list_without_gain_is_zero() -> None:
    for name in ("DCG", "nDCG", "nDCGRel", "RnDCG", "G", "BinG"):
        assert mean(JUDGED, listed("x"), name) == 0.0
        assert mean({"q": {"a": -1}}, listed("a"), name) == 0.0
