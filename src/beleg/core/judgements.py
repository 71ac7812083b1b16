"""What stands in the files of judging: a line to label, and where a version of judgements comes from."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from beleg.core.case import Identifier, ShortText
from beleg.core.model import StoredModel

WrittenId = Annotated[
    str, StringConstraints(min_length=1, max_length=512, pattern=r"^[^\s\x00-\x1f\x7f\u{feff}][^\s\x00-\x1f\x7f]*$")
]
"""Without spaces and control characters. A byte order mark in front would be lost at the head of a file."""
Count = Annotated[int, Field(ge=0)]


class PoolLine(StoredModel):
    """One line of a file to label: a document that a run shows and nobody has judged."""

    query_id: WrittenId
    """The query, without spaces, as a file of judgements needs it."""
    doc_id: WrittenId
    """The document, without spaces."""
    runs: Count | None = None
    """How many of the pooled runs have the document at the depth or above."""
    best_rank: Annotated[int, Field(ge=1)] | None = None
    """The best rank that any run gives it."""
    movement: Annotated[float, Field(ge=0)] | None = None
    """By how much it alone could move the difference of two runs on this query."""
    probability: Annotated[float, Field(gt=0, le=1)] | None = None
    """The chance with which it was drawn, where the pool was sampled."""
    grade: float | None = None
    """The label; ``null`` until somebody has judged."""
    labelled_by: Identifier | None = None
    """Who judged."""
    note: ShortText | None = None
    """What the person wants to say about it."""


class JudgementCounts(StoredModel):
    """What a merge did to pairs of query and document."""

    before: Count
    """Pairs of the parent."""
    after: Count
    """Pairs of this version."""
    added: Count
    """Pairs that the parent does not have."""
    confirmed: Count
    """Pairs of the parent that were labelled as they stood there."""
    changed: Count
    """Pairs of the parent that have another grade now."""
    conflicting: Count
    """Pairs with two different grades, among the labels or against the parent, settled by the policy."""
    unlabelled: Count
    """Lines of the labelled file without a grade."""


class JudgementsManifest(StoredModel):
    """Where a version of relevance judgements comes from; it stands beside the file, as ``FILE.manifest.json``."""

    kind: Literal["beleg.judgements"] = "beleg.judgements"
    """What the file is."""
    version: Annotated[int, Field(ge=1)]
    """One more than the version of the parent; a parent without manifest is version 1."""
    digest: Identifier
    """The SHA-256 of the judgements in canonical form."""
    parent_digest: Identifier | None = None
    """That of the version it was made from; left out where there is none."""
    labels_digest: Identifier
    """The SHA-256 of the bytes of the labelled file."""
    on_conflict: Literal["refuse", "new", "max"]
    """What happened to a pair that was labelled differently."""
    by: Identifier | None = None
    """Who merged, where that was given."""
    on: date | None = None
    """When, where that was given."""
    counts: JudgementCounts
    """What the merge did."""
