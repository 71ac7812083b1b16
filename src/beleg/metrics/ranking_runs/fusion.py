"""Several runs fused into one: by rank, or by scores brought to one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from beleg.core.errors import UsageError, shown
from beleg.metrics.ranking_runs.lanes import Lanes, join_lanes
from beleg.metrics.ranking_runs.normalising import MISSING, NORMS, Missing, Norm, Scaled, normalise
from beleg.metrics.ranking_runs.order import best_first, ranks, require_depth
from beleg.metrics.ranking_runs.table import FloatArray, Table

Method = Literal["rrf", "weighted-rrf", "convex", "combsum", "combmnz", "borda"]

METHODS: tuple[Method, ...] = get_args(Method)
TAKES_WEIGHTS: tuple[Method, ...] = ("weighted-rrf", "convex")
TAKES_NORM: tuple[Method, ...] = ("convex", "combsum", "combmnz")
RRF_K = 60
MAX_K = 1_000_000_000
MAX_WEIGHT = 1_000_000_000
_SUM_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """How runs are fused.

    Raises:
        UsageError: for a setting that the method does not take or that has no meaning.
    """

    method: Method = "rrf"
    k: int = RRF_K
    """The rank constant of both kinds of RRF."""
    weights: tuple[float, ...] = ()
    """One for each lane; none means that all weigh the same."""
    norm: Norm | None = None
    """How scores are brought to one scale; min-max where none is named."""
    missing: Missing | None = None
    """What a document counts that a lane did not return; see `normalise`."""

    def __post_init__(self) -> None:
        _require_known("method", self.method, METHODS)
        if not 1 <= self.k <= MAX_K:
            raise UsageError(f"the rank constant is {shown(self.k)}", hint=f"Give k of 1 to {MAX_K:,}; 60 is usual")
        if self.method not in TAKES_NORM and (self.norm or self.missing):
            raise UsageError(f"{self.method} knows no scores, only ranks", hint="Leave out norm and missing")
        _require_known("norm", self.norm or "minmax", NORMS)
        _require_known("missing", self.missing or "zero", MISSING)
        if self.method == "combmnz" and (self.norm == "zscore" or self.missing == "lowest"):
            raise UsageError(
                "combmnz multiplies by the number of lanes, so that no score may be below 0 and nothing missing counts",
                hint="Take minmax, rank, max or sum, and leave out missing",
            )
        self._require_weights()

    def _require_weights(self) -> None:
        if self.weights and self.method not in TAKES_WEIGHTS:
            raise UsageError(f"{self.method} takes no weights", hint="Take weighted-rrf or convex")
        if not all(0.0 <= weight <= MAX_WEIGHT for weight in self.weights):
            raise UsageError(f"a weight is not between 0 and {MAX_WEIGHT:,}", hint="Give weights such as 0.7,0.3")
        if self.weights and not any(self.weights):
            raise UsageError("all weights are 0", hint="Give one lane or more a weight above 0")

    def weights_of(self, lanes: int) -> tuple[float, ...]:
        """One weight for each lane; those of a convex combination sum to 1.

        Raises:
            UsageError: if there is not one weight for each lane.
        """
        weights = self.weights or (1.0,) * lanes
        if len(weights) != lanes:
            raise UsageError(f"{lanes} runs need {lanes} weights, not {len(weights)}", hint="Give one for each run")
        total = math.fsum(weights)
        if self.method != "convex" or abs(total - 1.0) <= _SUM_ROUNDING:
            return weights
        return tuple(weight / total for weight in weights)


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What every lane gives to every document, before weights: made once, weighed as often as wanted."""

    lanes: Lanes
    fusion: Fusion
    scaled: tuple[Scaled, ...]

    def weighed(self, weights: Sequence[float], *, depth: int | None = None) -> Table:
        """The fused run under some weights, in the one order, each list cut at a depth.

        The sum runs over the lanes in their order with the rounding error of each step kept, so that another order of
        the lanes does not break a tie. A lane of weight 0 takes no part: what it alone returned is not in the result.
        """
        lanes = self.lanes
        total, rest = np.zeros(len(lanes)), np.zeros(len(lanes))
        held = np.zeros(len(lanes), dtype=np.int64)
        sizes = np.diff(lanes.offsets)
        for rows, scaled, weight in zip(lanes.rows, self.scaled, weights, strict=True):
            if weight == 0.0:
                continue
            held[rows] += 1
            term = np.repeat(weight * scaled.floor, sizes)
            term[rows] = weight * scaled.value
            total, rest = _added(total, rest, term)
        score = total + rest
        if self.fusion.method == "combmnz":
            score *= held
        fused = lanes.table(score)
        return best_first(fused if held.all() else fused.without(np.flatnonzero(held == 0)), depth=depth)


def parts_of(lanes: Lanes, fusion: Fusion, *, names: Sequence[str] = ()) -> Parts:
    """Ranks or normalises every lane.

    Args:
        lanes: the runs side by side.
        fusion: how they are fused.
        names: of the lanes, for errors.

    Raises:
        DataError: for scores that cannot be normalised; see `normalise`.
    """
    called = names or [f"lane {number}" for number in range(1, len(lanes.tables) + 1)]
    return Parts(
        lanes,
        fusion,
        tuple(_scaled(lanes, lane, fusion, name) for lane, name in zip(lanes.tables, called, strict=True)),
    )


def fuse(
    tables: Sequence[Table], fusion: Fusion, *, depth: int | None = None, names: Sequence[str] = ()
) -> tuple[Table, Lanes]:
    """Fuses runs into one.

    Formulas, for a document d of a query, r its rank in a lane in the one order, s its normalised score:

    * ``rrf``: sum over the lanes that returned d of 1 / (k + r) (Cormack, Clarke and Buettcher 2009, k = 60).
    * ``weighted-rrf``: the same with the weight of the lane as the numerator.
    * ``convex``: sum over the lanes of weight times s, the weights scaled to a sum of 1 (Bruch, Gai and Ingber 2023).
    * ``combsum``, ``combmnz``: the sum of s, and that times the number of lanes that returned d (Fox and Shaw 1994).
    * ``borda``: with c documents over all lanes, c - r + 1 points, and for what a lane of n documents did not return
      the mean of the points it has left, (c - n + 1) / 2 (Aslam and Montague 2001).

    Range: of the sums; higher is better. A query that a lane lacks takes what the other lanes have. Ties stand by id
    descending, as everywhere.

    Args:
        tables: the runs, two or more.
        fusion: how.
        depth: the longest list to keep.
        names: of the runs, for errors.

    Returns:
        The fused run in the one order, and the runs side by side.

    Raises:
        UsageError: for fewer than two runs, or weights that do not fit.
        DataError: for scores that cannot be normalised.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> dense, sparse = {"q": {"d3": 0.9, "d1": 0.8}}, {"q": {"d2": 17.4, "d3": 9.1}}
        >>> fused, _ = fuse([table_from_mapping(dense), table_from_mapping(sparse)], Fusion())
        >>> [fused.documents[row].decode() for row in range(3)]
        ['d3', 'd2', 'd1']
    """
    if len(tables) < 2:
        raise UsageError(f"{len(tables)} run was given", hint="Give two runs or more to fuse")
    weights = fusion.weights_of(len(tables))
    require_depth(depth)
    lanes = join_lanes(tables)
    return parts_of(lanes, fusion, names=names).weighed(weights, depth=depth), lanes


def _scaled(lanes: Lanes, lane: Table, fusion: Fusion, name: str) -> Scaled:
    nothing = np.zeros(len(lane.queries))
    if fusion.method in ("rrf", "weighted-rrf"):
        return Scaled(np.asarray(1.0 / (fusion.k + ranks(lane)), dtype=np.float64), nothing)
    if fusion.method == "borda":
        candidates, returned = np.diff(lanes.offsets), np.diff(lane.offsets)
        points = np.asarray(np.repeat(candidates, returned) - ranks(lane) + 1, dtype=np.float64)
        return Scaled(points, np.asarray((candidates - returned + 1) / 2, dtype=np.float64))
    return normalise(lane, fusion.norm or "minmax", missing=fusion.missing, name=name)


def _added(total: FloatArray, rest: FloatArray, term: FloatArray) -> tuple[FloatArray, FloatArray]:
    """One more term, and what was rounded off on the way (the two-sum of Knuth)."""
    found = total + term
    share = found - total
    return found, rest + ((total - (found - share)) + (term - share))


def _require_known(what: str, word: str, known: Sequence[str]) -> None:
    if word not in known:
        raise UsageError(f"there is no {what} {word!r}", hint=f"Known are {', '.join(known)}")
