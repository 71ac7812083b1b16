"""How far judging is, and how it ended: what was judged, what it took, and what was not judged and why."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from beleg.app.judge_measures import metrics_resting_on
from beleg.app.judge_words import stop_sentence
from beleg.core.findings import Finding
from beleg.core.judging import JudgeFault, JudgeSpec
from beleg.core.score import ScoreStatus
from beleg.judges.budget import Spending
from beleg.report.words import reason_word
from beleg.text.numbers import number


@dataclass(slots=True)
class JudgingProgress:
    """How far the judging is."""

    total: int
    done: int = 0
    statuses: Counter[tuple[str, ScoreStatus]] = field(default_factory=Counter)
    spending: Spending = field(default_factory=Spending)
    recorded: int = 0
    started_at: float = field(default_factory=time.monotonic)
    first_failure: Finding | None = None
    unanswered: int = 0
    """How many rows somebody was asked about who gave no verdict that can be used."""

    @property
    def unjudged(self) -> int:
        """How many rows the judge failed on."""
        return sum(count for (_, status), count in self.statuses.items() if status in _UNJUDGED)

    def count(self, found: Finding) -> None:
        """Takes one finding into account."""
        self.done += 1
        self.statuses[found.measure, found.status] += 1
        self.unanswered += _is_unanswered(found)
        if self.first_failure is None and found.status in _UNJUDGED:
            self.first_failure = found


_UNJUDGED = frozenset({ScoreStatus.INVALID, ScoreStatus.JUDGE_ERROR, ScoreStatus.TIMEOUT, ScoreStatus.INFRA_ERROR})


def _is_unanswered(found: Finding) -> bool:
    if found.status is ScoreStatus.INVALID:
        # Without a call nobody was asked: an empty answer is invalid too, and the judge is not to blame.
        return bool(found.calls)
    return found.status in _UNJUDGED


OnJudging = Callable[[JudgingProgress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingResult:
    """What was judged, what it took, and what was not judged and why."""

    run: Path
    judge: JudgeSpec
    progress: JudgingProgress
    held: int
    stopped: tuple[JudgeFault, str] | None
    seconds: float
    warnings: tuple[str, ...] = ()

    @property
    def without_verdict(self) -> int:
        """How many rows the judge gave no verdict on."""
        return sum(count for (_, status), count in self.progress.statuses.items() if status is not ScoreStatus.SCORED)

    @property
    def is_unfinished(self) -> bool:
        """Whether judging stopped before the end, or no row got a verdict though somebody was asked."""
        has_verdict = self.without_verdict < self.progress.done
        return self.stopped is not None or (self.progress.unanswered > 0 and not has_verdict)

    @property
    def first_failure(self) -> tuple[str, str] | None:
        """Case and metric of the first row on which the judge failed."""
        found = self.progress.first_failure
        if found is None:
            return None
        metric = next(iter(metrics_resting_on(found.measure)), None)
        return None if metric is None else (found.case_id, metric)

    def answer(self, language: str) -> str:
        """The result in one line."""
        judged, total = self.progress.done - self.without_verdict, self.progress.total
        kept = f" · {self.held} were judged before" if self.held else ""
        if language == "de":
            kept = f" · {self.held} waren schon beurteilt" if self.held else ""
            line = f"{judged} von {total} beurteilt{kept}"
        else:
            line = f"{judged} of {total} judged{kept}"
        return f"{line} · {stop_sentence(self.stopped[1], language)}" if self.stopped else line

    def rows(self, language: str) -> list[tuple[str, str, str]]:
        """For every measure: how many rows were judged, and the reasons of the others."""
        rows = []
        for name in dict.fromkeys(measure for measure, _ in self.progress.statuses):
            counts = {status: n for (measure, status), n in self.progress.statuses.items() if measure == name}
            judged = counts.pop(ScoreStatus.SCORED, 0)
            others = ", ".join(
                f"{n} {reason_word(status).in_language(language)}" for status, n in sorted(counts.items())
            )
            rows.append((name, str(judged), others))
        return rows

    def spent_text(self, language: str) -> str:
        """Calls, tokens, dollars and time on one line."""
        spent, german = self.progress.spending, language == "de"
        tokens = number(spent.prompt_tokens + spent.completion_tokens, language, decimals=0)
        unknown = "Kosten unbekannt" if german else "cost unknown"
        cost = unknown if spent.usd is None else f"{number(spent.usd, language, decimals=4)} USD"
        if spent.usd is not None and spent.untold_calls:
            cost += f" + {spent.untold_calls} " + ("unbekannt" if german else "unknown")
        calls, recorded = ("Aufrufe", "aus dem Speicher") if german else ("calls", "from the store")
        seconds = number(self.seconds, language, decimals=1)
        return f"{spent.calls} {calls}, {self.progress.recorded} {recorded} · {tokens} tokens · {cost} · {seconds} s"

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        spent = self.progress.spending
        findings: dict[str, dict[str, int]] = {}
        for (measure, status), count in sorted(self.progress.statuses.items()):
            findings.setdefault(measure, {})[status.value] = count
        return {
            "run": str(self.run),
            "judge": self.judge.to_json_dict(),
            "judge_digest": self.judge.digest,
            "to_judge": self.progress.total,
            "done": self.progress.done,
            "judged_before": self.held,
            "findings": findings,
            "stopped": None if self.stopped is None else {"fault": self.stopped[0].value, "why": self.stopped[1]},
            "calls": spent.calls,
            "recorded": self.progress.recorded,
            "prompt_tokens": spent.prompt_tokens,
            "completion_tokens": spent.completion_tokens,
            "cost_usd": spent.usd,
            "calls_that_told_nothing": spent.untold_calls,
            "seconds": round(self.seconds, 3),
        }
