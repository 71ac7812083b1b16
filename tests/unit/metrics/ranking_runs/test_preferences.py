"""Preferences worked by hand; the published output of trec_eval stands in tests/oracles."""

from __future__ import annotations

import time

import pytest

from beleg.core.errors import DataError
from beleg.metrics.ranking_runs import preferences
from beleg.metrics.ranking_runs.preferences import Tally
from unit.metrics.ranking_runs.worked import grouped, listed, mean_of_groups

TWO = grouped(("q", "0", "0", "a", 2), ("q", "0", "0", "b", 1), ("q", "0", "0", "c", 0))


def test_a_returned_document_stands_above_one_that_is_not() -> None:
    assert mean_of_groups(TWO, listed("b"), "PrefsFulfilled") == 1
    assert mean_of_groups(TWO, listed("b"), "PrefsPossible") == 3
    assert mean_of_groups(TWO, listed("b"), "Prefs") == 1 / 3
    assert mean_of_groups(TWO, listed("b"), "PrefsRet") == 0.0
    assert mean_of_groups(TWO, listed("b"), "PrefsEither") == 1 / 2
    assert Tally().ratio == 0.0


def test_equal_scores_fulfil_no_preference_in_whatever_order() -> None:
    for better, worse in (("a", "b"), ("b", "a")):
        own = grouped(("q", "0", "0", better, 1), ("q", "0", "0", worse, 0))
        assert mean_of_groups(own, {"q": {"x": 2.0, "a": 1.0, "b": 1.0}}, "Prefs") == 0.0


def test_preferences_of_two_subgroups_make_a_chain() -> None:
    own = grouped(
        ("q", "0", "0", "a", 2), ("q", "0", "0", "b", 1), ("q", "0", "1", "b", 2), ("q", "0", "1", "c", 1)
    )  # fmt: skip
    assert mean_of_groups(own, listed("a", "c", "b"), "PrefsPossible") == 3
    assert mean_of_groups(own, listed("a", "c", "b"), "PrefsFulfilled") == 2


def test_contradiction_within_a_group_is_refused_and_between_groups_is_not() -> None:
    rows = (("q", "0", "0", "a", 1), ("q", "0", "0", "b", 0), ("q", "0", "1", "a", 0), ("q", "0", "1", "b", 1))
    with pytest.raises(DataError, match="go in a circle"):
        mean_of_groups(grouped(*rows), listed("a"), "Prefs")
    apart = grouped(*((query, subgroup, "0", document, grade) for query, _, subgroup, document, grade in rows))
    assert mean_of_groups(apart, listed("a"), "PrefsPair") == 0.5


def test_as_many_not_relevant_documents_as_relevant_ones() -> None:
    assert mean_of_groups(TWO, listed("a", "b", "c"), "PrefsGroupBalanced") == 1.0
    assert mean_of_groups(TWO, listed("c", "a", "b"), "PrefsGroupBalanced") == (1 + 2) / (3 + 2)


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preferences, "MAX_DOCUMENTS", 2)
    with pytest.raises(DataError, match="more judged documents than the 2"):
        mean_of_groups(TWO, listed("a"), "Prefs")
    monkeypatch.setattr(preferences, "MAX_DOCUMENTS", 9)
    monkeypatch.setattr(preferences, "MAX_CHAINED", 1)
    own = grouped(("q", "0", "0", "a", 1), ("q", "0", "0", "b", 0), ("q", "0", "1", "c", 0))
    with pytest.raises(DataError, match="more judged documents than the 1"):
        mean_of_groups(own, listed("a"), "Prefs")


def test_a_group_costs_what_its_own_documents_cost() -> None:
    # Each judge prefers one document to the next one, and the run has them in that order.
    count = 600
    rows = [("q", str(judge), "0", f"d{judge + more}", 1 - more) for judge in range(count - 1) for more in (0, 1)]
    own, run = grouped(*rows), listed(*(f"d{number}" for number in range(count)))
    began = time.process_time()
    assert mean_of_groups(own, run, "PrefsPossible") == count - 1
    assert mean_of_groups(own, run, "PrefsGroup") == 1.0
    assert mean_of_groups(own, listed("d0"), "PrefsPair") == 1 / (count - 1)
    assert time.process_time() - began < 2.0
