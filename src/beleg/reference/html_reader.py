"""HTML to metadata and blocks, by beautifulsoup4 with the parser of the standard library."""

from __future__ import annotations

from dataclasses import dataclass, field

from bs4 import BeautifulSoup
from bs4.element import Comment, Doctype, NavigableString, PageElement, Tag

from beleg.core.errors import DataError, Problem
from beleg.reference.blocks import Block, BlockBuilder, one_line
from beleg.reference.word_lists import listed

META_PREFIX = "beleg:"
MAX_DEPTH = 200

_IGNORED = frozenset({"script", "style", "template", "noscript", "nav", "head", "svg", "iframe", "form", "button"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset({"ul", "ol"})
# Closing tags of these may be left out in HTML, and the parser then nests what should stand side by side.
_LIST_PARTS = _LISTS | {"li"}
_CELLS = frozenset({"td", "th"})
_INLINE = listed(
    """
    a abbr b bdi bdo br cite code data del dfn em i img ins kbd label mark q s samp small span strong sub sup time u
    var wbr
    """
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlPage:
    """What was read from a page."""

    title: str
    metadata: dict[str, str] = field(default_factory=dict)
    blocks: tuple[Block, ...] = ()


def read_html(text: str) -> HtmlPage:
    """Reads the ``beleg:`` meta tags and the visible structure of a page; navigation and scripts are left out.

    Raises:
        DataError: if a ``beleg:`` key stands twice or elements are nested absurdly deep.

    Example:
        >>> page = read_html('<meta name="beleg:tenant" content="shared"><h1>Fees</h1><ul><li>one<li>two</ul>')
        >>> page.metadata, [block.text for block in page.blocks]
        ({'tenant': 'shared'}, ['Fees', '- one', '- two'])
    """
    soup = BeautifulSoup(text, "html.parser")
    title = soup.title.get_text() if soup.title else ""
    walk = _Walk()
    walk.children(soup, depth=0)
    walk.flush()
    return HtmlPage(title=one_line(title), metadata=_metadata(soup), blocks=tuple(walk.builder.blocks))


def _metadata(soup: BeautifulSoup) -> dict[str, str]:
    found: dict[str, str] = {}
    for tag in soup.find_all("meta"):
        name, content = tag.get("name"), tag.get("content")
        if not isinstance(name, str) or not isinstance(content, str) or not name.startswith(META_PREFIX):
            continue
        key = name.removeprefix(META_PREFIX).strip()
        if key in found:
            raise DataError(
                Problem(message="a meta tag stands twice", line=tag.sourceline, field=key, remedy="Remove one of them")
            )
        found[key] = content.strip()
    return found


class _Walk:
    """The state while walking a page."""

    def __init__(self) -> None:
        self.builder = BlockBuilder()
        self.pending: list[str] = []

    def flush(self) -> None:
        self.builder.paragraph(one_line("".join(self.pending)))
        self.pending.clear()

    def children(self, parent: Tag, *, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise DataError(
                Problem(message=f"elements are nested more than {MAX_DEPTH} deep", remedy="Simplify the page")
            )
        for child in parent.children:
            if isinstance(child, Tag):
                self._element(child, depth=depth)
            elif _is_text(child):
                self.pending.append(str(child))

    def _element(self, tag: Tag, *, depth: int) -> None:
        if tag.name in _IGNORED:
            return
        if tag.name in _INLINE:
            self.pending.append(_visible(tag))
            return
        self.flush()
        if tag.name in _HEADINGS:
            self.builder.heading(_visible(tag), _HEADINGS[tag.name])
        elif tag.name in _LISTS:
            self.builder.new_group()
            self._list(tag, level=1)
            self.builder.new_group()
        elif tag.name == "table":
            self._table(tag)
        elif tag.name == "pre":
            self.builder.code(tag.get_text())
        else:
            self.children(tag, depth=depth + 1)
            self.flush()

    def _list(self, tag: Tag, *, level: int) -> None:
        if level > MAX_DEPTH:
            raise DataError(Problem(message=f"lists are nested more than {MAX_DEPTH} deep", remedy="Simplify the page"))
        items = [item for item in tag.find_all("li") if item.find_parent(list(_LISTS)) is tag]
        for number, item in enumerate(items, start=1):
            own = "".join(_visible(child, without=_LIST_PARTS) for child in item.children)
            self.builder.item(own, level=level, marker=f"{number}. " if tag.name == "ol" else "- ")
            for inner in item.find_all(list(_LISTS)):
                if inner.find_parent("li") is item:
                    self._list(inner, level=level + 1)

    def _table(self, tag: Tag) -> None:
        self.builder.new_group()
        if tag.caption is not None:
            self.builder.paragraph(one_line(_visible(tag.caption)))
        first = True
        for row in tag.find_all("tr"):
            if row.find_parent("table") is not tag:
                continue
            cells = [cell for cell in row.find_all(list(_CELLS)) if cell.find_parent("tr") is row]
            header = first and all(cell.name == "th" for cell in cells)
            texts = ["".join(_visible(child, without=_CELLS) for child in cell.children) for cell in cells]
            self.builder.row(texts, header=header)
            first = first and not cells
        self.builder.new_group()


def _is_text(node: PageElement) -> bool:
    return isinstance(node, NavigableString) and not isinstance(node, Comment | Doctype)


def _visible(node: PageElement, *, without: frozenset[str] = frozenset()) -> str:
    """The words of a node, some elements in it left out; a line break counts as white space."""
    if not isinstance(node, Tag):
        return str(node) if _is_text(node) else ""
    if node.name == "br":
        return "\n"
    if node.name in _IGNORED or node.name in without:
        return ""
    gap = "" if node.name in _INLINE else " "
    return gap + "".join(_visible(child, without=without) for child in node.children) + gap
