"""What is said of drift: the way, the test, and what could not be paired."""

from __future__ import annotations

from beleg.judges.control_drift import control_drift
from beleg.report.judge_drift import drift_sentences
from support.calibrations import record
from support.judge_models import spec
from unit.judges.test_control_drift import calibrated


def told(first: tuple[int, ...], latest: tuple[int, ...]) -> tuple[str, str]:
    before, now = calibrated(0, *first), calibrated(30, *latest)
    verdicts, agreement = drift_sentences(before, now, control_drift(before, now))
    return verdicts.en, agreement.de


def test_a_judge_that_passes_more_became_milder() -> None:
    verdicts, agreement = told((20, 0, 0, 10), (20, 0, 10, 0))
    assert verdicts == (
        "10 of 30 verdicts went from fail to pass and 0 from pass to fail (McNemar's exact test, p = 0.0020): "
        "the judge became milder."
    )
    assert agreement.endswith("er stimmt seltener mit Menschen überein.")


def test_a_judge_that_fails_more_became_stricter() -> None:
    verdicts, _ = told((20, 0, 10, 0), (20, 0, 0, 10))
    assert verdicts.endswith("the judge became stricter.")


def test_few_changes_show_no_shift() -> None:
    verdicts, agreement = told((20, 0, 0, 10), (20, 0, 3, 7))
    assert verdicts.endswith("no shift is shown.")
    assert agreement.endswith("eine Verschiebung ist nicht belegt.")


def test_rates_alone_say_that_items_are_not_paired() -> None:
    before, now = record(cells=(90, 10, 0, 100)), record(cells=(90, 10, 60, 40))
    unpaired, agreement, false_pass = drift_sentences(before, now, control_drift(before, now))
    assert "cannot be paired" in unpaired.en
    assert agreement.en.endswith("it agrees with people less often.")
    assert false_pass.en.endswith("it passes more of what people fail.")


def test_other_settings_are_told_first() -> None:
    before, now = record(spec(temperature=0.0)), record(spec(temperature=0.7))
    assert "settings of the judge differ" in drift_sentences(before, now, control_drift(before, now))[0].en
