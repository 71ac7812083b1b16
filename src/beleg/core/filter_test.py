"""The registration of a filter test: what must hold before a relevance preference may become a hard predicate (Q6)."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from beleg.core.case import Identifier, LongText, ShortText
from beleg.core.digest import digest_of
from beleg.core.manifest import Setting
from beleg.core.model import StoredModel


class FilterRegistration(StoredModel):
    """The terms of one filter test, fixed and dated before the figures are seen. Access rules are never tested."""

    predicate: Identifier
    """The metadata field whose filter is tested, such as ``locale``."""
    k: Annotated[int, Field(ge=1, le=10_000)]
    """The cutoff at which precision and recall are compared."""
    precision_gain_min: Annotated[float, Field(ge=0, lt=1)]
    """The smallest gain of precision at k that makes a hard predicate worth its risk."""
    exclusion_rate_max: Annotated[float, Field(gt=0, lt=1)]
    """The largest share of queries that may lose every eligible gold document to the predicate (ε); 0.01 to 0.02 at
    the start."""
    recall_loss_max: Annotated[float, Field(gt=0, lt=1)]
    """The largest loss of recall at k against the soft boost that is tolerated."""
    confidence: Annotated[float, Field(gt=0.5, le=0.9999)]
    """Confidence of each one-sided bound."""
    minimum_queries: Annotated[int, Field(ge=2)]
    """With fewer queries the predicate never becomes hard."""
    seed: Annotated[int, Field(ge=0)]
    """The seed by which the held-out queries were drawn; kept with the result."""
    owner: ShortText
    """Who answers for the terms."""
    registered_on: date
    """The day on which the terms were fixed."""
    relevant_from: Annotated[int, Field(ge=1)] = 1
    """The lowest grade of a gold document."""
    rationale: LongText | None = None
    """Why the terms are what they are: the harm of a missed answer, the use of more precision."""

    @property
    def alpha(self) -> float:
        """The error rate of each one-sided bound."""
        return 1.0 - self.confidence

    @property
    def digest(self) -> str:
        """The digest of the terms; another one means other terms."""
        return digest_of(self.to_json_dict())


FieldValues = Setting | tuple[Setting, ...]


class QueryPredicates(StoredModel):
    """What was filtered by for one query, and what would have been right."""

    query_id: Identifier
    """The query."""
    applied: dict[Identifier, FieldValues] | None = None
    """The value, or values any of which is admitted, by field; ``{}`` where nothing was filtered by, left out where it
    was not recorded. An empty list of values admits nothing."""
    expected: dict[Identifier, FieldValues] | None = None
    """The right predicates by field, as a person labelled them; left out where nobody did."""


class DocumentMetadata(StoredModel):
    """The metadata of one document."""

    doc_id: Identifier
    """The document."""
    metadata: dict[Identifier, Setting]
    """Its values by field."""


class QueryGroup(StoredModel):
    """The group of one query: queries of one source or session are not independent."""

    query_id: Identifier
    """The query."""
    group: Identifier
    """The name of its group."""
