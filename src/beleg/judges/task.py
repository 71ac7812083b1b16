"""A task for a judge: what it is given, the shape of its reply, and what makes a reply whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from beleg.core.digest import digest_of
from beleg.core.judging import JudgeFault


class Reply(BaseModel):
    """The base of every reply: strict, frozen, and closed to fields that were not asked for."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)


QuestionT = TypeVar("QuestionT")
ReplyT = TypeVar("ReplyT", bound=Reply)


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of data that a judge is shown, fenced under its name."""

    name: str
    """What the prompt calls it, such as ``answer`` or ``passage``."""
    text: str
    label: str | None = None
    """The id by which a reply names it, such as the number of a passage."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why a reply of the right shape cannot be taken."""

    fault: JudgeFault
    message: str


@dataclass(frozen=True, kw_only=True)
class JudgeTask(Generic[QuestionT, ReplyT]):
    """A question that is put to a judge in one fixed wording.

    ``parts`` turns a question into the data that is shown. ``check`` says what is wrong with a reply of the right
    shape; a reply is taken only where it says nothing.
    """

    name: str
    version: str
    reply: type[ReplyT]
    parts: Callable[[QuestionT], Sequence[Part]]
    check: Callable[[QuestionT, ReplyT], Flaw | None]
    graded_field: str | None = None
    """For a graded task: the field whose token probabilities weight the grade (G-Eval)."""

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the reply."""
        return self.reply.model_json_schema()

    @cached_property
    def schema_digest(self) -> str:
        """The digest of the schema."""
        return digest_of(self.schema)
