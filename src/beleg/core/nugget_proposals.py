"""Nuggets that a judge proposed: marked as such, and worth nothing until a person has decided on every one (A7)."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from beleg.core.case import Identifier, Nugget, ShortText
from beleg.core.judging import JudgeSpec, TaskReference
from beleg.core.model import StoredModel


class NuggetReview(StoredModel):
    """Who decided on the nuggets of a case, and when."""

    by: ShortText
    """The person."""
    on: date
    """The day."""


class ProposedNugget(StoredModel):
    """One nugget as it was proposed, or as a person changed it."""

    nugget_id: Identifier
    """The name of the nugget, unique within the case."""
    text: ShortText
    """The information as a statement."""
    vital: bool = True
    """Whether an answer without it is incomplete."""
    source_id: Identifier | None = None
    """Where the judge took it from: a passage, ``reference_answer``, or nothing for one that a person added."""
    quote: ShortText | None = None
    """The words that it was taken from; they really stand in the source."""
    rationale: Annotated[str, Field(max_length=4_000)] | None = None
    """Why it is vital or not, in the judge's words."""
    decision: Literal["open", "accepted", "rejected"] = "open"
    """What a person says to it."""


class NuggetProposal(StoredModel):
    """The proposed nuggets of one case: one line of a file of proposals.

    A person reviews it by setting each ``decision``, changing wording and importance where they are wrong, adding what
    is missing, and filling in ``review``. Only then do the accepted nuggets count.
    """

    case_id: Identifier
    question_digest: str
    """The digest of what was proposed from: question and sources."""
    origin: Literal["judge"] = "judge"
    """Nuggets of a judge are synthetic; reviewed ones that a person wrote stand in the suite itself."""
    judge: JudgeSpec
    """Who proposed them."""
    task: TaskReference
    """What the judge was asked."""
    call: str
    """The key of the call, by which the raw reply is found."""
    nuggets: tuple[ProposedNugget, ...]
    review: NuggetReview | None = None
    """``null`` until a person has decided."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        names = [nugget.nugget_id for nugget in self.nuggets]
        if len(set(names)) != len(names):
            raise ValueError("a nugget_id stands twice")
        if self.review is not None and any(nugget.decision == "open" for nugget in self.nuggets):
            raise ValueError("a reviewed proposal has no open nugget: accept or reject each")
        return self

    def accepted(self) -> tuple[Nugget, ...]:
        """The nuggets that count: none before a person has reviewed the proposal.

        Example:
            >>> from beleg.core.judging import JudgeSpec, TaskReference
            >>> task = TaskReference(task="t", version="1", language="en", prompt_digest="d", schema_digest="d")
            >>> found = NuggetProposal(case_id="c", question_digest="d", judge=JudgeSpec(provider="p", model="m"),
            ...     task=task, call="k", nuggets=(ProposedNugget(nugget_id="n1", text="A.", decision="accepted"),))
            >>> found.accepted()
            ()
        """
        if self.review is None:
            return ()
        return tuple(
            Nugget(nugget_id=nugget.nugget_id, text=nugget.text, vital=nugget.vital)
            for nugget in self.nuggets
            if nugget.decision == "accepted"
        )
