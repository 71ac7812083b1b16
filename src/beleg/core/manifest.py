"""The release manifest: everything that can change an answer, with one digest over all of it (R1)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from beleg.core.case import Identifier, ShortText
from beleg.core.digest import digest_of
from beleg.core.model import StoredModel

Setting = str | int | float | bool | None


class Manifest(StoredModel):
    """What a candidate is made of. A field that is not resolved makes the run "not reproducible"."""

    name: Identifier
    corpus_snapshot: ShortText | None = None
    chunker: ShortText | None = None
    embedding_model: ShortText | None = None
    index_build: ShortText | None = None
    retriever: dict[Identifier, Setting] | None = None
    reranker: ShortText | None = None
    top_k: Annotated[int, Field(ge=1)] | None = None
    prompt: ShortText | None = None
    generator: ShortText | None = None
    temperature: Annotated[float, Field(ge=0)] | None = None
    seed: int | None = None
    judge_model: ShortText | None = None
    judge_prompt: ShortText | None = None
    application_revision: ShortText | None = None
    not_used: tuple[Identifier, ...] = ()
    """Fields that this system does not have at all (no reranker, no judge): resolved by being absent."""
    extra: dict[Identifier, Setting] = Field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The digest that a decision is bound to."""
        return digest_of(self.to_json_dict())

    def unresolved(self) -> tuple[str, ...]:
        """The fields that are neither given nor declared as not used."""
        optional = {"name", "not_used", "extra"}
        fields = (name for name in type(self).model_fields if name not in optional)
        return tuple(name for name in fields if getattr(self, name) is None and name not in self.not_used)

    def differences(self, other: Manifest) -> dict[str, tuple[Any, Any]]:
        """The fields in which two manifests differ, with both values."""
        mine, theirs = self.to_json_dict(), other.to_json_dict()
        names = sorted((mine.keys() | theirs.keys()) - {"name"})
        return {name: (mine.get(name), theirs.get(name)) for name in names if mine.get(name) != theirs.get(name)}
