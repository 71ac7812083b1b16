"""What every request and every answer of the API has in common."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, ValidationInfo

from beleg.app.workbench.addresses import as_segment
from beleg.core.decision import Sentence
from beleg.core.score import ScoreStatus

MAX_PAGE = 1_000_000
MAX_LIMIT = 500
"""As many as an index gives at once."""
MAX_NAME_CHARS = 4_000
"""A name of 512 characters, each of four bytes that are written as three characters, and no more."""


class Told(BaseModel):
    """A part of an answer, read off what the services of the workbench return."""

    # Built when it is first needed: a server that nobody asks by a program need not wait for any of it.
    model_config = ConfigDict(
        frozen=True,
        from_attributes=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        defer_build=True,
        json_schema_serialization_defaults_required=True,
    )


class Sent(BaseModel):
    """The body of a request: strictly typed, and without fields that mean nothing."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", use_attribute_docstrings=True, defer_build=True)


class Asked(BaseModel):
    """What may stand behind the question mark of every address."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    lang: Literal["en", "de"] | None = None
    """The language of sentences; without it ``Accept-Language`` decides, and English where that names none of ours."""


def _in_language(value: Any, info: ValidationInfo) -> Any:
    if not isinstance(value, Sentence):
        return value
    if info.context is None:
        raise LookupError("a sentence is told in no language: use tell()")
    return value.in_language(info.context["language"])


Said = Annotated[str, BeforeValidator(_in_language)]
"""A sentence in the language that was asked for."""

Address = Annotated[str, PlainSerializer(as_segment, return_type=str)]
"""A name as one segment of a path: ``~`` with two digits stands for each byte that may not stand there itself."""

WORDS = r"[^\s\x00-\x1f\x7f-\x9f]"
"""A text that says something: a character that is no space."""
NAME = r"^[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f]*$"
"""A name begins with a character that is no space, and holds no control characters."""


def _whole(value: Any) -> Any:
    """JSON knows no whole numbers: ``2.0`` is the same number as ``2``."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
"""A whole number, however it is written; never a text or a truth value."""

Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT)]
Page = Annotated[int, Field(ge=1, le=MAX_PAGE)]


class ScoreTold(Told):
    """One metric of one case: a value, or the reason why there is none."""

    metric: str
    """The metric with its parameters, such as ``ndcg@10``."""
    value: float | None
    """``None`` where there is no score; never a stand-in."""
    reason: ScoreStatus | Literal["not_measured"] | None
    """Why there is no score; ``not_measured`` where the run was not scored by this metric."""


def scores_of(metrics: tuple[str, ...], scores: tuple[Any, ...]) -> list[dict[str, Any]]:
    """One score for each metric, in the same order."""
    return [
        {"metric": name, "value": None, "reason": "not_measured"}
        if score is None
        else {"metric": name, "value": score.value, "reason": score.reason}
        for name, score in zip(metrics, scores, strict=True)
    ]


class UnreadableTold(Told):
    """A file that should be a record and cannot be read: told, and never left out in silence."""

    file: str
    """Its place in the project."""
    why: str
    """What is wrong with it."""


class Problem(BaseModel):
    """What is wrong, and what to do (RFC 9457, ``application/problem+json``)."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True, defer_build=True, title="Problem")

    status: int
    """The status code of the answer."""
    title: str
    """The status in words."""
    detail: str | None = None
    """What is wrong with this very request; absent where the status says all."""
    hint: str | None = None
    """What to do; absent where that is plain."""
    fields: tuple[FieldProblem, ...] | None = None
    """What is wrong with each field of the request; absent where it is none of them."""


class FieldProblem(BaseModel):
    """What is wrong with one field of a request."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True, defer_build=True)

    field: str
    """Where it stands, such as ``query.page`` or ``body.support``."""
    message: str
    """What is wrong with it."""
