from __future__ import annotations

import numpy as np
import pytest

from beleg.core.score import ScoreStatus
from beleg.gating.column import GroupColumn
from support.builders import case, evaluation
from unit.gating.building import scored

TIMEOUT, NA, INVALID = ScoreStatus.TIMEOUT, ScoreStatus.NOT_APPLICABLE, ScoreStatus.INVALID
MIXED = [1.0, TIMEOUT, 0.0, NA, INVALID, 0.5]


def test_a_group_holds_its_cases_in_their_order() -> None:
    cases = [case(f"c{place}") for place in range(4)]
    run = evaluation(cases, {"hit@5": [0.0, 0.25, TIMEOUT, 0.75]})
    group = GroupColumn.of(run, "hit@5", np.array([3, 2, 0], dtype=np.intp))
    assert list(group.case_ids) == ["c3", "c2", "c0"]
    assert group.scores.values.tolist() == [0.75, 0.0]
    assert group.scores.score_at(1).status is TIMEOUT


def test_a_group_without_cases_is_empty_and_not_wrong() -> None:
    group = GroupColumn.of(evaluation([case("a")], {"hit@5": [1.0]}), "hit@5", np.array([], dtype=np.intp))
    assert (len(group.scores), group.n_scored, group.n_failed, group.coverage) == (0, 0, 0, None)
    assert group.counts().expected == 0


def test_a_case_outside_the_question_is_not_due() -> None:
    group = scored(MIXED)
    assert group.due.tolist() == [True, True, True, False, True, True]
    assert (group.n_scored, group.n_failed) == (3, 2)
    assert group.coverage == pytest.approx(3 / 5)


def test_coverage_of_nothing_due_is_not_a_number() -> None:
    assert scored([NA, NA]).coverage is None


def test_every_case_is_counted_under_its_reason() -> None:
    counts = scored(MIXED).counts()
    assert (counts.expected, counts.scored) == (6, 3)
    assert counts.reasons == {TIMEOUT: 1, NA: 1, INVALID: 1}
    assert counts.expected == counts.scored + sum(counts.reasons.values())


def test_a_group_without_any_score_counts_none() -> None:
    assert scored([TIMEOUT, None]).counts().scored == 0


def test_cases_of_one_session_or_source_share_a_number_and_no_other_case_does() -> None:
    cases = [
        case("a", session_group="s"), case("b", source_group="d"), case("c", session_group="s"), case("d"),
        case("e", source_group="d"), case("s"),
    ]  # fmt: skip
    clusters = scored([1.0] * 6, cases).clusters.tolist()
    assert clusters[0] == clusters[2]
    assert clusters[1] == clusters[4]
    assert len(set(clusters)) == 4


def test_values_stand_beside_the_clusters_of_their_own_cases() -> None:
    cases = [case(f"c{place}", session_group=f"s{place // 2}") for place in range(6)]
    group = scored(MIXED, cases)
    values, clusters = group.scored_values()
    assert values.tolist() == [1.0, 0.0, 0.5]
    assert clusters.tolist() == group.clusters[[0, 2, 5]].tolist()


def test_a_stand_in_fills_what_is_due_and_nothing_else() -> None:
    group = scored(MIXED)
    values, clusters = group.bounded_values(0.25)
    assert values.tolist() == [1.0, 0.25, 0.0, 0.25, 0.5]
    assert clusters.tolist() == group.clusters[[0, 1, 2, 4, 5]].tolist()


def test_marked_cases_are_named() -> None:
    group = scored(MIXED)
    assert group.ids(group.scores.failed) == ("c1", "c4")
    assert group.ids(np.zeros(6, dtype=np.bool_)) == ()
