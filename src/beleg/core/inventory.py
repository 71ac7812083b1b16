"""What a candidate's index holds, so that evidence can be followed through the stages before retrieval (Q11)."""

from __future__ import annotations

from pydantic import Field

from beleg.core.case import Identifier
from beleg.core.manifest import Setting
from beleg.core.model import StoredModel


class InventoryPassage(StoredModel):
    """A passage that the chunker made; ``indexed`` says whether the index took it."""

    passage_id: Identifier
    document_id: Identifier
    text: str
    indexed: bool = True


class InventoryDocument(StoredModel):
    """A document as the parser left it."""

    document_id: Identifier
    text: str
    version: Identifier | None = None
    metadata: dict[Identifier, Setting] = Field(default_factory=dict)


class Inventory(StoredModel):
    """All documents and passages of one index build."""

    documents: tuple[InventoryDocument, ...]
    passages: tuple[InventoryPassage, ...]
