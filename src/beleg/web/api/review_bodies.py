"""What programs send to act on claims."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from beleg.app.workbench.review_forms import MAX_MISSING, ReviewDeed, ReviewForm
from beleg.core.evidence import AttributionVerdict, SupportVerdict
from beleg.web.api.base import MAX_NAME_CHARS, NAME, WHOLE, WORDS, Sent

Reason = Annotated[str, Field(min_length=1, max_length=20_000, pattern=WORDS)]
Note = Annotated[str, Field(min_length=1, max_length=200_000, pattern=WORDS)]
Line = Annotated[str, Field(min_length=1, max_length=4_000, pattern=WORDS)]
Name = Annotated[str, Field(min_length=1, max_length=512, pattern=NAME)]
MAX_CLAIMS = 1_000


class ActionSent(Sent):
    """Whatever is done to a claim, it names what was looked at."""

    version: Annotated[int, Field(ge=0, le=1_000_000_000), WHOLE]
    """Of the claim's history, as `get_claim` told it; refused with 409 where somebody acted on the claim since."""
    evidence_digest: Annotated[str, Field(min_length=1, max_length=200)]
    """``digest`` as `get_claim` told it; refused with 409 where the claim is another row by now."""
    idempotency_key: Annotated[str, Field(min_length=1, max_length=200, pattern=NAME)]
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


def _each_with_its_reason(schema: dict[str, Any]) -> None:
    """Says as JSON Schema which fields go together."""

    def given(name: str, **more: Any) -> dict[str, Any]:
        return {"properties": {name: {"type": "string"} | more}, "required": [name]}

    missing = {"properties": {"missing": {"type": "array", "minItems": 1}}, "required": ["missing"]}
    open_verdict = given("support", const=SupportVerdict.NOT_ASSESSABLE.value)
    pairs = [("support", "support_rationale"), ("attribution", "attribution_rationale")]
    schema["anyOf"] = [given("support"), given("attribution")]
    schema["allOf"] = [
        *({"if": given(one), "then": given(other)} for pair in pairs for one, other in (pair, pair[::-1])),
        {"if": open_verdict, "then": missing},
        {"if": missing, "then": open_verdict},
    ]


class VerdictSent(ActionSent):
    """A verdict on support, on attribution, or on both; each has its reason."""

    model_config = ConfigDict(json_schema_extra=_each_with_its_reason)

    support: SupportVerdict | None = None
    """Whether the passages carry the claim."""
    support_rationale: Reason | None = None
    """Why, against the wording of the passage; needed with ``support``."""
    missing: Annotated[tuple[Line, ...], Field(max_length=MAX_MISSING)] | None = None
    """What is missing; needed with ``not_assessable``, and with nothing else."""
    attribution: AttributionVerdict | None = None
    """Whether a source is attached to the claim."""
    attribution_rationale: Reason | None = None
    """Why; needed with ``attribution``."""
    note: Note | None = None
    """Anything else."""
    spent_ms: Annotated[int, Field(ge=0, le=86_400_000), WHOLE] | None = None
    """How long the reviewer looked at the claim, in milliseconds."""


class DecisionSent(VerdictSent):
    """A verdict that replaces or settles an earlier one."""

    about: Annotated[int, Field(ge=1, le=1_000_000_000), WHOLE]
    """The version of the event that is replaced or settled."""
    reason: Reason
    """Why."""


class ObjectionSent(ActionSent):
    """Taking something back, or speaking against it."""

    about: Annotated[int, Field(ge=1, le=1_000_000_000), WHOLE]
    """The version of the event."""
    reason: Reason
    """Why."""


class NoteSent(ActionSent):
    """A note on a claim."""

    note: Note
    """What is noted."""


class MoreSent(Sent):
    """What a reviewer asks to be shown."""

    what: Literal["machine", "people"]
    """What machines propose, or what others decided."""


class AssignmentSent(Sent):
    """Claims for somebody."""

    assignee: Name
    """Who is to look at them."""
    claims: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARS)], ...],
        Field(min_length=1, max_length=MAX_CLAIMS),
    ]
    """Which claims, by ``claim_id``; those that are theirs already stay as they are."""
