"""Having a judge look at what people labelled, as it would look at a row of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from beleg.core.case import Case
from beleg.core.digest import digest_of
from beleg.core.errors import UsageError
from beleg.core.findings import Finding
from beleg.core.judging import JudgeSpec
from beleg.core.labels import HumanLabel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.trace import MAX_PASSAGE_CHARS, Output, Passage, Trace, TraceStatus
from beleg.judges.calibration import LabelledScores
from beleg.judges.engine import Asker, Judged
from beleg.judges.measures.claim_support_by_verifier import CLAIM_SUPPORT_BY_VERIFIER
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.panel import Panel
from beleg.judges.rows import judge_rows, open_jobs
from beleg.judges.task import JudgeTask, Reply
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from beleg.metrics.findings import finding_column
from beleg.metrics.generation.verified import NO_CLAIMS, VerifiedClaims
from beleg.metrics.spec import Metric
from beleg.stats.inputs import FloatArray

QuestionT = TypeVar("QuestionT")
ReplyT = TypeVar("ReplyT", bound=Reply)

NO_QUESTION = "–"
"""Stands where a data set has no question; a claim needs none."""
MAX_GROUP_TEXT = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledItem:
    """One item with what people say of it together."""

    number: int
    """Its place among the items, from 1."""
    item_id: str
    label: HumanLabel
    """The first label; all labels of an item are about the same words."""
    is_positive: bool
    """What most people say."""

    @property
    def name(self) -> str:
        """A short name, unique within the labels; ids of data sets may hold what names may not."""
        return f"item-{self.number}"

    @property
    def digest(self) -> str:
        """By which anybody draws the same part of the items."""
        return digest_of([self.item_id, self.label.judged_text[:MAX_GROUP_TEXT]])

    @property
    def group(self) -> str:
        """What it shares with the other items of the same question and passages."""
        return digest_of([self.label.question, [text[:MAX_GROUP_TEXT] for _, text in self.label.passages]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """The items of a set of labels, and how many were left out because people disagree half and half."""

    items: tuple[LabelledItem, ...]
    disputed: int


def gold_of(labels: Iterable[HumanLabel]) -> Gold:
    """Folds the labels of several people to one per item, by majority; a tie is no label.

    Example:
        >>> gold_of([HumanLabel(item_id="1", answer="Yes.", label="pass")]).items[0].is_positive
        True
    """
    by_item: dict[tuple[str, str], list[HumanLabel]] = {}
    for label in labels:
        by_item.setdefault((label.item_id, label.judged_text), []).append(label)
    items, disputed = [], 0
    for number, ((item_id, _), given) in enumerate(by_item.items(), start=1):
        positive = sum(label.is_positive for label in given)
        if 2 * positive == len(given):
            disputed += 1
            continue
        items.append(
            LabelledItem(number=number, item_id=item_id, label=given[0], is_positive=2 * positive > len(given))
        )
    return Gold(items=tuple(items), disputed=disputed)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedItems:
    """Verdicts on labelled items."""

    scores: LabelledScores
    findings: tuple[Finding, ...]
    without_verdict: dict[ScoreStatus, int]
    """Verdicts that are missing, by reason: of items times repeats."""


Scorer = Callable[[Batch], ScoreColumn]
"""What is compared with the labels: one score per row."""


def metric_scorer(metric: Metric) -> Scorer:
    """A metric as it is, and turned round where less is better: a high score must speak for what people pass.

    Raises:
        UsageError: for a metric that is neither good nor bad, or that is better the lower and has no end.
    """
    low, high = metric.spec.low, metric.spec.high
    if metric.spec.direction == "higher":
        return lambda batch: compute([metric], batch)[str(metric)]
    if metric.spec.direction == "neutral" or low is None or high is None:
        raise UsageError(f"{metric} does not say what is good, so it cannot be compared with a pass or fail")
    ends = low + high

    def turned(batch: Batch) -> ScoreColumn:
        column = compute([metric], batch)[str(metric)]
        return replace(column, values=ends - column.values)

    return turned


def weakest_support(batch: Batch) -> ScoreColumn:
    """The support of the claim that a dedicated verifier finds least carried.

    An answer whose weakest claim reaches a threshold is one whose claims all do: so a threshold can be found on it.
    """

    def weakest(_row: object, found: VerifiedClaims) -> Score:
        return Score.of(min(found.supports)) if found.supports else NO_CLAIMS

    return finding_column(batch, CLAIM_SUPPORT_BY_VERIFIER.name, VerifiedClaims, weakest)


def score_items(items: Sequence[LabelledItem], score: Scorer) -> JudgedItems:
    """Scores every item where nobody needs to be asked."""
    column = score(_batch(items, range(1)))
    return _judged([(item, 0) for item in items], column, ())


async def judge_items(
    panel: Panel, score: Scorer, measure: JudgedMeasure, items: Sequence[LabelledItem], *, repeats: int, at_a_time: int
) -> JudgedItems:
    """Judges every item as if it were a row of a run, once or several times.

    Args:
        panel: who is asked.
        score: what is compared with the labels; it rests on the measure.
        measure: what is judged.
        items: what people labelled.
        repeats: how often each item is judged; each time is asked and kept by itself.
        at_a_time: how many items are under way.
    """
    findings: list[Finding] = []
    for repeat in range(repeats):
        jobs = open_jobs(_batch(items, range(repeat, repeat + 1)), [measure], _asked_again(panel, repeat), {})
        await judge_rows(_asked_again(panel, repeat), jobs, findings.append, at_a_time=at_a_time)
    findings.sort(key=lambda finding: (finding.repeat, int(finding.case_id.removeprefix("item-"))))
    keyed = {(finding.case_id, finding.repeat, finding.measure): finding for finding in findings}
    batch = _batch(items, range(repeats))
    column = score(Batch.of(batch.cases, batch.traces, findings=keyed))
    return _judged([(item, repeat) for repeat in range(repeats) for item in items], column, findings)


def _judged(rows: Sequence[tuple[LabelledItem, int]], column: ScoreColumn, findings: Sequence[Finding]) -> JudgedItems:
    counts = column.counts()
    counts.pop(ScoreStatus.SCORED, None)
    kept = [rows[place] for place in np.flatnonzero(column.scored).tolist()]
    return JudgedItems(
        scores=_labelled(kept, column.values), findings=tuple(findings), without_verdict=dict(sorted(counts.items()))
    )


def _labelled(rows: Sequence[tuple[LabelledItem, int]], values: FloatArray) -> LabelledScores:
    names = sorted({name for item, _ in rows for name in item.label.segments})
    return LabelledScores(
        items=tuple(item.name for item, _ in rows),
        human=np.array([item.is_positive for item, _ in rows], dtype=np.bool_),
        scores=np.asarray(values, dtype=np.float64),
        repeats=tuple(repeat for _, repeat in rows),
        groups=tuple(item.group for item, _ in rows),
        segments={name: tuple(item.label.segments.get(name) for item, _ in rows) for name in names},
    )


def _batch(items: Sequence[LabelledItem], repeats: range) -> Batch:
    rows = [(item, repeat) for repeat in repeats for item in items]
    return Batch.of([_case(item) for item, _ in rows], [_trace(item, repeat) for item, repeat in rows])


def _case(item: LabelledItem) -> Case:
    return Case(
        case_id=item.name,
        user_input=item.label.question or NO_QUESTION,
        reference_answer=item.label.reference_answer,
        rubric=item.label.rubric,
        nuggets=item.label.nuggets,
        language=item.label.segments.get("language"),
    )


def _trace(item: LabelledItem, repeat: int) -> Trace:
    texts = [text for _, whole in item.label.passages for text in _pieces(whole)]
    passages = tuple(
        Passage(passage_id=f"p{number}", document_id=f"p{number}", text=text)
        for number, text in enumerate(texts, start=1)
    )
    output = Output(retrieved=passages, delivered=passages, answer=item.label.judged_text)
    return Trace(case_id=item.name, repeat=repeat, status=TraceStatus.OK, output=output)


def _pieces(text: str) -> list[str]:
    """A text in parts of the length that a passage may have."""
    return [text[start : start + MAX_PASSAGE_CHARS] for start in range(0, max(len(text), 1), MAX_PASSAGE_CHARS)]


def _asked_again(panel: Panel, repeat: int) -> Panel:
    if panel.judge is None or repeat == 0:
        return panel
    return replace(panel, judge=_Again(panel.judge, repeat))


class _Again:
    """A judge whose every answer is one of a later pass: asked anew, and kept by itself."""

    def __init__(self, judge: Asker, repeat: int) -> None:
        self._judge, self._repeat = judge, repeat

    @property
    def spec(self) -> JudgeSpec:
        return self._judge.spec

    async def ask(
        self, task: JudgeTask[QuestionT, ReplyT], question: QuestionT, *, language: str | None = None, sample: int = 0
    ) -> Judged[ReplyT]:
        return await self._judge.ask(task, question, language=language, sample=sample + self._repeat)
