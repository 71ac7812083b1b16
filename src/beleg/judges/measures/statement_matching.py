"""Which statements answer and reference share, and how alike the two are: the evidence of answer correctness (A2)."""

from __future__ import annotations

from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.claim_support import answer_claims, split_claims
from beleg.judges.measures.hearing import Hearing, Unanswered, heard
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.tasks.checking import Labelled
from beleg.judges.tasks.correctness import STATEMENT_MATCHING, StatementsToMatch
from beleg.metrics.generation.correctness import AnswerSimilarity, MatchedStatement, Side, StatementMatch


async def _match(hearing: Hearing) -> StatementMatch:
    reference = hearing.reference()
    said = await answer_claims(hearing)
    wanted = await split_claims(hearing, reference)
    if not wanted:
        raise Unanswered(Score.without(ScoreStatus.NOT_APPLICABLE, "the reference answer makes no claim"))
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


async def _match_and_compare(hearing: Hearing) -> StatementMatch:
    matched = await _match(hearing)
    (similarity,), embedder = await hearing.similarities(hearing.bare_answer, [hearing.reference()])
    return matched.model_copy(update={"similarity": similarity, "embedder": embedder})


async def _compare(hearing: Hearing) -> AnswerSimilarity:
    (similarity,), embedder = await hearing.similarities(hearing.bare_answer, [hearing.reference()])
    return AnswerSimilarity(similarity=similarity, embedder=embedder)


STATEMENTS_MATCHED = JudgedMeasure(
    name="statement_matching",
    version="1",
    needs=frozenset({"judge"}),
    judge=heard(_match),
    calls=lambda row: 3,
)

ANSWER_CORRECTNESS = JudgedMeasure(
    name="answer_correctness",
    version="1",
    needs=frozenset({"judge", "embedder"}),
    judge=heard(_match_and_compare),
    calls=lambda row: 3,
)

ANSWER_SIMILARITY = JudgedMeasure(
    name="answer_similarity",
    version="1",
    needs=frozenset({"embedder"}),
    judge=heard(_compare),
    calls=lambda row: 0,
)
