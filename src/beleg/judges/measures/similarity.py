"""How similar an answer is to the references of its case in the space of an embedding model (A2, A6)."""

from __future__ import annotations

from beleg.core.errors import DataError
from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.hearing import Hearing, Unanswered, heard
from beleg.judges.measures.measure import JudgedMeasure
from beleg.metrics.generation.similarity import AnswerSimilarity, MatchedTo, SimilarTo, TokenSimilarity
from beleg.metrics.generation.surface_facts import reference_facts
from beleg.metrics.generation.token_matching import bert_score


async def _compare(hearing: Hearing) -> AnswerSimilarity:
    """Embeds the answer and every reference as a whole."""
    references = hearing.references()
    cosines, embedder = await hearing.similarities(hearing.bare_answer, references)
    return AnswerSimilarity(
        embedder=embedder,
        references=tuple(
            SimilarTo(reference=reference, similarity=close, flags=_flags(hearing, reference))
            for reference, close in zip(references, cosines, strict=True)
        ),
    )


async def _match_tokens(hearing: Hearing) -> TokenSimilarity:
    """Matches the tokens of the answer with those of every reference."""
    references = hearing.references()
    given, embedder = await hearing.token_vectors([hearing.bare_answer, *references])
    try:
        match = bert_score([given[0]] * len(references), list(given[1:]))
    except DataError as error:
        raise Unanswered(Score.without(ScoreStatus.INVALID, str(error)[:1_000])) from error
    return TokenSimilarity(
        embedder=embedder,
        references=tuple(
            MatchedTo(reference=reference, precision=precision, recall=recall, flags=_flags(hearing, reference))
            for reference, precision, recall in zip(
                references, match.precision.tolist(), match.recall.tolist(), strict=True
            )
        ),
    )


def _flags(hearing: Hearing, reference: str) -> tuple[str, ...]:
    return reference_facts(hearing.bare_answer, reference, language=hearing.row.case.language)


ANSWER_SIMILARITY = JudgedMeasure(
    name="answer_similarity",
    version="1",
    needs=frozenset({"embedder"}),
    judge=heard(_compare),
    calls=lambda row: 0,
)

BERT_SCORE = JudgedMeasure(
    name="bert_score",
    version="1",
    needs=frozenset({"embedder", "token_embedder"}),
    judge=heard(_match_tokens),
    calls=lambda row: 0,
)
