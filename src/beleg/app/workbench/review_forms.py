"""What the forms of the review pages send: plain texts, checked by the types of the ledger and by nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.models import validated
from beleg.app.review_lines import VerdictLine
from beleg.app.reviewing import Seen
from beleg.core.case import Identifier, LongText
from beleg.core.errors import DataError, Problem
from beleg.core.evidence import Rationale, SupportVerdict

MAX_SENT_CHARS = 250_000
"""More than any field may hold, so that a text that is too long comes back with a word at its field."""
MAX_MISSING = 50

Text = Annotated[str, Field(max_length=MAX_SENT_CHARS)]


class ReviewDeed(StrEnum):
    """What a form asks for."""

    VERDICT = "verdict"
    SUPERSEDE = "supersede"
    ADJUDICATE = "adjudicate"
    WITHDRAW = "withdraw"
    DISPUTE = "dispute"
    NOTE = "note"
    SHOW_MACHINE = "show_machine"
    SHOW_PEOPLE = "show_people"


class ReviewForm(BaseModel):
    """A form of the page of a claim, as it was typed."""

    model_config = ConfigDict(frozen=True)

    do: ReviewDeed
    version: Annotated[int, Field(ge=0)]
    """Of the claim's history, as the page showed it."""
    evidence_digest: Annotated[str, Field(min_length=1, max_length=200)]
    idempotency_key: Annotated[str, Field(min_length=1, max_length=200)]
    support: Text = ""
    support_rationale: Text = ""
    missing: Text = ""
    """One line for each part that is missing."""
    attribution: Text = ""
    attribution_rationale: Text = ""
    note: Text = ""
    reason: Text = ""
    about: Annotated[int, Field(ge=1)] | None = None
    spent_ms: Annotated[int, Field(ge=0, le=86_400_000)] | None = None

    @property
    def seen(self) -> Seen:
        """What the sender looked at."""
        return Seen(version=self.version, evidence_digest=self.evidence_digest, idempotency_key=self.idempotency_key)

    def typed(self) -> dict[str, str]:
        """The texts and choices, to be put back into the form."""
        return {name: getattr(self, name) for name in TYPED}


RATIONALE: TypeAdapter[str] = TypeAdapter(Rationale)
LONG_TEXT: TypeAdapter[str] = TypeAdapter(LongText)
IDENTIFIER: TypeAdapter[str] = TypeAdapter(Identifier)
TYPED = ("support", "support_rationale", "missing", "attribution", "attribution_rationale", "note", "reason")


class FormRefused(DataError):
    """The types of the ledger do not take what was typed; each field is told what it lacks."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__([Problem(field=name, message=word.replace("_", " ")) for name, word in fields.items()])
        self.fields = fields
        """The key of the word for each field."""


def line_of_form(claim_id: str, form: ReviewForm) -> VerdictLine:
    """The verdict that a form holds.

    Raises:
        FormRefused: with what is wrong, field by field.
    """
    missing = [line.strip() for line in form.missing.splitlines() if line.strip()]
    given = {
        "claim_id": claim_id,
        "support": form.support or None,
        "support_rationale": form.support_rationale.strip() or None,
        "attribution": form.attribution or None,
        "attribution_rationale": form.attribution_rationale.strip() or None,
        "note": form.note.strip() or None,
        "spent_ms": form.spent_ms,
        "evidence_digest": form.evidence_digest,
        "expected_version": form.version,
        "idempotency_key": form.idempotency_key,
    }
    data = {name: value for name, value in given.items() if value is not None} | {"missing": missing}
    if len(missing) > MAX_MISSING:
        raise FormRefused({"missing": "too_long"})
    try:
        return validated(VerdictLine, data, Place("the form", None))
    except DataError as refused:
        raise FormRefused(_explained(form, refused)) from refused


def reason_of(form: ReviewForm) -> str:
    """The reason that a form holds.

    Raises:
        FormRefused: if there is none, or it is too long.
    """
    return _text(RATIONALE, form.reason, "reason")


def note_of(form: ReviewForm) -> str:
    """The note that a form holds.

    Raises:
        FormRefused: if there is none, or it is too long.
    """
    return _text(LONG_TEXT, form.note.strip(), "note")


def assignee_of(text: str) -> str:
    """The name of a person.

    Raises:
        FormRefused: if it is none.
    """
    return _text(IDENTIFIER, text.strip(), "assignee")


def _text(adapter: TypeAdapter[str], text: str, name: str) -> str:
    try:
        return adapter.validate_python(text)
    except ValidationError as refused:
        raise FormRefused({name: "needs_text" if not text.strip() else "unusable"}) from refused


def _explained(form: ReviewForm, refused: DataError) -> dict[str, str]:
    """What each field lacks; the types decided before that something does."""
    has_missing, is_open = bool(form.missing.strip()), form.support == SupportVerdict.NOT_ASSESSABLE
    told = {
        "support": (not form.support and not form.attribution, "needs_verdict"),
        "support_rationale": (bool(form.support) and not form.support_rationale.strip(), "needs_rationale"),
        "attribution_rationale": (bool(form.attribution) and not form.attribution_rationale.strip(), "needs_rationale"),
        "missing": (is_open and not has_missing, "needs_missing"),
    }
    found = {name: word for name, (is_wrong, word) in told.items() if is_wrong}
    for name, text in (("support", form.support_rationale), ("attribution", form.attribution_rationale)):
        if text.strip() and not getattr(form, name):
            found[name] = "needs_choice"
    if has_missing and not is_open:
        found["missing"] = "only_not_assessable"
    for problem in refused.problems:
        name = (problem.field or "").partition("[")[0].partition(".")[0]
        if name in TYPED:
            found.setdefault(name, "unusable")
    return found or {"support": "unusable"}
