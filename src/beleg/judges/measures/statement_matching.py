"""Which statements answer and reference share, and how alike the two are: the evidence of answer correctness (A2)."""

from __future__ import annotations

from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.hearing import Hearing, Unanswered, heard
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.verified_claims import claims_in, extraction_calls
from beleg.judges.tasks.checking import Labelled
from beleg.judges.tasks.correctness import STATEMENT_MATCHING, StatementsToMatch
from beleg.metrics.batch import Row
from beleg.metrics.generation.correctness import MatchedStatement, Side, StatementMatch

_NO_CLAIM = Score.without(ScoreStatus.NO_CLAIMS, "neither side makes a claim")
_NO_REFERENCE_CLAIM = Score.without(ScoreStatus.NOT_APPLICABLE, "the reference answer makes no claim")


async def _match(hearing: Hearing) -> StatementMatch:
    reference = hearing.reference()
    said = await claims_in(hearing, hearing.answer)
    wanted = await claims_in(hearing, reference)
    if not wanted:
        raise Unanswered(_NO_REFERENCE_CLAIM if said else _NO_CLAIM)
    if not said:
        return StatementMatch(statements=tuple(_missed(text) for text in wanted))
    asked = StatementsToMatch(
        question=hearing.question,
        answer_statements=tuple((f"a{number}", text) for number, text in enumerate(said, start=1)),
        reference_statements=tuple((f"r{number}", text) for number, text in enumerate(wanted, start=1)),
    )
    by_id = {verdict.statement_id: verdict for verdict in (await hearing.ask(STATEMENT_MATCHING, asked)).verdicts}
    sides: tuple[tuple[Side, Labelled], ...] = (
        ("answer", asked.answer_statements),
        ("reference", asked.reference_statements),
    )
    return StatementMatch(
        statements=tuple(
            MatchedStatement(side=side, statement=text, label=by_id[name].label, reason=by_id[name].reason)
            for side, statements in sides
            for name, text in statements
        )
    )


def _missed(statement: str) -> MatchedStatement:
    """An answer that declines leaves out all of it: it would be easy to be right by answering only what is easy."""
    return MatchedStatement(side="reference", statement=statement, label="fn", reason="the answer makes no claim")


async def _match_and_compare(hearing: Hearing) -> StatementMatch:
    matched = await _match(hearing)
    (similarity,), embedder = await hearing.similarities(hearing.bare_answer, [hearing.reference()])
    return matched.model_copy(update={"similarity": similarity, "embedder": embedder})


def _planned_calls(row: Row) -> int:
    return extraction_calls(row.output.answer or "") + extraction_calls(row.case.reference_answer or "") + 1


STATEMENTS_MATCHED = JudgedMeasure(
    name="statement_matching",
    version="2",
    needs=frozenset({"judge"}),
    judge=heard(_match),
    calls=_planned_calls,
)

ANSWER_CORRECTNESS = JudgedMeasure(
    name="answer_correctness",
    version="2",
    needs=frozenset({"judge", "embedder"}),
    judge=heard(_match_and_compare),
    calls=_planned_calls,
)
