"""Measures of a list as a set, worked by hand."""

from __future__ import annotations

import pytest

from unit.metrics.ranking_runs.worked import Mapping, listed, mean

JUDGED: Mapping = {"q": {"a": 1, "b": 1, "c": 1, "n": 0}}
RUN = listed("a", "n", "b", "x")


def test_relative_precision_of_a_set() -> None:
    assert mean(JUDGED, RUN, "SetP") == 0.5
    assert mean(JUDGED, RUN, "SetRelP") == mean(JUDGED, RUN, "SetP(relative=True)") == 2 / 3
    assert mean(JUDGED, RUN, "SetAP") == pytest.approx(0.5 * 2 / 3)


def test_f_with_beta_is_that_of_the_textbooks_and_trec_eval_takes_its_square() -> None:
    precision, recall = 0.5, 2 / 3
    expected = 5 * precision * recall / (4 * precision + recall)
    assert mean(JUDGED, RUN, "SetF(beta=2)") == pytest.approx(expected)
    assert mean(JUDGED, RUN, "set_F.4") == pytest.approx(expected)


def test_utility_weighs_what_is_returned_and_what_is_not() -> None:
    assert mean(JUDGED, RUN, "Utility") == 2 - 2
    assert mean(JUDGED, RUN, "Utility(weights=[2,-1,-3,0])") == 4 - 2 - 3
    assert mean(JUDGED, RUN, "Utility(weights=[0,0,0,0.5],collection=105)") == 0.5 * 100
