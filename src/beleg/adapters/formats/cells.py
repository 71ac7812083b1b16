"""Text cells as data: a cell is text where its field takes text, and JSON everywhere else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from beleg.adapters.formats.annotations import alternatives, inner, takes_text
from beleg.adapters.formats.strict_json import parse_json
from beleg.adapters.formats.strict_yaml import FieldPath, dotted
from beleg.core.errors import DataError, Problem, shown


def from_cells(model_class: type[BaseModel], data: dict[str, Any], *, file: str, line: int) -> dict[str, Any]:
    """Gives the cells of a CSV row the types of the model's fields.

    Raises:
        DataError: with every cell that must be JSON and is not.
    """
    problems: list[Problem] = []
    converted = _convert(model_class, data, (), problems)
    if problems:
        raise DataError(_placed(problems, file, line))
    return dict(converted)


def _convert(annotation: Any, value: Any, path: FieldPath, problems: list[Problem]) -> Any:
    if isinstance(value, dict):
        return {key: _convert(inner(annotation, key), cell, (*path, key), problems) for key, cell in value.items()}
    if annotation is None or takes_text(annotation):
        return value
    try:
        return parse_json(value)
    except DataError as error:
        problems.append(
            Problem(
                field=dotted(path),
                message=f"the cell does not hold what the field takes: {error.problems[0].message}",
                value=shown(value),
                remedy=_remedy(annotation),
            )
        )
        return None


def _remedy(annotation: Any) -> str:
    kinds = set(alternatives(annotation))
    if bool in kinds:
        return "Write true or false"
    if kinds & {int, float}:
        return "Write a number with a decimal point, without thousands separators"
    return 'Write JSON, such as ["a", "b"] or {"name": "value"}'


def _placed(problems: list[Problem], file: str, line: int) -> Iterator[Problem]:
    for problem in problems:
        yield Problem(
            file=file,
            line=line,
            field=problem.field,
            message=problem.message,
            value=problem.value,
            remedy=problem.remedy,
        )
