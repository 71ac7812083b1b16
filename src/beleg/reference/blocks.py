"""The structure of a parsed document: headings, paragraphs, list items and table rows, in reading order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

_RULE_CELL = re.compile(r"[^|]+")


class BlockKind(StrEnum):
    """What a block is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_HEADER = "table_header"
    TABLE_ROW = "table_row"
    CODE = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block; the items of one list and the rows of one table share a group."""

    kind: BlockKind
    text: str
    group: int
    level: int = 0
    """Depth of a heading (1 to 6) or of a list item (1 and more)."""

    @property
    def lines(self) -> str:
        """The block as it stands in a passage; a table header is marked by a rule under it, as in Markdown."""
        if self.kind is not BlockKind.TABLE_HEADER:
            return self.text
        return f"{self.text}\n{_RULE_CELL.sub('---', self.text)}"


@dataclass(slots=True)
class BlockBuilder:
    """Collects blocks while a parser walks a document."""

    blocks: list[Block] = field(default_factory=list)
    _group: int = 0

    def new_group(self) -> None:
        """Starts a new list or table."""
        self._group += 1

    def heading(self, text: str, level: int) -> None:
        """Adds a heading."""
        self._single(BlockKind.HEADING, one_line(text), level)

    def paragraph(self, text: str) -> None:
        """Adds a paragraph; line breaks in it are kept."""
        self._single(BlockKind.PARAGRAPH, text.strip(), 0)

    def code(self, text: str) -> None:
        """Adds preformatted text."""
        self._single(BlockKind.CODE, text.strip("\n"), 0)

    def item(self, text: str, *, level: int, marker: str) -> None:
        """Adds a list item to the current group; a marker in front of it says where it begins."""
        line = one_line(text)
        if line:
            indent = "  " * (level - 1)
            self._add(BlockKind.LIST_ITEM, f"{indent}{marker}{line}", level)

    def row(self, cells: Sequence[str], *, header: bool) -> None:
        """Adds a table row to the current group."""
        texts = [one_line(cell).replace("|", "/") for cell in cells]
        if any(texts):
            self._add(BlockKind.TABLE_HEADER if header else BlockKind.TABLE_ROW, f"| {' | '.join(texts)} |", 0)

    def _single(self, kind: BlockKind, text: str, level: int) -> None:
        if text.strip():
            self.new_group()
            self._add(kind, text, level)
            self.new_group()

    def _add(self, kind: BlockKind, text: str, level: int) -> None:
        self.blocks.append(Block(kind=kind, text=text, group=self._group, level=level))


def one_line(text: str) -> str:
    """The text with every run of white space as one space."""
    return " ".join(text.split())


def joined(blocks: Sequence[Block]) -> str:
    """The blocks as text: a line break inside a list or table, an empty line between anything else.

    Example:
        >>> builder = BlockBuilder()
        >>> builder.paragraph("Prices")
        >>> builder.row(["Size", "Euro"], header=True)
        >>> builder.row(["S", "9"], header=False)
        >>> joined(builder.blocks).splitlines()
        ['Prices', '', '| Size | Euro |', '|---|---|', '| S | 9 |']
    """
    parts: list[str] = []
    for position, block in enumerate(blocks):
        if position:
            parts.append("\n" if blocks[position - 1].group == block.group else "\n\n")
        parts.append(block.lines)
    return "".join(parts)
