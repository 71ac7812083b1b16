from __future__ import annotations

from beleg.judges.measures.registry import MEASURES
from beleg.metrics.catalogue import CATALOGUE
from beleg.metrics.findings import CHANGED_MEASURES, measure_version


def test_every_metric_that_rests_on_a_judge_rests_on_a_measure_that_exists() -> None:
    assert {spec.rests_on for spec in CATALOGUE.values() if spec.rests_on is not None} == set(MEASURES)
    assert all(name == measure.name for name, measure in MEASURES.items())


def test_metrics_and_measures_know_the_same_version_of_each_measure() -> None:
    """Metrics may not import judges; else a figure would come from evidence of other rules."""
    assert {name: measure_version(name) for name in MEASURES} == {
        name: found.version for name, found in MEASURES.items()
    }
    assert set(CHANGED_MEASURES) <= set(MEASURES)
