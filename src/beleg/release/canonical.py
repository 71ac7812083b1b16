"""Signed bytes as values: read only if they are the one canonical form of what they say.

A reader that takes the last of two equal keys, turns ``1e999`` into infinity or drops half a surrogate pair reads
something that another reader does not. The canonical form of RFC 8785 has none of these, so that one comparison of
bytes refuses them all.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from beleg.core.digest import canonical_json
from beleg.core.errors import DataError, Problem

Model = TypeVar("Model", bound=BaseModel)


def parse_canonical(data: bytes) -> Any:
    """The JSON value that the bytes are the canonical form of.

    Raises:
        DataError: if they are no JSON, or not byte for byte in the form of RFC 8785.

    Example:
        >>> parse_canonical(b'{"a":"1","b":[]}')
        {'a': '1', 'b': []}
        >>> parse_canonical(b'{"a":"0","a":"1"}')
        Traceback (most recent call last):
        ...
        beleg.core.errors.DataError: the bytes are not in canonical form. Sign the RFC 8785 form of the document
    """
    try:
        value = json.loads(data.decode("utf-8"))
        is_canonical = canonical_json(value) == data
    except (ValueError, RecursionError) as error:
        raise _not_canonical() from error
    if not is_canonical:
        raise _not_canonical()
    return value


def read_as(model: type[Model], value: Any) -> Model:
    """A parsed value as a model, by the names of the wire alone.

    Raises:
        DataError: if a field is missing, unknown or not of its type.
    """
    try:
        return model.model_validate_json(canonical_json(value), by_alias=True, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise DataError(
            Problem(
                field=".".join(str(step) for step in first["loc"]) or None,
                message=first["msg"],
                remedy=f"Write the document as the schema of {model.__name__} says",
            )
        ) from error


def _not_canonical() -> DataError:
    return DataError(
        Problem(message="the bytes are not in canonical form", remedy="Sign the RFC 8785 form of the document")
    )
