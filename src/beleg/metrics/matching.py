"""Whether a passage holds a piece of expected evidence, for the metrics of every area."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from beleg.core.case import Case, ExpectedPassage
from beleg.core.inventory import Inventory, InventoryDocument, InventoryPassage
from beleg.core.trace import Citation, Passage
from beleg.text.containment import RunIndex, TextIndex, unescaped
from beleg.text.quotes import QuoteFinder

Piece = tuple[ExpectedPassage, ...]
"""Interchangeable evidence: any one of it suffices."""


def pieces(case: Case, *, required_only: bool = True) -> list[Piece]:
    """The evidence of a case, with the alternatives of one ``any_of`` label taken together.

    Args:
        case: the golden case.
        required_only: leave out pieces of which no alternative is required.

    Returns:
        Pieces in the order of the case.

    Example:
        >>> evidence = [ExpectedPassage(document_id=name, any_of="fee") for name in ("fee-de", "fee-en")]
        >>> case = Case(case_id="c", user_input="?", expected_passages=(*evidence, ExpectedPassage(document_id="d")))
        >>> [len(piece) for piece in pieces(case)]
        [2, 1]
    """
    if all(expected.any_of is None for expected in case.expected_passages):
        return [(expected,) for expected in case.expected_passages if expected.required or not required_only]
    grouped: dict[tuple[str, str], list[ExpectedPassage]] = {}
    for number, expected in enumerate(case.expected_passages):
        label = ("any_of", expected.any_of) if expected.any_of is not None else ("single", str(number))
        grouped.setdefault(label, []).append(expected)
    found = [tuple(group) for group in grouped.values()]
    return [piece for piece in found if not required_only or any(expected.required for expected in piece)]


@dataclass(frozen=True, eq=False)
class EvidenceMatcher:
    """Answers whether passages hold expected evidence; remembers every text it has folded."""

    inventory: Inventory | None = None

    @cached_property
    def finder(self) -> QuoteFinder:
        """The quote search, shared by all rows of a run."""
        return QuoteFinder()

    @cached_property
    def documents(self) -> dict[str, InventoryDocument]:
        """The documents of the inventory by id."""
        return {document.document_id: document for document in self.inventory.documents} if self.inventory else {}

    @cached_property
    def passages(self) -> dict[str, InventoryPassage]:
        """The passages of the inventory by id."""
        return {passage.passage_id: passage for passage in self.inventory.passages} if self.inventory else {}

    @cached_property
    def passages_of(self) -> dict[str, list[InventoryPassage]]:
        """The passages of the inventory by document."""
        grouped: dict[str, list[InventoryPassage]] = {}
        for passage in self.passages.values():
            grouped.setdefault(passage.document_id, []).append(passage)
        return grouped

    @cached_property
    def metadata_fields(self) -> frozenset[str]:
        """Every metadata field that a document of the inventory carries."""
        return frozenset(field for document in self.documents.values() for field in document.metadata)

    def passages_in(self, text: str) -> list[str]:
        """The ids of the inventory passages whose whole text stands in a text, as it is or with escapes resolved."""
        if not self.passages or not text:
            return []
        if text not in self._whole:
            self._whole[text] = sorted({name for form in _forms(text) for name in self._index.found_in(form)})
        return self._whole[text]

    def runs_in(self, text: str, *, apart_from: Sequence[str] = ()) -> list[frozenset[str]]:
        """The documents behind each long run of words that stands in a text; see `RunIndex.owners_in`."""
        if not self.passages or not text:
            return []
        found = (self._run_index.owners_in(form, apart_from=apart_from) for form in _forms(text))
        return list(dict.fromkeys(chain.from_iterable(found)))

    @cached_property
    def _index(self) -> TextIndex:
        return TextIndex({name: passage.text for name, passage in self.passages.items()})

    @cached_property
    def _run_index(self) -> RunIndex:
        return RunIndex((passage.document_id, passage.text) for passage in self.passages.values())

    @cached_property
    def _whole(self) -> dict[str, list[str]]:
        return {}

    def text_of(self, passage: Passage) -> str | None:
        """The text of a passage as the trace gives it, else as the inventory does."""
        if passage.text is not None:
            return passage.text
        known = self.passages.get(passage.passage_id)
        return known.text if known is not None else None

    def document_of(self, expected: ExpectedPassage, seen: Iterable[Passage]) -> str | None:
        """The document of expected evidence: as named, else the parent of the passage it names where that is known."""
        if expected.document_id is not None or expected.passage_id is None:
            return expected.document_id
        known = self.passages.get(expected.passage_id)
        if known is not None:
            return known.document_id
        return next((found.document_id for found in seen if found.passage_id == expected.passage_id), None)

    def holds(self, passage: Passage, expected: ExpectedPassage) -> bool | None:
        """Whether a passage holds expected evidence.

        Evidence with a document and a quote is held by every passage of that document that contains the quote, so
        that it outlives a change of chunking; evidence with a passage id only by that passage; evidence with a
        document alone by every passage of it.

        Returns:
            ``None`` where the passage may hold the quote and its text is not known.
        """
        return self._holds(passage.passage_id, passage.document_id, self.text_of(passage), expected)

    def any_holds(self, passages: Iterable[Passage], piece: Piece) -> bool | None:
        """Whether one of the passages holds the piece; ``None`` where only unknown texts could."""
        unknown = False
        for passage in passages:
            for expected in piece:
                held = self.holds(passage, expected)
                if held:
                    return True
                unknown = unknown or held is None
        return None if unknown else False

    def inventory_trail(self, expected: ExpectedPassage, document_id: str | None) -> tuple[bool, bool, bool]:
        """Whether expected evidence was parsed, stands in one passage, and in one that was indexed.

        Args:
            expected: the evidence.
            document_id: its document, where that is known.
        """
        key = (document_id, expected.passage_id, expected.quote)
        if key not in self._trails:
            self._trails[key] = self._trail(expected, document_id)
        return self._trails[key]

    @cached_property
    def _trails(self) -> dict[tuple[str | None, str | None, str | None], tuple[bool, bool, bool]]:
        return {}

    def _trail(self, expected: ExpectedPassage, document_id: str | None) -> tuple[bool, bool, bool]:
        document = self.documents.get(document_id) if document_id is not None else None
        quote = expected.quote
        parsed = document is not None and (quote is None or self.finder.contains(document.text, quote))
        holding = [
            passage
            for passage in self.passages_of.get(document_id or "", ())
            if self._holds(passage.passage_id, passage.document_id, passage.text, expected)
        ]
        return parsed, bool(holding), any(passage.indexed for passage in holding)

    def _holds(self, passage_id: str, document_id: str, text: str | None, expected: ExpectedPassage) -> bool | None:
        if expected.document_id is None or (expected.quote is None and expected.passage_id is not None):
            return passage_id == expected.passage_id
        if document_id != expected.document_id:
            return False
        if expected.quote is None:
            return True
        return None if text is None else self.finder.contains(text, expected.quote)


def _forms(text: str) -> list[str]:
    return list(dict.fromkeys((text, unescaped(text))))


def cited_passages(citation: Citation, delivered: Iterable[Passage]) -> list[Passage]:
    """The delivered passages that a citation names: by passage id, else by document; none when it names neither."""
    if citation.passage_id is not None:
        return [passage for passage in delivered if passage.passage_id == citation.passage_id]
    return [passage for passage in delivered if passage.document_id == citation.document_id]
