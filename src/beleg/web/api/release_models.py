"""Releases and decisions as programs get them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AliasPath, BeforeValidator, Field

from beleg.core.decision import Bounds, Counts, Decision, Verdict
from beleg.web.api.base import Said, Told, UnreadableTold

Names = Annotated[tuple[str, ...], BeforeValidator(sorted)]


class OverrideShort(Told):
    """An override in one sentence. Whether its signatures count, ``beleg verify`` tells."""

    is_active: bool
    """Whether it lets anything through now."""
    sentence: Said
    """Who answers for what, and until when."""
    reason: str
    """Why it may pass nevertheless."""
    compensating_control: str
    """What protects users in the meantime."""


class ReleaseTold(Told):
    """One decision in the time line."""

    key: str
    """By which the decision is asked for."""
    verdict: Verdict
    """May the candidate ship?"""
    headline: Said
    """The sentence to read first."""
    candidate: str
    """The name of the candidate."""
    candidate_run: str
    """Its run."""
    baseline: str | None
    """The name of the baseline; ``None`` where there is none."""
    baseline_run: str | None
    """Its run."""
    suite: str
    """Name and version of the suite."""
    policy: str
    """Name and version of the policy."""
    decided_at: datetime
    """When it was decided."""
    expires_at: datetime | None
    """Until when the signed statement holds; ``None`` where nothing is signed."""
    is_expired: bool
    """Whether it holds no more."""
    overrides: tuple[OverrideShort, ...]
    """Overrides beside the decision, those that are over included."""
    known_runs: Names
    """Those of its runs that stand in this project."""


class EnvironmentTold(Told):
    """The decisions for one environment."""

    name: str | None
    """``None`` for decisions that nobody signed: they hold nowhere."""
    releases: tuple[ReleaseTold, ...]
    """The newest first; the first one counts."""


class ReleasesTold(Told):
    """Every decision of the project."""

    environments: tuple[EnvironmentTold, ...]
    """By name; decisions that are not signed come last."""
    unreadable: tuple[UnreadableTold, ...]
    """Files that should be runs or decisions and cannot be read."""
    runs: int
    """How many runs the project holds."""


class FirstThingTold(Told):
    """One of the things to know first."""

    label: Said
    """What it is about."""
    text: Said
    """What there is to know."""
    cases: tuple[str, ...]
    """The cases to open."""
    more: int
    """How many cases there are beyond these."""


class WaterfallRowTold(Told):
    """How far the required evidence came: one stage."""

    stage: str
    """The stage."""
    title: Said
    """Its name in words."""
    present: int
    """In how many rows all required evidence is still there."""
    lost: int
    """In how many it is lost here first."""
    unknown: int
    """Of how many nobody can tell."""
    recorded: bool
    """Whether the stage was recorded at all."""
    baseline_present: int | None
    """``present`` of the baseline; ``None`` without one."""
    baseline_lost: int | None
    """``lost`` of the baseline."""
    baseline_recorded: bool
    """Whether the baseline recorded the stage."""
    lost_cases: tuple[str, ...]
    """The first cases that are lost here."""
    lost_more: int
    """How many there are beyond these."""


class WaterfallTold(Told):
    """Where required evidence is lost on its way into answers."""

    finding: Said
    """What it shows."""
    cases: int
    """How many rows have required evidence that can be followed."""
    rows: tuple[WaterfallRowTold, ...]
    """Stage by stage."""


class ReadingTold(Told):
    """What a reader of a decision has to know first."""

    first: tuple[FirstThingTold, ...]
    """What decides, what to look at first, what would change it."""
    urgent: tuple[str, ...]
    """The checks that did not pass, the most severe first, by their ``check_id``."""
    waiting: int
    """How many further checks only wait for a judge that one of these names."""
    settled: Said
    """What is to be said about the checks that passed."""
    waterfall: WaterfallTold | None
    """``None`` where no case has evidence that can be followed."""
    segments: Said | None
    """What the segments show; ``None`` without any, and while they are made."""


class SegmentTold(Told):
    """A metric over the cases of one segment."""

    segment: str
    """Such as ``language=de``."""
    metric: str
    """The metric with its parameters."""
    figure: Bounds | None
    """The candidate's figure; ``None`` where it was not evaluated."""
    n: int
    """How many cases stand behind it."""
    counts: Counts | None
    """How many rows it rests on, and what is missing and why."""
    baseline: float | None
    """The baseline's figure over the paired rows."""
    difference: Bounds | None
    """Candidate minus baseline, paired by case."""
    minimum_n: int
    """How many cases a segment needs to carry a decision."""
    protected: bool
    """Whether the policy protects the segment."""


class ChangedCaseTold(Told):
    """One of the cases with the largest differences."""

    case_id: str
    """The case."""
    candidate: Said
    """The candidate's score with its unit."""
    baseline: Said
    """The baseline's score with its unit."""
    difference: Said
    """Candidate minus baseline."""
    direction: Literal["worse", "better"]
    """What that means for this metric."""


class ChangesTold(Told):
    """The paired differences of the main metric, case by case."""

    metric: Annotated[str, Field(validation_alias=AliasPath("metric", "name"))]
    """The metric."""
    finding: Said
    """How many cases became worse, better, or stayed."""
    case_ids: tuple[str, ...]
    """The cases by their difference, ascending."""
    differences: tuple[float, ...]
    """Candidate minus baseline, in the same order."""
    uncompared: int
    """How many cases lack a score in either run."""
    extremes: tuple[ChangedCaseTold, ...]
    """The largest differences both ways."""


class DecisionTold(Told):
    """One decision with all that its page shows."""

    release: ReleaseTold
    """Its place in the time line, with its overrides and their end."""
    environment: str | None
    """For which it was signed; ``None`` where nothing is signed."""
    decision: Decision
    """The stored decision, word for word; its sentences are in both languages."""
    reading: ReadingTold
    """What follows from it."""
    is_measuring: bool
    """Whether segments and changed cases are still being made; ask again then."""
    missing: str | None
    """Why segments or changed cases cannot be shown; ``None`` where they are."""
    segments: tuple[SegmentTold, ...]
    """Segment by metric."""
    changes: ChangesTold | None
    """``None`` without a baseline, and while it is made."""
    files: tuple[str, ...]
    """The files of the decision that can be had."""
