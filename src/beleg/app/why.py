"""Why a case has the score that it has: the evidence claim by claim, and every reply of the judge as it came (J6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from beleg.adapters.stores.sqlite_calls import SqliteCallStore
from beleg.app.running import similar_cases
from beleg.app.scoring import score_run
from beleg.core.errors import UsageError
from beleg.core.findings import Finding
from beleg.core.judging import Call
from beleg.core.score import Score
from beleg.metrics.catalogue import Metric, parse_metric
from beleg.run.folder import RunFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyRow:
    """One repeat of a case: its score, what the judge found, and what the judge was asked."""

    repeat: int
    score: Score
    finding: Finding | None
    calls: tuple[Call, ...]

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {
            "repeat": self.repeat,
            "score": self.score.to_json_dict(),
            "finding": self.finding.to_json_dict() if self.finding else None,
            "calls": [call.to_json_dict() for call in self.calls],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Everything that stands behind a metric of a case."""

    run: Path
    case_id: str
    question: str
    answers: tuple[str | None, ...]
    metric: Metric
    rows: tuple[WhyRow, ...] = field(default_factory=tuple)

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {
            "run": str(self.run),
            "case_id": self.case_id,
            "question": self.question,
            "metric": str(self.metric),
            "rests_on": self.metric.spec.rests_on,
            "rows": [row.to_json_dict() for row in self.rows],
        }


def explain_score(run: Path, case_id: str, metric: str) -> Why:
    """What a metric of one case rests on.

    Args:
        run: the folder of the run.
        case_id: the case.
        metric: the metric by name, such as ``faithfulness``.

    Raises:
        UsageError: if there is no such run, case or metric, naming similar ones.
        EvidenceError: if the run folder is damaged.
    """
    scored = score_run(run, [metric])
    (name,) = scored.evaluation.scores
    parsed = parse_metric(name)
    cases = scored.evaluation.cases
    place = next((number for number, case in enumerate(cases) if case.case_id == case_id), None)
    if place is None:
        raise UsageError(
            f"the run {run} has no case {case_id!r}", hint=similar_cases(case_id, [case.case_id for case in cases])
        )
    column = scored.evaluation.scores[name]
    rows = []
    for repeat in range(scored.evaluation.header.settings.repeats):
        found = scored.batch.findings.get((case_id, repeat, parsed.spec.rests_on or ""))
        rows.append(
            WhyRow(
                repeat=repeat,
                score=column.score_at(place + repeat * len(cases)),
                finding=found,
                calls=_calls_of(scored.folder, found.calls) if found else (),
            )
        )
    outputs = [trace.output for trace in scored.traces[case_id]]
    return Why(
        run=run,
        case_id=case_id,
        question=cases[place].question,
        answers=tuple(output.answer if output is not None else None for output in outputs),
        metric=parsed,
        rows=tuple(rows),
    )


def _calls_of(folder: RunFolder, keys: Sequence[str]) -> tuple[Call, ...]:
    if not keys or not folder.calls_file.exists():
        return ()
    with SqliteCallStore.open(folder.calls_file, is_read_only=True) as store:
        return tuple(store.calls_of(keys))
