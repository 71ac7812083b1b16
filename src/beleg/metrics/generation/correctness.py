"""Whether an answer says what the reference says: statements matched by a judge, and likeness of meaning (A2)."""

from __future__ import annotations

from typing import Literal

from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column
from beleg.metrics.generation.relevancy import Cosine

Side = Literal["answer", "reference"]

STATEMENT_WEIGHT = 0.75
"""How much the statements count against the likeness of meaning, as in Ragas."""


class MatchedStatement(StoredModel):
    """One statement of the answer or of the reference, with its label."""

    side: Side
    statement: str
    label: Literal["tp", "fp", "fn"]
    """``tp``: both sides say it; ``fp``: only the answer says it; ``fn``: only the reference does."""
    reason: str | None = None
    """Why, in the judge's words."""


class StatementMatch(StoredModel):
    """The evidence of the measures ``statement_matching`` and ``answer_correctness``."""

    statements: tuple[MatchedStatement, ...]
    similarity: Cosine | None = None
    """The cosine between answer and reference, where an embedding model was asked."""
    embedder: str | None = None

    def f1(self) -> Score:
        """`statement_f1` over the statements; what both sides say counts once, on the side of the answer."""
        said = [statement.label for statement in self.statements if statement.side == "answer"]
        wanted = [statement.label for statement in self.statements if statement.side == "reference"]
        return statement_f1(said.count("tp"), said.count("fp"), wanted.count("fn"))


def statement_f1(true_positives: int, false_positives: int, false_negatives: int) -> Score:
    """Harmonic mean of precision and recall over statements.

    Formula: tp / (tp + (fp + fn) / 2). Range: 0 to 1, higher is better. Undefined (``no_claims``) without any
    statement.

    Example:
        >>> statement_f1(2, 1, 1).value
        0.6666666666666666
    """
    if true_positives + false_positives + false_negatives == 0:
        return Score.without(ScoreStatus.NO_CLAIMS, "neither side makes a statement")
    return Score.of(true_positives / (true_positives + (false_positives + false_negatives) / 2))


def answer_correctness(found: StatementMatch, weight: float = STATEMENT_WEIGHT) -> Score:
    """Statements and meaning of the answer against the reference, in one figure.

    Formula: weight · F1 of the statements + (1 − weight) · cosine of answer and reference, weight 0.75. Same definition
    as Ragas' AnswerCorrectness. The cosine hardly moves for a wrong number or a negation; look at ``statement_f1``
    beside it. Range: −0.25 to 1, higher is better. Undefined: ``no_claims`` without any statement, ``missing`` where no
    embedding model was asked.

    Example:
        >>> said = [MatchedStatement(side="answer", statement="s", label=label) for label in ("tp", "tp", "fp")]
        >>> said.append(MatchedStatement(side="reference", statement="s", label="fn"))
        >>> answer_correctness(StatementMatch(statements=tuple(said), similarity=0.8, embedder="e")).value
        0.7
    """
    f1 = found.f1()
    if f1.value is None:
        return f1
    if found.similarity is None:
        return Score.without(ScoreStatus.MISSING, "no embedding model was asked")
    return Score.of(weight * f1.value + (1 - weight) * found.similarity)


def statement_f1_column(batch: Batch) -> ScoreColumn:
    """`statement_f1` of every row.

    Undefined: where the case has no reference answer; missing where no judge was asked.
    """
    return finding_column(
        batch,
        "statement_matching",
        StatementMatch,
        lambda _row, found: found.f1(),
    )


def answer_correctness_column(batch: Batch) -> ScoreColumn:
    """`answer_correctness` of every row.

    Undefined: where the case has no reference answer; missing where no judge was asked.
    """
    return finding_column(batch, "answer_correctness", StatementMatch, lambda _row, found: answer_correctness(found))
