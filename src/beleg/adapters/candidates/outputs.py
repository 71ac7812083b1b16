"""What a system under test returned, as an `Output`, or an error that names the field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.models import validated
from beleg.adapters.formats.plain import plain
from beleg.core.errors import CandidateError, DataError, InvalidOutput, shown
from beleg.core.trace import RANKED_STAGES, Output, Passage


class CandidateTimeout(CandidateError, TimeoutError):
    """The system under test gave no answer within its own time limit."""

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="timeout")


def as_output(returned: object) -> Output:
    """Takes whatever a callable may return.

    Args:
        returned: an `Output`; a mapping with the fields of one; text (the answer alone); a list of passages or ids
            (retrieval alone); or a pair of such a list and the answer.

    Raises:
        InvalidOutput: saying what was returned, or which field is wrong.

    Example:
        >>> as_output((["d1", "d2"], "Within 30 days.")).retrieved[1].document_id
        'd2'
    """
    match returned:
        case Output() | dict():
            return output_from(returned)
        case str():
            return output_from({"answer": returned})
        case list():
            return output_from({"retrieved": _passages(returned)})
        case (list() as passages, str() | None as answer):
            return output_from({"retrieved": _passages(passages), "answer": answer})
        case _:
            raise InvalidOutput(
                f"the system returned {_what(returned)}",
                hint="Return an Output, a mapping with its fields, the answer as text, a list of passages, or a pair "
                "of such a list and the answer",
            )


def output_from(fields: Output | dict[str, Any]) -> Output:
    """Fields as an `Output`, with all that is promised of one.

    Raises:
        InvalidOutput: naming every field that is wrong, and a passage that stands twice in a stage.
    """
    try:
        # An Output is checked again: `model_construct` lets anything into one.
        output = validated(Output, plain(fields), Place())
    except DataError as error:
        raise InvalidOutput(f"the output cannot be used: {error}", hint=error.hint) from error
    return with_distinct_passages(output)


def with_distinct_passages(output: Output) -> Output:
    """The output itself, if no ranked stage holds a passage twice.

    Raises:
        InvalidOutput: naming both places of a passage that stands twice.
    """
    for stage in RANKED_STAGES:
        _require_distinct(stage.value, output.passages_at(stage) or ())
    return output


def _require_distinct(stage: str, passages: Iterable[Passage]) -> None:
    seen: dict[str, int] = {}
    for position, passage in enumerate(passages):
        first = seen.setdefault(passage.passage_id, position)
        if first != position:
            raise InvalidOutput(
                f"field '{stage}[{position}].passage_id': the passage already stands at {stage}[{first}] "
                f"(found {shown(passage.passage_id)})",
                hint="Return every passage once, at its best rank",
                kind="duplicate_passage",
            )


def _passages(items: list[object]) -> list[object]:
    return [{"passage_id": item, "document_id": item} if isinstance(item, str) else item for item in items]


def _what(returned: object) -> str:
    if returned is None:
        return "nothing (None)"
    return f"a value of type {type(returned).__name__}: {shown(returned)}"


def describe_fault(fault: BaseException) -> str:
    """What foreign code raised, in one line of bounded length."""
    text = " ".join(str(fault).split())[:500]
    name = type(fault).__name__
    return f"{name}: {text}" if text else name
