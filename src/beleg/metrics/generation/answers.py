"""Answers against references: exact match, token F1, required wording, length."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from beleg.core.case import Case, ExpectedBehaviour
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch, Row
from beleg.metrics.generation.refusal import answer_gap, bare_answer
from beleg.text.normalise import fold_typography, squad_normalise
from beleg.text.tokens import words


def exact_match(answer: str, references: Iterable[str], *, language: str | None = None) -> Score:
    """1 when the answer equals one of the references after SQuAD's normalisation, else 0.

    Source: Rajpurkar et al., 2016. Higher is better. Undefined: without references.

    Args:
        answer: the answer without citation markers.
        references: the accepted answers.
        language: chooses the articles that are dropped, see `squad_normalise`.

    Returns:
        The score, or the reason why there is none.

    Example:
        >>> exact_match("The Eiffel Tower.", ["Eiffel tower"]).value
        1.0
    """
    normal = squad_normalise(answer, language)
    return _best([float(normal == squad_normalise(reference, language)) for reference in references])


def token_f1(answer: str, references: Iterable[str], *, language: str | None = None) -> Score:
    """Harmonic mean of token precision and recall against the best reference.

    Formula: 2 · shared tokens / (answer tokens + reference tokens), tokens counted as often as they occur; where one
    side has no token left, 1 when neither has, else 0. Source: Rajpurkar et al., 2016 and 2018.
    Range: 0 to 1, higher is better. Undefined: without references.

    Args:
        answer: the answer without citation markers.
        references: the accepted answers.
        language: chooses the articles that are dropped, see `squad_normalise`.

    Returns:
        The score, or the reason why there is none.

    Example:
        >>> token_f1("about 14 days", ["14 days"]).value
        0.8
    """
    found = squad_normalise(answer, language).split()
    return _best([_f1(found, squad_normalise(reference, language).split()) for reference in references])


def holds_clauses(answer: str, clauses: Iterable[Sequence[str]]) -> Score:
    """1 when the answer holds one accepted wording of every clause, else 0.

    Wordings are compared after folding typography and case, at word boundaries: ``14 days`` does not stand in
    ``114 days`` or ``-14 days``. A negation before a wording is not seen: require a wording long enough to exclude it,
    since ``not within 30 days`` holds ``within 30 days``. Higher is better. Undefined: when no clause is required.

    Args:
        answer: the answer without citation markers.
        clauses: the accepted wordings of each clause.

    Returns:
        The score, with the first clause that is not there as its detail.

    Example:
        >>> holds_clauses("Free within 30 days.", [["within 30 days", "30-day"]]).value
        1.0
    """
    listed = list(clauses)
    if not listed:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the case requires no clause")
    text = _folded(answer)
    for wordings in listed:
        if not any(_stands(text, _folded(wording)) for wording in wordings):
            return Score.of(0.0, f"no wording of {wordings[0]!r}")
    return Score.of(1.0)


def exact_match_column(batch: Batch) -> ScoreColumn:
    """`exact_match` of every row against its accepted answers and reference answer; undefined for a refusal case."""
    return _column(batch, lambda answer, case: _against_references(exact_match, answer, case))


def token_f1_column(batch: Batch) -> ScoreColumn:
    """`token_f1` of every row against its accepted answers and reference answer; undefined for a refusal case."""
    return _column(batch, lambda answer, case: _against_references(token_f1, answer, case))


def required_clauses_column(batch: Batch) -> ScoreColumn:
    """`holds_clauses` of every row."""
    return _column(batch, lambda answer, case: holds_clauses(answer, case.required_clauses))


def answered_words_column(batch: Batch) -> ScoreColumn:
    """How many words the answer has, citation markers left out. Neither high nor low is better.

    Undefined: missing where the answer was not recorded, invalid for an empty answer.
    """
    return _column(batch, lambda answer, case: Score.of(len(words(answer))))


def _column(batch: Batch, score: Callable[[str, Case], Score]) -> ScoreColumn:
    def of_row(row: Row) -> Score:
        gap = answer_gap(row.output)
        if gap is not None:
            return gap
        return score(bare_answer(row.output), row.case)

    return batch.column(of_row)


def _against_references(measure: Callable[..., Score], answer: str, case: Case) -> Score:
    if case.expected_behaviour is ExpectedBehaviour.ABSTAIN:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the case expects a refusal")
    references = [*case.accepted_answers, *([case.reference_answer] if case.reference_answer is not None else [])]
    return measure(answer, references, language=case.language)


def _best(values: list[float]) -> Score:
    return Score.of(max(values)) if values else Score.without(ScoreStatus.NOT_APPLICABLE, "there is no reference")


def _f1(found: list[str], wanted: list[str]) -> float:
    if not found or not wanted:
        return float(found == wanted)
    shared = (Counter(found) & Counter(wanted)).total()
    return 2 * shared / (len(found) + len(wanted))


def _folded(text: str) -> str:
    return fold_typography(text).casefold()


def _stands(text: str, wording: str) -> bool:
    # A digit with a decimal separator before or behind belongs to another number, and so does a minus before a number;
    # a dash behind a word or number (14-30 days) is none.
    before = r"(?<!\w)(?<!\d[.,])" if wording[:1].isalnum() else ""
    before += r"(?<!\W-)(?<!^-)" if wording[:1].isdecimal() else ""
    behind = r"(?!\w)(?![.,]\d)" if wording[-1:].isalnum() else ""
    return bool(wording) and re.search(f"{before}{re.escape(wording)}{behind}", text) is not None
