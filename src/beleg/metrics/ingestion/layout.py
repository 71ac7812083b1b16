"""Elements of a page as a parser tells them, and which of them is which gold element."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from pydantic import Field
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from beleg.core.errors import DataError, Problem, UsageError
from beleg.core.model import StoredModel
from beleg.metrics.ingestion.error_rates import DEFAULT_FORM, TextForm
from beleg.metrics.ingestion.span_pairs import SpanPairs, matched

HEADING = "heading"
LIST_ITEM = "list_item"
_ROUNDING = 1e-9
MOST_UNEQUAL = 3_000
"""How many elements a side may have whose text stands nowhere on the other one."""


class LayoutElement(StoredModel):
    """One element in the reading order of its document.

    Example:
        >>> LayoutElement(kind="heading", text="Fees", level=1).kind
        'heading'
    """

    kind: str = Field(min_length=1, description="What it is, such as heading, paragraph, list_item, table, caption.")
    text: str = Field(description="Its words.")
    level: int | None = Field(default=None, ge=1, description="Depth of a heading or list item, from 1.")
    list_id: str | None = Field(default=None, description="The list that an item belongs to.")


def matched_elements(
    gold: Sequence[LayoutElement],
    predicted: Sequence[LayoutElement],
    *,
    least_similarity: float = 0.8,
    form: TextForm = DEFAULT_FORM,
) -> list[tuple[int, int]]:
    """Pairs the elements of both sides by their text, each once, whatever kind they were taken for.

    Elements of equal text are paired in their order, the first with the first. The others are paired so that most are,
    and then most alike, if the edit distance over the longer text leaves at least the similarity.

    Args:
        gold: the elements as they should be.
        predicted: the elements that were found.
        least_similarity: from which on two texts may be one element, above 0.
        form: the form in which texts are compared.

    Returns:
        Positions on both sides, by ascending gold position.

    Raises:
        UsageError: if the similarity is not above 0 and at most 1.
        DataError: if more than 3,000 elements of a side have no equal, or too many are alike (`matched`).

    Example:
        >>> page = [LayoutElement(kind="paragraph", text=text) for text in ("Head", "One two three", "Head")]
        >>> read = [LayoutElement(kind="paragraph", text=text) for text in ("One tvo three", "Head")]
        >>> matched_elements(page, read)
        [(0, 1), (1, 0)]
    """
    if not 0 < least_similarity <= 1:
        raise UsageError(f"a similarity is above 0 and at most 1, not {least_similarity}")
    right, found = ([form.of(element.text).strip() for element in side] for side in (gold, predicted))
    waiting: dict[str, list[int]] = defaultdict(list)
    for place in reversed(range(len(found))):
        if found[place]:
            waiting[found[place]].append(place)
    pairs = [(place, waiting[text].pop()) for place, text in enumerate(right) if waiting.get(text)]
    taken, used = {place for place, _ in pairs}, {place for _, place in pairs}
    rest = [place for place, text in enumerate(right) if text and place not in taken]
    others = [place for place, text in enumerate(found) if text and place not in used]
    pairs += _alike(
        [(place, right[place]) for place in rest], [(place, found[place]) for place in others], least_similarity
    )
    return sorted(pairs)


def _alike(rest: list[tuple[int, str]], others: list[tuple[int, str]], least: float) -> list[tuple[int, int]]:
    if not rest or not others:
        return []
    if max(len(rest), len(others)) > MOST_UNEQUAL:
        raise DataError(
            Problem(
                message=f"more than {MOST_UNEQUAL:,} elements have no equal on the other side",
                value=f"{len(rest):,} and {len(others):,}",
            )
        )
    one, other = [text for _, text in rest], [text for _, text in others]
    # The library's own cutoff leaves out pairs that lie right on it.
    edits = process.cdist(one, other, scorer=Levenshtein.distance, dtype=np.float64)
    likeness = 1 - edits / np.maximum.outer([*map(len, one)], [*map(len, other)])
    rows, columns = np.nonzero(likeness >= least - _ROUNDING)
    # A pair more outweighs whatever likeness other pairs gain.
    worth = 2 * (min(likeness.shape) + 1) + likeness[rows, columns]
    chosen = np.flatnonzero(matched(SpanPairs(rows, columns), worth, likeness.shape))
    return [(rest[rows[pair]][0], others[columns[pair]][0]) for pair in chosen.tolist()]
