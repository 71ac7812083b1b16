"""A judged figure that labels of people correct."""

from __future__ import annotations

import numpy as np
import pytest

from beleg.core.decision import CheckKind
from beleg.core.policy import Aggregate
from beleg.core.score import ScoreStatus
from beleg.gating.assisted import assisted_bounds, labels_of
from beleg.gating.column import GroupColumn
from beleg.stats.prediction_powered import square_and_add
from support.builders import column
from support.calibrations import METRIC, judged
from unit.gating.building import planned

VALUES = [1.0] * 60 + [0.0] * 20 + [ScoreStatus.JUDGE_ERROR] * 2
PEOPLE = [1.0] * 18 + [0.0] * 2 + [None] * 62


def columns() -> tuple[GroupColumn, object]:
    run = judged(VALUES, human=PEOPLE)
    held = GroupColumn.of(run, METRIC, np.arange(82, dtype=np.intp))
    return held, run


def test_the_figure_is_the_judge_corrected_by_its_own_errors() -> None:
    held, _ = columns()
    found = assisted_bounds(held, column(PEOPLE), 0.95)
    expected = square_and_add([1.0] * 18 + [0.0] * 2, [1.0] * 20, [1.0] * 40 + [0.0] * 20, 0.9)
    assert found.estimate == pytest.approx(0.75 - 0.1)
    assert (found.lower, found.upper) == pytest.approx((expected.lower, expected.upper))
    assert (found.human_labels, found.n, found.method) == (20, 80, "judge_assisted_square_and_add")


def test_cases_without_a_verdict_count_at_a_bound() -> None:
    held, _ = columns()
    worst, best = (assisted_bounds(held, column(PEOPLE), 0.95, stand_in=end).estimate for end in (0.0, 1.0))
    assert worst == pytest.approx(60 / 82 - 0.1)
    assert best == pytest.approx(62 / 82 - 0.1)


def test_labels_are_used_for_means_between_0_and_1_only_and_from_two_on() -> None:
    held, run = columns()
    check = planned(METRIC, CheckKind.BAND, n=82, pass_at=0.9, block_at=0.5)
    assert labels_of(check, run, held) is not None  # type: ignore[arg-type]
    tail = planned(METRIC, CheckKind.BAND, n=82, pass_at=0.9, block_at=0.5, aggregate=Aggregate.P50)
    assert labels_of(tail, run, held) is None  # type: ignore[arg-type]
    alone = judged(VALUES, human=[1.0] + [None] * 81)
    assert labels_of(check, alone, held) is None
    assert labels_of(check, judged(VALUES), held) is None
