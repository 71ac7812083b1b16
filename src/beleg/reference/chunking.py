"""Cuts documents into passages: by size alone, or along their structure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise, takewhile

from beleg.reference.analysis import count_tokens
from beleg.reference.blocks import Block, BlockKind, joined
from beleg.reference.documents import Chunk, Document
from beleg.reference.settings import ChunkerSettings
from beleg.text.sentences import Span, sentence_spans
from beleg.text.tokens import word_starts

PATH_SEPARATOR = " › "
_PARAGRAPH = re.compile(r"\n\s*\n")
_LINE = re.compile(r"\n")
_GAP = re.compile(r"\s+")


def chunk_documents(documents: Sequence[Document], settings: ChunkerSettings) -> list[Chunk]:
    """Cuts every document; the passages are numbered ``document_id#NN`` in reading order."""
    return [chunk for document in documents for chunk in chunk_document(document, settings)]


def chunk_document(document: Document, settings: ChunkerSettings) -> list[Chunk]:
    """Cuts one document.

    Example:
        >>> document = Document.of_text("d", "One two three.", title="T")
        >>> [(chunk.passage_id, chunk.text) for chunk in chunk_document(document, ChunkerSettings(kind="recursive"))]
        [('d#00', 'One two three.')]
    """
    parts = _by_structure(document, settings) if settings.kind == "structure" else _by_size(document, settings)
    return [
        Chunk(
            passage_id=f"{document.document_id}#{number:02d}",
            document_id=document.document_id,
            context=context,
            body=body,
        )
        for number, (context, body) in enumerate(parts)
    ]


def split_text(text: str, size: int, overlap: int = 0) -> list[str]:
    """Cuts text into slices of at most ``size`` word tokens.

    Breaks at empty lines where that suffices, else at line ends, else at sentence ends, else at gaps, else before a
    word; then neighbouring pieces are joined as long as they fit. Up to ``overlap`` tokens are repeated, whole pieces
    at a time.

    Example:
        >>> split_text("One two. Three four. Five six.", 4)
        ['One two. Three four.', 'Five six.']
    """
    pieces = [
        (piece, count_tokens(text[piece.start : piece.end])) for piece in _pieces(text, Span(0, len(text)), size, 0)
    ]
    slices: list[str] = []
    first = 0
    total = 0
    for position, (piece, tokens) in enumerate(pieces):
        if total + tokens > size and position > first:
            slices.append(text[pieces[first][0].start : pieces[position - 1][0].end])
            first, total = _overlap_start(pieces, first, position, min(overlap, size - tokens))
        total += tokens
        if position == len(pieces) - 1:
            slices.append(text[pieces[first][0].start : piece.end])
    return slices


def _overlap_start(pieces: Sequence[tuple[Span, int]], first: int, position: int, overlap: int) -> tuple[int, int]:
    """Where the next slice begins so that it repeats at most ``overlap`` tokens, and how many it repeats."""
    total = 0
    start = position
    if overlap <= 0:
        # A piece without a word, such as a lone question mark, would fit into no overlap at all.
        return start, total
    while start - 1 > first and total + pieces[start - 1][1] <= overlap:
        start -= 1
        total += pieces[start][1]
    return start, total


def _pieces(text: str, span: Span, size: int, level: int) -> Iterator[Span]:
    if count_tokens(text[span.start : span.end]) <= size or level == len(_SPLITTERS):
        if text[span.start : span.end].strip():
            yield span
        return
    for part in _SPLITTERS[level](text, span):
        yield from _pieces(text, part, size, level + 1)


def _split_at(pattern: re.Pattern[str], text: str, span: Span) -> list[Span]:
    parts: list[Span] = []
    start = span.start
    for match in pattern.finditer(text, span.start, span.end):
        parts.append(Span(start, match.start()))
        start = match.end()
    parts.append(Span(start, span.end))
    return [part for part in parts if part.end > part.start]


def _split_sentences(text: str, span: Span) -> list[Span]:
    inner = sentence_spans(text[span.start : span.end])
    return [Span(span.start + part.start, span.start + part.end) for part in inner]


def _split_words(text: str, span: Span) -> list[Span]:
    """Cuts a run without a gap, such as a long address, before each of its words."""
    starts = [span.start + start for start in word_starts(text[span.start : span.end])]
    bounds = [span.start, *starts[1:], span.end]
    return [Span(start, end) for start, end in pairwise(bounds)]


_SPLITTERS = (
    lambda text, span: _split_at(_PARAGRAPH, text, span),
    lambda text, span: _split_at(_LINE, text, span),
    _split_sentences,
    lambda text, span: _split_at(_GAP, text, span),
    _split_words,
)


def _by_size(document: Document, settings: ChunkerSettings) -> Iterator[tuple[str, str]]:
    for part in split_text(document.text, settings.size_tokens, settings.overlap_tokens):
        yield "", part


@dataclass(slots=True)
class _Section:
    """The blocks under one heading, with the headings above them."""

    path: tuple[str, ...]
    blocks: list[Block] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        """How many word tokens the blocks hold."""
        return sum(count_tokens(block.lines) for block in self.blocks)


def _by_structure(document: Document, settings: ChunkerSettings) -> Iterator[tuple[str, str]]:
    """Small neighbouring sections share a passage, a section that does not fit gets passages of its own."""
    packed: list[_Section] = []
    total = 0
    for section in _sections(document):
        tokens = section.tokens
        if packed and total + tokens > settings.size_tokens:
            yield _together(packed)
            packed, total = [], 0
        if tokens > settings.size_tokens:
            context = PATH_SEPARATOR.join(section.path)
            yield from ((context, body) for body in _bodies(section.blocks, settings))
            continue
        packed.append(section)
        total += tokens
    if packed:
        yield _together(packed)


def _together(sections: Sequence[_Section]) -> tuple[str, str]:
    """The shared heading path, and the sections with the headings that they do not share."""
    shared = _common_start([section.path for section in sections])
    parts = []
    for section in sections:
        own = section.path[len(shared) :]
        parts.append("\n".join((*own, joined(section.blocks))))
    return PATH_SEPARATOR.join(shared), "\n\n".join(parts)


def _common_start(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    same = takewhile(lambda level: len(set(level)) == 1, zip(*paths, strict=False))
    return tuple(level[0] for level in same)


def _sections(document: Document) -> list[_Section]:
    title = (document.title,) if document.title else ()
    headings: list[tuple[int, str]] = []
    sections = [_Section(title)]
    for block in document.blocks:
        if block.kind is not BlockKind.HEADING:
            sections[-1].blocks.append(block)
            continue
        headings = [(level, text) for level, text in headings if level < block.level]
        headings.append((block.level, block.text))
        sections.append(_Section(tuple(dict.fromkeys([*title, *(text for _, text in headings)]))))
    filled = [section for section in sections if section.blocks]
    # A document of nothing but headings is still a passage.
    return filled or [_Section(title, list(document.blocks))]


def _bodies(blocks: Sequence[Block], settings: ChunkerSettings) -> Iterator[str]:
    """Packs the groups of a section into passages; a list or table that fits is never cut."""
    packed: list[Block] = []
    total = 0
    for _, members in groupby(blocks, key=lambda block: block.group):
        group = list(members)
        tokens = sum(count_tokens(block.lines) for block in group)
        if packed and total + tokens > settings.size_tokens:
            yield joined(packed)
            packed, total = [], 0
        if tokens > settings.size_tokens:
            yield from _cut_group(group, settings)
            continue
        packed += group
        total += tokens
    if packed:
        yield joined(packed)


def _cut_group(group: Sequence[Block], settings: ChunkerSettings) -> Iterator[str]:
    """Cuts a list or table between its members, a table with its header on every part; a long block by size."""
    header = [block for block in group[:1] if block.kind is BlockKind.TABLE_HEADER]
    rows = group[len(header) :]
    base = sum(count_tokens(block.lines) for block in header)
    packed: list[Block] = []
    total = base
    for block in rows:
        tokens = count_tokens(block.lines)
        if packed and total + tokens > settings.size_tokens:
            yield joined([*header, *packed])
            packed, total = [], base
        if base + tokens > settings.size_tokens:
            yield from split_text(block.lines, settings.size_tokens, settings.overlap_tokens)
            continue
        packed.append(block)
        total += tokens
    if packed:
        yield joined([*header, *packed])
