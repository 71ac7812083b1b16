"""Core claims: which claims of an answer say something, and which only make it longer (A4)."""

from __future__ import annotations

from dataclasses import dataclass

from beleg.core.judging import JudgeFault
from beleg.judges.task import Flaw, JudgeTask, Reply
from beleg.judges.tasks.checking import Labelled, first_flaw, partition_flaw, parts_given, parts_of, require_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsToWeigh:
    """The claims of an answer, in its order."""

    question: str
    claims: Labelled

    def __post_init__(self) -> None:
        require_ids(self.claims)


class ClaimWeight(Reply):
    """Whether one claim says something that no earlier one says and that the question asks for."""

    claim_id: str
    repeats: str | None
    """The earlier claim that already says it."""
    reason: str
    informative: bool


class WeightsReply(Reply):
    """One verdict for each claim."""

    verdicts: list[ClaimWeight]


def _check(question: ClaimsToWeigh, reply: WeightsReply) -> Flaw | None:
    place = {name: number for number, (name, _) in enumerate(question.claims)}
    return partition_flaw(list(place), [verdict.claim_id for verdict in reply.verdicts]) or first_flaw(
        _repetition_flaw(verdict, place) for verdict in reply.verdicts
    )


def _repetition_flaw(verdict: ClaimWeight, place: dict[str, int]) -> Flaw | None:
    if verdict.repeats is None or place.get(verdict.repeats, len(place)) < place[verdict.claim_id]:
        return None
    return Flaw(JudgeFault.SCHEMA, f"claim {verdict.claim_id} can only repeat an earlier claim")


CLAIM_WEIGHING: JudgeTask[ClaimsToWeigh, WeightsReply] = JudgeTask(
    name="claim_weighing",
    version="1",
    reply=WeightsReply,
    parts=lambda asked: (*parts_given(question=asked.question), *parts_of("claim", asked.claims)),
    check=_check,
)
