"""Releases: every decision on a time line per environment, and what holds now (P6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from beleg.app.overriding import overrides_of
from beleg.app.workbench.workspace import DecisionEntry, Holdings
from beleg.core.decision import Sentence, Verdict
from beleg.report.overrides import OverrideView, override_views
from beleg.report.view import headline


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseView:
    """One decision in the time line."""

    key: str
    verdict: Verdict
    headline: Sentence
    candidate: str
    candidate_run: str
    baseline: str | None
    baseline_run: str | None
    suite: str
    policy: str
    decided_at: datetime
    expires_at: datetime | None
    """Until when the signed statement holds; ``None`` where nothing is signed."""
    is_expired: bool
    overrides: tuple[OverrideView, ...]
    known_runs: frozenset[str]
    """Those of its runs that stand in this workspace."""


LINE_WIDTH = 640
"""Units of the drawing; it is shown as wide as its place is."""
MARGIN = 12
MOST_MARKS = 200
URGENCY = {Verdict.BLOCK: 0, Verdict.REVIEW: 1, Verdict.PASS: 2}
"""What a reader must see first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineMark:
    """One decision on the line."""

    at: float
    """The place, of `LINE_WIDTH`."""
    verdict: Verdict
    is_overridden: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentView:
    """The decisions for one environment, the newest first."""

    name: str | None
    """``None`` for decisions that nobody signed: they hold nowhere."""
    releases: tuple[ReleaseView, ...]

    @property
    def latest(self) -> ReleaseView:
        """The newest decision, which is the one that counts."""
        return self.releases[0]

    @property
    def counts(self) -> tuple[tuple[Verdict, int], ...]:
        """How many decisions came to each verdict, the most urgent first."""
        return tuple((verdict, sum(1 for each in self.releases if each.verdict is verdict)) for verdict in URGENCY)

    @property
    def marks(self) -> tuple[TimelineMark, ...]:
        """The decisions along a line from the oldest to the newest; empty where there is only one moment."""
        newest, oldest = self.releases[0].decided_at, self.releases[-1].decided_at
        span = (newest - oldest).total_seconds()
        if not span:
            return ()
        return tuple(
            TimelineMark(
                at=MARGIN + (LINE_WIDTH - 2 * MARGIN) * (each.decided_at - oldest).total_seconds() / span,
                verdict=each.verdict,
                is_overridden=any(view.is_active for view in each.overrides),
            )
            for each in self.releases[:MOST_MARKS]
        )


def environments(holdings: Holdings, at: datetime) -> tuple[EnvironmentView, ...]:
    """All decisions by environment: what blocks now comes first, and those that are not signed come last.

    Args:
        holdings: what stands in the workspace.
        at: now, by which overrides and statements are told to be over.
    """
    runs = frozenset(run.run_id for run in holdings.runs)
    grouped: dict[str | None, list[ReleaseView]] = {}
    for entry in holdings.decisions:
        name = None if entry.signed is None else entry.signed.environment
        grouped.setdefault(name, []).append(release_view(entry, runs, at))
    named = sorted(
        (name for name in grouped if name is not None), key=lambda name: (URGENCY[grouped[name][0].verdict], name)
    )
    ordered: Sequence[str | None] = [*named, *([None] if None in grouped else [])]
    return tuple(EnvironmentView(name=name, releases=tuple(grouped[name])) for name in ordered)


def release_view(entry: DecisionEntry, runs: frozenset[str], at: datetime) -> ReleaseView:
    """One decision as the time line shows it."""
    decision, signed = entry.decision, entry.signed
    referenced = {decision.candidate.run_id, *(() if decision.baseline is None else (decision.baseline.run_id,))}
    return ReleaseView(
        key=entry.key,
        verdict=decision.verdict,
        headline=headline(decision),
        candidate=decision.candidate.name,
        candidate_run=decision.candidate.run_id,
        baseline=None if decision.baseline is None else decision.baseline.name,
        baseline_run=None if decision.baseline is None else decision.baseline.run_id,
        suite=f"{decision.suite_name} {decision.suite_version}",
        policy=f"{decision.policy_name} {decision.policy_version}",
        decided_at=decision.decided_at,
        expires_at=None if signed is None else signed.expires_at,
        is_expired=signed is not None and signed.expires_at <= at,
        overrides=tuple(override_views(overrides_of(entry.folder), at)),
        known_runs=runs & referenced,
    )
