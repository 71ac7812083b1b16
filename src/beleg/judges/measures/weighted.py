"""Grades weighted by the probabilities that a judge gave them (Liu et al., G-Eval, 2023)."""

from __future__ import annotations

from beleg.core.judging import Call


def weighted_grade(call: Call) -> float | None:
    """The mean grade over the probabilities of all grades; ``None`` where the judge gave no probabilities.

    Formula: the sum of grade times probability over the sum of probabilities.

    Example:
        >>> from beleg.core.judging import JudgeSpec, TaskReference
        >>> task = TaskReference(task="t", version="1", language="en", prompt_digest="p", schema_digest="s")
        >>> call = Call(key="k", judge=JudgeSpec(provider="p", model="m"), task=task, messages=())
        >>> weighted_grade(call) is None
        True
        >>> weighted_grade(call.model_copy(update={"distribution": {"2": 0.75, "3": 0.25}}))
        2.25
    """
    chances = {float(grade): chance for grade, chance in (call.distribution or {}).items()}
    total = sum(chances.values())
    return sum(grade * chance for grade, chance in chances.items()) / total if total > 0 else None
