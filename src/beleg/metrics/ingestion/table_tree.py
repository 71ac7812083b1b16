"""A table as the tree that the tree edit distance compares, and the forms in which it may be compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

CELL_TAGS = frozenset({"td", "th"})
SECTION_TAGS = frozenset({"thead", "tbody", "tfoot"})

FIRST_MARK = 0xD800
"""Tags inside a cell stand in its text as one unit each, as lone surrogates, which no HTML document can hold."""
MOST_MARKS = 1_000
"""How many units one table may have; those of two together are still surrogates."""


@dataclass(frozen=True, slots=True)
class Node:
    """One element of a table.

    Attributes:
        tag: its name in lower case, without a prefix.
        colspan: how many columns a cell spans; 0 for what is no cell.
        rowspan: how many rows a cell spans, where 0 means all that are left of its section; 0 for what is no cell.
        text: what stands in a cell, each tag inside it as one unit; empty for what is no cell.
        children: the elements in it; a cell has none, since what stands in it is its text.
    """

    tag: str
    colspan: int = 0
    rowspan: int = 0
    text: str = ""
    children: tuple[Node, ...] = ()

    @property
    def is_cell(self) -> bool:
        """Whether it holds text."""
        return self.tag in CELL_TAGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table as it was read.

    Attributes:
        root: the table itself.
        elements: how many elements stand below it, those inside cells too.
        marks: the tags inside cells, in the order of the units that stand for them.
        repairs: what was mended or left out when it was read, in words; empty for a sound table.
    """

    root: Node
    elements: int
    marks: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableForm:
    """How two tables are compared; the figures of two forms are not the same measure.

    Attributes:
        size: by what the distance is divided: the elements below the table, those in cells too, or the nodes of the
            compared tree with its root.
        header_cells: whether ``th`` is another node than ``td``, or the same.
        sections: whether ``thead``, ``tbody`` and ``tfoot`` are nodes, or only what stands in them.
        cell_text: whether tags inside a cell are units of its text, or only the characters are.
        spaces: whether spaces in a cell count as they stand, or every run of them as one and none at the ends.

    Example:
        >>> str(TableForm()), str(TableForm(size="nodes", header_cells="same"))
        ('elements+th+sections+tags', 'nodes+sections+tags')
    """

    size: Literal["elements", "nodes"] = "elements"
    header_cells: Literal["apart", "same"] = "apart"
    sections: Literal["kept", "dissolved"] = "kept"
    cell_text: Literal["tags", "characters"] = "tags"
    spaces: Literal["kept", "folded"] = "kept"

    def __str__(self) -> str:
        parts: list[str] = [self.size]
        parts += ["th"] if self.header_cells == "apart" else []
        parts += ["sections"] if self.sections == "kept" else []
        parts += ["tags"] if self.cell_text == "tags" else []
        parts += ["folded"] if self.spaces == "folded" else []
        return "+".join(parts)


PUBTABNET = TableForm()
"""The form of PubTabNet, in which TEDS was published."""


@dataclass(slots=True)
class FlatTree:
    """The nodes of a tree in postorder.

    Attributes:
        labels: what must be equal for two nodes to be the same: tag and spans.
        texts: the text of each cell, ``None`` for what is no cell.
        leftmost: for each node, the first node of its subtree.
    """

    labels: list[tuple[str, int, int]] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)
    leftmost: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.labels)


def flattened(table: Table, form: TableForm = PUBTABNET) -> FlatTree:
    """The tree of a table in a form.

    Example:
        >>> row = Node("tr", children=(Node("td", 1, 1, "a"), Node("th", 1, 1, "b")))
        >>> table = Table(root=Node("table", children=(Node("tbody", children=(row,)),)), elements=4)
        >>> [label[0] for label in flattened(table, TableForm(sections="dissolved", header_cells="same")).labels]
        ['td', 'td', 'tr', 'table']
    """
    tree = FlatTree()
    _append(tree, table.root, form)
    return tree


def _append(tree: FlatTree, node: Node, form: TableForm) -> None:
    first = len(tree)
    for child in node.children:
        _append(tree, child, form)
    if form.sections == "dissolved" and node.tag in SECTION_TAGS:
        return
    tag = "td" if node.is_cell and form.header_cells == "same" else node.tag
    tree.labels.append((tag, node.colspan, node.rowspan))
    tree.texts.append(in_form(node.text, form) if node.is_cell else None)
    tree.leftmost.append(first)


def in_form(text: str, form: TableForm) -> str:
    """The text of a cell as a form compares it.

    Example:
        >>> in_form(" a" + chr(FIRST_MARK) + " b ", TableForm(cell_text="characters", spaces="folded"))
        'a b'
    """
    if form.cell_text == "characters":
        text = plain(text)
    return " ".join(text.split()) if form.spaces == "folded" else text


def plain(text: str) -> str:
    """The text of a cell without what stands for tags."""
    if text.isascii():
        return text
    return "".join(letter for letter in text if not FIRST_MARK <= ord(letter) <= 0xDFFF)
