"""HTML tables read as hostile input: limited in every direction, repaired by named rules, refused where that fails."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from beleg.core.errors import DataError, MissingExtra, Problem, shown
from beleg.metrics.ingestion.table_tree import CELL_TAGS, FIRST_MARK, MOST_MARKS, Node, Table

MOST_BYTES = 64_000_000
"""The largest document that is looked at."""
MOST_ELEMENTS = 100_000
"""How many elements a table may have, those in its cells included."""
MOST_COLUMNS_SPANNED = 1_000
MOST_ROWS_SPANNED = 65_534
"""The largest spans of the HTML standard; a larger one counts as this."""
_MOST_TOLD = 20
_SPAN = re.compile(r"[ \t\n\f\r]*\+?([0-9]+)")


def read_table(html: str) -> Table:
    """Reads the one table of a document or fragment.

    Args:
        html: the markup.

    Returns:
        The table; its ``repairs`` say what was mended.

    Raises:
        DataError: if there is no table or more than one, or as `read_tables` says.
        MissingExtra: if lxml is not installed.

    Example:
        >>> table = read_table("<table><tr><td rowspan=1000000000>a</td></tr></table>")
        >>> table.root.children[0].children[0].rowspan, table.repairs
        (65534, ('a rowspan above 65534 was taken as 65534 (1)',))
    """
    tables = read_tables(html)
    if len(tables) != 1:
        raise DataError(
            Problem(
                message="one table is needed",
                value=f"{len(tables)} tables in {shown(html)}",
                remedy="Read several tables with read_tables, and match them with page_tables",
            )
        )
    return tables[0]


def read_tables(html: str) -> list[Table]:
    """Reads every table of a document that stands in no other; a table in a cell is markup of that cell.

    What the HTML standard repairs is repaired in the same way and told: a span that is no number, negative, or a
    colspan of 0 counts as 1; a colspan above 1,000 and a rowspan above 65,534 count as these. Elements that were never
    closed are closed by the parser (libxml2, through lxml); closing tags without an opening one are dropped and told.
    Text between cells has no place in the tree; it is left out and told. Comments and processing instructions are left
    out.

    Args:
        html: the markup.

    Returns:
        Tables in the order of the document; none where there is none.

    Raises:
        DataError: if the document is larger than 64 MB, not encodable, nested deeper than 255 elements, has a text of
            more than 10 MB in one piece, or a table of more than 100,000 elements or 1,000 different
            tags in its cells.
        MissingExtra: if lxml is not installed.

    Example:
        >>> [table.elements for table in read_tables("<table><tr><td>a<td><b>b</b></table> and <table></table>")]
        [4, 0]
    """
    root, faults = _parsed(html)
    if root is None:
        return []
    return [_Reader(list(faults)).table(element) for element in _outermost(root)]


def _parsed(html: str) -> tuple[Any, tuple[str, ...]]:
    """The document, and what was wrong with its tags."""
    etree = _etree()
    try:
        encoded = html.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            Problem(message="a lone surrogate cannot stand in HTML", value=shown(html[error.start : error.end]))
        ) from error
    if len(encoded) > MOST_BYTES:
        raise DataError(Problem(message=f"more than {MOST_BYTES:,} bytes of HTML", value=f"{len(encoded):,} bytes"))
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=False)
    root = etree.fromstring(encoded, parser)
    fatal = [entry for entry in parser.error_log if entry.level_name == "FATAL"]
    if fatal:
        # The parser stops there, and what it has read so far is not the document.
        raise DataError(
            Problem(
                message=f"the HTML cannot be read to its end: {fatal[0].message}",
                line=fatal[0].line,
                remedy="Nesting ends at 255 elements and a text at 10 MB",
            )
        )
    return root, tuple(
        f"line {entry.line}: {entry.message.strip()}" for entry in parser.error_log if "end tag" in entry.message
    )


def _etree() -> Any:
    try:
        from lxml import etree
    except ImportError as error:
        raise MissingExtra("Reading HTML tables", "ingest") from error
    return etree


def _outermost(root: Any) -> Iterator[Any]:
    """Tables that stand in no table, in the order of the document."""
    # What comes behind the end of the document is a document of its own beside it, and no part of the first one.
    waiting = [*reversed([root, *root.itersiblings()])]
    while waiting:
        element = waiting.pop()
        if element.tag == "table":
            yield element
        else:
            waiting.extend(reversed(element))


@dataclass(slots=True)
class _Reader:
    """What is found while one table is read; the depth of what it walks is limited by the parser."""

    faults: list[str]
    elements: int = 0
    marks: dict[str, int] = field(default_factory=dict)
    repairs: Counter[str] = field(default_factory=Counter)
    stray_characters: int = 0

    def table(self, element: Any) -> Table:
        root = self.node(element)
        told = [f"{repair} ({count})" for repair, count in self.repairs.items()]
        if self.stray_characters:
            told.append(f"text between cells was left out ({self.stray_characters} characters)")
        told += self.faults
        more = len(told) - _MOST_TOLD
        told[_MOST_TOLD:] = [f"and {more} more"] if more > 0 else []
        return Table(root=root, elements=self.elements, marks=tuple(self.marks), repairs=tuple(told))

    def node(self, element: Any) -> Node:
        """An element with what stands in it; characters between elements are counted."""
        tag = _name(element)
        if tag in CELL_TAGS:
            text: list[str] = []
            self.inside(element, text)
            return Node(tag, self.span(element, "colspan"), self.span(element, "rowspan"), "".join(text))
        if tag != "caption":
            self.stray(element.text)
        children = []
        for child in element:
            self.count()
            children.append(self.node(child))
            if tag != "caption":
                self.stray(child.tail)
        return Node(tag, children=tuple(children))

    def inside(self, element: Any, text: list[str]) -> None:
        """The characters of an element and the tags in it, each tag as one unit."""
        if element.text:
            text.append(element.text)
        for child in element:
            self.count()
            name = _name(child)
            text.append(self.mark(f"<{name}>"))
            self.inside(child, text)
            text.append(self.mark(f"</{name}>"))
            if child.tail:
                text.append(child.tail)

    def mark(self, tag: str) -> str:
        number = self.marks.setdefault(tag, len(self.marks))
        if number >= MOST_MARKS:
            raise DataError(
                Problem(message=f"more than {MOST_MARKS:,} different tags in the cells of a table", value=tag)
            )
        return chr(FIRST_MARK + number)

    def count(self) -> None:
        self.elements += 1
        if self.elements > MOST_ELEMENTS:
            raise DataError(Problem(message=f"a table of more than {MOST_ELEMENTS:,} elements"))

    def stray(self, text: str | None) -> None:
        self.stray_characters += len(text.strip()) if text else 0

    def span(self, element: Any, name: str) -> int:
        """A span as the HTML standard reads it."""
        written = element.get(name)
        if written is None:
            return 1
        most = MOST_COLUMNS_SPANNED if name == "colspan" else MOST_ROWS_SPANNED
        found = _SPAN.match(written)
        # A number of that many digits is above every limit, and Python refuses to read very long ones.
        span = None if found is None else most + 1 if len(found[1].lstrip("0")) > 9 else int(found[1])
        if span is None or (span == 0 and name == "colspan"):
            self.repairs[f"a {name} that says nothing was taken as 1"] += 1
            return 1
        if span > most:
            self.repairs[f"a {name} above {most} was taken as {most}"] += 1
            return most
        return span


def _name(element: Any) -> str:
    """The name of a tag, with no more of it than anybody needs to tell two apart."""
    return str(element.tag)[:64]
