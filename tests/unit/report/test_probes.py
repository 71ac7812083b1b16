"""What is said of a probe, in both languages."""

from __future__ import annotations

from beleg.report.probes import direction_text, probe_missing, probe_rate
from support.probe_records import probed


def test_the_rate_stands_with_its_interval() -> None:
    (report,) = probed(events=2, n=10).reports
    rate = probe_rate(report)
    assert rate is not None
    assert rate.en.startswith("20 [3, 56]")


def test_nothing_probed_is_no_rate() -> None:
    (report,) = probed(events=0, n=0, timeouts=4).reports
    assert probe_rate(report) is None
    ((count, why),) = probe_missing(report)
    assert (count, why.en) == (4, "timeout")


def test_each_way_is_told_in_words() -> None:
    (report,) = probed(events=2, n=10).reports
    first = direction_text(report.directions[0], report)
    assert first.en.startswith("to the answer shown first: 2 of 10, 20 [3, 56]")
    assert first.de.startswith("zur zuerst gezeigten Antwort: 2 von 10")


def test_a_way_and_a_reason_of_another_version_keep_their_names() -> None:
    (report,) = probed().reports
    strange = report.directions[0].model_copy(update={"name": "sideways"})
    assert direction_text(strange, report).de.startswith("sideways: ")
    assert probe_missing(report.model_copy(update={"missing": {"elsewhere": 1}}))[0][1].de == "elsewhere"
