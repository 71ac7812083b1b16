"""What a person said about an answer or a claim: the labels against which judges and verifiers are measured (J4)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from beleg.core.case import Identifier, Nugget
from beleg.core.model import StoredModel

MAX_LABEL_TEXT_CHARS = 4_000_000
LabelText = Annotated[str, Field(max_length=MAX_LABEL_TEXT_CHARS)]
LabelValue = Literal["supported", "not_supported", "pass", "fail"]


class TextRange(StoredModel):
    """A half-open range of code points of an answer that a person marked."""

    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    kind: str | None = None
    """What is wrong there, in the words of the data set."""


class Rationale(StoredModel):
    """A range of a passage that a person named as the reason of a label."""

    passage_id: Identifier
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]


class HumanLabel(StoredModel):
    """One label that one person gave.

    ``supported`` and ``not_supported`` are about passages; ``pass`` and ``fail`` are about an answer as a whole.

    Example:
        >>> label = HumanLabel(item_id="1", question="?", answer="Yes.", label="pass")
        >>> label.is_positive
        True
    """

    item_id: Annotated[str, Field(min_length=1, max_length=512)]
    """The item that was labelled; several people may have labelled one item."""
    question: LabelText = ""
    answer: LabelText
    """The whole answer; the claim itself where there is nothing more."""
    passages: tuple[tuple[str, LabelText], ...] = ()
    """The passages that the label is about: id and text."""
    reference_answer: LabelText | None = None
    """What a right answer says, for a judge that compares with it."""
    rubric: LabelText | None = None
    """What a good answer does, for a judge that grades by it."""
    nuggets: tuple[Nugget, ...] = ()
    """What a complete answer holds, for a judge that looks for it."""
    claim: LabelText | None = None
    """The claim that was labelled; ``None`` where the label is about the whole answer."""
    label: LabelValue
    annotator: Identifier | None = None
    """Who labelled; ``None`` where the data set does not tell."""
    segments: dict[Identifier, str] = Field(default_factory=dict)
    """By what the items may be told apart, such as ``language`` or ``model``."""
    marked: tuple[TextRange, ...] = ()
    """The ranges of the answer that the person marked as not supported."""
    rationales: tuple[Rationale, ...] = ()
    """The ranges of the passages that the person named as the reason."""

    @property
    def is_positive(self) -> bool:
        """Whether the label says that all is well: supported, or pass."""
        return self.label in ("supported", "pass")

    @property
    def judged_text(self) -> str:
        """What was labelled: the claim, else the answer."""
        return self.answer if self.claim is None else self.claim
