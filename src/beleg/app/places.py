"""Naming file and line of a fault that is found only after a file was read."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from beleg.adapters.formats.files import read_document_text
from beleg.adapters.formats.strict_yaml import FieldPath, parse_yaml
from beleg.core.errors import Problem

YAML_SUFFIXES = (".yaml", ".yml")

_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def placed(problems: tuple[Problem, ...], path: Path) -> tuple[Problem, ...]:
    """The problems with the file that they are in, and the line of the field where the file is YAML.

    Args:
        problems: what is wrong in fields of the file; one that names a line already keeps it.
        path: the file, which has been read without a fault before.
    """
    if path.suffix.lower() not in YAML_SUFFIXES:
        return tuple(replace(problem, file=str(path)) for problem in problems)
    document = parse_yaml(read_document_text(path), file=str(path))
    return tuple(
        problem
        if problem.line
        else replace(problem, file=str(path), line=document.line_of(_steps(problem.field or "")))
        for problem in problems
    )


def _steps(field: str) -> FieldPath:
    """The path of a field that was named as in ``checks[0].metric``."""
    return tuple(int(place) if place else name for place, name in _STEP.findall(field))
