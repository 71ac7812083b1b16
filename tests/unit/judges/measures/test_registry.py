from __future__ import annotations

from beleg.judges.measures.registry import MEASURES
from beleg.metrics.catalogue import CATALOGUE


def test_every_metric_that_rests_on_a_judge_rests_on_a_measure_that_exists() -> None:
    assert {spec.rests_on for spec in CATALOGUE.values() if spec.rests_on is not None} == set(MEASURES)
    assert all(name == measure.name for name, measure in MEASURES.items())
