"""The decision for the command line: the answer first, then the reasons, then the tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from beleg.core.decision import Decision, Sentence
from beleg.report.overrides import OverrideView
from beleg.report.safe import one_line
from beleg.report.view import (
    CheckView,
    check_views,
    headline,
    judge_lines,
    leading_checks,
    settled_sentence,
    worst_cases,
)
from beleg.report.waterfall import Waterfall, WaterfallRow, waterfall
from beleg.report.words import SHAPES, word
from beleg.text.numbers import number

BLOCKS = 24
MAX_CASES = 5
STYLE_OF_STATE = {
    "PASS": "green",
    "REVIEW": "yellow",
    "BLOCK": "red",
    "FAIL": "red",
    "ERROR": "red",
    "INCONCLUSIVE": "yellow",
    "NOT_EVALUATED": "dim",
}


def terminal_report(
    decision: Decision,
    *,
    language: str = "en",
    paths: Sequence[PurePath | str] = (),
    notes: Sequence[str] = (),
    brief: bool = False,
    overrides: Sequence[OverrideView] = (),
) -> RenderableType:
    """The decision as something rich can print; in a pipe it prints without colour.

    Control and bidirectional characters in names and sentences are shown by their code point, so that no text can
    drive the terminal.

    Args:
        decision: what was decided.
        language: ``en`` or ``de``.
        paths: the files that were written, named last.
        notes: lines over the paths, such as for whom cases wait.
        brief: leaves out the table of all checks and the cases to look at.
        overrides: what owners let pass in spite of it.
    """
    parts: list[RenderableType] = [answer_line(decision, language=language)]
    for view in overrides:
        parts.append(Text(one_line(view.sentence.in_language(language)), style="bold" if view.is_active else "dim"))
    urgent, folded = leading_checks(decision)
    reasons = urgent or _telling_checks(decision)
    if len(reasons) > 1 or not urgent:
        parts += [_reason(check, language) for check in reasons]
    elif urgent[0].remedy is not None:
        parts.append(Padding(Text(_words(urgent[0].remedy, language)), (0, 0, 0, 2)))
    if folded:
        parts.append(Text(word("why.waiting", language, n=folded), style="dim"))
    parts.append(Text(settled_sentence(decision).in_language(language), style="dim"))
    parts += _judges(decision, language)
    parts += _stages(decision, language)
    if not brief:
        parts += _details(decision, language)
    if notes:
        parts += [Text(), *(Text(one_line(note)) for note in notes)]
    if paths:
        parts += [Text(), *(Text(one_line(str(path))) for path in paths)]
    return Group(*parts)


def _telling_checks(decision: Decision) -> list[CheckView]:
    """Where everything passed: the checks of whole metrics, which say by how much."""
    judges = {check.check_id for check in judge_lines(decision)}
    return [check for check in check_views(decision) if check.segment is None and check.check_id not in judges]


def _judges(decision: Decision, language: str) -> list[RenderableType]:
    lines = judge_lines(decision)
    if not lines:
        return []
    told = [Padding(Text(f"{line.shape} {_words(line.reason, language)}"), (0, 0, 0, 2)) for line in lines]
    return [Text(), Text(word("calibration.judges", language), style="bold"), *told]


def _stages(decision: Decision, language: str) -> list[RenderableType]:
    drawn = waterfall(decision)
    if drawn is None:
        return []
    return [Text(), _heading(drawn.finding, language), _waterfall(drawn, language)]


def _details(decision: Decision, language: str) -> list[RenderableType]:
    parts: list[RenderableType] = []
    checks = check_views(decision)
    if checks:
        parts += [Text(), Text(word("section.checks", language), style="bold"), _checks(checks, language)]
    named = worst_cases(decision, limit=MAX_CASES)
    if named:
        listed = ", ".join(map(one_line, named))
        parts += [Text(), Text(f"{word('markdown.worst', language)}: {listed}")]
    return parts


def answer_line(decision: Decision, *, language: str = "en") -> Text:
    """The first line of output: state as shape and word, and the headline."""
    state = Text(
        f"{SHAPES[decision.verdict]} {decision.verdict.value}:", style=f"bold {STYLE_OF_STATE[decision.verdict]}"
    )
    return state.append(f" {_words(headline(decision), language)}", style="not bold default")


def _reason(check: CheckView, language: str) -> Padding:
    line = Text.assemble(
        (f"{check.shape} {_words(check.state_word, language)}", STYLE_OF_STATE[check.state]),
        f" {_words(check.reason, language)}",
    )
    if check.bounds is not None:
        line.append(f" {_words(check.bounds, language)}", style="dim")
    if check.remedy is not None:
        line.append(f"\n{_words(check.remedy, language)}", style="italic")
    return Padding(line, (0, 0, 0, 2))


def _waterfall(drawn: Waterfall, language: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(word("waterfall.stage", language), no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column(word("waterfall.present", language), justify="right")
    table.add_column(word("waterfall.lost", language), justify="right")
    if drawn.has_baseline:
        table.add_column(word("head.baseline", language), justify="right")
    for row in drawn.rows:
        table.add_row(*_stage(row, drawn, language))
    return table


def _stage(row: WaterfallRow, drawn: Waterfall, language: str) -> list[Text]:
    unknown = Text(word("waterfall.unknown", language), style="dim")
    filled = round(row.present / drawn.cases * BLOCKS)
    unseen = min(round(row.unknown / drawn.cases * BLOCKS), BLOCKS - filled)
    bar = Text("█" * filled).append("░" * unseen, style="dim")
    lost = Text(number(row.lost, language, decimals=0), style="red" if row.lost else "")
    present = Text(number(row.present, language, decimals=0))
    cells = [Text(_words(row.title, language)), bar, present, lost] if row.recorded else [
        Text(_words(row.title, language)), bar, unknown, unknown,
    ]  # fmt: skip
    if drawn.has_baseline:
        known = row.baseline_recorded and row.baseline_present is not None
        cells.append(Text(number(row.baseline_present or 0, language, decimals=0)) if known else unknown)
    return cells


def _checks(checks: Sequence[CheckView], language: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("checks.state", "intervals.check", "checks.candidate", "checks.difference", "checks.rows"):
        table.add_column(word(name, language))
    for check in checks:
        segment = f" {one_line(check.segment)}" if check.segment else ""
        table.add_row(
            Text(
                f"{check.shape} {_words(check.state_word, language)}", style=STYLE_OF_STATE[check.state], no_wrap=True
            ),
            Text(f"{_words(check.label, language)}{segment}"),
            Text(_words(check.candidate, language)),
            Text(_words(check.difference, language)),
            Text(_words(check.rows, language)),
        )
    return table


def _heading(sentence: Sentence, language: str) -> Text:
    return Text(_words(sentence, language), style="bold")


def _words(sentence: Sentence, language: str) -> str:
    return one_line(sentence.in_language(language))
