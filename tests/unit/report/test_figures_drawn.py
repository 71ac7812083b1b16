"""Waterfall, interval bars, segment table and case differences: the geometry and the findings."""

from __future__ import annotations

import builtins
from dataclasses import replace
from typing import Any

import pytest
from bs4 import BeautifulSoup

from beleg.report.changes import case_href, changes
from beleg.report.chart import MAX_DOTS, dot_plot, drawn_positions, is_available
from beleg.report.intervals import INSET, WIDTH, intervals
from beleg.report.naming import metric_label
from beleg.report.segments import SegmentRow, segment_cell, segment_table, shade_of
from beleg.report.waterfall import BAR_WIDTH, waterfall
from support.report_data import HOSTILE_ID, bounds, build_report, segment_rows

REPORT = build_report()
NDCG = metric_label("ndcg@10")


def test_the_waterfall_names_the_stage_that_loses_most() -> None:
    drawn = waterfall(REPORT.decision)
    assert drawn is not None
    assert drawn.finding.en == "Most evidence is lost at “filtered”: 9 of 60 cases"
    assert drawn.finding.de == "Die meisten Belege gehen in der Stufe „Filter“ verloren: 9 von 60 Fällen"
    filtered = next(row for row in drawn.rows if row.stage == "filtered")
    assert (filtered.bar, filtered.gone) == (BAR_WIDTH * 51 / 60, BAR_WIDTH * 9 / 60)
    assert filtered.lost_cases[0] == "versand-00000"
    assert filtered.baseline_bar == pytest.approx(BAR_WIDTH * 58 / 60, abs=0.01)


def test_an_unknown_stage_is_hatched_and_not_a_zero() -> None:
    drawn = waterfall(REPORT.decision)
    assert drawn is not None
    parsed = drawn.rows[0]
    assert (parsed.recorded, parsed.hatched, parsed.baseline_recorded) == (False, BAR_WIDTH, False)


def test_without_evidence_to_follow_there_is_no_waterfall() -> None:
    run = REPORT.decision.candidate.model_copy(update={"waterfall_cases": 0})
    assert waterfall(REPORT.decision.model_copy(update={"candidate": run})) is None


def test_a_waterfall_that_loses_nothing_says_so() -> None:
    run = REPORT.decision.candidate
    whole = tuple(count.model_copy(update={"lost": 0}) for count in run.waterfall)
    drawn = waterfall(
        REPORT.decision.model_copy(update={"candidate": run.model_copy(update={"waterfall": whole}), "baseline": None})
    )
    assert drawn is not None
    assert drawn.finding.en.startswith("No required evidence is lost")
    assert not drawn.has_baseline


def test_interval_bars_stand_on_one_scale_with_their_limits() -> None:
    drawn = intervals(REPORT.decision)
    assert drawn is not None
    assert drawn.finding.en == "Limit not cleared with certainty: 2 of 4 figures"
    band = drawn.rows[0]
    # the scale runs from block_at 0.75 to the upper bound 0.9017
    assert [line.x for line in band.lines if line.kind == "block"] == [INSET]
    assert band.high == WIDTH - INSET
    assert INSET < next(line.x for line in band.lines if line.kind == "pass") < band.low < band.at < band.high


def test_a_regression_is_drawn_against_zero_and_the_margin_on_its_side() -> None:
    drawn = intervals(REPORT.decision)
    assert drawn is not None
    row = drawn.rows[1]
    assert [line.kind for line in row.lines] == ["pass", "zero"]
    assert row.limits[0].en == "margin −0.02"
    latency = REPORT.decision.checks[1].model_copy(update={"higher_is_better": False})
    lower = intervals(REPORT.decision.model_copy(update={"checks": (latency,)}))
    assert lower is not None
    assert lower.rows[0].limits[0].en == "margin +0.02"


def test_a_ceiling_is_called_a_ceiling() -> None:
    drawn = intervals(REPORT.decision)
    assert drawn is not None
    assert [limit.en.replace("\u00a0", " ") for limit in drawn.rows[2].limits] == [
        "pass up to 1,200 ms",
        "block above 1,500 ms",
    ]


def test_nothing_is_drawn_without_figure_and_limit() -> None:
    assert intervals(REPORT.decision.model_copy(update={"checks": REPORT.decision.checks[2:4]})) is None


def test_the_segment_table_counts_what_is_certain() -> None:
    table = segment_table(segment_rows())
    assert table is not None
    assert table.finding.en == (
        "Cells worse than the baseline: 3, better: 0, too few cases: 3; "
        "most surely worse: nDCG@10 in language=de, −0.10 [−0.14, −0.06]"
    )
    assert table.lines[0].href == "#segment=language%3Dde"
    assert table.lines[0].protected
    assert table.lines[2].cells[2] is None


@pytest.mark.parametrize(
    ("low", "mid", "high", "higher", "shade"),
    [
        (-0.2, -0.1, 0.0, True, "worse"),
        (-0.2, -0.1, -0.01, True, "worse-certain"),
        (-0.2, -0.1, -0.01, False, "better-certain"),
        (-0.1, 0.0, 0.1, True, "none"),
        (0.1, 0.2, 0.3, None, "none"),
    ],
)
def test_a_strong_shade_needs_an_interval_without_zero(
    low: float, mid: float, high: float, higher: bool | None, shade: str
) -> None:
    assert shade_of(bounds(mid, low, high), higher_is_better=higher) == shade


def test_the_map_in_words_names_every_cell_that_says_something() -> None:
    table = segment_table(segment_rows())
    assert table is not None
    assert table.description.de.startswith(
        "Heatmap, Segmente: 3, Metriken: 3. Schlechter als die Baseline: language=de"
    )
    assert (
        "Too few cases: locale=de-AT, nDCG@10; locale=de-AT, Recall@10; language=en, Latency." in table.description.en
    )
    assert "Better" not in table.description.en


def test_the_map_in_words_stays_short_and_counts_the_rest() -> None:
    rows = [SegmentRow(segment=f"s{n}", metric="ndcg@10", n=2, figure=bounds(0.5, 0.4, 0.6)) for n in range(30)]
    table = segment_table(rows)
    assert table is not None
    assert "s7, nDCG@10 and 22 more." in table.description.en
    assert "s8," not in table.description.en


def test_without_a_cell_worse_for_certain_none_is_named() -> None:
    row = SegmentRow(segment="s", metric="ndcg@10", n=50, figure=bounds(0.5, 0.4, 0.6), difference=bounds(0, -0.1, 0.1))
    table = segment_table([row])
    assert table is not None
    assert table.finding.en == "Cells worse than the baseline: 0, better: 0, too few cases: 0"


def test_a_small_cell_is_hatched_and_has_no_shade() -> None:
    row = SegmentRow(
        segment="s", metric="ndcg@10", n=5, figure=bounds(0.5, 0.2, 0.8), difference=bounds(-0.4, -0.5, -0.3)
    )
    cell = segment_cell(row)
    assert (cell.small, cell.shade) == (True, "none")
    assert segment_cell(SegmentRow(segment="s", metric="m", n=0, figure=None)).value.de == "nicht bewertet"


def test_segments_without_a_baseline_compare_with_nothing() -> None:
    table = segment_table([SegmentRow(segment="s", metric="ndcg@10", n=50, figure=bounds(0.5, 0.4, 0.6))])
    assert table is not None
    assert "no baseline" in table.finding.en
    assert segment_table([]) is None


def test_differences_are_sorted_and_counted_by_direction() -> None:
    found = changes(REPORT.candidate, REPORT.baseline, NDCG)
    assert found is not None
    assert list(found.differences) == sorted(found.differences)
    assert len(found.case_ids) == 58
    assert found.uncompared == 2
    worse = sum(difference < 0 for difference in found.differences)
    assert f"{worse} worse" in found.finding.en
    assert found.extremes[0].direction == "worse"
    assert found.extremes[0].case_id == found.case_ids[0]


def test_where_lower_is_better_a_rise_is_the_worst() -> None:
    found = changes(REPORT.candidate, REPORT.baseline, metric_label("latency_ms"))
    assert found is not None
    assert found.extremes[0].case_id == found.case_ids[-1]
    assert found.extremes[0].difference.en.startswith("+")


def test_no_baseline_no_differences() -> None:
    assert changes(REPORT.candidate, None, NDCG) is None
    assert changes(REPORT.candidate, replace(REPORT.candidate, scores={}), NDCG) is None


def test_too_many_dots_are_thinned_with_both_ends_kept() -> None:
    drawn = drawn_positions(10_000)
    assert len(drawn) == MAX_DOTS
    assert (drawn[0], drawn[-1]) == (0, 9_999)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_dot_plot_is_inert_svg_in_the_colours_of_the_page(language: str) -> None:
    found = changes(REPORT.candidate, REPORT.baseline, NDCG)
    assert found is not None
    svg = dot_plot(found, language)
    tree = BeautifulSoup(svg, "html.parser")
    assert {tag.name for tag in tree.find_all(True)} <= {"svg", "g", "a", "path", "line", "text"}
    assert not [tag for tag in tree.find_all(True) if {"style", "onclick", "onload"} & set(tag.attrs)]
    links = [link["href"] for link in tree.find_all("a")]
    assert len(links) == 58
    assert case_href(HOSTILE_ID) in links
    assert all(href.startswith("#case=") for href in links)
    assert "http" not in svg
    assert ("Kandidat − Baseline" in svg) == (language == "de")
    assert not [
        colour
        for tag in tree.find_all(True)
        for colour in (tag.get("fill"), tag.get("stroke"))
        if colour not in {None, "none"}
    ]


def test_without_the_extra_there_is_no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *args: Any, **options: Any) -> Any:
        if name == "vl_convert":
            raise ModuleNotFoundError(name)
        return real(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert not is_available()
