"""A release policy: what must hold before a candidate may ship (P1, P3, P4)."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from beleg.core.case import Identifier, LongText, ShortText
from beleg.core.decision import CheckKind
from beleg.core.digest import digest_of
from beleg.core.model import StoredModel
from beleg.core.policy_rules import CaseProperty, CriticalClaims, ErrorBudget, EvaluatorFailures, RecordedPlace
from beleg.core.release_terms import ReleaseTerms
from beleg.core.sequential import SequentialPlan

Share = Annotated[float, Field(ge=0, le=1)]


class Aggregate(StrEnum):
    """How the scores of single cases become one figure."""

    MEAN = "mean"
    P50 = "p50"
    P95 = "p95"
    P99 = "p99"


class Thresholds(StoredModel):
    """Bands and the no-regression margin. For a metric where lower is better the bands are ceilings."""

    pass_at: float | None = None
    """PASS needs the confidence bound to reach this level."""
    block_at: float | None = None
    """A figure beyond this level blocks; between the two levels a person decides."""
    margin: Annotated[float, Field(gt=0)] | None = None
    """The largest worsening against the baseline that is tolerated, in units of the metric."""

    def is_empty(self) -> bool:
        """Whether no threshold is set at all."""
        return self.pass_at is None and self.block_at is None and self.margin is None


class Segment(StoredModel):
    """The cases in which every named dimension has the given label, such as ``{language: de}``."""

    where: Annotated[dict[Identifier, Identifier], Field(min_length=1)]
    """Dimensions with the label that each must have."""
    minimum_n: Annotated[int, Field(ge=2)] | None = None
    """Fewer scored cases than this never PASS in the segment; left out: as the check says."""

    @property
    def label(self) -> str:
        """The segment as one word, such as ``language=de``."""
        return ",".join(f"{dimension}={label}" for dimension, label in sorted(self.where.items()))


class Accountability(StoredModel):
    """Who stands behind a threshold, why it is where it is, and when it is looked at again."""

    owner: ShortText | None = None
    """The person or team that answers for the thresholds."""
    rationale: LongText | None = None
    """Why the thresholds are where they are."""
    review_by: date | None = None
    """The day by which the thresholds are looked at again."""


class PolicyCheck(Accountability):
    """One metric with its thresholds, over all cases or over a part of them."""

    metric: Identifier
    """The metric with its parameters, such as ``recall@10`` or ``latency_ms(stage=retrieve)``."""
    aggregate: Aggregate | None = None
    """Left out: the aggregate that the catalogue names for the metric."""
    where: dict[Identifier, Identifier] = Field(default_factory=dict)
    """Restricts the check to cases with these labels."""
    having: Annotated[tuple[CaseProperty, ...], Field(min_length=1)] | None = None
    """Restricts the check to cases that hold all of this, such as ``required_clauses``; left out: no restriction."""
    together_with: Annotated[tuple[Identifier, ...], Field(min_length=1)] | None = None
    """Other metrics of the policy without whose PASS this check does not pass either, such as a completeness check."""
    pass_at: float | None = None
    """PASS needs the confidence bound over all cases of the check to reach this level."""
    block_at: float | None = None
    """A figure beyond this level blocks; between the two levels a person decides."""
    margin: Annotated[float, Field(gt=0)] | None = None
    """The largest worsening against the baseline that is tolerated, in units of the metric."""
    largest: Annotated[float, Field(gt=0)] | None = None
    """The largest value one case can have. Needed to bound the mean of a metric that has no upper end, such as cost."""
    zero_tolerance: bool = False
    """A count that must be 0 in every single case; one event blocks at once."""
    protected: Thresholds = Thresholds()
    """Thresholds that hold in each protected segment; gains elsewhere never make up for a loss there."""
    minimum_n: Annotated[int, Field(ge=2)] | None = None
    """Fewer scored cases than this never PASS; left out: as the policy says."""

    @property
    def overall(self) -> Thresholds:
        """The thresholds that hold over all cases of the check."""
        return Thresholds(pass_at=self.pass_at, block_at=self.block_at, margin=self.margin)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        for name, thresholds in (("check", self.overall), ("protected", self.protected)):
            if (thresholds.pass_at is None) != (thresholds.block_at is None):
                raise ValueError(f"{name}: pass_at and block_at come together (they may be equal)")
        if self.zero_tolerance and not (self.overall.is_empty() and self.protected.is_empty()):
            raise ValueError("a zero_tolerance check has no other thresholds")
        if not self.zero_tolerance and self.overall.is_empty() and self.protected.is_empty():
            raise ValueError(
                "a check without thresholds decides nothing: give pass_at and block_at, margin, or zero_tolerance"
            )
        return self


class JudgeTrust(StoredModel):
    """When a judge is believed. A metric that rests on one never passes without a calibration; no setting allows it."""

    uncalibrated: Literal["review", "refuse"] = "review"
    """What becomes of its checks otherwise: a person looks (``review``), or an error (``refuse``)."""
    calibrations: tuple[ShortText, ...] = ("calibrations",)
    """Records, or folders of records, beside the policy."""
    digests: tuple[ShortText, ...] = ()
    """Where any are named, only records with these digests count."""
    max_false_pass: Share | None = None
    """The upper bound of the false pass rate must not lie above this."""
    minimum_kappa: Annotated[float, Field(ge=-1, le=1)] | None = None
    """The lower bound of kappa must reach this; it must lie above 0, which is chance, in any case."""
    minimum_labels: Annotated[int, Field(ge=2)] = 30
    """Labelled items that a record must rest on."""
    max_age_days: Annotated[int, Field(ge=1)] | None = None
    """A record older than this counts for nothing."""
    noise: Literal["carry", "require"] = "carry"
    """Repeat noise that was measured widens the bounds; with ``require`` a record must have measured it."""


class Policy(Accountability):
    """What must hold, with what certainty, on how many cases."""

    policy: Identifier
    """The name of the policy."""
    version: Annotated[int, Field(ge=1)] = 1
    """Raised with every change of the policy."""
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = 0.95
    """One-sided confidence of every bound that decides."""
    seed: Annotated[int, Field(ge=0)] = 0
    """Seed of the resampling, by which a quantile is compared with the baseline."""
    resamples: Annotated[int, Field(ge=1_000, le=100_000)] = 10_000
    """How often such a comparison is resampled."""
    minimum_n: Annotated[int, Field(ge=2)] = 30
    """Fewer scored cases than this never PASS."""
    minimum_coverage: Share = 0.98
    """The share of expected cases that must have a score."""
    allow_subset: bool = False
    """Whether a run on the stratified fast subset may PASS; a subset chosen by hand never does."""
    require_baseline: bool = True
    """Whether a decision without a baseline is kept from PASS."""
    require_reproducible: bool = False
    """Whether an unresolved manifest field keeps the decision from PASS."""
    treatment: tuple[Identifier, ...] | None = None
    """What the candidate changes on purpose, such as ``prompt``; a metric is compared with the baseline only if
    whatever else it depends on is the same; an empty list says that nothing may differ. Left out: whatever differs in
    the system is the treatment."""
    require_comparable: Literal["told", "strict"] | None = None
    """With ``strict`` a metric is not compared where it is not known whether something that it depends on is the same;
    left out, or ``told``: the decision says so."""
    protected_segments: tuple[Segment, ...] = ()
    """Segments in which the ``protected`` thresholds of every check must hold as well."""
    judge: JudgeTrust | None = None
    """When a judge is believed; left out: as `JudgeTrust` says by itself."""
    critical_claims: CriticalClaims | None = None
    """No unsupported claim where it does most harm; left out: nothing beyond the checks."""
    evaluator_failures: EvaluatorFailures | None = None
    """How often evaluators may fail; left out: as the coverage of each check allows."""
    required_record: tuple[RecordedPlace, ...] | None = None
    """Places that every trace must record, so that "nowhere" means these too; left out: what is recorded is checked."""
    error_budget: ErrorBudget | None = None
    """How many failed releases a period may hold; left out: none is counted."""
    require_review_dates: bool | None = None
    """Whether a threshold without owner, rationale and a review date to come keeps the decision from PASS."""
    require_registration: bool | None = None
    """Whether a policy that was not registered before the run keeps the decision from PASS."""
    block_when_open: tuple[CheckKind, ...] | None = None
    """Kinds of checks that block where they would only ask for a person; left out: none."""
    release: ReleaseTerms | None = None
    """Where and how long its signed decisions hold, and what an owner may override; left out: as `ReleaseTerms` says,
    which lets nothing be overridden."""
    sequential: SequentialPlan | None = None
    """Judged metrics are looked at in batches, and judging stops when the decision is settled; left out: all cases are
    judged."""
    checks: tuple[PolicyCheck, ...] = ()
    """What must hold; a policy without checks is refused."""

    @property
    def digest(self) -> str:
        """The content address of the policy."""
        return digest_of(self.to_json_dict())

    @property
    def trust(self) -> JudgeTrust:
        """When a judge is believed."""
        return self.judge or JudgeTrust()

    @property
    def release_terms(self) -> ReleaseTerms:
        """Where and how long its signed decisions hold."""
        return self.release or ReleaseTerms()

    @property
    def alpha(self) -> float:
        """The one-sided error that each bound allows."""
        return 1.0 - self.confidence
