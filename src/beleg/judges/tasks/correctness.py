"""Correctness: the statements of an answer held against those of a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from beleg.core.judging import JudgeFault
from beleg.judges.task import Flaw, JudgeTask, Reply
from beleg.judges.tasks.checking import Labelled, first_flaw, partition_flaw, parts_given, parts_of, require_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementsToMatch:
    """The statements of an answer and of a reference; no id stands on both sides."""

    question: str
    answer_statements: Labelled
    reference_statements: Labelled

    def __post_init__(self) -> None:
        require_ids(self.answer_statements, self.reference_statements)


class StatementVerdict(Reply):
    """Whether one statement stands on the other side too.

    A statement of the answer is ``tp`` where the reference carries it and ``fp`` where it does not; a statement of the
    reference is ``tp`` where the answer states it and ``fn`` where it does not. The true positives of an answer are
    those among its own statements.
    """

    statement_id: str
    reason: str
    label: Literal["tp", "fp", "fn"]


class StatementVerdicts(Reply):
    """One verdict for each statement of either side."""

    verdicts: list[StatementVerdict]


def _check(question: StatementsToMatch, reply: StatementVerdicts) -> Flaw | None:
    answered = {name for name, _ in question.answer_statements}
    asked = [name for name, _ in (*question.answer_statements, *question.reference_statements)]
    return partition_flaw(asked, [verdict.statement_id for verdict in reply.verdicts]) or first_flaw(
        _label_flaw(verdict, is_answer=verdict.statement_id in answered) for verdict in reply.verdicts
    )


def _label_flaw(verdict: StatementVerdict, *, is_answer: bool) -> Flaw | None:
    side, foreign = ("answer", "fn") if is_answer else ("reference", "fp")
    if verdict.label != foreign:
        return None
    return Flaw(JudgeFault.SCHEMA, f"{verdict.statement_id} is a statement of the {side} and cannot be {foreign}")


STATEMENT_MATCHING: JudgeTask[StatementsToMatch, StatementVerdicts] = JudgeTask(
    name="statement_matching",
    version="1",
    reply=StatementVerdicts,
    parts=lambda asked: (
        *parts_given(question=asked.question),
        *parts_of("answer_statement", asked.answer_statements),
        *parts_of("reference_statement", asked.reference_statements),
    ),
    check=_check,
)
