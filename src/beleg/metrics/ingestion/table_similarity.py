"""TEDS and TEDS-S: how alike two tables are by the edit distance of their trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from beleg.core.errors import DataError, Problem
from beleg.metrics.ingestion.table_tree import FIRST_MARK, PUBTABNET, FlatTree, Table, TableForm, flattened
from beleg.metrics.ingestion.tree_distance import MostSaved, in_grains, tree_distance

Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

MOST_PAIRS = 20_000_000
"""How many pairs of nodes are compared, as of two tables of 4,000 cells; the tables of numbers then take 400 MB."""
MOST_CHARACTERS = 1_000_000
"""How many characters the cells of a table may hold together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSimilarity:
    """How alike two tables are.

    Attributes:
        value: from 0 to 1.
        distance: the least cost of edits that turn one tree into the other.
        size: by what the distance was divided.
        below_zero: whether the distance is larger than that, so that the published formula would give less than 0.
    """

    value: float
    distance: float
    size: int
    below_zero: bool


def teds(
    gold: Table,
    predicted: Table,
    form: TableForm = PUBTABNET,
    *,
    structure_only: bool = False,
    quicker: MostSaved | None = None,
) -> TableSimilarity:
    """The tree-edit-distance-based similarity of two tables.

    Formula: TEDS = 1 - distance / size, at least 0. Inserting or deleting a node costs 1, renaming it 1 if its tag or
    spans differ, else the edit distance of both texts over the length of the longer one. The size is the larger one of
    both tables, counted as the form says; two tables of which nothing is counted are alike. TEDS-S leaves the text out.
    Source: Zhong, ShafieiBavani and Jimeno Yepes, Image-based table recognition: data, model, and evaluation, 2020, and
    the code published with it, whose figures the default form gives, but for what docs/adr/0033 names.

    Args:
        gold: the table as it should be.
        predicted: the table as it was extracted.
        form: how they are compared.
        structure_only: whether the text is left out (TEDS-S).
        quicker: a quicker way to the distance, which gives the same figure.

    Returns:
        The similarity, with what it was computed from. It is symmetric.

    Raises:
        DataError: if the tables have more than 20,000,000 pairs of nodes or one has more than 1,000,000 characters.

    Example:
        >>> from beleg.metrics.ingestion.table_html import read_table
        >>> gold = read_table("<table><tr><td>a</td><td>abcd</td></tr><tr><td>c</td><td>d</td></tr></table>")
        >>> found = read_table("<table><tr><td>a</td><td>abxd</td></tr><tr><td>c</td><td>d</td></tr></table>")
        >>> round(teds(gold, found).value, 4), teds(gold, found, structure_only=True).value
        (0.9583, 1.0)
    """
    right, found = flattened(gold, form), flattened(predicted, form)
    _require_comparable(right, found)
    renamings = _renamings(right, found)
    if not structure_only:
        _add_texts(renamings, (right, gold.marks), (found, predicted.marks))
    np.subtract(2, renamings, out=renamings)
    distance = tree_distance(_array(right.leftmost), _array(found.leftmost), renamings, quicker=quicker)
    size = max((gold.elements, predicted.elements) if form.size == "elements" else (len(right), len(found)))
    share = distance / size if size else 0.0
    return TableSimilarity(value=max(1 - share, 0.0), distance=distance, size=size, below_zero=share > 1)


def _require_comparable(right: FlatTree, found: FlatTree) -> None:
    pairs = len(right) * len(found)
    if pairs > MOST_PAIRS:
        raise DataError(
            Problem(
                message=f"tables with more than {MOST_PAIRS:,} pairs of nodes are not compared",
                value=f"{len(right):,} and {len(found):,} nodes",
                remedy="Compare them in parts",
            )
        )
    for tree in (right, found):
        characters = sum(len(text) for text in tree.texts if text)
        if characters > MOST_CHARACTERS:
            raise DataError(
                Problem(message=f"a table of more than {MOST_CHARACTERS:,} characters", value=f"{characters:,}")
            )


def _array(numbers: Sequence[int]) -> Integers:
    return np.array(numbers, dtype=np.int64)


def _renamings(right: FlatTree, found: FlatTree) -> Doubles:
    """What it costs to rename each node to each other one, for tags and spans alone."""
    known: dict[tuple[str, int, int], int] = {}
    one, other = (_array([known.setdefault(label, len(known)) for label in tree.labels]) for tree in (right, found))
    return np.not_equal(one[:, None], other[None, :]).astype(np.float64)


def _add_texts(renamings: Doubles, one: tuple[FlatTree, Sequence[str]], other: tuple[FlatTree, Sequence[str]]) -> None:
    """Adds what renaming costs between cells that differ in nothing but their text."""
    (right, marks), (found, other_marks) = one, other
    rows, texts = _distinct(right.texts)
    columns, other_texts = _distinct(found.texts)
    costs = text_costs(texts, _with_marks_of(other_texts, other_marks, marks))
    # What is no cell has a text of its own at the end, which differs from no other.
    costs[-1], costs[:, -1] = 0, 0
    np.maximum(renamings, costs.take(rows, axis=0).take(columns, axis=1), out=renamings)


def _distinct(texts: Sequence[str | None]) -> tuple[Integers, list[str]]:
    """For each node the number of its text, and the texts; the last one is for nodes that have none."""
    known: dict[str, int] = {}
    numbers = [-1 if text is None else known.setdefault(text, len(known)) for text in texts]
    return _array([len(known) if number < 0 else number for number in numbers]), [*known, ""]


def _with_marks_of(texts: list[str], marks: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """The texts with the same unit for the same tag as in another table."""
    if not marks or tuple(marks) == tuple(wanted)[: len(marks)]:
        return texts
    places = {tag: number for number, tag in enumerate(wanted)}
    units = {FIRST_MARK + number: FIRST_MARK + places.setdefault(tag, len(places)) for number, tag in enumerate(marks)}
    return [text.translate(units) for text in texts]


def text_costs(texts: Sequence[str], others: Sequence[str]) -> Doubles:
    """The edit distance of every two texts over the length of the longer one; of two empty texts it is 0.

    Example:
        >>> text_costs(["abcd", ""], ["abxd", ""]).tolist()
        [[0.25, 1.0], [1.0, 0.0]]
    """
    costs = process.cdist(texts, others, scorer=Levenshtein.distance, dtype=np.float64)
    longer = np.maximum.outer([len(text) for text in texts], [len(text) for text in others])
    costs /= np.maximum(longer, 1, out=longer)
    return in_grains(costs)
