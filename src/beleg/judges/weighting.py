"""Grades weighted by the probabilities of their tokens, as G-Eval does (J1)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from beleg.core.errors import DataError, Problem, shown
from beleg.core.inference import JudgeReply, TokenChoice
from beleg.judges.task import JudgeTask

DIGITS: tuple[str, ...] = tuple("0123456789")

_AROUND_A_VALUE = ' \t\r\n":,{}[]'
# What servers give for a probability of one may lie above zero by rounding.
_LARGEST_LOG = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeReading:
    """What the token probabilities say of a grade, or why they say nothing."""

    distribution: dict[str, float] | None = None
    """The probability of each grade that was among the alternatives; they sum to 1."""
    mass: float = 0.0
    """How much probability the grades had together before they were normalised."""
    reason: str | None = None
    """Why there is no distribution."""


def grades_of(task: JudgeTask[Any, Any]) -> tuple[str, ...]:
    """The grades that a graded task allows, from the schema of its reply.

    Raises:
        DataError: for a task without a graded field, or one whose values are not listed.
    """
    described = task.schema.get("properties", {}).get(task.graded_field, {})
    allowed = described.get("enum")
    if not allowed:
        raise DataError(Problem(message="lists no grades", field=task.graded_field, value=shown(task.name)))
    return tuple(str(value) for value in allowed)


def grade_distribution_of(reply: JudgeReply, task: JudgeTask[Any, Any]) -> dict[str, float] | None:
    """The probability of each grade that a graded task allows, or ``None`` where the reply does not tell.

    Args:
        reply: a reply, with the tokens that the server told.
        task: the task that was asked.
    """
    if reply.tokens is None or task.graded_field is None:
        return None
    return grade_distribution(reply.tokens, task.graded_field, grades=grades_of(task))


def grade_distribution(
    tokens: Sequence[TokenChoice], field: str, *, grades: Sequence[str] = DIGITS
) -> dict[str, float] | None:
    """The probability of each grade, or ``None`` where the tokens do not tell; `read_grades` says why.

    Args:
        tokens: the tokens of the reply with their alternatives.
        field: the field of the JSON reply that holds the grade.
        grades: the grades that are allowed, as they are written.

    Example:
        >>> tokens = [TokenChoice(token='{"score":', alternatives={'{"score":': 0.0})]
        >>> tokens.append(TokenChoice(token=" 4", alternatives={" 4": math.log(0.6), " 5": math.log(0.2)}))
        >>> tokens.append(TokenChoice(token="}", alternatives={"}": 0.0}))
        >>> {grade: round(p, 4) for grade, p in grade_distribution(tokens, "score").items()}
        {'4': 0.75, '5': 0.25}
    """
    return read_grades(tokens, field, grades=grades).distribution


def read_grades(tokens: Sequence[TokenChoice], field: str, *, grades: Sequence[str] = DIGITS) -> GradeReading:
    """Reads the probabilities of the grades at the position where the reply names its grade.

    Formula: p(g) = exp(log p of g's token) / the sum of the same over all grades among the alternatives. What is no
    grade leaves the sum. The position is found in the JSON itself: words inside the reason that look like the field do
    not count. A grade that was written in several tokens, or that may have been, has no probability that could be read
    at one position: there is no distribution then, and never a wrong one. The probabilities are those after the
    reason that the judge gave before its grade.

    Args:
        tokens: the tokens of the reply with their alternatives.
        field: the field at the top of the JSON reply that holds the grade.
        grades: the grades that are allowed, as they are written.

    Returns:
        The distribution, or the reason why there is none.
    """
    text = "".join(choice.token for choice in tokens)
    spans = [span for name, span in _top_fields(text) if name == field]
    if len(spans) != 1:
        return GradeReading(reason=f"the reply names the field {shown(field)} {len(spans)} times")
    start, end = spans[0]
    place, offset = _token_at(tokens, start)
    choice = tokens[place]
    if offset + (end - start) > len(choice.token):
        return GradeReading(reason=f"the grade {shown(text[start:end])} is spread over several tokens")
    return _normalised(choice, text[start:end].strip('"'), grades)


def expected_grade(distribution: Mapping[str, float], scale: Sequence[float]) -> float:
    """The grade weighted by its probabilities.

    Formula: sum of p(g) * g over all grades g, with the probabilities normalised over the grades that were seen.
    Source: Liu et al. 2023, G-Eval, equation 1. Range: from the lowest to the highest grade of the scale.

    Args:
        distribution: the probability of each grade, as `grade_distribution` gives it.
        scale: all grades that are allowed.

    Returns:
        The expected grade.

    Raises:
        DataError: for a grade outside the scale, or probabilities that are negative or do not sum to 1.

    Example:
        >>> expected_grade({"4": 0.75, "5": 0.25}, (1, 2, 3, 4, 5))
        4.25
    """
    known = {f"{grade:g}": float(grade) for grade in scale}
    strange = [grade for grade in distribution if grade not in known]
    if strange:
        raise DataError(Problem(message="is no grade of the scale", field="distribution", value=shown(strange[0])))
    total = math.fsum(distribution.values())
    if not math.isclose(total, 1.0, rel_tol=1e-6) or min(distribution.values()) < 0.0:
        raise DataError(Problem(message="probabilities sum to 1", field="distribution", value=shown(total)))
    return math.fsum(known[grade] * share for grade, share in distribution.items()) / total


def _normalised(choice: TokenChoice, chosen: str, grades: Sequence[str]) -> GradeReading:
    if chosen not in grades:
        return GradeReading(reason=f"{shown(chosen)} is no grade")
    if choice.token not in choice.alternatives:
        return GradeReading(reason="the token of the grade has no probability of its own")
    weights: dict[str, float] = {}
    for token, log in choice.alternatives.items():
        core = token.strip(_AROUND_A_VALUE)
        if not log <= _LARGEST_LOG:
            return GradeReading(reason=f"{shown(log)} is no log probability")
        if core and any(grade != core and grade.startswith(core) for grade in grades):
            return GradeReading(reason=f"the token {shown(token)} may begin several grades")
        if core in grades:
            weights[core] = weights.get(core, 0.0) + math.exp(log)
    mass = math.fsum(weights.values())
    if not weights.get(chosen):
        return GradeReading(reason=f"the token {shown(choice.token)} holds more than the grade")
    return GradeReading(distribution={grade: weights[grade] / mass for grade in grades if grade in weights}, mass=mass)


def _token_at(tokens: Sequence[TokenChoice], position: int) -> tuple[int, int]:
    """Which token holds a position of the text, and where in it."""
    begin = 0
    for place, choice in enumerate(tokens):
        if position < begin + len(choice.token):
            return place, position - begin
        begin += len(choice.token)
    raise IndexError(position)


@dataclass(slots=True)
class _Scan:
    """Where a walk through JSON text stands."""

    depth: int = 0
    key: str | None = None
    is_value: bool = False
    last: str = field(default="")


def _top_fields(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """The fields of the outermost object with the places of their scalar values.

    It is a walk and no parser: a token may hold a part of a character, so that the joined tokens are not always JSON.
    """
    scan, at = _Scan(), 0
    while at < len(text):
        character = text[at]
        if character == '"' or (scan.is_value and character not in _AROUND_A_VALUE):
            end = _string_end(text, at) if character == '"' else _scalar_end(text, at)
            if scan.depth == 1 and scan.is_value and scan.key is not None:
                yield scan.key, (at, end)
            scan.last = text[at + 1 : end - 1]
            scan.is_value = False
            at = end
            continue
        _step(scan, character)
        at += 1


def _step(scan: _Scan, character: str) -> None:
    if character in "{[":
        scan.depth += 1
        scan.is_value = False
    elif character in "}]":
        scan.depth -= 1
        scan.is_value = False
    elif character == ":" and scan.depth == 1:
        scan.key, scan.is_value = scan.last, True


def _string_end(text: str, at: int) -> int:
    end = at + 1
    while end < len(text) and text[end] != '"':
        end += 2 if text[end] == "\\" else 1
    return min(end + 1, len(text))


def _scalar_end(text: str, at: int) -> int:
    end = at
    while end < len(text) and text[end] not in _AROUND_A_VALUE:
        end += 1
    return end
