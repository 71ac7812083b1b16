"""TEDS: worked examples, its bounds, and pairs that are too large."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.metrics.ingestion import table_similarity
from beleg.metrics.ingestion.table_html import read_table
from beleg.metrics.ingestion.table_similarity import teds, text_costs
from beleg.metrics.ingestion.table_tree import TableForm
from support.tables import table

GOLD = table("a|b", "c|d")
NODES = TableForm(size="nodes")
FOLDED = TableForm(size="nodes", header_cells="same", cell_text="characters", spaces="folded")
# Text of one, two and no characters, tags, both kinds of cells, spans, sections.
ROWS = st.lists(
    st.lists(
        st.sampled_from(["<td>a", "<td>b", "<td>", "<td>ab", "<th>a", "<td colspan=2>a", "<td><b>a</b>", "<td> a"]),
        max_size=4,
    ).map("".join),
    max_size=5,
)
TABLES = st.tuples(ROWS, st.integers(0, 3)).map(
    lambda drawn: (
        "<table>"
        + "".join(("<thead>" if drawn[1] == number else "") + f"<tr>{row}</tr>" for number, row in enumerate(drawn[0]))
        + "</table>"
    )
)


def value(gold: str, predicted: str, form: TableForm = TableForm(), *, structure_only: bool = False) -> float:  # noqa: B008
    return teds(read_table(gold), read_table(predicted), form, structure_only=structure_only).value


# Figures of PubTabNet's own code for the same pairs, and of a program that counts the root too.
@pytest.mark.parametrize(
    ("predicted", "published", "structure", "nodes"),
    [
        (GOLD, 1, 1, 1),
        (table("a|x", "c|d"), 0.833333, 1, 0.857143),
        (table("a|b"), 0.5, 0.5, 0.571429),
        (table("a|c", "b|d"), 0.666667, 1, 0.714286),
        (GOLD.replace("<td>a</td><td>b</td>", "<td colspan=2>a b</td>"), 0.666667, 0.666667, 0.714286),
        (GOLD.replace("<td>b</td>", "<td><b>b</b></td>"), 0.904762, 1, 0.904762),
        ("<table></table>", 0, 0, 0.142857),
    ],
)
def test_published_pairs_come_out(predicted: str, published: float, structure: float, nodes: float) -> None:
    assert value(GOLD, predicted) == pytest.approx(published, abs=5e-7)
    assert value(GOLD, predicted, structure_only=True) == pytest.approx(structure, abs=5e-7)
    assert value(GOLD, predicted, NODES) == pytest.approx(nodes, abs=5e-7)


def test_one_letter_of_four_costs_a_quarter_of_a_node() -> None:
    told = teds(read_table(table("a|abcd", "c|d")), read_table(table("a|abxd", "c|d")))
    assert (told.distance, told.size) == (0.25, 6)
    assert told.value == pytest.approx(0.9583, abs=5e-5)


def test_a_tag_in_a_cell_is_one_unit_whichever_table_names_it_first() -> None:
    one, other = table("<i>x</i><b>y</b>"), table("<b>y</b>")
    # Three units more, over six.
    assert teds(read_table(one), read_table(other)).distance == 0.5
    assert teds(read_table(other), read_table(one)).distance == 0.5
    assert value(one, other, FOLDED) == pytest.approx(1 - 0.5 / 3)


def test_forms_leave_out_what_they_say() -> None:
    headed = GOLD.replace("<tr><td>a</td>", "<tr><th>a</th>")
    assert value(GOLD, headed, NODES) < 1
    assert value(GOLD, headed, FOLDED) == 1
    sections = GOLD.replace("<table>", "<table><tbody>").replace("</table>", "</tbody></table>")
    assert value(GOLD, sections) == pytest.approx(1 - 1 / 7)
    assert value(GOLD, sections, TableForm(size="nodes", sections="dissolved")) == 1
    assert value(GOLD, GOLD.replace("<td>a", "<td> a "), FOLDED) == 1


def test_the_published_formula_does_not_fall_below_zero() -> None:
    gold = "<table><tbody><tr><td>a</td></tr></tbody></table>"
    told = teds(
        read_table(gold), read_table("<table><caption>a</caption><caption>b</caption><caption>c</caption></table>")
    )
    assert (told.value, told.below_zero, told.distance, told.size) == (0, True, 5, 3)


def test_two_tables_of_which_nothing_is_counted_are_alike() -> None:
    assert value("<table></table>", "<table></table>") == 1


@settings(max_examples=200)
@given(TABLES, TABLES, st.sampled_from([TableForm(), NODES, FOLDED, TableForm(sections="dissolved")]), st.booleans())
def test_it_is_symmetric_within_bounds_and_one_for_the_same(
    one: str, other: str, form: TableForm, structure_only: bool
) -> None:
    assert value(one, one, form, structure_only=structure_only) == 1
    told = value(one, other, form, structure_only=structure_only)
    assert told == value(other, one, form, structure_only=structure_only)
    assert 0 <= told <= 1
    assert value(one, other, form, structure_only=True) >= value(one, other, form)


def test_tables_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_similarity, "MOST_PAIRS", 48)
    with pytest.raises(DataError, match="more than 48 pairs of nodes"):
        value(GOLD, GOLD)
    monkeypatch.setattr(table_similarity, "MOST_PAIRS", 49)
    assert value(GOLD, GOLD) == 1
    monkeypatch.setattr(table_similarity, "MOST_CHARACTERS", 3)
    with pytest.raises(DataError, match="more than 3 characters"):
        value(GOLD, GOLD)


def test_costs_of_texts_are_edits_over_the_longer_one() -> None:
    assert text_costs(["kitten", ""], ["sitting", "x", ""]).round(6).tolist() == [[0.428571, 1, 1], [1, 1, 0]]
