"""Drift: control cases judged again, and the verdicts that changed (J5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from beleg.core.findings import Support
from beleg.core.judging import JudgeSpec
from beleg.core.score import Score
from beleg.judges.engine import Asker, Judged
from beleg.judges.measures.claim_support import judge_claim_support
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.probes.probe import Probe
from beleg.judges.probes.report import ProbeItem
from beleg.judges.task import JudgeTask, Reply
from beleg.metrics.batch import Row
from beleg.metrics.generation.claims import ClaimSupport
from beleg.stats.changes import paired_changes

QuestionT = TypeVar("QuestionT")
ReplyT = TypeVar("ReplyT", bound=Reply)


@dataclass(frozen=True, slots=True)
class Resampled:
    """A judge that is asked anew: every question counts as another repetition, so that no kept reply answers it."""

    judge: Asker
    sample: int

    @property
    def spec(self) -> JudgeSpec:
        """The judge that is asked."""
        return self.judge.spec

    async def ask(
        self, task: JudgeTask[QuestionT, ReplyT], question: QuestionT, *, language: str | None = None, sample: int = 0
    ) -> Judged[ReplyT]:
        """Asks one question as the repetition that this judge stands for."""
        return await self.judge.ask(task, question, language=language, sample=self.sample + sample)


def drift_item(case_id: str, *, before: bool | Score, after: bool | Score) -> ProbeItem:
    """Whether a verdict changed, and which way."""
    for verdict in (before, after):
        if isinstance(verdict, Score):
            return ProbeItem(case_id=case_id, without=verdict)
    if before == after:
        return ProbeItem(case_id=case_id, happened=False)
    return ProbeItem(case_id=case_id, happened=True, counts={"to_pass" if after else "to_fail": 1})


def drift_figures(items: Sequence[ProbeItem]) -> dict[str, float]:
    """How far the changes lean one way: ``to_pass_share`` with its exact interval, and McNemar's exact p-value.

    Noise changes verdicts both ways alike; a judge that became milder or stricter changes them one way. Nothing is told
    where nothing changed.
    """
    gained, lost = (sum(item.counts.get(name, 0) for item in items) for name in ("to_pass", "to_fail"))
    n = sum(item.happened is not None for item in items)
    if gained + lost == 0:
        return {}
    found = paired_changes(gained, lost, n)
    share = found.gained_share
    if share is None:
        return {}
    return {
        "to_pass_share": share.estimate,
        "to_pass_share_lower": share.lower,
        "to_pass_share_upper": share.upper,
        "p_value": found.p_value,
    }


def drift_probe(sample: int) -> Probe:
    """The probe that judges each answer as it was judged, and anew.

    The first verdict comes from the store of calls where the answer was judged before, so that a store that is kept for
    a month shows the drift of a month; without one both are asked now, and the changes are the judge's noise.

    Args:
        sample: which repetition the new round is; a number that was used before gives that round's verdicts again.
    """

    async def probe(panel: Panel, docket: Docket, row: Row) -> ProbeItem:
        before = _is_faithful(await judge_claim_support(panel, docket, row))
        if panel.judge is None or isinstance(before, Score):
            return drift_item(row.case.case_id, before=before, after=before)
        again = replace(panel, judge=Resampled(panel.judge, sample))
        after = _is_faithful(await judge_claim_support(again, docket, row))
        return drift_item(row.case.case_id, before=before, after=after)

    return Probe(
        name="drift",
        asks="answers whose verdict (every claim supported, or not) changed when they were judged again",
        asks_de="Antworten, deren Urteil (jede Aussage gestützt oder nicht) sich beim zweiten Mal änderte",
        changed=(
            "nothing: the answer is judged again",
            "nichts: die Antwort wird noch einmal beurteilt",
        ),
        directions=("to_pass", "to_fail"),
        probe=probe,
        calls=lambda _row: 4,
        figures=drift_figures,
    )


def _is_faithful(outcome: Outcome) -> bool | Score:
    if outcome.without is not None:
        return outcome.without
    found = ClaimSupport.model_validate(outcome.evidence, strict=False)
    return all(claim.support is Support.SUPPORTED for claim in found.claims)
