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
    """The name of the candidate in decisions and reports."""
    corpus_snapshot: ShortText | None = None
    """Which state of the documents is indexed."""
    chunker: ShortText | None = None
    """How documents are cut into passages."""
    embedding_model: ShortText | None = None
    """The embedding model with its revision."""
    index_build: ShortText | None = None
    """Which build of the index is searched."""
    retriever: dict[Identifier, Setting] | None = None
    """The settings of retrieval by name."""
    reranker: ShortText | None = None
    """The reranker with its revision."""
    top_k: Annotated[int, Field(ge=1)] | None = None
    """How many passages the generator is given."""
    prompt: ShortText | None = None
    """The prompt template with its version."""
    generator: ShortText | None = None
    """The generating model with its revision."""
    temperature: Annotated[float, Field(ge=0)] | None = None
    """The sampling temperature of the generator."""
    seed: int | None = None
    """The seed of whatever is random in the system."""
    judge_model: ShortText | None = None
    """The model that judges answers."""
    judge_prompt: ShortText | None = None
    """The prompt of the judge with its version."""
    application_revision: ShortText | None = None
    """The revision of the application's code, such as a commit."""
    not_used: tuple[Identifier, ...] = ()
    """Fields that this system does not have at all (no reranker, no judge): resolved by being absent."""
    extra: dict[Identifier, Setting] = Field(default_factory=dict)
    """Anything else that can change an answer, by name."""

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
