"""Interval bars: each figure that decides, drawn against the limits it must clear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from beleg.core.decision import Bounds, CheckKind, CheckResult, CheckState, Decision, Sentence
from beleg.report.figures import both
from beleg.report.naming import check_title, unit_of_check
from beleg.report.words import SHAPES, phrase, state_word
from beleg.text.figures import Unit, interval_text, limit_text

WIDTH = 400
INSET = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A limit line: ``pass`` (needed for PASS), ``block`` (BLOCK beyond it) or ``zero`` (no difference)."""

    kind: str
    x: float
    label: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalRow:
    """One figure with its interval and limits, placed on a scale of its own."""

    check_id: str
    title: Sentence
    segment: str | None
    state: str
    shape: str
    state_word: Sentence
    figure: Sentence
    limits: tuple[Sentence, ...]
    low: float
    high: float
    at: float
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """All figures that have a limit."""

    finding: Sentence
    rows: tuple[IntervalRow, ...]


def intervals(decision: Decision) -> Intervals | None:
    """The interval bars of a decision, or nothing where no check has a figure and a limit."""
    rows = tuple(row for check in decision.checks if (row := _row(check)) is not None)
    if not rows:
        return None
    missed = sum(row.state != CheckState.PASS.value for row in rows)
    key = "intervals.finding_miss" if missed else "intervals.finding_clear"
    return Intervals(finding=phrase(key, n=missed, all=len(rows)), rows=rows)


def _row(check: CheckResult) -> IntervalRow | None:
    bounds = check.difference if check.kind is CheckKind.NO_REGRESSION else check.figure
    limits = _limits(check)
    if bounds is None or not limits:
        return None
    unit = unit_of_check(check)
    signed = check.kind is CheckKind.NO_REGRESSION
    marks = [(kind, value) for kind, value, _ in limits] + ([("zero", 0.0)] if signed else [])
    place = _scale(bounds, [value for _, value in marks])
    labels = {kind: label for kind, _, label in limits}
    nothing = Sentence(en="0", de="0")
    return IntervalRow(
        check_id=check.check_id,
        title=check_title(check),
        segment=check.segment,
        state=check.state.value,
        shape=SHAPES[check.state],
        state_word=state_word(check.state),
        figure=both(lambda lang: interval_text(bounds, lang, unit=unit, signed=signed)),
        limits=tuple(label for _, _, label in limits),
        low=INSET if bounds.lower is None else place(bounds.lower),
        high=WIDTH - INSET if bounds.upper is None else place(bounds.upper),
        at=place(bounds.estimate),
        lines=tuple(Line(kind=kind, x=place(value), label=labels.get(kind, nothing)) for kind, value in marks),
    )


def _limits(check: CheckResult) -> list[tuple[str, float, Sentence]]:
    unit = unit_of_check(check)
    higher = check.higher_is_better is not False
    if check.kind is CheckKind.NO_REGRESSION:
        if check.margin is None:
            return []
        tolerated = -check.margin if higher else check.margin
        return [("pass", tolerated, phrase("intervals.margin", value=_written(tolerated, unit, signed=True)))]
    found: list[tuple[str, float, Sentence]] = []
    if check.pass_at is not None:
        key = "intervals.pass_at" if higher else "intervals.pass_to"
        found.append(("pass", check.pass_at, phrase(key, value=_written(check.pass_at, unit))))
    if check.block_at is not None:
        key = "intervals.block_at" if higher else "intervals.block_to"
        found.append(("block", check.block_at, phrase(key, value=_written(check.block_at, unit))))
    return found


def _written(value: float, unit: Unit, *, signed: bool = False) -> Sentence:
    return both(lambda lang: limit_text(value, lang, unit=unit, signed=signed))


def _scale(bounds: Bounds, marks: list[float]) -> Callable[[float], float]:
    """Places values on the drawing so that the interval and every limit fit; an open end reaches the edge."""
    ends = [end for end in (bounds.lower, bounds.upper) if end is not None]
    values = [*ends, bounds.estimate, *marks]
    low = min(values)
    span = (max(values) - low) or 1.0
    return lambda value: round(INSET + (value - low) / span * (WIDTH - 2 * INSET), 2)
