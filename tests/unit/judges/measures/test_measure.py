from __future__ import annotations

from beleg.judges.measures.registry import MEASURES


def test_every_measure_says_whom_it_needs() -> None:
    assert all(measure.needs for measure in MEASURES.values())
