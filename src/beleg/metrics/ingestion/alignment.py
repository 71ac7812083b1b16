"""Where a document differs from its reference: omissions, substitutions and insertions as spans, for a visual diff."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import Levenshtein

from beleg.metrics.ingestion.error_rates import DEFAULT_FORM, TextForm, Unit, hint, units

Change = Literal["equal", "omission", "substitution", "insertion"]

_CHANGES: dict[str, Change] = {
    "equal": "equal",
    "delete": "omission",
    "replace": "substitution",
    "insert": "insertion",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A run of units that are equal or changed in one way, with its text on both sides.

    Attributes:
        change: what happened.
        start: the first unit of the reference.
        end: one behind its last unit of the reference; the same as ``start`` for an insertion.
        right: the text of the reference.
        found: the text of the hypothesis.
    """

    change: Change
    start: int
    end: int
    right: str
    found: str


def aligned(reference: str, hypothesis: str, unit: Unit, form: TextForm = DEFAULT_FORM) -> list[Span]:
    """The whole document as spans in order, under a shortest alignment.

    The spans of the reference side make up the reference, and those of the other side the hypothesis. Memory grows with
    the length and not its square.

    Args:
        reference: the text as it should be.
        hypothesis: the text as it was extracted.
        unit: whether characters or words are aligned.
        form: the form in which both are compared.

    Returns:
        Spans.

    Example:
        >>> for span in aligned("Preis 5 Euro netto", "Preis 6 Euro", "words"):
        ...     print(span.change, repr(span.right), repr(span.found))
        equal 'Preis' 'Preis'
        substitution '5' '6'
        equal 'Euro' 'Euro'
        omission 'netto' ''
    """
    right, found = units(reference, unit, form), units(hypothesis, unit, form)
    join = "" if unit == "characters" else " "
    return [
        Span(
            change=_CHANGES[step.tag],
            start=step.src_start,
            end=step.src_end,
            right=join.join(right[step.src_start : step.src_end]),
            found=join.join(found[step.dest_start : step.dest_end]),
        )
        for step in Levenshtein.opcodes(right, found, score_hint=hint(right))
    ]
