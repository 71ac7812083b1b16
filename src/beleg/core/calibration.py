"""What is known of a judge against people: the record that binds its errors to its model, prompts and schemas (J4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal, Self, TypeVar

from pydantic import Field, model_validator

from beleg.core.case import Identifier, ShortText
from beleg.core.digest import digest_of
from beleg.core.findings import Finding
from beleg.core.judging import JudgeSpec, TaskReference
from beleg.core.model import StoredModel
from beleg.core.score import FAILED_STATUSES, ScoreStatus

ModelT = TypeVar("ModelT", bound=StoredModel)
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class ErrorRate(StoredModel):
    """A share of items with its two-sided interval."""

    value: Share
    """The share that was seen."""
    lower: Share
    """Lower bound."""
    upper: Share
    """Upper bound."""
    events: Count | None = None
    """How many items it happened in; ``None`` for a figure that counts no events."""
    n: Annotated[int, Field(ge=1)]
    """How many items it could have happened in."""
    method: Identifier
    """The rule that made the interval."""


class AgreementFigure(StoredModel):
    """A coefficient of agreement between judge and people."""

    value: float | None = None
    """The coefficient; ``None`` where it is not defined."""
    lower: float | None = None
    """Lower bound; ``None`` where too little varies to tell."""
    upper: float | None = None
    """Upper bound; ``None`` likewise."""
    reason: ShortText | None = None
    """Why there is no value."""


class CalibrationFigures(StoredModel):
    """A judge against people, over all labelled items or over a part of them."""

    segment: Identifier | None = None
    """The part, such as ``language=de``; ``None`` for all items."""
    n: Count
    """Items with a label and a verdict."""
    passed: Count
    """Items that people pass."""
    failed: Count
    """Items that people fail."""
    judge_passed: Count
    """Items that the judge passes."""
    false_pass: ErrorRate | None = None
    """Share of the items that people fail which the judge passes; ``None`` where people fail none."""
    false_fail: ErrorRate | None = None
    """Share of the items that people pass which the judge fails; ``None`` where people pass none."""
    accuracy: ErrorRate | None = None
    """Share of all items in which both say the same; ``None`` without items."""
    balanced_accuracy: ErrorRate | None = None
    """Mean of the shares of passed and of failed items that the judge gets right."""
    kappa: AgreementFigure = AgreementFigure()
    """Cohen's kappa."""
    ac1: AgreementFigure = AgreementFigure()
    """Gwet's AC1, which does not collapse where nearly all items pass."""
    alpha: AgreementFigure = AgreementFigure()
    """Krippendorff's alpha (nominal)."""

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        if self.passed + self.failed != self.n:
            raise ValueError("passed and failed items add up to all of them")
        return self


class NoiseFigures(StoredModel):
    """How much the judge disagrees with itself when it is asked the same again."""

    items: Count
    """Items that were judged twice or more."""
    verdicts: Count
    """Verdicts on those items."""
    flipped: Count
    """Items whose verdicts are not all the same."""
    pair_disagreement: Share
    """Mean share of the pairs of verdicts on one item that differ."""
    within_variance: Annotated[float, Field(ge=0)]
    """Variance that asking once adds to the score of one case."""
    shared_variance: Annotated[float, Field(ge=0)] | None = None
    """Variance of a whole pass beyond that; ``None`` where it could not be told."""


class ThresholdChoice(StoredModel):
    """Where a graded judge was cut, by which registered rule, and on what that was checked."""

    threshold: float
    """Scores at or above it pass."""
    rule: Identifier
    """``fixed``, or ``smallest_safe``: the smallest threshold whose bound of the false pass rate meets the limit."""
    max_false_pass: Share | None = None
    """The limit of that rule."""
    chosen_on: Count = 0
    """Items that the threshold was chosen on; the figures of the record are over the others."""


class CurveBin(StoredModel):
    """Items of about one score."""

    lower: float
    """The bin holds what lies above it; the first bin holds it too."""
    upper: float
    """The bin reaches up to it."""
    score: Share
    """Mean score of the judge."""
    passed: ErrorRate
    """Share that people pass."""


class ReliabilityCurve(StoredModel):
    """The scores of a graded judge, read as the chance that people pass an item, against how often people do."""

    binning: Literal["equal_mass"] = "equal_mass"
    """About as many items in each bin; equal scores are never parted, so there may be fewer bins."""
    bins_at_most: Annotated[int, Field(ge=1)]
    bins: Annotated[tuple[CurveBin, ...], Field(min_length=1)]
    """By score, ascending."""
    brier: Share
    """Mean squared distance between score and label. Lower is better."""
    reliability: Share
    """The part of it that comes from scores unlike the share that people pass. Lower is better."""
    resolution: Share
    """What telling passed from failed items takes off it. Higher is better."""
    uncertainty: Share
    """What a judge that always gives the share that people pass would have."""
    within_bins: float
    """What is left: scores differ within a bin, so that brier = reliability - resolution + uncertainty + this."""
    calibration_error: Share
    """Expected calibration error over these bins. Lower is better."""
    expected_when_calibrated: Share
    """What the same scores would show on average if they were the true chances; no judge shows 0."""


class OperatingPoint(StoredModel):
    """What a graded judge does if scores at or above a threshold pass."""

    threshold: float
    false_pass: ErrorRate
    """Share of the items that people fail which would pass."""
    false_fail: ErrorRate
    """Share of the items that people pass which would fail."""


class OperatingCurve(StoredModel):
    """Both kinds of error of a graded judge at every threshold."""

    thresholds: Annotated[int, Field(ge=1)]
    """How many thresholds change a verdict; of too many to store, evenly spread ones are."""
    points: Annotated[tuple[OperatingPoint, ...], Field(min_length=1)]
    """By threshold, ascending; the threshold of the record is among them."""


class ItemVerdicts(StoredModel):
    """What people and judge say of each item, so that a later calibration can be compared with it item by item."""

    items: tuple[Identifier, ...]
    """In order of their names."""
    human: Annotated[str, Field(pattern="^[01]*$")]
    """One digit for each item: 1 for a pass and 0 for a fail, by people."""
    judge: Annotated[str, Field(pattern="^[01]*$")]
    """The same by the judge, cut at the threshold of the record."""

    @model_validator(mode="after")
    def _one_digit_each(self) -> Self:
        if not len(self.items) == len(self.human) == len(self.judge):
            raise ValueError("there is one digit for each item")
        if len(set(self.items)) != len(self.items):
            raise ValueError("each item stands there once")
        return self


class CurveAbsence(StrEnum):
    """Why a record holds no curve."""

    PASS_OR_FAIL = "pass_or_fail"  # noqa: S105 - a verdict, not a password
    """The judge only says pass or fail; a curve needs graded scores."""
    NOT_SHARES = "not_shares"
    """Scores lie outside 0 to 1, so they cannot be read as chances; thresholds can still be told apart."""
    ONE_KIND = "one_kind"
    """People pass all items, or fail all."""


class CalibrationRecord(StoredModel):
    """A judge's errors, measured against people. A record is never changed: a new calibration makes a new one."""

    kind: Literal["beleg.calibration/1"] = "beleg.calibration/1"
    """What the file is."""
    measure: Identifier
    """The judged measure, such as ``claim_support``."""
    measure_version: Identifier
    """The version of the measure."""
    metric: Identifier
    """The metric whose value was compared with the labels, such as ``faithfulness``."""
    judge: JudgeSpec | None = None
    """Who judged; ``None`` for verdicts from a file, which vouch for no judge."""
    embedder: Identifier | None = None
    """The embedding model, for measures that rest on one."""
    tasks: tuple[TaskReference, ...] = ()
    """What the judge was asked, down to the prompts' and schemas' digests."""
    labels_source: ShortText
    """Where the labels come from."""
    labels_digest: str
    """The content address of the labels."""
    annotators: Count = 0
    """How many people labelled, where that is known."""
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = 0.95
    """Two-sided confidence of every interval."""
    overall: CalibrationFigures
    """Over all items that no threshold was chosen on."""
    segments: tuple[CalibrationFigures, ...] = ()
    """By segment."""
    without_verdict: dict[ScoreStatus, Count] = Field(default_factory=dict)
    """Labelled items on which the judge gave no verdict, by reason."""
    threshold: ThresholdChoice
    """Where a score was cut into pass and fail."""
    auc: ErrorRate | None = None
    """Chance that an item that people pass has a higher score than one that they fail; for graded judges."""
    curve: ReliabilityCurve | None = None
    """Scores against the share that people pass; ``None`` where `no_curve` says why, and in records of before."""
    operating: OperatingCurve | None = None
    """Both kinds of error at every threshold; ``None`` likewise."""
    no_curve: CurveAbsence | None = None
    """Why there is no curve."""
    verdicts: ItemVerdicts | None = None
    """The verdicts behind `overall`; ``None`` in records of before."""
    noise: NoiseFigures | None = None
    """``None`` where nothing was asked twice."""
    created_at: datetime
    """When it was made."""
    beleg_version: ShortText
    """The version of Beleg that made it."""

    @property
    def digest(self) -> str:
        """The content address of the record."""
        return digest_of(self.to_json_dict())

    @property
    def judge_name(self) -> str:
        """The judge as people call it."""
        return "a file of verdicts" if self.judge is None else self.judge.model


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeStanding:
    """Who stands behind one judged metric of one run: every judge and every question that its findings name."""

    measure: str
    versions: tuple[str, ...]
    """Every version of the measure among the findings."""
    judges: tuple[JudgeSpec, ...]
    """Every different judge; one that can be trusted is exactly one."""
    tasks: tuple[TaskReference, ...]
    """Every different question, down to prompt and schema."""
    embedders: tuple[str, ...] = ()
    """Every different embedding model."""
    thresholds: tuple[float, ...] = ()
    """Every different threshold at which a dedicated verifier was cut."""
    unknown: int = 0
    """Findings that name neither a judge nor an embedding model, and would need one."""

    @property
    def is_one(self) -> bool:
        """Whether one judge, or one embedding model, stands behind all of it."""
        parts = (self.judges, self.embedders, self.thresholds)
        one_each = len(self.versions) == 1 and all(len(part) <= 1 for part in parts)
        return one_each and bool(self.judges or self.embedders) and not self.unknown

    def same_as(self, other: JudgeStanding) -> bool:
        """Whether both were judged alike, as far as both were asked the same: a prompt in one language is one task."""
        mine, theirs = ({(task.task, task.language): task for task in told.tasks} for told in (self, other))
        shared = all(mine[key] == theirs[key] for key in mine.keys() & theirs.keys())
        return shared and (self.judges, self.embedders, self.versions) == (
            other.judges,
            other.embedders,
            other.versions,
        )

    @classmethod
    def of(cls, measure: str, findings: Iterable[Finding]) -> JudgeStanding:
        """The standing of the findings of one measure.

        A finding without verdict that names no judge needed none, as for an answer without claims.

        Example:
            >>> JudgeStanding.of("claim_support", []).judges
            ()
        """
        listed = [finding for finding in findings if finding.measure == measure]
        judges = _distinct(finding.judge for finding in listed if finding.judge is not None)
        tasks = _distinct(task for finding in listed for task in finding.tasks)
        weighty = FAILED_STATUSES | {ScoreStatus.SCORED}
        return cls(
            measure=measure,
            versions=tuple(sorted({finding.measure_version for finding in listed})),
            judges=judges,
            tasks=tasks,
            embedders=tuple(sorted({finding.embedder for finding in listed if finding.embedder is not None})),
            thresholds=tuple(sorted({cut for finding in listed if (cut := _threshold(finding)) is not None})),
            unknown=sum(
                finding.judge is None and finding.embedder is None and finding.status in weighty for finding in listed
            ),
        )


def _distinct(values: Iterable[ModelT]) -> tuple[ModelT, ...]:
    """Each different value once, in the order of their content; there are few of them among many findings."""
    found: list[ModelT] = []
    for value in values:
        if value not in found:
            found.append(value)
    return tuple(sorted(found, key=lambda value: digest_of(value.to_json_dict())))


def _threshold(finding: Finding) -> float | None:
    cut = (finding.evidence or {}).get("threshold")
    return float(cut) if isinstance(cut, int | float) else None


class JudgedMetric(StoredModel):
    """Who stands behind a judged metric of a decision, and what is known of that judge."""

    metric: Identifier
    """The metric with its parameters."""
    measure: Identifier
    """The judged measure that it rests on."""
    judges: tuple[JudgeSpec, ...] = ()
    """Who judged; exactly one where all is well."""
    judge_digest: str | None = None
    """The digest of the judge, where there is exactly one."""
    calibration: str | None = None
    """The digest of the record that vouches for it; ``None`` where none does."""
    labels: Count = 0
    """Labelled items behind that record."""
    false_pass: ErrorRate | None = None
    """How often the judge passes what people fail, by that record."""
    kappa: AgreementFigure | None = None
    """Cohen's kappa between judge and people, by that record."""
    noise: NoiseFigures | None = None
    """How much the judge disagrees with itself, where that was measured."""
    calibrated_at: datetime | None = None
    """When that record was made."""
    human_labels: Count = 0
    """Labels that people gave to cases of this very run."""
