"""Where words stand in a text, so that they are found again after the text was edited, or reported as gone (E6).

Offsets count code points, as the W3C Web Annotation model has it; nothing stores UTF-16 offsets.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from beleg.core.model import StoredModel

CONTEXT_CODE_POINTS = 32
"""How much of the text before and after a passage is kept to tell like passages apart."""


class Span(StoredModel):
    """A half-open stretch of a text, in code points."""

    start: Annotated[int, Field(ge=0)]
    """Where it begins, counted from 0."""
    end: Annotated[int, Field(ge=0)]
    """Where the first code point behind it stands."""

    @model_validator(mode="after")
    def _is_forward(self) -> Self:
        if self.end < self.start:
            raise ValueError("a span ends after it starts")
        return self


class PassageLocator(StoredModel):
    """A W3C text-quote selector with the position and the content address of the text that it was made on."""

    exact: Annotated[str, Field(min_length=1)]
    """The words themselves."""
    prefix: Annotated[str, Field(max_length=CONTEXT_CODE_POINTS)] = ""
    """Up to 32 code points before them."""
    suffix: Annotated[str, Field(max_length=CONTEXT_CODE_POINTS)] = ""
    """Up to 32 code points after them."""
    span: Span
    """Where they stood."""
    text_digest: str
    """The content address of the whole text that the span counts in."""
    scope: Literal["document", "passage"]
    """Whether that text is the source document or only the passage as returned."""
    normalisation: Literal["none"] = "none"
    """The text is taken as it is: nothing is folded before offsets are counted."""


class LocatorState(StrEnum):
    """What a locator finds in a text of today."""

    OK = "OK"
    """The same words at the same place."""
    MOVED = "MOVED"
    """The same words exactly once at another place; a person confirms it."""
    ORPHAN = "ORPHAN"
    """The words are gone, or stand in several places and cannot be told apart."""


class Located(StoredModel):
    """What became of a locator in a text of today."""

    state: LocatorState
    span: Span | None = None
    """Where the words stand now; ``None`` for an orphan."""
    suggestion: Span | None = None
    """For an orphan: where a person might look, because the first or last words stand there. Never a hit."""

    @model_validator(mode="after")
    def _has_a_span_unless_orphaned(self) -> Self:
        if (self.span is None) != (self.state is LocatorState.ORPHAN):
            raise ValueError("a locator has a span today exactly when it is no orphan")
        if self.suggestion is not None and self.state is not LocatorState.ORPHAN:
            raise ValueError("only an orphan has a suggestion")
        return self
