"""Judges: the figures of the stored record, and nothing that it does not say."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

from beleg.app.calibrating import calibrate_verdicts, request_of
from beleg.app.calibration_records import read_record, store_record
from beleg.app.probe_records import store_probes
from beleg.app.workbench.judge_probes import probed_judges
from beleg.app.workbench.judges import WIDTH, CalibrationView, calibrations
from beleg.core.calibration import CurveAbsence
from beleg.report.calibration import rate_text
from support.calibrations import record
from support.judge_models import spec
from support.probe_records import WHEN as PROBED
from support.probe_records import probed
from support.workbench import application, signed_in
from unit.judges.test_control_drift import calibrated


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


def graded_record(tmp_path: Path) -> CalibrationView:
    rows = [
        {"item_id": f"i{at}", "human": "pass" if at % 10 < at // 10 else "fail", "score": at / 100} for at in range(100)
    ]
    (tmp_path / "verdicts.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    request = request_of(
        measure="claim_support", metric=None, repeats=1, segments=(), limit=None, limits=(0.95, 0.5, None)
    )
    store_record(calibrate_verdicts(tmp_path / "verdicts.jsonl", request).record, tmp_path / "calibrations")
    ((view,), _) = calibrations(tmp_path)
    return view


class TestCurves:
    def test_the_page_draws_what_the_record_holds_and_says_it_in_a_table(self, tmp_path: Path) -> None:
        view = graded_record(tmp_path)
        with application(tmp_path) as app:
            browser = signed_in(app)
            assert f"/judges/records/{view.key}" in browser.get("/judges").text
            page = browser.get(f"/judges/records/{view.key}").text
        record = read_record(tmp_path / view.path)
        assert record.curve is not None
        assert page.count('<svg role="img"') == 2
        for each in record.curve.bins:
            assert rate_text(each.passed).en in page
        assert f"Brier score {record.curve.brier:.3f}" in page
        assert "chosen" in page

    def test_it_is_told_in_german(self, tmp_path: Path) -> None:
        view = graded_record(tmp_path)
        with application(tmp_path) as app:
            page = signed_in(app).get(f"/judges/records/{view.key}?lang=de").text
        assert "Fehler an jeder Schwelle" in page
        assert "Zuverlässigkeitskurve; die Tabelle" in page

    def test_a_judge_that_only_says_pass_or_fail_is_told_to_have_none(self, tmp_path: Path) -> None:
        store_record(record(cells=(28, 2, 2, 8), no_curve=CurveAbsence.PASS_OR_FAIL), tmp_path)
        ((view,), _) = calibrations(tmp_path)
        with application(tmp_path) as app:
            page = signed_in(app).get(f"/judges/records/{view.key}").text
        assert "a curve needs graded scores" in page
        assert "<svg role" not in page

    def test_a_record_of_before_says_how_to_get_one(self, tmp_path: Path) -> None:
        store_record(record(), tmp_path)
        ((view,), _) = calibrations(tmp_path)
        with application(tmp_path) as app:
            assert "beleg judge calibrate" in signed_in(app).get(f"/judges/records/{view.key}").text

    def test_a_key_that_names_nothing_is_a_page_that_says_so(self, tmp_path: Path) -> None:
        with application(tmp_path) as app:
            assert signed_in(app).get("/judges/records/%3Cscript%3E").status_code == 404


class TestDrift:
    def test_two_calibrations_on_the_same_labels_tell_whether_the_judge_moved(self, tmp_path: Path) -> None:
        for each in (calibrated(0, 20, 0, 0, 10), calibrated(30, 20, 0, 10, 0)):
            store_record(each, tmp_path / "calibrations")
        with application(tmp_path) as app:
            page = signed_in(app).get("/judges").text
            german = signed_in(app).get("/judges?lang=de").text
        assert "10 of 30 verdicts went from fail to pass" in page
        assert "the judge became milder" in page
        assert page.count('<svg role="img"') == 1
        assert "der Judge wurde milder" in german

    def test_one_calibration_alone_says_that_nothing_is_known(self, tmp_path: Path) -> None:
        store_record(record(), tmp_path)
        with application(tmp_path) as app:
            assert "nothing is known of drift" in signed_in(app).get("/judges").text


class TestProbes:
    def test_the_newest_round_stands_first_and_the_others_below(self, tmp_path: Path) -> None:
        store_probes(probed(events=2), tmp_path / "runs" / "new" / "evidence" / "probes")
        later = probed(events=7, created_at=PROBED + timedelta(days=1))
        store_probes(later, tmp_path / "runs" / "new" / "evidence" / "probes")
        ((judge,), _) = probed_judges(tmp_path)
        (view,) = judge.probes
        assert (view.newest.events, [each.events for each in view.before]) == (7, [2])
        with application(tmp_path) as app:
            page = signed_in(app).get("/judges").text
        assert "7 of 10" in page
        assert "Earlier rounds of position: 1" in page
        assert "places change" in page
        assert "1 <bdi>timeout</bdi>" in page

    def test_what_was_not_measured_is_the_whole_scale_and_no_zero(self, tmp_path: Path) -> None:
        store_probes(probed(events=0, n=0, timeouts=3), tmp_path)
        ((judge,), _) = probed_judges(tmp_path)
        newest = judge.probes[0].newest
        assert (newest.rate, newest.low, newest.high) == (None, 0, WIDTH)
        with application(tmp_path) as app:
            assert "not measured" in signed_in(app).get("/judges").text

    def test_a_record_that_was_changed_is_told(self, tmp_path: Path) -> None:
        path = store_probes(probed(), tmp_path)
        path.write_text(path.read_text(encoding="utf-8").replace("new-1", "new-2"), encoding="utf-8")
        with application(tmp_path) as app:
            assert "Cannot be read" in signed_in(app).get("/judges").text

    def test_words_of_strangers_stay_words(self, tmp_path: Path) -> None:
        hostile = "<script>alert(1)</script>"
        (report,) = probed().reports
        told = report.model_copy(update={"probe": hostile, "asks": hostile, "changed": hostile})
        store_probes(probed(spec(model=hostile), reports=(told,), run_id="a-run"), tmp_path)
        with application(tmp_path) as app:
            page = signed_in(app).get("/judges").text
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page
