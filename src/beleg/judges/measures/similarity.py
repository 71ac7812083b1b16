"""How similar an answer is to the references of its case in the space of an embedding model (A6)."""

from __future__ import annotations

import numpy as np

from beleg.core.case import ExpectedBehaviour
from beleg.core.errors import CandidateError, DataError
from beleg.core.inference import TokenEmbedder
from beleg.core.judging import FAULT_STATUS, JudgeFault
from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.batch import Row
from beleg.metrics.generation.refusal import bare_answer
from beleg.metrics.generation.similarity import AnswerSimilarity, MatchedTo, SimilarTo, TokenSimilarity
from beleg.metrics.generation.surface_facts import reference_facts
from beleg.metrics.generation.token_matching import bert_score


async def judge_embedding_similarity(panel: Panel, _docket: Docket, row: Row) -> Outcome:
    """Embeds the answer and every reference as a whole."""
    references = _references(row)
    if isinstance(references, Score):
        return Outcome(without=references)
    if panel.embedder is None:
        return Outcome(without=_NO_EMBEDDER)
    answer = bare_answer(row.output)
    try:
        vectors = np.asarray(await panel.embedder.embed_passages([answer, *references]), dtype=np.float64)
    except CandidateError as error:
        return Outcome(without=_failed(error))
    norms = np.linalg.norm(vectors, axis=1) if vectors.ndim == 2 else np.zeros(0)
    if len(norms) != len(references) + 1 or not (np.isfinite(norms) & (norms > 0)).all():
        return Outcome(without=Score.without(ScoreStatus.INVALID, "the embedding model gave no vector for a text"))
    unit = vectors / norms[:, None]
    found = AnswerSimilarity(
        embedder=panel.embedder.identity,
        references=tuple(
            SimilarTo(reference=reference, similarity=float(close), flags=_flags(row, reference))
            for reference, close in zip(references, (unit[1:] * unit[0]).sum(axis=1), strict=True)
        ),
    )
    return Outcome(evidence=found.to_json_dict())


async def judge_bert_score(panel: Panel, _docket: Docket, row: Row) -> Outcome:
    """Matches the tokens of the answer with those of every reference."""
    references = _references(row)
    if isinstance(references, Score):
        return Outcome(without=references)
    embedder: object = panel.embedder
    if not isinstance(embedder, TokenEmbedder):
        return Outcome(without=_NO_EMBEDDER if embedder is None else _NO_TOKENS)
    answer = bare_answer(row.output)
    try:
        given = await embedder.embed_tokens([answer, *references])
        match = bert_score([given[0]] * len(references), list(given[1:]))
    except CandidateError as error:
        return Outcome(without=_failed(error))
    except DataError as error:
        return Outcome(without=Score.without(ScoreStatus.INVALID, str(error)[:1_000]))
    found = TokenSimilarity(
        embedder=embedder.identity,
        references=tuple(
            MatchedTo(reference=reference, precision=precision, recall=recall, flags=_flags(row, reference))
            for reference, precision, recall in zip(
                references, match.precision.tolist(), match.recall.tolist(), strict=True
            )
        ),
    )
    return Outcome(evidence=found.to_json_dict())


_NO_EMBEDDER = Score.without(ScoreStatus.MISSING, "no embedding model is configured")
_NO_TOKENS = Score.without(ScoreStatus.MISSING, "the embedding model gives no vectors for single tokens")


def _references(row: Row) -> tuple[str, ...] | Score:
    if row.case.expected_behaviour is ExpectedBehaviour.ABSTAIN:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the case expects a refusal")
    if not bare_answer(row.output).strip():
        return Score.without(ScoreStatus.INVALID, "empty answer")
    listed = [*([row.case.reference_answer] if row.case.reference_answer else []), *row.case.accepted_answers]
    return tuple(dict.fromkeys(listed)) or Score.without(ScoreStatus.NOT_APPLICABLE, "there is no reference")


def _flags(row: Row, reference: str) -> tuple[str, ...]:
    return reference_facts(bare_answer(row.output), reference, language=row.case.language)


def _failed(error: CandidateError) -> Score:
    fault = JudgeFault(error.kind) if error.kind in set(JudgeFault) else JudgeFault.BAD_RESPONSE
    return Score.without(FAULT_STATUS[fault], f"the embedding model: {error.message}"[:1_000])


EMBEDDING_SIMILARITY = JudgedMeasure(
    name="embedding_similarity",
    version="1",
    needs=frozenset({"embedder"}),
    judge=judge_embedding_similarity,
    calls=lambda row: 1,
)

BERT_SCORE = JudgedMeasure(
    name="bert_score", version="1", needs=frozenset({"embedder"}), judge=judge_bert_score, calls=lambda row: 1
)
