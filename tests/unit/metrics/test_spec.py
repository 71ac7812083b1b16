from __future__ import annotations

from dataclasses import replace

import pytest

from beleg.metrics.spec import Direction, Metric, MetricSpec

SPEC = MetricSpec(
    name="found",
    function="beleg.metrics.ranks:found",
    area="retrieval",
    direction="higher",
    kind="graded",
    title_en="Found",
    title_de="Gefunden",
    description_en="What was found.",
    description_de="Was gefunden wurde.",
    parameters=("k", "stage", "unit"),
)


@pytest.mark.parametrize(
    ("direction", "best", "worst"), [("higher", 4.0, 1.0), ("lower", 1.0, 4.0), ("neutral", None, None)]
)
def test_best_and_worst_are_the_ends_of_the_range(
    direction: Direction, best: float | None, worst: float | None
) -> None:
    spec = replace(SPEC, direction=direction, low=1.0, high=4.0)
    assert (spec.best, spec.worst) == (best, worst)


def test_a_range_without_an_end_has_no_worst_value() -> None:
    latency = replace(SPEC, direction="lower", low=0.0, high=None)
    assert (latency.best, latency.worst) == (0.0, None)


@pytest.mark.parametrize(
    ("parameters", "printed", "title"),
    [
        ((), "found", "Found"),
        ((("k", 5),), "found@5", "Found@5"),
        ((("stage", "retrieved"),), "found(stage=retrieved)", "Found (retrieved)"),
        ((("k", 5), ("stage", "a"), ("unit", "b")), "found@5(stage=a,unit=b)", "Found@5 (a, b)"),
    ],
)
def test_a_metric_prints_as_it_is_written_and_reads_as_people_call_it(
    parameters: tuple[tuple[str, int | str], ...], printed: str, title: str
) -> None:
    metric = Metric(SPEC, parameters)
    assert str(metric) == printed
    assert metric.title("en") == metric.title("fr") == title
    assert metric.title("de") == title.replace("Found", "Gefunden")


def test_metrics_are_the_same_when_they_ask_the_same() -> None:
    assert Metric(SPEC, (("k", 5),)) == Metric(replace(SPEC), (("k", 5),))
    assert len({Metric(SPEC, (("k", 5),)), Metric(SPEC, (("k", 5),)), Metric(SPEC, (("k", 6),))}) == 2
