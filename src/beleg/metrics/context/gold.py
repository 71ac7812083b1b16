"""Where in the delivered context the evidence stands that an answer needs (Q10)."""

from __future__ import annotations

from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch, Row
from beleg.metrics.matching import EvidenceMatcher, pieces
from beleg.metrics.positions import third_of


def gold_rank(row: Row, matcher: EvidenceMatcher) -> Score:
    """The rank of the first delivered passage that holds required evidence, from 1 on.

    Where several pieces are required, it is the last of their first ranks: the answer needs them all. Undefined: when
    nothing is required or a piece was not delivered; missing where a text that decides was not recorded.
    """
    needed = pieces(row.case)
    if not needed:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the case requires no evidence")
    ranks = []
    for piece in needed:
        held = [matcher.any_holds([passage], piece) for passage in row.output.final_passages()]
        if True in held:
            ranks.append(held.index(True) + 1)
        elif None in held:
            return Score.without(ScoreStatus.MISSING, "the text of a passage that may hold evidence was not recorded")
        else:
            return Score.without(ScoreStatus.NOT_APPLICABLE, "required evidence was not delivered")
    return Score.of(max(ranks), third_of(max(ranks), len(row.output.final_passages())))


def gold_rank_column(batch: Batch) -> ScoreColumn:
    """`gold_rank` of every row."""
    return batch.column(lambda row: gold_rank(row, batch.matcher))
