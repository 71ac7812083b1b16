"""A decision: every check with its figures, and the one word that follows from them (rules 2 and 3)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from beleg.core.case import Identifier
from beleg.core.model import StoredModel
from beleg.core.score import ScoreStatus


class CheckState(StrEnum):
    """How one check ended, strictest first."""

    FAIL = "FAIL"
    ERROR = "ERROR"
    NOT_EVALUATED = "NOT_EVALUATED"
    INCONCLUSIVE = "INCONCLUSIVE"
    PASS = "PASS"  # noqa: S105 - a state, not a password


STATE_ORDER: tuple[CheckState, ...] = tuple(CheckState)
"""The fixed order by which states are reduced: the first one present decides."""


class Verdict(StrEnum):
    """May the candidate ship?"""

    PASS = "PASS"  # noqa: S105 - a verdict, not a password
    REVIEW = "REVIEW"
    BLOCK = "BLOCK"


EXIT_CODES: dict[Verdict, int] = {Verdict.PASS: 0, Verdict.REVIEW: 10, Verdict.BLOCK: 20}
EXIT_UNDECIDED = 30


def reduce_states(states: list[CheckState]) -> CheckState:
    """The state of many checks together: FAIL > ERROR > NOT_EVALUATED > INCONCLUSIVE > PASS.

    No check at all is NOT_EVALUATED: silence never passes.

    Example:
        >>> reduce_states([CheckState.PASS, CheckState.ERROR, CheckState.INCONCLUSIVE]).value
        'ERROR'
    """
    present = set(states)
    return next((state for state in STATE_ORDER if state in present), CheckState.NOT_EVALUATED)


def verdict_of(state: CheckState) -> Verdict:
    """FAIL blocks, PASS passes, everything between goes to a person."""
    if state is CheckState.FAIL:
        return Verdict.BLOCK
    return Verdict.PASS if state is CheckState.PASS else Verdict.REVIEW


class CheckKind(StrEnum):
    """What a check compares."""

    BAND = "band"
    NO_REGRESSION = "no_regression"
    ZERO_TOLERANCE = "zero_tolerance"
    COVERAGE = "coverage"
    COMPARABILITY = "comparability"
    REPRODUCIBILITY = "reproducibility"


class Bounds(StoredModel):
    """An estimate with the one-sided bounds that decide, and how they were made."""

    estimate: float
    lower: float | None
    """``None`` where so few cases cannot give a bound: it is open, and proves nothing."""
    upper: float | None
    confidence: float
    method: str
    n: Annotated[int, Field(ge=0)]
    clusters: Annotated[int, Field(ge=0)] | None = None
    degrees_of_freedom: float | None = None


def excludes_zero(difference: Bounds) -> bool:
    """Whether a difference is proven to be a gain or a loss: its bounds lie on one side of 0.

    Example:
        >>> excludes_zero(Bounds(estimate=0.1, lower=0.02, upper=0.2, confidence=0.95, method="", n=90))
        True
    """
    above = difference.lower is not None and difference.lower > 0
    return above or (difference.upper is not None and difference.upper < 0)


class Counts(StoredModel):
    """How many rows a figure rests on: expected = scored + every reason."""

    expected: Annotated[int, Field(ge=0)]
    scored: Annotated[int, Field(ge=0)]
    reasons: dict[ScoreStatus, int] = Field(default_factory=dict)


class Sentence(StoredModel):
    """One sentence in both languages."""

    en: str
    de: str

    def in_language(self, language: str) -> str:
        """The sentence in German for ``de``, else in English."""
        return self.de if language == "de" else self.en


class CheckResult(StoredModel):
    """One check of the policy, carried out."""

    check_id: Identifier
    kind: CheckKind
    state: CheckState
    reason: Sentence
    metric: str | None = None
    aggregate: str | None = None
    higher_is_better: bool | None = None
    segment: str | None = None
    protected: bool = False
    pass_at: float | None = None
    block_at: float | None = None
    margin: float | None = None
    figure: Bounds | None = None
    """The candidate's figure over the scored rows."""
    worst_case: float | None = None
    """The candidate's figure if every due row without a score had been as bad as can be; only where there are any."""
    best_case: float | None = None
    events: Annotated[int, Field(ge=0)] | None = None
    """How often something happened that must not happen at all."""
    baseline: float | None = None
    difference: Bounds | None = None
    """Candidate minus baseline, paired by case."""
    p_not_inferior: float | None = None
    p_inferior: float | None = None
    p_inferior_adjusted: float | None = None
    """After Holm over the segments of this metric."""
    counts: Counts | None = None
    needed: int | None = None
    """How many cases (or clusters) in all would be expected to settle the check."""
    needed_unit: str | None = None
    worst_cases: tuple[Identifier, ...] = ()
    owner: str | None = None


class StageCount(StoredModel):
    """How far the required evidence came: cases in which it is still all there after a stage."""

    stage: str
    present: Annotated[int, Field(ge=0)]
    lost: Annotated[int, Field(ge=0)]
    unknown: Annotated[int, Field(ge=0)]
    lost_cases: tuple[Identifier, ...] = ()


class RunReference(StoredModel):
    """A run that a decision rests on."""

    run_id: Identifier
    name: Identifier
    manifest_digest: str
    unresolved: tuple[str, ...] = ()
    waterfall: tuple[StageCount, ...] = ()
    waterfall_cases: Annotated[int, Field(ge=0)] = 0


class Dimension(StoredModel):
    """One thing that must be the same in both runs, or be the declared treatment."""

    name: Identifier
    status: Identifier
    candidate: str | None = None
    baseline: str | None = None


class Decision(StoredModel):
    """The answer to "may this ship?", with everything needed to check it."""

    verdict: Verdict
    headline: Sentence
    policy_name: Identifier
    policy_version: int
    policy_digest: str
    suite_name: Identifier
    suite_version: int
    suite_digest: str
    candidate: RunReference
    baseline: RunReference | None = None
    checks: tuple[CheckResult, ...]
    comparison: tuple[Dimension, ...] = ()
    confidence: float
    seed: int
    resamples: int
    holm: bool
    beleg_version: str
    metric_versions: dict[str, str] = Field(default_factory=dict)
    decided_at: datetime

    @property
    def exit_code(self) -> int:
        """The exit code that stands for the verdict."""
        return EXIT_CODES[self.verdict]

    def by_state(self, state: CheckState) -> tuple[CheckResult, ...]:
        """The checks that ended in a state."""
        return tuple(check for check in self.checks if check.state is state)
