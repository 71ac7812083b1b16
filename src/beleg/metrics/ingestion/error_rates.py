"""Character and word error rates with their counts, one document at a time, many at once, and pooled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from rapidfuzz.distance import Levenshtein

from beleg.core.errors import Problem, UsageError
from beleg.core.score import STATUS_CODE, Score, ScoreColumn, ScoreStatus
from beleg.text.normalise import fold_whitespace, nfc

Unit = Literal["characters", "words"]

_SMALLEST_HINT = 63
_HINT_SHARE = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class TextForm:
    """The form in which two texts are compared; it is part of every figure and prints as its name.

    Attributes:
        composed: whether texts are brought to NFC, so that ``é`` is one character however it was written.
        spaces_folded: whether every run of Unicode whitespace is one space, with none at the ends.
        case_folded: whether upper and lower case are the same.

    Example:
        >>> str(TextForm()), str(TextForm(composed=False, spaces_folded=False))
        ('nfc+spaces', 'as_is')
    """

    composed: bool = True
    spaces_folded: bool = True
    case_folded: bool = False

    def __str__(self) -> str:
        names = {"nfc": self.composed, "spaces": self.spaces_folded, "case": self.case_folded}
        return "+".join(name for name, is_on in names.items() if is_on) or "as_is"

    def of(self, text: str) -> str:
        r"""The text in this form.

        Example:
            >>> TextForm(case_folded=True).of(" Gro\u0308\u00dfe\n XL ")
            'grösse xl'
        """
        cased = text.casefold() if self.case_folded else text
        composed = nfc(cased) if self.composed else cased
        # The space is the only whitespace that Python calls printable; most lines hold nothing to fold.
        is_folded = composed.isprintable() and "  " not in composed and composed.strip(" ") == composed
        return composed if is_folded or not self.spaces_folded else fold_whitespace(composed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """How a hypothesis differs from its reference under a shortest alignment.

    Of several shortest alignments one is taken; their sum is the same, and how it divides into the three kinds need not
    be. Edits of several documents are added up with ``+``.
    """

    hits: int
    substitutions: int
    deletions: int
    insertions: int

    @property
    def total(self) -> int:
        """All edits: substitutions, deletions and insertions."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def reference_length(self) -> int:
        """How many units the reference has."""
        return self.hits + self.substitutions + self.deletions

    @property
    def hypothesis_length(self) -> int:
        """How many units the hypothesis has."""
        return self.hits + self.substitutions + self.insertions

    def __add__(self, other: Edits) -> Edits:
        return Edits(
            hits=self.hits + other.hits,
            substitutions=self.substitutions + other.substitutions,
            deletions=self.deletions + other.deletions,
            insertions=self.insertions + other.insertions,
        )

    def rate(self) -> Score:
        """The error rate: edits over the length of the reference; above 1 where more was inserted than is right.

        An empty reference has no rate; what the hypothesis holds beside it is told, and counts when edits are added up.

        Example:
            >>> Edits(hits=3, substitutions=1, deletions=0, insertions=1).rate().value
            0.5
            >>> Edits(hits=0, substitutions=0, deletions=0, insertions=4).rate().detail
            'the reference is empty, and the hypothesis has a length of 4'
        """
        if not self.reference_length:
            return Score.without(ScoreStatus.NOT_APPLICABLE, _empty(self.hypothesis_length))
        return Score.of(self.total / self.reference_length)


NO_EDITS = Edits(hits=0, substitutions=0, deletions=0, insertions=0)
"""The edits of no document at all, from which a sum starts."""

DEFAULT_FORM = TextForm()
"""NFC, every run of whitespace as one space, and case as it stands."""


def edits(reference: str, hypothesis: str, unit: Unit, form: TextForm = DEFAULT_FORM) -> Edits:
    """How a hypothesis differs from its reference, with counts.

    Formula: the Levenshtein distance with unit costs, divided into substitutions, deletions (what the reference has and
    the hypothesis lacks) and insertions. Source: Levenshtein, 1966; memory grows with the length and not its square
    (Hirschberg, 1975), and the alignment is a shortest one however long the texts are. Characters are code points;
    words are what any Unicode whitespace separates, no-break spaces and line ends included.

    Args:
        reference: the text as it should be.
        hypothesis: the text as it was extracted.
        unit: whether characters or words are counted.
        form: the form in which both are compared.

    Returns:
        Counts.

    Example:
        >>> mars = ("Mars has two moons, Phobos and Deimos.", "Mars has two m00ns, Phobos and Deirnos.")
        >>> round(edits(*mars, "characters").rate().value, 3), round(edits(*mars, "words").rate().value, 3)
        (0.105, 0.286)
    """
    right, found = units(reference, unit, form), units(hypothesis, unit, form)
    script = Levenshtein.editops(right, found, score_hint=hint(right))
    hits = sum(block.size for block in script.as_matching_blocks())
    substitutions = len(right) + len(found) - 2 * hits - len(script)
    return Edits(
        hits=hits,
        substitutions=substitutions,
        deletions=len(right) - hits - substitutions,
        insertions=len(found) - hits - substitutions,
    )


def error_rates(
    references: Sequence[str], hypotheses: Sequence[str], unit: Unit, form: TextForm = DEFAULT_FORM
) -> ScoreColumn:
    """The error rate of each of many documents, without the division into kinds of edits, which takes longer.

    Args:
        references: the texts as they should be.
        hypotheses: the texts as they were extracted, in the same order.
        unit: whether characters or words are counted.
        form: the form in which both are compared.

    Returns:
        The same rates as `Edits.rate`, one a document, and the same reason where the reference is empty.

    Raises:
        UsageError: if there are not as many references as hypotheses.

    Example:
        >>> error_rates(["abcd", ""], ["abxd", ""], "characters").values.tolist()
        [0.25]
    """
    if len(references) != len(hypotheses):
        raise UsageError(
            str(Problem(message=f"{len(references)} references and {len(hypotheses)} hypotheses do not pair up"))
        )
    values = np.zeros(len(references), dtype=np.float64)
    status = np.full(len(references), STATUS_CODE[ScoreStatus.SCORED], dtype=np.uint8)
    details: dict[int, str] = {}
    for row, (reference, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        right, found = units(reference, unit, form), units(hypothesis, unit, form)
        if right:
            values[row] = Levenshtein.distance(right, found, score_hint=hint(right)) / len(right)
        else:
            status[row] = STATUS_CODE[ScoreStatus.NOT_APPLICABLE]
            details[row] = _empty(len(found))
    return ScoreColumn(status=status, values=values[status == STATUS_CODE[ScoreStatus.SCORED]], details=details)


def pooled(parts: Iterable[Edits]) -> Edits:
    """The edits of several documents together: the rate of the sum weighs every unit of text alike (micro average).

    Example:
        >>> pair = [edits("a b c d", "a b c d", "words"), edits("a", "b", "words")]
        >>> pooled(pair).rate().value
        0.2
    """
    return sum(parts, NO_EDITS)


def units(text: str, unit: Unit, form: TextForm) -> str | list[str]:
    """The characters or words of a text in a form, as a sequence that can be aligned.

    Example:
        >>> units("ein\u00a0Wort", "words", TextForm())
        ['ein', 'Wort']
    """
    written = form.of(text)
    return written if unit == "characters" else written.split()


def hint(sequence: str | list[str]) -> int:
    """The number of edits from which the search for the distance starts; it changes the time taken and no figure."""
    return max(_SMALLEST_HINT, len(sequence) // _HINT_SHARE)


def _empty(length: int) -> str:
    return f"the reference is empty, and the hypothesis has a length of {length}"
