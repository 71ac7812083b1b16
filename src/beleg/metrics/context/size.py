"""How much was delivered, and how far it was compressed before (Q10)."""

from __future__ import annotations

from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.trace import Passage
from beleg.metrics.batch import Batch, Row
from beleg.metrics.matching import EvidenceMatcher
from beleg.text.tokens import words


def context_words_column(batch: Batch) -> ScoreColumn:
    """How many words were delivered to the generator. Neither high nor low is better.

    Undefined: missing where the text of a passage was not recorded.
    """

    def score(row: Row) -> Score:
        total = _words_of(row.output.final_passages(), batch.matcher)
        return _NO_TEXT if total is None else Score.of(total)

    return batch.column(score)


def context_compression_column(batch: Batch) -> ScoreColumn:
    """Words of the passages before delivery over words delivered: 4 means that a quarter was left.

    Formula: words of the last list before delivery (reranked, else retrieved) over words of the delivered list, so that
    dropped passages and shortened ones both count. Neither high nor low is better: what it costs in correctness is told
    by ``beleg answers compression``.
    Undefined: where nothing was delivered, or no list before delivery was recorded; missing without the texts.
    """

    def score(row: Row) -> Score:
        output = row.output
        before = output.reranked if output.reranked is not None else output.retrieved
        if output.delivered is None or not before:
            return Score.without(ScoreStatus.NOT_APPLICABLE, "retrieval and delivery were not recorded apart")
        after = _words_of(output.delivered, batch.matcher)
        total = _words_of(before, batch.matcher)
        if after is None or total is None:
            return _NO_TEXT
        return Score.of(total / after) if after else Score.without(ScoreStatus.NOT_APPLICABLE, "nothing was delivered")

    return batch.column(score)


_NO_TEXT = Score.without(ScoreStatus.MISSING, "the text of a passage was not recorded")


def _words_of(passages: tuple[Passage, ...], matcher: EvidenceMatcher) -> int | None:
    total = 0
    for passage in passages:
        text = matcher.text_of(passage)
        if text is None:
            return None
        total += len(words(text))
    return total
