"""Two runs side by side, without a decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from beleg.app.scoring import default_metrics, score_run
from beleg.core.decision import Dimension, excludes_zero
from beleg.core.dimensions import SAME
from beleg.core.errors import EvidenceError, UsageError
from beleg.core.policy import Policy
from beleg.gating.comparability import MUST_MATCH, compare_runs
from beleg.gating.decide import aligned_to
from beleg.gating.segments import MAX_LABELS, SegmentFigure, segment_figures

CONFIDENCE = 0.975
"""One-sided, so that both bounds together hold with 95 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The figures of two runs on the same cases."""

    candidate: str
    baseline: str
    figures: tuple[SegmentFigure, ...]
    dimensions: tuple[Dimension, ...]
    warnings: tuple[str, ...]

    def answer(self, language: str) -> str:
        """How many measures are proven better, proven worse, or open."""
        overall = [figure for figure in self.figures if figure.segment is None and figure.difference is not None]
        better = sum(_direction(figure) > 0 for figure in overall)
        worse = sum(_direction(figure) < 0 for figure in overall)
        still_open = len(overall) - better - worse
        if language == "de":
            counted = f"{better} Maße belegbar besser, {worse} belegbar schlechter, {still_open} offen"
            return f"{counted} (95-%-Intervalle, jedes für sich)"
        counted = f"{better} measures provably better, {worse} provably worse, {still_open} open"
        return f"{counted} (95 % intervals, each by itself)"

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {
            "candidate": self.candidate,
            "baseline": self.baseline,
            "confidence": CONFIDENCE,
            "figures": [_figure_json(figure) for figure in self.figures],
            "dimensions": [dimension.to_json_dict() for dimension in self.dimensions],
        }


def _direction(figure: SegmentFigure) -> int:
    """1 where the difference is proven to be an improvement, -1 where proven to be a loss, else 0."""
    if figure.difference is None or not excludes_zero(figure.difference):
        return 0
    return 1 if (figure.difference.estimate > 0) == figure.higher_is_better else -1


def _figure_json(figure: SegmentFigure) -> dict[str, Any]:
    data = asdict(figure)
    for name in ("figure", "difference", "counts"):
        model = getattr(figure, name)
        data[name] = model.to_json_dict() if model is not None else None
    return data


def compare_folders(
    candidate: Path, baseline: Path, metrics: Sequence[str] | None, *, dimensions: tuple[str, ...] = ()
) -> Comparison:
    """Compares two runs.

    Args:
        candidate: the folder of one run.
        baseline: the folder of the other.
        metrics: metrics by name; the default ones if none are named.
        dimensions: also breaks the figures down by these dimensions.

    Raises:
        UsageError: for an unknown metric or dimension.
        EvidenceError: if the runs were not made on the same inputs, naming what differs.
    """
    wanted = tuple(metrics or default_metrics(candidate, baseline))
    runs = score_run(candidate, wanted), score_run(baseline, wanted)
    new, old = (run.evaluation for run in runs)
    found = compare_runs(new, old)
    broken = [item for item in found if item.name in MUST_MATCH and item.status != SAME]
    if broken:
        named = "; ".join(f"{item.name}: {item.candidate} and {item.baseline}" for item in broken)
        raise EvidenceError(
            f"the runs cannot be compared: {named}", hint="Run both candidates on the same suite with the same options"
        )
    figures = segment_figures(
        list(new.scores), new, aligned_to(new, old), Policy(policy="compare", confidence=CONFIDENCE)
    )
    _require_dimensions(figures, dimensions)
    kept = tuple(
        figure for figure in figures if figure.segment is None or figure.segment.partition("=")[0] in dimensions
    )
    return Comparison(
        candidate=new.header.run_id,
        baseline=old.header.run_id,
        figures=kept,
        dimensions=found,
        warnings=tuple(line for run in runs for line in run.warnings()),
    )


def _require_dimensions(figures: Sequence[SegmentFigure], dimensions: Sequence[str]) -> None:
    known = sorted({figure.segment.partition("=")[0] for figure in figures if figure.segment is not None})
    unknown = [name for name in dimensions if name not in known]
    if unknown:
        raise UsageError(
            f"the cases cannot be broken down by {unknown[0]!r}: a dimension needs 2 to {MAX_LABELS} labels",
            hint=f"Dimensions that have them: {', '.join(known) or 'none'}",
        )
