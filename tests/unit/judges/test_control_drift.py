"""Drift on control cases: told item by item where both records hold verdicts, and never invented where they do not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from beleg.core.calibration import CalibrationRecord
from beleg.judges.calibration import LabelledScores, item_verdicts
from beleg.judges.control_drift import control_drift, control_groups
from support.calibrations import WHEN, record, scores
from support.judge_models import spec


def calibrated(days: int, *cells: int, judge_model: str = "m", labels: str = "sha256:l") -> CalibrationRecord:
    given: LabelledScores = scores(*cells)
    return record(
        spec(model=judge_model), cells=cells, labels_digest=labels, verdicts=item_verdicts(given, 1.0),
        created_at=WHEN + timedelta(days=days),
    )  # fmt: skip


def test_items_are_paired_and_tested_by_mcnemar() -> None:
    """Of 10 items that people fail, the first calibration passes none and the latest all: 10 changes one way."""
    drift = control_drift(calibrated(0, 20, 0, 0, 10), calibrated(30, 20, 0, 10, 0))
    assert drift.verdicts is not None
    assert drift.agreement is not None
    assert (drift.verdicts.gained, drift.verdicts.lost, drift.verdicts.n) == (10, 0, 30)
    assert drift.verdicts.p_value == pytest.approx(2 * 0.5**10)
    assert (drift.agreement.gained, drift.agreement.lost) == (0, 10)
    assert drift.agreement_difference is None


def test_changes_both_ways_are_noise_and_no_shift() -> None:
    first, latest = calibrated(0, 10, 10, 0, 10), calibrated(1, 10, 10, 0, 10)
    assert latest.verdicts is not None
    turned = latest.verdicts.model_copy(update={"judge": "".join("10"[int(each)] for each in latest.verdicts.judge)})
    drift = control_drift(first, latest.model_copy(update={"verdicts": turned}))
    assert drift.verdicts is not None
    assert (drift.verdicts.gained, drift.verdicts.lost) == (20, 10)


def test_only_items_that_both_judged_are_compared() -> None:
    first, latest = calibrated(0, 20, 0, 0, 10), calibrated(1, 5, 0, 0, 3)
    drift = control_drift(first, latest)
    assert drift.verdicts is not None
    assert drift.verdicts.n == 8


def test_a_record_of_before_is_compared_by_its_rates_alone() -> None:
    old, latest = record(cells=(90, 10, 0, 100)), record(cells=(90, 10, 60, 40))
    drift = control_drift(old, latest)
    assert (drift.verdicts, drift.agreement) == (None, None)
    assert drift.false_pass_difference is not None
    assert drift.false_pass_difference.estimate == pytest.approx(0.6)
    assert drift.false_pass_difference.lower > 0
    assert drift.agreement_difference is not None
    assert drift.agreement_difference.upper < 0


def test_a_rate_that_is_not_known_has_no_difference() -> None:
    drift = control_drift(record(cells=(90, 10, 0, 0)), record(cells=(90, 10, 0, 10)))
    assert drift.false_pass_difference is None


class TestGroups:
    def test_the_same_labels_judge_and_metric_stand_together_oldest_first(self) -> None:
        late, early = calibrated(9, 20, 0, 0, 10), calibrated(0, 20, 0, 0, 10)
        assert control_groups([late, early]) == [[early, late]]

    @pytest.mark.parametrize("other", [{"labels": "sha256:other"}, {"judge_model": "another"}])
    def test_other_labels_or_another_judge_do_not(self, other: dict[str, str]) -> None:
        assert control_groups([calibrated(0, 20, 0, 0, 10), calibrated(9, 20, 0, 0, 10, **other)]) == []

    def test_verdicts_of_a_file_name_no_judge_and_tell_no_drift(self) -> None:
        given = [record(cells=(20, 0, 0, 10), judge=spec()).model_copy(update={"judge": None}) for _ in range(2)]
        assert control_groups(given) == []
