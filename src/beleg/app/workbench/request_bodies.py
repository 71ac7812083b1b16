"""What programs send: JSON as strict as every record of a project, or an error that names each field."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel

from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.models import validated
from beleg.adapters.formats.strict_json import parse_json_bytes
from beleg.core.errors import DataError, Problem, shown

Model = TypeVar("Model", bound=BaseModel)


class NoJson(DataError):
    """What a program sent is no JSON that could be read."""


def read_body(kind: type[Model], data: bytes) -> Model:
    """The body of a request.

    Args:
        kind: what it should be.
        data: what came; anything at all.

    Raises:
        NoJson: if it is no JSON, or JSON with a trap: a repeated key, NaN, endless nesting.
        DataError: naming every field that is wrong.
    """
    try:
        value = parse_json_bytes(data)
    except DataError as error:
        raise NoJson(error.problems) from error
    if not isinstance(value, dict):
        raise DataError(Problem(message="an object with fields is expected", value=shown(value)))
    return validated(kind, value, Place())
