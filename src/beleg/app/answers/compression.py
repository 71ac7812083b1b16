"""What a smaller context costs in correctness, held against a loss that was set before (Q10)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from beleg.app.answers.figures import ScoredAnswers, scored_answers, sorted_reasons
from beleg.core.errors import EvidenceError, UsageError, shown
from beleg.core.score import Score, ScoreColumn
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from beleg.stats.paired import NonInferiority, non_inferiority


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Mean size of what the generator was sent and what it said."""

    context_words: float | None
    answer_words: float | None
    prompt_tokens: float | None
    """As the candidate counted them; ``None`` where any row lacks the count."""
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressionReport:
    """A run with a compressed context against one without, on the same cases."""

    run_id: str
    baseline_id: str
    metric: str
    max_loss: float
    before: Sizes
    after: Sizes
    decided: NonInferiority
    pairs: int
    failed_here: int
    """Rows that only the compressed run failed; each counts as wrong."""
    left_out: dict[str, int]
    """Rows that the baseline has no score for, by reason."""

    @property
    def ratio(self) -> float | None:
        """Context words before over after."""
        if self.before.context_words is None or not self.after.context_words:
            return None
        return self.before.context_words / self.after.context_words

    def to_json(self) -> dict[str, Any]:
        """One object with every figure."""
        decided = self.decided
        return {
            "run_id": self.run_id,
            "baseline_id": self.baseline_id,
            "metric": self.metric,
            "max_loss": self.max_loss,
            "state": decided.state.value,
            "difference": {"estimate": decided.estimate, "lower": decided.lower, "upper": decided.upper},
            "confidence_of_each_bound": decided.confidence,
            "method": decided.method.value,
            "needed": decided.needed,
            "pairs": self.pairs,
            "failed_here": self.failed_here,
            "left_out": self.left_out,
            "compression_ratio": self.ratio,
            "before": _sizes_json(self.before),
            "after": _sizes_json(self.after),
        }


def compression_of_runs(path: Path, baseline: Path, *, max_loss: float, metric: str = "token_f1") -> CompressionReport:
    """Decides whether compression keeps the loss of correctness below the bound that was set.

    PASS needs the lower bound of the paired difference above -max_loss, as for a release (`non_inferiority`).

    Args:
        path: the run with the compressed context.
        baseline: the run without compression, on the same cases.
        max_loss: the largest loss of correctness that would be accepted, set before the runs.
        metric: a measure of correctness from 0 to 1.

    Raises:
        UsageError: for a folder without a run, or a setting that cannot be.
        EvidenceError: if a run is damaged, or no row of both runs can be paired.
    """
    if not 0 < max_loss < 1:
        raise UsageError(f"the largest loss lies above 0 and below 1 (found {shown(max_loss)})")
    after, before = scored_answers(path, metric), scored_answers(baseline, metric)
    rows_after, rows_before, failed, left_out = _pairs(after, before)
    if not rows_after:
        named = ", ".join(f"{count} {reason}" for reason, count in list(left_out.items())[:3])
        raise EvidenceError(f"no row has a score in both runs: {named}", hint="Run the same cases with both settings")
    new = after.column.filled(0.0)[rows_after]
    old = before.column.filled(0.0)[rows_before]
    decided = non_inferiority(new, old, margin=max_loss, clusters=after.clusters[rows_after])
    return CompressionReport(
        run_id=after.run.evaluation.header.run_id,
        baseline_id=before.run.evaluation.header.run_id,
        metric=after.metric,
        max_loss=max_loss,
        before=_sizes(before.run.batch, rows_before),
        after=_sizes(after.run.batch, rows_after),
        decided=decided,
        pairs=len(rows_after),
        failed_here=failed,
        left_out=left_out,
    )


def _pairs(after: ScoredAnswers, before: ScoredAnswers) -> tuple[list[int], list[int], int, dict[str, int]]:
    """Rows of both runs that belong together; a row that only the compressed run failed counts as wrong."""
    place = {key: at for at, key in enumerate(_keys(before))}
    ours, theirs, failed = [], [], 0
    left_out: Counter[str] = Counter()
    for at, key in enumerate(_keys(after)):
        other = place.get(key)
        lacking = _lacking(before.column.score_at(other)) if other is not None else "not in the baseline"
        mine = bool(after.column.scored[at])
        if lacking is None and not mine and not after.column.failed[at]:
            lacking = _lacking(after.column.score_at(at))
        if lacking is not None or other is None:
            left_out[lacking or ""] += 1
            continue
        failed += not mine
        ours.append(at)
        theirs.append(other)
    return ours, theirs, failed, sorted_reasons(left_out)


def _lacking(score: Score) -> str | None:
    return None if score.value is not None else score.detail or score.status.value


def _keys(answers: ScoredAnswers) -> list[tuple[str, int]]:
    evaluation = answers.run.evaluation
    cases, seen = evaluation.cases, Counter[str]()
    keys = []
    for at in evaluation.row_case.tolist():
        name = cases[at].case_id
        keys.append((name, seen[name]))
        seen[name] += 1
    return keys


def _sizes(batch: Batch, rows: list[int]) -> Sizes:
    chosen = np.array(rows, dtype=np.intp)
    found = compute(["context_words", "answered_words"], batch)
    context, answer = (found[name].take(chosen) for name in ("context_words", "answered_words"))
    traces = [batch.traces[row] for row in rows]
    tokens = [
        trace.output.usage.prompt_tokens if trace is not None and trace.output is not None else None for trace in traces
    ]
    known = [count for count in tokens if count is not None]
    return Sizes(
        context_words=_mean(context),
        answer_words=_mean(answer),
        prompt_tokens=sum(known) / len(known) if known and len(known) == len(tokens) else None,
        rows=len(rows),
    )


def _mean(column: ScoreColumn) -> float | None:
    """The mean where every row has a value; a mean over some rows could not be held against that of others."""
    return float(column.values.mean()) if len(column) and column.scored.all() else None


def _sizes_json(sizes: Sizes) -> dict[str, Any]:
    return {
        "context_words": sizes.context_words,
        "answer_words": sizes.answer_words,
        "prompt_tokens": sizes.prompt_tokens,
        "rows": sizes.rows,
    }
