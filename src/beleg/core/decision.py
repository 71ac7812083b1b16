"""A decision: every check with its figures, and the one word that follows from them (rules 2 and 3)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from beleg.core.calibration import JudgedMetric
from beleg.core.case import Identifier
from beleg.core.model import StoredModel
from beleg.core.score import ScoreStatus
from beleg.core.sequential import SequentialRecord


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
    COMPLETENESS = "completeness"
    REPRODUCIBILITY = "reproducibility"
    CALIBRATION = "calibration"
    SEQUENTIAL = "sequential"
    CRITICAL_CLAIMS = "critical_claims"
    EVALUATOR = "evaluator"
    RECORD = "record"
    ERROR_BUDGET = "error_budget"
    REVIEW_DATES = "review_dates"
    REGISTRATION = "registration"


class Bounds(StoredModel):
    """An estimate with the one-sided bounds that decide, and how they were made."""

    estimate: float
    """The figure itself."""
    lower: float | None = None
    """``None`` where so few cases cannot give a bound: it is open, and proves nothing."""
    upper: float | None = None
    """``None`` where so few cases cannot give a bound, as for ``lower``."""
    confidence: float
    """The one-sided confidence of each bound."""
    method: str
    """The rule that made the bounds."""
    n: Annotated[int, Field(ge=0)]
    """How many cases the figure rests on."""
    clusters: Annotated[int, Field(ge=0)] | None = None
    """How many groups of dependent cases there are; ``None`` where the rule takes cases as independent."""
    degrees_of_freedom: float | None = None
    """``None`` where the rule has none."""
    human_labels: Annotated[int, Field(ge=1)] | None = None
    """How many labels of people correct the judge's figure; ``None`` where there are none."""
    judge_noise: float | None = None
    """How far the judge's own noise moves the figure at the same confidence; ``None`` where no judge is involved."""


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
    """How many rows there should be."""
    scored: Annotated[int, Field(ge=0)]
    """How many rows have a value."""
    reasons: dict[ScoreStatus, int] = Field(default_factory=dict)
    """How many rows have none, by reason."""


class Sentence(StoredModel):
    """One sentence in both languages."""

    en: str
    """In English."""
    de: str
    """In German."""

    def in_language(self, language: str) -> str:
        """The sentence in German for ``de``, else in English."""
        return self.de if language == "de" else self.en


class CheckResult(StoredModel):
    """One check of the policy, carried out."""

    check_id: Identifier
    """Metric, kind and segment as one name, unique within a decision."""
    kind: CheckKind
    """What was compared."""
    state: CheckState
    """How the check ended."""
    reason: Sentence
    """What was found, in one sentence."""
    metric: str | None = None
    """The metric with its parameters; ``None`` for a check that looks at no metric."""
    aggregate: str | None = None
    """How the scores of single cases became one figure."""
    higher_is_better: bool | None = None
    """Which way the metric points."""
    segment: str | None = None
    """The part of the suite that the check is about; ``None`` for all of it."""
    protected: bool = False
    """Whether the segment is one that the policy protects."""
    pass_at: float | None = None
    """The level that the bound must reach."""
    block_at: float | None = None
    """The level beyond which a figure blocks."""
    margin: float | None = None
    """The largest worsening that is tolerated."""
    figure: Bounds | None = None
    """The candidate's figure over the scored rows."""
    worst_case: float | None = None
    """The candidate's figure if every due row without a score had been as bad as can be; only where there are any."""
    best_case: float | None = None
    """The candidate's figure if every due row without a score had been as good as can be."""
    events: Annotated[int, Field(ge=0)] | None = None
    """How often something happened that must not happen at all."""
    baseline: float | None = None
    """The baseline's figure over the paired rows."""
    difference: Bounds | None = None
    """Candidate minus baseline, paired by case."""
    p_not_inferior: float | None = None
    """p-value of a worsening by the margin or more; small means that it is ruled out."""
    p_inferior: float | None = None
    """p-value of a worsening by the margin at most; small means that a greater one is proven."""
    p_inferior_adjusted: float | None = None
    """After Holm over the segments of this metric."""
    counts: Counts | None = None
    """How many rows the figure rests on."""
    needed: int | None = None
    """How many cases (or clusters) in all would be expected to settle the check."""
    needed_unit: str | None = None
    """Whether ``needed`` counts ``cases`` or ``groups`` of dependent cases."""
    worst_cases: tuple[Identifier, ...] = ()
    """The cases to look at first, worst first."""
    owner: str | None = None
    """Who answers for the thresholds."""
    stage: str | None = None
    """Where most of ``worst_cases`` lose required evidence first; ``None`` where none of them does, or nobody knows."""
    remedy: Sentence | None = None
    """What would change the state of the check, as far as it was measured; ``None`` where the check holds."""


class StageCount(StoredModel):
    """How far the required evidence came: cases in which it is still all there after a stage."""

    stage: str
    """The stage."""
    present: Annotated[int, Field(ge=0)]
    """How many rows still have all required evidence here."""
    lost: Annotated[int, Field(ge=0)]
    """How many rows lose required evidence here first."""
    unknown: Annotated[int, Field(ge=0)]
    """Of how many rows nobody can tell, because the stage was not recorded."""
    lost_cases: tuple[Identifier, ...] = ()
    """The cases that lose required evidence here first."""


class RunReference(StoredModel):
    """A run that a decision rests on."""

    run_id: Identifier
    """The name of the run."""
    name: Identifier
    """The name of the candidate."""
    manifest_digest: str
    """The content address of what the candidate is made of."""
    traces_digest: str | None = None
    """The content address of the traces that were scored."""
    inventory_digest: str | None = None
    """The content address of the candidate's inventory; ``None`` where it gave none."""
    findings_digest: str | None = None
    """The content address of what judges found out; ``None`` where nobody judged."""
    unresolved: tuple[str, ...] = ()
    """The manifest fields that are neither given nor declared as not used."""
    waterfall: tuple[StageCount, ...] = ()
    """How far the required evidence came, stage by stage."""
    waterfall_cases: Annotated[int, Field(ge=0)] = 0
    """How many rows have required evidence that can be followed."""


class Dimension(StoredModel):
    """One thing that must be the same in both runs, or be the declared treatment."""

    name: Identifier
    """What is compared."""
    status: Identifier
    """``SAME``, ``DIFFERENT`` or ``UNKNOWN``."""
    candidate: str | None = None
    """What the candidate's run says."""
    baseline: str | None = None
    """What the baseline's run says."""
    detail: Sentence | None = None
    """More about it, such as how many cases both runs hold; ``None`` where there is no more to say."""


class MetricComparability(StoredModel):
    """Whether a metric of candidate and baseline may be compared, and what decides that."""

    metric: Identifier
    """The metric with its parameters."""
    comparable: bool
    """Whether everything that it depends on is the same, or is the treatment."""
    depends_on: tuple[Identifier, ...]
    """What must be the same for a difference to come from the treatment."""
    treatment: tuple[Identifier, ...] = ()
    """What differs, and is meant to."""
    different: tuple[Identifier, ...] = ()
    """What differs, and is not meant to: the metric is not comparable."""
    unknown: tuple[Identifier, ...] = ()
    """Of what nobody can tell whether it is the same."""
    reason: Sentence
    """The same in a sentence."""


class Decision(StoredModel):
    """The answer to "may this ship?", with everything needed to check it."""

    verdict: Verdict
    """May the candidate ship?"""
    headline: Sentence
    """The sentence to read first."""
    policy_name: Identifier
    """The policy that decided."""
    policy_version: int
    """Its version."""
    policy_digest: str
    """Its content address."""
    suite_name: Identifier
    """The suite that was asked."""
    suite_version: int
    """Its version."""
    suite_digest: str
    """Its content address."""
    candidate: RunReference
    """The run that is decided on."""
    baseline: RunReference | None = None
    """The run that it was compared with."""
    checks: tuple[CheckResult, ...]
    """Every check, carried out."""
    comparison: tuple[Dimension, ...] = ()
    """What is the same in both runs, and what is not."""
    comparability: tuple[MetricComparability, ...] | None = None
    """For each metric of the policy whether both runs may be compared on it; ``None`` without a baseline."""
    confidence: float
    """The one-sided confidence of every bound that decides."""
    seed: int
    """The seed of the resampling."""
    resamples: int
    """How often a comparison of quantiles was resampled."""
    holm: bool
    """Whether any p-value was adjusted over segments."""
    beleg_version: str
    """The version of Beleg that decided."""
    metric_versions: dict[str, str] = Field(default_factory=dict)
    """The version of every metric that the policy needs."""
    judges: tuple[JudgedMetric, ...] | None = None
    """Who stands behind each metric that rests on a judge; ``None`` where none does."""
    sequential: SequentialRecord | None = None
    """The looks that were taken; ``None`` where the policy judges all cases at once."""
    policy_first_seen: datetime | None = None
    """When this very policy was registered first; ``None`` where nobody registered it."""
    reviews_digest: str | None = None
    """The content address of the verdicts of people that the decision rests on; ``None`` where none were given."""
    facts_digest: str | None = None
    """The content address of what it rests on beside the runs, kept in ``facts.json``; ``None`` for nothing."""
    decided_at: datetime
    """When it was decided."""

    @property
    def exit_code(self) -> int:
        """The exit code that stands for the verdict."""
        return EXIT_CODES[self.verdict]

    def by_state(self, state: CheckState) -> tuple[CheckResult, ...]:
        """The checks that ended in a state."""
        return tuple(check for check in self.checks if check.state is state)
