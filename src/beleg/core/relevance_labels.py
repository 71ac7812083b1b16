"""What a person says of a passage that a system returned and that nobody had judged (G2, M5)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Self

from pydantic import model_validator

from beleg.core.case import Case, ExpectedPassage, Identifier, ShortText
from beleg.core.digest import digest_of
from beleg.core.model import StoredModel


class RelevanceVerdict(StrEnum):
    """How relevant a passage is to a question."""

    NOT_RELEVANT = "0"
    RELATED = "1"
    """It is about the question and does not answer it."""
    PARTLY = "2"
    """It answers a part of it."""
    FULLY = "3"
    ADMISSIBLE = "admissible"
    """An answer may rest on it; no grade is said."""

    @property
    def grade(self) -> int:
        """The grade that a suite keeps; 0 for what it keeps not at all.

        Example:
            >>> RelevanceVerdict.PARTLY.grade, RelevanceVerdict.ADMISSIBLE.grade
            (2, 1)
        """
        return 1 if self is RelevanceVerdict.ADMISSIBLE else int(self.value)


class RelevanceLabel(StoredModel):
    """One person on one passage for one case. It is never changed: a later one of the same person counts instead."""

    suite_name: Identifier
    suite_digest: str
    """The suite as it was looked at."""
    case_id: Identifier
    question_digest: str
    """The question that was looked at; a label of another question says nothing of this one."""
    document_id: Identifier
    passage_id: Identifier
    text_digest: str | None = None
    """The words of the passage; ``None`` where they are not known."""
    verdict: RelevanceVerdict
    quote: ShortText | None = None
    """The words that carry it, which outlive a change of chunking."""
    actor: Identifier
    at: datetime

    @model_validator(mode="after")
    def _quotes_what_is_relevant(self) -> Self:
        if self.quote is not None and self.verdict is RelevanceVerdict.NOT_RELEVANT:
            raise ValueError("what is not relevant has no words that carry it")
        return self

    @property
    def item(self) -> tuple[str, str, str]:
        """What it is about: case, document and passage."""
        return self.case_id, self.document_id, self.passage_id

    def evidence(self) -> ExpectedPassage:
        """What a suite keeps of it; an answer without it may still be complete, so it is not required."""
        named = {"quote": self.quote} if self.quote is not None else {"passage_id": self.passage_id}
        return ExpectedPassage(document_id=self.document_id, grade=self.verdict.grade, required=False, **named)


def question_digest(case: Case) -> str:
    """By which a label knows the question that it is about.

    Example:
        >>> one, other = (Case(case_id="c", user_input="Why?", notes=note) for note in (None, "seen"))
        >>> question_digest(one) == question_digest(other)
        True
    """
    return digest_of([case.user_input, [turn.to_json_dict() for turn in case.turns]])
