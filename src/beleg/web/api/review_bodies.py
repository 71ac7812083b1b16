"""What programs send to act on claims."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from beleg.app.workbench.review_forms import MAX_MISSING, MAX_SENT_CHARS, ReviewDeed, ReviewForm
from beleg.core.evidence import AttributionVerdict, SupportVerdict
from beleg.web.api.base import MAX_NAME_CHARS, Sent

Text = Annotated[str, Field(max_length=MAX_SENT_CHARS)]
Line = Annotated[str, Field(min_length=1, max_length=4_000)]
MAX_CLAIMS = 1_000


class ActionSent(Sent):
    """Whatever is done to a claim, it names what was looked at."""

    version: Annotated[int, Field(ge=0, le=1_000_000_000)]
    """Of the claim's history, as `get_claim` told it; refused with 409 where somebody acted on the claim since."""
    evidence_digest: Annotated[str, Field(min_length=1, max_length=200)]
    """``digest`` as `get_claim` told it; refused with 409 where the claim is another row by now."""
    idempotency_key: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
    """Chosen by you: sent again under the same key, a request is recorded once and gets its first answer."""

    def form(self, deed: ReviewDeed) -> ReviewForm:
        """The same as a form of the page."""
        texts = {
            # One line for each part, as the form takes them: line breaks within a part become spaces.
            name: "\n".join(" ".join(line.split()) for line in value) if isinstance(value, tuple) else value
            for name, value in ((name, getattr(self, name)) for name in type(self).model_fields)
            if value is not None
        }
        return ReviewForm.model_validate({"do": deed, **texts})


class VerdictSent(ActionSent):
    """A verdict on support, on attribution, or on both; each has its reason."""

    support: SupportVerdict | None = None
    """Whether the passages carry the claim."""
    support_rationale: Text | None = None
    """Why, against the wording of the passage; needed with ``support``."""
    missing: Annotated[tuple[Line, ...], Field(max_length=MAX_MISSING)] | None = None
    """What is missing; needed with ``not_assessable``, and with nothing else."""
    attribution: AttributionVerdict | None = None
    """Whether a source is attached to the claim."""
    attribution_rationale: Text | None = None
    """Why; needed with ``attribution``."""
    note: Text | None = None
    """Anything else."""
    spent_ms: Annotated[int, Field(ge=0, le=86_400_000)] | None = None
    """How long the reviewer looked at the claim, in milliseconds."""


class DecisionSent(VerdictSent):
    """A verdict that replaces or settles an earlier one."""

    about: Annotated[int, Field(ge=1, le=1_000_000_000)]
    """The version of the event that is replaced or settled."""
    reason: Text
    """Why."""


class ObjectionSent(ActionSent):
    """Taking something back, or speaking against it."""

    about: Annotated[int, Field(ge=1, le=1_000_000_000)]
    """The version of the event."""
    reason: Text
    """Why."""


class NoteSent(ActionSent):
    """A note on a claim."""

    note: Text
    """What is noted."""


class MoreSent(Sent):
    """What a reviewer asks to be shown."""

    what: Literal["machine", "people"]
    """What machines propose, or what others decided."""


class AssignmentSent(Sent):
    """Claims for somebody."""

    assignee: Annotated[str, Field(min_length=1, max_length=600)]
    """Who is to look at them."""
    claims: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARS)], ...],
        Field(min_length=1, max_length=MAX_CLAIMS),
    ]
    """Which claims, by ``claim_id``; those that are theirs already stay as they are."""
