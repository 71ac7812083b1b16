"""Chooses the weights of a fusion by cross-validation, and says what the choice is worth on queries it has not seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from beleg.app.ir.differences import CONFIDENCE, Difference, paired_difference
from beleg.app.ir.fusing import Judging, group_codes, read_judging, require_free_names, settings_of
from beleg.app.ir.reading import Ranked
from beleg.core.errors import UsageError, shown
from beleg.metrics.ranking_runs.fusion import TAKES_WEIGHTS, Fusion, parts_of
from beleg.metrics.ranking_runs.kernels import evaluate_run, summarised
from beleg.metrics.ranking_runs.lanes import Lanes, join_lanes
from beleg.metrics.ranking_runs.measures import Measure
from beleg.metrics.ranking_runs.order import require_depth
from beleg.metrics.ranking_runs.table import FloatArray, Table
from beleg.metrics.ranking_runs.tuning import Tuned, Weights, choose_weights, deal_folds, weight_grid

EQUAL, RRF = "equal weights", "rrf"
HELD_OUT, IN_SAMPLE = "tuned, held out", "tuned, in sample (optimistic)"


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningSettings:
    """How weights are chosen."""

    folds: int = 5
    seed: int = 0
    parts: int | None = None
    """The steps from 0 to 1 in which weights are tried."""
    groups: Path | None = None
    """A file that names the topic group of every judged query; a group is never split between folds."""


@dataclass(frozen=True, slots=True, eq=False)
class TunedFusion:
    """The weights that every fold chose, the figures on the queries that had no part in it, and the final weights."""

    runs: tuple[str, ...]
    fusion: Fusion
    settings: TuningSettings
    measures: tuple[Measure, ...]
    """The first is the one that weights are chosen by."""
    tuned: Tuned
    columns: dict[str, FloatArray]
    """By name of a lane or a fusion, the value of each measure on each judged query."""
    differences: dict[str, tuple[Difference, ...]]
    """The held-out figures minus those of each lane, of equal weights and of RRF."""
    dropped: dict[str, int]
    """Lines of the judgements that were left out, by reason."""

    @property
    def final(self) -> Fusion:
        """The fusion with the weights chosen on all queries."""
        return replace(self.fusion, weights=self.tuned.final)

    def means(self) -> dict[str, list[float]]:
        """Each measure over all judged queries by column: a mean, a sum for counts, the geometric mean for GMAP."""
        return {
            name: [summarised(measure, row) for measure, row in zip(self.measures, values, strict=True)]
            for name, values in self.columns.items()
        }

    def folds(self) -> list[dict[str, Any]]:
        """For every fold the weights, how many queries chose them, and the held-out figure of the first measure."""
        held_out = self.columns[HELD_OUT][0]
        return [
            {
                "weights": list(choice.weights),
                "chosen_on": choice.trained_on,
                "held_out": int(choice.held_out.sum()),
                "held_out_mean": summarised(self.measures[0], held_out[choice.held_out]),
            }
            for choice in self.tuned.choices
        ]

    def _means_in_sample(self) -> list[float]:
        """The figure of the first measure under every candidate, whose logarithms a geometric mean was chosen by."""
        means: list[float] = self.tuned.means.tolist()
        is_geometric = self.measures[0].kind.aggregate == "geometric"
        return [math.exp(mean) for mean in means] if is_geometric else means

    def to_json(self) -> dict[str, Any]:
        """All of it as one object."""
        curve = zip(self.tuned.candidates, self._means_in_sample(), strict=True)
        return {
            "method": self.fusion.method,
            "settings": settings_of(self.fusion),
            "tuned_by": self.measures[0].label,
            "seed": self.settings.seed,
            "folds": self.folds(),
            "final_weights": dict(zip(self.runs, self.tuned.final, strict=True)),
            "measures": {
                name: dict(zip([measure.label for measure in self.measures], row, strict=True))
                for name, row in self.means().items()
            },
            "confidence": CONFIDENCE,
            "differences": {name: [each.to_json() for each in found] for name, found in self.differences.items()},
            "candidates_in_sample": [{"weights": list(weights), "mean": mean} for weights, mean in curve],
            "judgements_dropped": self.dropped,
        }


def tune_fusion(
    runs: Sequence[Ranked], fusion: Fusion, judging: Judging, settings: TuningSettings, *, depth: int
) -> TunedFusion:
    """Chooses weights for the first measure by cross-validation over the judged queries.

    Args:
        runs: the lanes.
        fusion: the method; weighted-rrf or convex, without weights.
        judging: judgements and measures.
        settings: folds, seed, steps and groups.
        depth: where fused lists are cut.

    Raises:
        UsageError: for a method without weights, weights that are given already, a file called as a fusion beside it,
            or steps, folds, a depth or a seed without meaning.
        DataError: if a file is faulty, no query is judged, or there are fewer groups than folds.
    """
    _require_tunable(fusion)
    require_depth(depth)
    if settings.seed < 0:
        raise UsageError(f"the seed is {shown(settings.seed)}", hint="Take 0 or more")
    require_free_names(runs, (EQUAL, RRF, HELD_OUT, IN_SAMPLE))
    judgements, measures = read_judging(judging, runs)
    judged = judgements.table
    if measures[0].kind.aggregate == "sum":
        raise UsageError(f"weights cannot be chosen by {measures[0].label}, a count", hint="Name a mean first")
    candidates = weight_grid(len(runs), settings.parts)
    files = [run.file for run in runs]
    lanes = join_lanes([run.table for run in runs], only=set(judged.queries))
    parts = parts_of(lanes, fusion, names=files)
    evaluated = [evaluate_run(judged, parts.weighed(weights, depth=depth), measures) for weights in candidates]
    queries = evaluated[0].queries
    values = np.array([each.values for each in evaluated])
    groups = np.arange(len(queries)) if settings.groups is None else group_codes(settings.groups, queries)
    folds = deal_folds(groups, settings.folds, np.random.default_rng(settings.seed))
    tuned = choose_weights(values[:, 0], candidates, folds)
    beside = _beside(judged, lanes, runs, fusion, measures, depth)
    held_out = values[tuned.number, :, np.arange(len(queries))].T
    codes = None if settings.groups is None else groups
    differences = {
        name: tuple(
            paired_difference(measure, held_out[row], other[row], groups=codes) for row, measure in enumerate(measures)
        )
        for name, other in beside.items()
    }
    columns = {**beside, HELD_OUT: held_out, IN_SAMPLE: values[tuned.final_number]}
    return TunedFusion(tuple(files), fusion, settings, measures, tuned, columns, differences, judgements.dropped)


def _beside(
    judged: Table, lanes: Lanes, runs: Sequence[Ranked], fusion: Fusion, measures: tuple[Measure, ...], depth: int
) -> dict[str, FloatArray]:
    """What a tuned fusion must beat: every lane, and the fusions that need no tuning."""
    equal: Weights = (1.0 / len(runs),) * len(runs)
    tables = {run.file: run.table for run in runs}
    if fusion.method != "weighted-rrf":
        tables[EQUAL] = parts_of(lanes, fusion).weighed(equal, depth=depth)
    tables[RRF] = parts_of(lanes, Fusion(k=fusion.k)).weighed((1.0,) * len(runs), depth=depth)
    return {name: evaluate_run(judged, table, measures).values for name, table in tables.items()}


def _require_tunable(fusion: Fusion) -> None:
    if fusion.method not in TAKES_WEIGHTS:
        raise UsageError(f"{fusion.method} has no weights to tune", hint=f"Take {' or '.join(TAKES_WEIGHTS)}")
    if fusion.weights:
        raise UsageError("weights are given and asked for at once", hint="Leave out the weights to have them chosen")
