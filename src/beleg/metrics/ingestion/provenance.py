"""Whether a chunk still tells where it comes from: its document, its place, the headings above it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from beleg.core.score import Score, ScoreStatus

NO_CHUNKS = "there is no chunk"
_SPACIOUS = 8
"""How much longer than its words a stretch of text may be by white space."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A document that chunks come from.

    Attributes:
        text: all of it.
        pages: first character and one behind the last of each page, from page 1 on.
        anchors: the anchors of its sections, with where each section begins and ends.
    """

    text: str
    pages: tuple[tuple[int, int], ...] = ()
    anchors: Mapping[str, tuple[int, int]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What a chunk says of where it comes from.

    Attributes:
        text: the words of the chunk.
        document_id: its document.
        start: its first character.
        page: its page, from 1.
        anchor: the anchor of its section.
    """

    text: str
    document_id: str | None = None
    start: int | None = None
    page: int | None = None
    anchor: str | None = None


class Attribution(StrEnum):
    """Whether a reference leads to the words of the chunk.

    ``verified``: the words stand where it leads. ``wrong``: they do not. ``unplaced``: it names a document and no place
    in it. ``unknown_document``: there is no such document. ``none``: it names no document.
    """

    VERIFIED = "verified"
    WRONG = "wrong"
    UNPLACED = "unplaced"
    UNKNOWN_DOCUMENT = "unknown_document"
    NONE = "none"


def attribution(reference: Reference, sources: Mapping[str, Source]) -> Attribution:
    """Follows a reference. Every place that it names must hold the words; spaces count as they stand only for offsets.

    Example:
        >>> sources = {"d": Source(text="One. Two.", pages=((0, 4), (5, 9)))}
        >>> [attribution(Reference(text="Two.", document_id="d", page=page), sources).value for page in (1, 2)]
        ['wrong', 'verified']
    """
    if reference.document_id is None:
        return Attribution.NONE
    source = sources.get(reference.document_id)
    if source is None:
        return Attribution.UNKNOWN_DOCUMENT
    named = []
    if reference.start is not None:
        start = reference.start
        named.append(start >= 0 and source.text.startswith(reference.text, start))
    if reference.page is not None:
        known = 1 <= reference.page <= len(source.pages)
        named.append(known and _holds(source.text, source.pages[reference.page - 1], reference.text))
    if reference.anchor is not None:
        part = (source.anchors or {}).get(reference.anchor)
        named.append(part is not None and _holds(source.text, part, reference.text))
    if not named:
        return Attribution.UNPLACED
    return Attribution.VERIFIED if all(named) and reference.text.strip() else Attribution.WRONG


def _holds(text: str, part: tuple[int, int], words: str) -> bool:
    """Whether the words begin in a part; a chunk may begin on a page and end on the next."""
    behind = part[1] + len(words) * _SPACIOUS
    folded, wanted = " ".join(text[part[0] : behind].split()), " ".join(words.split())
    inside = " ".join(text[part[0] : part[1]].split())
    return 0 <= folded.find(wanted) < max(len(inside), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributionCounts:
    """How many chunks have which attribution."""

    counts: Mapping[Attribution, int]

    def fidelity(self) -> Score:
        """The share of chunks whose reference was verified; not applicable where there is no chunk."""
        total = sum(self.counts.values())
        if not total:
            return Score.without(ScoreStatus.NOT_APPLICABLE, NO_CHUNKS)
        return Score.of(self.counts.get(Attribution.VERIFIED, 0) / total)


def attributions(references: Sequence[Reference], sources: Mapping[str, Source]) -> AttributionCounts:
    """Follows the references of all chunks.

    Example:
        >>> told = attributions([Reference(text="a", document_id="d", start=0)], {"d": Source(text="abc")})
        >>> told.fidelity().value
        1.0
    """
    found = [attribution(reference, sources) for reference in references]
    return AttributionCounts(counts={kind: found.count(kind) for kind in Attribution if kind in found})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ancestry:
    """Where a chunk stands in the tree of its document.

    Attributes:
        document_id: its document.
        path: the headings above it, the highest first; empty above the first heading.
    """

    document_id: str | None
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HierarchyScores:
    """Shares of chunks that kept what is above them; each is not applicable where there is no chunk.

    Attributes:
        document: its document.
        parent: its document and the heading right above it.
        path: its document and every heading above it.
        prefix: how much of the path is kept from the top on, over the longer of both paths, on average.
    """

    document: Score
    parent: Score
    path: Score
    prefix: Score


def hierarchy_kept(gold: Sequence[Ancestry], kept: Sequence[Ancestry]) -> HierarchyScores:
    """Compares where chunks stand with where they say they stand, chunk by chunk.

    Headings are equal if they are after runs of spaces are folded. A chunk in another document has kept nothing.

    Args:
        gold: where each chunk stands.
        kept: what each says.

    Returns:
        Shares.

    Raises:
        ValueError: if both are not of the same number.

    Example:
        >>> gold = [Ancestry(document_id="d", path=("Policy", "Fees", "Late"))]
        >>> told = hierarchy_kept(gold, [Ancestry(document_id="d", path=("Policy", "Late"))])
        >>> told.parent.value, told.path.value, round(told.prefix.value or 0, 3)
        (1.0, 0.0, 0.333)
    """
    rows = []
    for right, found in zip(gold, kept, strict=True):
        one, other = (tuple(" ".join(heading.split()) for heading in side.path) for side in (right, found))
        document = right.document_id is not None and right.document_id == found.document_id
        common = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
        same = min(len(one), len(other)) if common is None else common
        longer = max(len(one), len(other))
        prefix = same / longer if longer else 1.0
        rows.append((document, document and one[-1:] == other[-1:], document and one == other, prefix * document))
    if not rows:
        nothing = Score.without(ScoreStatus.NOT_APPLICABLE, NO_CHUNKS)
        return HierarchyScores(document=nothing, parent=nothing, path=nothing, prefix=nothing)
    shares = [Score.of(sum(column) / len(rows)) for column in zip(*rows, strict=True)]
    return HierarchyScores(document=shares[0], parent=shares[1], path=shares[2], prefix=shares[3])
