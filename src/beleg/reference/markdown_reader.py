"""Markdown to blocks, by the token stream of markdown-it-py."""

from __future__ import annotations

from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.token import Token

from beleg.reference.blocks import Block, BlockBuilder


def markdown_blocks(text: str) -> tuple[Block, ...]:
    r"""Parses CommonMark with tables; raw HTML in it is kept as plain words.

    Example:
        >>> [block.text for block in markdown_blocks("# Fees\n\n- one\n- two\n")]
        ['Fees', '- one', '- two']
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return _Walk().over(parser.parse(text))


class _Walk:
    """The state while walking a token stream."""

    def __init__(self) -> None:
        self.builder = BlockBuilder()
        self.heading_level = 0
        self.markers: list[str] = []
        self.marker_is_due = False
        self.cells: list[str] | None = None
        self.in_header = False
        self.handlers: dict[str, Callable[[Token], None]] = {
            "heading_open": self._heading_open,
            "heading_close": self._heading_close,
            "bullet_list_open": self._list_open,
            "ordered_list_open": self._list_open,
            "bullet_list_close": self._list_close,
            "ordered_list_close": self._list_close,
            "list_item_open": self._item_open,
            "table_open": self._table_open,
            "table_close": self._table_open,
            "thead_open": self._thead_open,
            "thead_close": self._thead_close,
            "tr_open": self._row_open,
            "tr_close": self._row_close,
            "inline": self._inline,
            "fence": self._code,
            "code_block": self._code,
        }

    def over(self, tokens: list[Token]) -> tuple[Block, ...]:
        for token in tokens:
            handler = self.handlers.get(token.type)
            if handler is not None:
                handler(token)
        return tuple(self.builder.blocks)

    def _heading_open(self, token: Token) -> None:
        self.heading_level = int(token.tag[1:])

    def _heading_close(self, _token: Token) -> None:
        self.heading_level = 0

    def _list_open(self, _token: Token) -> None:
        if not self.markers:
            self.builder.new_group()
        self.markers.append("")

    def _list_close(self, _token: Token) -> None:
        self.markers.pop()
        if not self.markers:
            self.builder.new_group()

    def _item_open(self, token: Token) -> None:
        self.markers[-1] = f"{token.info}. " if token.info else "- "
        self.marker_is_due = True

    def _table_open(self, _token: Token) -> None:
        self.builder.new_group()

    def _thead_open(self, _token: Token) -> None:
        self.in_header = True

    def _thead_close(self, _token: Token) -> None:
        self.in_header = False

    def _row_open(self, _token: Token) -> None:
        self.cells = []

    def _row_close(self, _token: Token) -> None:
        self.builder.row(self.cells or [], header=self.in_header)
        self.cells = None

    def _inline(self, token: Token) -> None:
        text = _visible(token)
        if self.cells is not None:
            self.cells.append(text)
        elif self.heading_level:
            self.builder.heading(text, self.heading_level)
        elif self.markers:
            marker = self.markers[-1] if self.marker_is_due else "  "
            self.builder.item(text, level=len(self.markers), marker=marker)
            self.marker_is_due = False
        else:
            self.builder.paragraph(text)

    def _code(self, token: Token) -> None:
        self.builder.code(token.content)


def _visible(inline: Token) -> str:
    """The words of an inline token as a reader sees them."""
    parts = []
    for child in inline.children or ():
        if child.type in {"softbreak", "hardbreak"}:
            parts.append(" ")
        elif child.type == "image":
            parts.append(_visible(child) or child.content)
        else:
            parts.append(child.content)
    return "".join(parts)
