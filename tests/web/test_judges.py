"""Judges: the figures of the stored record, and nothing that it does not say."""

from __future__ import annotations

from pathlib import Path

from beleg.app.calibration_records import store_record
from beleg.app.workbench.judges import WIDTH, calibrations
from support.calibrations import record
from support.workbench import application, signed_in


def test_the_error_rates_are_those_of_the_record(tmp_path: Path) -> None:
    """2 of the 10 items that people fail pass: a false pass rate of 20 %."""
    store_record(record(cells=(28, 2, 2, 8)), tmp_path / "calibrations")
    ((view,), _) = calibrations(tmp_path)
    assert view.parts[0].false_pass.text.en.startswith("20 [")
    assert view.parts[0].false_pass.at == WIDTH * 0.2
    with application(tmp_path) as app:
        page = signed_in(app).get("/judges").text
    assert view.parts[0].false_pass.text.en in page.replace("&nbsp;", "\u00a0")


def test_a_rate_that_nobody_could_measure_is_no_zero(tmp_path: Path) -> None:
    store_record(record(cells=(30, 2, 0, 0)), tmp_path)
    ((view,), _) = calibrations(tmp_path)
    rate = view.parts[0].false_pass
    assert (rate.is_known, rate.low, rate.high) == (False, 0, WIDTH)
    assert "0" not in rate.text.en


def test_a_record_that_was_changed_is_told(tmp_path: Path) -> None:
    path = store_record(record(cells=(28, 2, 2, 8)), tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace("0.95", "0.9"), encoding="utf-8")
    with application(tmp_path) as app:
        assert "Cannot be read" in signed_in(app).get("/judges").text


def test_a_project_without_records_says_what_to_do(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        assert "beleg judge calibrate" in signed_in(app).get("/judges").text
