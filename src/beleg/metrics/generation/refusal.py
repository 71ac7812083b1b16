"""Whether a system declines to answer exactly where it should."""

from __future__ import annotations

from collections.abc import Callable

from beleg.core.case import ExpectedBehaviour
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.trace import Output
from beleg.metrics.batch import Batch, Row
from beleg.metrics.matching import pieces
from beleg.text.confidence import without_confidence
from beleg.text.markers import without_markers
from beleg.text.normalise import is_english, is_german
from beleg.text.refusal import is_refusal

_CONTRADICTION = "abstained contradicts the answer"
_UNREAD = "refusals are read in German and English only, and the candidate does not say whether it abstained"


def refused(output: Output, *, language: str | None = None) -> bool | Score:
    """Whether an output declines: by the candidate's own word, else by `is_refusal`.

    Args:
        output: what the candidate returned.
        language: the language of the case; `is_refusal` reads German and English, so that in any other language the
            candidate's own word stands unchecked. ``None`` means German or English.

    Returns:
        The verdict, or the reason why there is none: missing where no answer was recorded, and for an answer in another
        language without the candidate's own word; invalid where it is empty, and where the candidate's own word and the
        text of its answer contradict each other.
    """
    gap = answer_gap(output)
    if gap is not None:
        return True if output.abstained else gap
    own = output.abstained
    if own is not None and not _is_read(language):
        return own
    told = is_refusal(bare_answer(output))
    if not told and not _is_read(language):
        return Score.without(ScoreStatus.MISSING, _UNREAD)
    return Score.without(ScoreStatus.INVALID, _CONTRADICTION) if own is not None and own is not told else told


def _is_read(language: str | None) -> bool:
    return language is None or is_german(language) or is_english(language)


def answer_gap(output: Output) -> Score | None:
    """The reason why an output has no answer to look at, or ``None`` where it has one."""
    if output.answer is None:
        return Score.without(ScoreStatus.MISSING, "no answer was recorded")
    return None if output.answer.strip() else Score.without(ScoreStatus.INVALID, "empty answer")


def bare_answer(output: Output) -> str:
    """The answer without its citation markers and without a statement of confidence at its end."""
    return without_confidence(without_markers(output.answer or "", [item.marker for item in output.citations or ()]))


def abstention_correct_column(batch: Batch) -> ScoreColumn:
    """1 when the system declines exactly where it should: an answerable question answered, another one declined.

    Higher is better. A case that expects a partial answer expects an answer. Undefined: missing without an answer,
    invalid for an empty one.
    """
    return _column(batch, lambda row, declined: Score.of(declined is _should_abstain(row)))


def abstention_precision_column(batch: Batch) -> ScoreColumn:
    """Of the refusals, 1 for a right one; the mean is the precision of refusals.

    Higher is better. Undefined: for a row that was answered.
    """
    return _column(
        batch,
        lambda row, declined: Score.of(_should_abstain(row)) if declined else _outside("the question was answered"),
    )


def abstention_recall_column(batch: Batch) -> ScoreColumn:
    """Of the cases that expect a refusal, 1 for one that was refused; the mean is the recall of refusals.

    Higher is better. Undefined: for a case that expects an answer.
    """
    return _column(
        batch,
        lambda row, declined: Score.of(declined) if _should_abstain(row) else _outside("the case expects an answer"),
    )


def over_refusal_column(batch: Batch, *, evidence: str | None = None) -> ScoreColumn:
    """1 when an answerable question was refused, else 0. Lower is better.

    Args:
        batch: the run.
        evidence: ``delivered`` looks only at rows whose required evidence was all delivered, so that the refusal is
            the generator's; ``missed`` only at rows where some was not, so that retrieval comes first. ``None``
            takes all.

    Returns:
        Undefined for a case that expects a refusal or lies outside the rows chosen.
    """

    def score(row: Row, declined: bool) -> Score:  # noqa: FBT001 - a verdict, passed by position to all scorers
        if _should_abstain(row):
            return _outside("the case expects a refusal")
        if evidence is None:
            return Score.of(declined)
        needed = pieces(row.case)
        held = [batch.matcher.any_holds(row.output.final_passages(), piece) for piece in needed]
        if None in held and False not in held:
            return Score.without(ScoreStatus.MISSING, "the text of a passage that may hold evidence was not recorded")
        chosen = bool(needed) and all(held) is (evidence == "delivered")
        return Score.of(declined) if chosen else _outside(f"not a row whose required evidence was {evidence}")

    return _column(batch, score)


def _should_abstain(row: Row) -> bool:
    return row.case.expected_behaviour is ExpectedBehaviour.ABSTAIN


def _outside(reason: str) -> Score:
    return Score.without(ScoreStatus.NOT_APPLICABLE, reason)


def _column(batch: Batch, score: Callable[[Row, bool], Score]) -> ScoreColumn:
    def of_row(row: Row) -> Score:
        declined = refused(row.output, language=row.case.language)
        return declined if isinstance(declined, Score) else score(row, declined)

    return batch.column(of_row)
