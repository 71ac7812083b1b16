"""The passages of a case in the order of return, each with what is needed to find it again (E1, E6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from beleg.core.case import Case, ExpectedPassage
from beleg.core.digest import digest_of_text
from beleg.core.evidence import EvidencePassage, ExpectedEvidence
from beleg.core.inventory import Inventory
from beleg.core.trace import Output, Passage
from beleg.evidence.locators import SourceText, locator_of
from beleg.metrics.matching import EvidenceMatcher

MAX_URL_CHARS = 4_000
_URL_FIELDS = ("url", "uri", "source_url", "link", "href")


class Sources:
    """The source documents of a run, where it holds an inventory; each address is taken once."""

    def __init__(self, inventory: Inventory | None) -> None:
        self.are_known = inventory is not None
        self._documents = {} if inventory is None else {each.document_id: each for each in inventory.documents}
        self._passages = {} if inventory is None else {each.passage_id: each.text for each in inventory.passages}
        self._texts: dict[str, SourceText] = {}

    def text(self, document_id: str) -> SourceText | None:
        """The text of a document; ``None`` where it is not known."""
        document = self._documents.get(document_id)
        if document is None:
            return None
        if document_id not in self._texts:
            self._texts[document_id] = SourceText(document.text)
        return self._texts[document_id]

    def version(self, document_id: str) -> str | None:
        """The version that a document states."""
        document = self._documents.get(document_id)
        return None if document is None else document.version

    def indexed_text(self, passage_id: str) -> str | None:
        """The text of a passage in the index, by which evidence is matched where the trace gives none."""
        return self._passages.get(passage_id)


class ReturnedPassages:
    """The passages of one output: as retrieval returned them, and which of them reached the generator."""

    def __init__(self, output: Output, sources: Sources) -> None:
        self._sources = sources
        # One for each case: it remembers every text that it folds, and a sheet is built in bounded memory.
        self._matcher = EvidenceMatcher()
        self._last = {passage.passage_id: passage for passage in reversed(output.final_passages())}
        self._delivered = None if output.delivered is None else {each.passage_id for each in output.delivered}
        ordered = output.retrieved if output.reranked is None else output.reranked
        self._first = {each.passage_id: each for each in reversed(output.retrieved)}
        named = dict.fromkeys(each.passage_id for each in (*ordered, *output.final_passages()))
        known = {each.passage_id: each for each in reversed(ordered)}
        self._all = [self._last.get(name) or known[name] for name in named]

    @cached_property
    def evidence(self) -> tuple[EvidencePassage, ...]:
        """The passages for the sheet, ranked as the last stage before delivery returned them."""
        return tuple(self._evidence(rank, passage) for rank, passage in enumerate(self._all, start=1))

    def _evidence(self, rank: int, passage: Passage) -> EvidencePassage:
        earlier = self._first.get(passage.passage_id)
        text = passage.text if passage.text is not None or earlier is None else earlier.text
        document = self._sources.text(passage.document_id)
        return EvidencePassage(
            rank=rank,
            passage_id=passage.passage_id,
            document_id=passage.document_id,
            document_version=passage.version or self._sources.version(passage.document_id),
            document_digest=None if document is None else document.digest,
            text=text,
            passage_digest=None if text is None else digest_of_text(text),
            delivered=None if self._delivered is None else passage.passage_id in self._delivered,
            url=_url(passage),
            locator=locator_of(text or "", document),
        )

    def expected(self, case: Case) -> tuple[ExpectedEvidence, ...]:
        """What a careful answer needs, and at which rank it was returned."""
        return tuple(self._expected(piece) for piece in case.expected_passages)

    def _expected(self, piece: ExpectedPassage) -> ExpectedEvidence:
        held = [self._matcher.holds(passage, piece) for passage in self._matched]
        holding = [number for number, holds in enumerate(held) if holds]
        delivered = self._delivered
        return ExpectedEvidence(
            document_id=piece.document_id,
            passage_id=piece.passage_id,
            quote=piece.quote,
            required=piece.required,
            any_of=piece.any_of,
            returned=True if holding else None if None in held else False,
            returned_rank=holding[0] + 1 if holding else None,
            delivered=_any_delivered(holding, [each.passage_id for each in self._all], delivered, unknown=None in held),
        )

    def holding(self, case: Case) -> frozenset[str]:
        """The returned passages that hold evidence which the case expects."""
        return frozenset(
            passage.passage_id
            for passage in self._matched
            if any(self._matcher.holds(passage, piece) for piece in case.expected_passages)
        )

    @cached_property
    def _matched(self) -> list[Passage]:
        """The passages with the text by which evidence is matched, as every metric matches it."""
        return [each if each.text is not None else self._with_text(each) for each in self._all]

    def _with_text(self, passage: Passage) -> Passage:
        earlier = self._first.get(passage.passage_id)
        recorded = None if earlier is None else earlier.text
        return passage.model_copy(update={"text": recorded or self._sources.indexed_text(passage.passage_id)})


def _any_delivered(
    holding: Sequence[int], names: Sequence[str], delivered: Iterable[str] | None, *, unknown: bool
) -> bool | None:
    if delivered is None:
        return None
    reached = frozenset(delivered)
    if any(names[number] in reached for number in holding):
        return True
    return None if unknown else False


def _url(passage: Passage) -> str | None:
    """The address of the source: under a usual name, else the first that looks like one."""
    named = [passage.metadata.get(name) for name in _URL_FIELDS]
    for value in (*named, *passage.metadata.values()):
        if isinstance(value, str) and "://" in value and len(value) <= MAX_URL_CHARS:
            return value
    return None
