"""Faithfulness without a judge: a proxy by aligned words and compared facts (A3)."""

from __future__ import annotations

from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch, Row
from beleg.metrics.generation.refusal import answer_gap, refused
from beleg.metrics.verification.alignment import AlignedPassages
from beleg.metrics.verification.verifier import DEFAULT_THRESHOLD, sentence_claims

MAX_NAMED = 3


def faithfulness_proxy_column(batch: Batch) -> ScoreColumn:
    """Share of the sentences of an answer that the delivered passages carry by their words and facts.

    A proxy of `faithfulness`: a sentence counts as carried when `AlignedPassages` gives it a support of at least
    `DEFAULT_THRESHOLD`. It needs no judge and sees neither inference nor paraphrase; its agreement with people stands
    in the guide "Verify without a judge". Range: 0 to 1, higher is better. Undefined: ``no_claims`` for an answer that
    declines or claims nothing, missing where an answer or the text of a passage was not recorded. Where nothing was
    delivered, nothing is carried and the score is 0, as for `faithfulness`.
    """
    return batch.column(_score)


def _score(row: Row) -> Score:
    gap = answer_gap(row.output)
    if gap is not None:
        return gap
    if refused(row.output, language=row.case.language) is True:
        return Score.without(ScoreStatus.NO_CLAIMS, "the answer declines")
    passages = row.output.final_passages()
    if any(passage.text is None for passage in passages):
        return Score.without(ScoreStatus.MISSING, "the text of a delivered passage was not recorded")
    claims = sentence_claims(row.output.answer or "", [item.marker for item in row.output.citations or ()])
    if not claims:
        return Score.without(ScoreStatus.NO_CLAIMS, "the answer makes no claim")
    if not passages:
        return Score.of(0.0, "no passage was delivered")
    aligned = AlignedPassages(
        [(passage.passage_id, passage.text or "") for passage in passages],
        question=row.case.question,
        language=row.case.language,
    )
    supports = [aligned.align(claim).support for claim in claims]
    weak = [str(number) for number, value in enumerate(supports, start=1) if value < DEFAULT_THRESHOLD]
    shown = ", ".join(weak[:MAX_NAMED]) + (" …" if len(weak) > MAX_NAMED else "")
    return Score.of(1 - len(weak) / len(claims), f"not carried: sentence {shown} of {len(claims)}" if weak else None)
