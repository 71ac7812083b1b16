"""The decision as Markdown for a pull request, safe whatever the names in it say."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.decision import Decision, Sentence
from beleg.report.comparability import comparability_groups
from beleg.report.first_things import FirstThing, first_things
from beleg.report.look_at import ClaimsToLookAt, markdown_claims
from beleg.report.overrides import OverrideView
from beleg.report.safe import markdown_code, markdown_text, one_line
from beleg.report.view import (
    CheckView,
    check_views,
    facts,
    headline,
    judge_lines,
    leading_checks,
    settled_sentence,
    worst_cases,
)
from beleg.report.waterfall import Waterfall, waterfall
from beleg.report.words import SHAPES, word
from beleg.text.numbers import number

MAX_CHARACTERS = 60_000
SENTENCE_CHARS = 600
NAME_CHARS = 120
MAX_REASONS = 8
"""The others stand in the table of checks below, and whole in the report."""
MAX_LINES = 20
MAX_CHECKS = 60
MAX_CASES = 10
BLOCKS = 16


def markdown_report(
    decision: Decision,
    *,
    language: str = "en",
    overrides: Sequence[OverrideView] = (),
    claims: ClaimsToLookAt | None = None,
) -> str:
    """The decision for a pull request: verdict, the three things to know first, then what they rest on.

    Names and sentences are neutralised: no HTML, mention, link, image, code fence or table cell can come out of
    them. The text stays under `MAX_CHARACTERS`; rows that do not fit are counted.

    Args:
        decision: what was decided.
        language: ``en`` or ``de``.
        overrides: what owners let pass in spite of it.
        claims: what the evidence sheet says of the cases to look at first.
    """
    shape = SHAPES[decision.verdict]
    head = f"## {shape} {decision.verdict.value}: {_sentence(headline(decision), language)}"
    parts = [
        head,
        _overrides(overrides, language),
        "\n".join(_first(each, place, language) for place, each in enumerate(first_things(decision), start=1)),
        _facts(decision, language),
        _reasons(decision, language),
        _judges(decision, language),
        _checks(check_views(decision), language),
        _comparability(decision, language),
        _waterfall(waterfall(decision), language),
        _worst(decision, language),
        markdown_claims(claims, language, limit=NAME_CHARS),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _overrides(overrides: Sequence[OverrideView], language: str) -> str:
    lines = []
    for view in overrides[:MAX_LINES]:
        word_of_state = word("override.active" if view.is_active else "override.expired", language)
        lines.append(f"- **{word_of_state}** {_sentence(view.sentence, language)}")
        if view.is_active:
            why, instead = (
                markdown_text(one_line(text, limit=SENTENCE_CHARS)) for text in (view.reason, view.compensating_control)
            )
            lines.append(
                f"  {word('override.reason', language)}: {why}; {word('override.control', language)}: {instead}"
            )
    return "\n".join(lines)


def _first(thing: FirstThing, place: int, language: str) -> str:
    text = _sentence(thing.text, language)
    cases = ", ".join(markdown_code(case_id, limit=NAME_CHARS) for case_id in thing.cases)
    more = f" {word('why.more', language, n=thing.more)}" if thing.more else ""
    told = f"{cases}{more}: {text}" if cases else text
    return f"{place}. **{thing.label.in_language(language)}:** {told}"


def _facts(decision: Decision, language: str) -> str:
    pairs = (f"{label.in_language(language)} {_sentence(text, language)}" for label, text in facts(decision))
    return " · ".join(pairs)


def _reasons(decision: Decision, language: str) -> str:
    urgent, folded = leading_checks(decision)
    lines = [_reason(check, language) for check in urgent[:MAX_REASONS]]
    lines += _left_out(len(urgent) - MAX_REASONS, language)
    lines += ["", word("why.waiting", language, n=folded)] if folded else []
    settled = settled_sentence(decision).in_language(language)
    return "\n".join([f"### {word('section.why', language)}", "", *lines, *([""] if lines else []), settled])


def _reason(check: CheckView, language: str) -> str:
    line = f"- {check.shape} **{check.state_word.in_language(language)}** {_sentence(check.reason, language)}"
    more = [_sentence(told, language) for told in (check.bounds, check.remedy) if told is not None]
    return ". ".join([line, *(each.removesuffix(".") for each in more)])


def _judges(decision: Decision, language: str) -> str:
    lines = judge_lines(decision)
    if not lines:
        return ""
    told = [f"- {line.shape} {_sentence(line.reason, language)}" for line in lines[:MAX_LINES]]
    return "\n".join([f"### {word('calibration.judges', language)}", "", *told])


def _checks(checks: Sequence[CheckView], language: str) -> str:
    if not checks:
        return ""
    names = (
        "checks.state",
        "intervals.check",
        "checks.segment",
        "checks.candidate",
        "checks.difference",
        "checks.rows",
    )
    rows = [
        (
            f"{check.shape} {check.state_word.in_language(language)}",
            _sentence(check.label, language),
            markdown_code(check.segment, limit=NAME_CHARS, in_table=True)
            if check.segment
            else word("checks.everything", language),
            _sentence(check.candidate, language),
            _sentence(check.difference, language),
            _sentence(check.rows, language),
        )
        for check in checks[:MAX_CHECKS]
    ]
    table = _table([word(name, language) for name in names], rows)
    title = f"### {word('markdown.checks', language)}"
    return "\n".join([title, "", *table, *_left_out(len(checks) - MAX_CHECKS, language)])


def _comparability(decision: Decision, language: str) -> str:
    groups = comparability_groups(decision)
    if not groups:
        return ""
    told = [
        f"- {group.shape} {markdown_code(', '.join(group.metrics), limit=SENTENCE_CHARS)}: "
        f"{_sentence(group.reason, language)}"
        for group in groups[:MAX_LINES]
    ]
    return "\n".join([f"### {word('run.comparability', language)}", "", *told])


def _waterfall(drawn: Waterfall | None, language: str) -> str:
    if drawn is None:
        return ""
    unknown = word("waterfall.unknown", language)
    head = [
        word("waterfall.stage", language),
        "",
        word("waterfall.present", language),
        word("waterfall.lost", language),
    ]
    head += [word("head.baseline", language)] if drawn.has_baseline else []
    rows = []
    for row in drawn.rows:
        filled = round(row.present / drawn.cases * BLOCKS)
        bar = "█" * filled + "░" * (BLOCKS - filled) if row.recorded else ""
        cells = [_sentence(row.title, language), bar]
        cells += [number(row.present, language, decimals=0), number(row.lost, language, decimals=0)]
        if not row.recorded:
            cells[2:] = [unknown, unknown]
        if drawn.has_baseline:
            known = row.baseline_recorded and row.baseline_present is not None
            cells.append(number(row.baseline_present or 0, language, decimals=0) if known else unknown)
        rows.append(tuple(cells))
    title = f"### {word('section.waterfall', language)}"
    return "\n".join([title, "", _sentence(drawn.finding, language), "", *_table(head, rows)])


def _worst(decision: Decision, language: str) -> str:
    named = worst_cases(decision, limit=MAX_CASES)
    if not named:
        return ""
    listed = [f"- {markdown_code(case_id, limit=NAME_CHARS)}" for case_id in named]
    return "\n".join([f"### {word('markdown.worst', language)}", "", *listed])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def _left_out(rows: int, language: str) -> list[str]:
    return ["", word("markdown.rest", language, n=rows)] if rows > 0 else []


def _sentence(text: Sentence, language: str) -> str:
    return markdown_text(text.in_language(language), limit=SENTENCE_CHARS)
