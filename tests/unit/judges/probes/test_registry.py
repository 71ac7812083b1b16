from __future__ import annotations

from beleg.judges.probes.registry import PROBES, probes_named
from unit.judges.probes.rows import row_of


def test_every_probe_says_what_it_asks_and_what_it_costs() -> None:
    for name in (*PROBES, "drift"):
        for probe in probes_named(name):
            assert probe.asks
            assert probe.calls(row_of()) > 0
