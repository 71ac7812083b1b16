"""Numbers, dates, denials and names of an answer against its passages and its reference, without a model (A6, A9)."""

from __future__ import annotations

from beleg.core.case import ExpectedBehaviour
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch, Row
from beleg.metrics.generation.refusal import answer_gap, bare_answer
from beleg.text.facts import mismatches

SEEN_KINDS = ("number", "date", "entity")
"""What can be unseen; a denial is no string that stands somewhere."""

_SHOWN = 5


def unseen_facts(answer: str, context: str, *, language: str | None = None) -> tuple[str, ...]:
    """The numbers, dates and names of an answer that stand nowhere in the context.

    A cheap flag and no check of grounding. What stands in the context is not seen even where the answer attaches it to
    something else, denies it, or confuses who did what: the passages must be read for that.

    Args:
        answer: the answer without citation markers.
        context: everything that may hold them.
        language: the language of the answer.

    Returns:
        One short reason for each.

    Example:
        >>> unseen_facts("Express costs 14.90 euros.", "Express costs 12.90 euros.", language="en")
        ('number: 14.90 euros is not in the evidence',)
        >>> unseen_facts("Paris was founded in 1994.", "Paris was not founded in 1994.", language="en")
        ()
    """
    return tuple(found for found in mismatches(answer, context, language) if found.partition(":")[0] in SEEN_KINDS)


def unseen_facts_column(batch: Batch, *, also: str | None = None) -> ScoreColumn:
    """How many of `unseen_facts` the answer of each row has against all delivered passages. Lower is better, 0 is best.

    Undefined: missing where an answer or the text of a passage was not recorded, invalid for an empty answer.

    Args:
        batch: the run.
        also: ``question`` counts what the question says as seen.
    """

    def score(row: Row) -> Score:
        gap = answer_gap(row.output)
        if gap is not None:
            return gap
        texts = [batch.matcher.text_of(passage) for passage in row.output.final_passages()]
        known = [text for text in texts if text is not None]
        if len(known) < len(texts):
            return Score.without(ScoreStatus.MISSING, "the text of a passage was not recorded")
        if also == "question":
            known.append(row.case.question)
        found = unseen_facts(bare_answer(row.output), "\n\n".join(known), language=row.case.language)
        return Score.of(len(found), "; ".join(found[:_SHOWN]) or None)

    return batch.column(score)


def reference_facts(answer: str, reference: str, *, language: str | None = None) -> tuple[str, ...]:
    """What a reference says in numbers, dates, denials and names that an answer does not carry.

    It stands beside every figure of similarity, which hardly sees any of them.

    Args:
        answer: the answer without citation markers.
        reference: a right answer.
        language: the language of both.

    Returns:
        One short reason for each; empty where nothing was found, which is no proof that the answer is right.

    Example:
        >>> reference_facts("Returns take 60 days.", "Returns take 30 days.", language="en")
        ('number: 30 days is not in the evidence',)
    """
    return mismatches(reference, answer, language)


def reference_facts_column(batch: Batch) -> ScoreColumn:
    """1 where the answer carries every number, date, denial and name of one of its references, else 0.

    Higher is better. See `reference_facts`. Undefined: without a reference, and for a case that expects a refusal;
    missing where the answer was not recorded, invalid for an empty one.
    """

    def score(row: Row) -> Score:
        gap = answer_gap(row.output)
        if gap is not None:
            return gap
        if row.case.expected_behaviour is ExpectedBehaviour.ABSTAIN:
            return Score.without(ScoreStatus.NOT_APPLICABLE, "the case expects a refusal")
        references = [*([row.case.reference_answer] if row.case.reference_answer else []), *row.case.accepted_answers]
        if not references:
            return Score.without(ScoreStatus.NOT_APPLICABLE, "there is no reference")
        answer = bare_answer(row.output)
        lacking = [reference_facts(answer, reference, language=row.case.language) for reference in references]
        fewest = min(lacking, key=len)
        return Score.of(float(not fewest), "; ".join(fewest[:_SHOWN]) or None)

    return batch.column(score)
