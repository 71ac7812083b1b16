"""Source drift: whether the captured passages still stand in the sources of today (E6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from beleg.core.evidence import ClaimRow, EvidencePassage, Observation, ObservationCode
from beleg.core.locators import Located, LocatorState
from beleg.evidence.locators import SourceText, locate


@dataclass(frozen=True, slots=True, kw_only=True)
class TodaysSources:
    """The sources as they are today."""

    documents: Mapping[str, SourceText]
    passages: Mapping[str, SourceText]
    """The passages of an index by id; empty where only documents are known."""


def located_today(passage: EvidencePassage, today: TodaysSources) -> Located | None:
    """Where a captured passage stands today.

    A passage that was captured as a stretch of its document is looked for in the document of that id. Any other is
    ``OK`` where the passage of that id has the same words today, or its document has the content address of before;
    else its words are looked for in the document, where they are no more than ``MOVED``.

    Returns:
        ``None`` for a passage whose words were not recorded: nothing can be compared.
    """
    locator = passage.locator
    if locator is None:
        return None
    document = today.documents.get(passage.document_id)
    if locator.scope == "passage":
        same = today.passages.get(passage.passage_id)
        found = None if same is None else locate(locator, same)
        if found is not None and (found.state is LocatorState.OK or document is None):
            return found
        if document is not None and document.digest == passage.document_digest:
            return Located(state=LocatorState.OK, span=locator.span)
    return Located(state=LocatorState.ORPHAN) if document is None else locate(locator, document)


def with_drift(row: ClaimRow, drifted: frozenset[str]) -> ClaimRow:
    """The row, marked where a passage that it rests on is not what it was; such a row is not comparable.

    A row that cites and quotes nothing rests on all passages of its case: that none of them carries it is what it says.

    Args:
        row: the row.
        drifted: the passages of its case that are not found as they were.
    """
    subjects = tuple(name for name in row.passages if name in drifted) if row.passages else tuple(sorted(drifted))
    if not subjects:
        return row
    seen = Observation(code=ObservationCode.LOCATOR_DRIFT, subjects=subjects)
    return row.model_copy(update={"observations": (*row.observations, seen)})
