"""HTML tables: the repairs of the HTML standard are told, and what cannot be read to its end is refused."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.errors import DataError, MissingExtra
from beleg.metrics.ingestion import table_html
from beleg.metrics.ingestion.table_html import read_table, read_tables
from beleg.metrics.ingestion.table_tree import FIRST_MARK, Node, plain
from support.tables import table


def cells(node: Node) -> list[Node]:
    return [node] if node.is_cell else [cell for child in node.children for cell in cells(child)]


def test_sections_rows_cells_and_the_tags_in_them_are_read() -> None:
    read = read_table("<table><thead><tr><th>A<tbody><tr><td>x<sup>2</sup></td></table>")
    assert [child.tag for child in read.root.children] == ["thead", "tbody"]
    header, cell = cells(read.root)
    assert (header.tag, header.text) == ("th", "A")
    assert cell.text == f"x{chr(FIRST_MARK)}2{chr(FIRST_MARK + 1)}"
    assert read.marks == ("<sup>", "</sup>")
    assert (read.elements, read.repairs) == (7, ())


@pytest.mark.parametrize(
    ("written", "colspan", "rowspan"),
    [
        ("2", 2, 2), (" +3px", 3, 3), ("-1", 1, 1), ("x", 1, 1), ("", 1, 1), ("0", 1, 0), ("1000000000", 1000, 65534),
        ("9" * 10_000, 1000, 65534), ("000000000000002", 2, 2), ("²", 1, 1),
    ],
)  # fmt: skip
def test_spans_are_read_as_browsers_do(written: str, colspan: int, rowspan: int) -> None:
    read = read_table(f'<table><tr><td colspan="{written}" rowspan="{written}">a</table>')
    (cell,) = cells(read.root)
    assert (cell.colspan, cell.rowspan) == (colspan, rowspan)
    assert bool(read.repairs) == (written not in ("2", " +3px", "000000000000002"))


def test_what_was_mended_or_left_out_is_told() -> None:
    read = read_table('<table>lost<tr><td colspan="x">a</td>and this</tr></td><caption>kept</caption></table>')
    assert "a colspan that says nothing was taken as 1 (1)" in read.repairs
    assert "text between cells was left out (12 characters)" in read.repairs
    assert any("Unexpected end tag : td" in repair for repair in read.repairs)


def test_a_table_that_was_cut_off_is_closed() -> None:
    whole, cut = read_table("<table><tr><td>a</td></tr></table>"), read_table("<table><tr><td>a")
    assert whole == cut


def test_a_table_in_a_cell_is_markup_of_the_cell() -> None:
    (read,) = read_tables("<table><tr><td>a<table><tr><td>b</td></tr></table></td></tr></table>")
    assert [plain(cell.text) for cell in cells(read.root)] == ["ab"]
    assert read.elements == 5


def test_several_tables_are_not_silently_one() -> None:
    for between in ("", "<p>", "</body></html>", "</html><!-- -->"):
        both = read_tables(table("a") + between + table("b"))
        assert [[cell.text for cell in cells(read.root)] for read in both] == [["a"], ["b"]]
    with pytest.raises(DataError, match=r"one table is needed \(found 2 tables"):
        read_table(table("a") + table("b"))


@pytest.mark.parametrize("nothing", ["", "  \n", "no table", "<!-- <table></table> -->", "\x89PNG\r\n\x00\x00"])
def test_what_holds_no_table_is_told(nothing: str) -> None:
    assert read_tables(nothing) == []
    with pytest.raises(DataError, match=r"one table is needed \(found 0 tables"):
        read_table(nothing)


@pytest.mark.parametrize(
    "hostile",
    [
        "<table>" + "<div>" * 100_000,
        "<table><tr><td>" + "<b>" * 100_000,
        "<table><tr><td>" + "<table><tr><td>" * 33_000,
        "<table><tr><td>" + "x" * 10_100_000,
        "<table><tr><td>a\ud800",
        "<table><tr>" + "<td>" * (table_html.MOST_ELEMENTS + 1),
        "<table><tr><td>" + "".join(f"<a{number}></a{number}>" for number in range(600)),
    ],
    ids=["deep", "deep in a cell", "tables in tables", "one long text", "lone surrogate", "wide", "kinds of tags"],
)
def test_hostile_documents_are_refused(hostile: str) -> None:
    with pytest.raises(DataError):
        read_tables(hostile)


def test_a_document_beyond_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_html, "MOST_BYTES", 10)
    with pytest.raises(DataError, match="more than 10 bytes"):
        read_tables(table("a"))


def test_entities_and_doctypes_are_not_followed() -> None:
    bomb = "<!DOCTYPE html [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><table><tr><td>&b;&lt;</table>"
    (cell,) = cells(read_table(bomb).root)
    assert cell.text == "&b;<"


def test_the_list_of_repairs_is_short() -> None:
    assert len(read_table("<table><tr><td>" + "</p></i>" * 500 + "</table>").repairs) <= 21


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(
            ["<table>", "</table>", "<tr>", "</tr>", "<td>", "<th colspan=3>", "</td>", "a", "<b>", "</b>", "<tbody>",
             "<thead>", "<!--", "-->", "<td rowspan=0>", "&lt;", "<", "<caption>", "<colgroup><col>", "<p>", "\x00"]
        ),
        max_size=30,
    )
)  # fmt: skip
def test_whatever_stands_in_it_is_read_or_refused(parts: list[str]) -> None:
    for read in read_tables("".join(parts)):
        assert read.root.tag == "table"
        assert read.elements >= len(cells(read.root))


def test_without_lxml_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lxml", None)
    with pytest.raises(MissingExtra) as raised:
        read_tables(table("a"))
    assert "beleg[ingest]" in raised.value.diagnostics()
