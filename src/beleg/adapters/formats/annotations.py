"""Looking into the annotations of models: what a field takes, and which model lies at a path."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from datetime import date, time
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from beleg.adapters.formats.strict_yaml import FieldPath


def alternatives(annotation: Any) -> Iterator[Any]:
    """The members of a union, without metadata; a plain type is its only member.

    Example:
        >>> [kind.__name__ for kind in alternatives(Annotated[int, "x"] | None)]
        ['int', 'NoneType']
    """
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from alternatives(get_args(annotation)[0])
    elif origin in (Union, types.UnionType):
        for member in get_args(annotation):
            yield from alternatives(member)
    else:
        yield annotation


def takes_text(annotation: Any) -> bool:
    """Whether text is a possible value: text itself, words of an enumeration, dates."""
    return any(_is_textual(member) for member in alternatives(annotation))


def inner(annotation: Any, step: str | int) -> Any:
    """The annotation of what lies at one step inside, or ``None`` where there is nothing to know."""
    for member in alternatives(annotation):
        found = _inner_of(member, step)
        if found is not None:
            return found
    return None


def model_at(model_class: type[BaseModel], path: FieldPath) -> type[BaseModel] | None:
    """The model at a path inside a model, where there is exactly one."""
    annotation: Any = model_class
    for step in path:
        annotation = inner(annotation, step)
    models = [member for member in alternatives(annotation) if _is_model(member)]
    return models[0] if len(models) == 1 else None


def _is_textual(member: Any) -> bool:
    if get_origin(member) is Literal:
        return any(isinstance(word, str) for word in get_args(member))
    return isinstance(member, type) and issubclass(member, (str, date, time))


def _is_model(member: Any) -> bool:
    return isinstance(member, type) and issubclass(member, BaseModel)


def _inner_of(member: Any, step: str | int) -> Any:
    if isinstance(step, str) and _is_model(member):
        field = member.model_fields.get(step)
        return None if field is None else field.annotation
    origin, arguments = get_origin(member), get_args(member)
    if not isinstance(origin, type) or not arguments:
        return None
    if issubclass(origin, Mapping):
        return arguments[-1] if isinstance(step, str) else None
    return arguments[0] if isinstance(step, int) else None
