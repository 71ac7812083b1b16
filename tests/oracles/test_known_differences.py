"""The list of known differences is true: each peer still gives its figure, and Beleg the other one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from statistics import fmean
from typing import Any

import ir_measures
import pytest
import pytrec_eval

from beleg.metrics.ranking_runs.kernels import evaluate_run
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.metrics.ranking_runs.table import table_from_mapping

LISTED: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "known_differences.toml").read_text("utf-8"))[
    "difference"
]


def theirs(entry: dict[str, Any]) -> float:
    if entry["peer"] == "ir_measures":
        measure = ir_measures.parse_measure(entry["measure"])
        return float(ir_measures.calc_aggregate([measure], entry["qrels"], entry["run"])[measure])
    name = entry["peer_measure"]
    stem, _, cut = name.rpartition("_")
    asked = f"{stem}.{cut}" if cut.replace(".", "").isdigit() else name
    found = pytrec_eval.RelevanceEvaluator(entry["qrels"], {asked}).evaluate(entry["run"])
    return fmean(values[name] for values in found.values())


@pytest.mark.parametrize("entry", LISTED, ids=[f"{entry['peer']}: {entry['what']}" for entry in LISTED])
def test_both_figures_are_as_listed(entry: dict[str, Any]) -> None:
    judged, run = table_from_mapping(entry["qrels"]), table_from_mapping(entry["run"])
    (ours,) = evaluate_run(judged, run, parse_measures([entry["measure"]])).summary()
    assert ours == pytest.approx(entry["ours"], rel=1e-12)
    assert theirs(entry) == pytest.approx(entry["theirs"], rel=1e-6)
