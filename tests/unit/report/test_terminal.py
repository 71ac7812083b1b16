"""The command line: the answer first, paths last, no colour in pipes, no escape from any name."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from beleg.core.decision import Sentence
from beleg.report.terminal import answer_line, terminal_report
from support.report_data import HOSTILE, build_report

DECISION = build_report().decision


def printed(*, terminal: bool = False, width: int = 160, **options: object) -> str:
    out = io.StringIO()
    decision = options.pop("decision", DECISION)
    Console(file=out, width=width, force_terminal=terminal, color_system="truecolor" if terminal else None).print(
        terminal_report(decision, **options)  # type: ignore[arg-type]
    )
    return out.getvalue()


def test_the_first_line_is_the_answer_and_the_last_a_path() -> None:
    lines = printed(paths=["runs/report.html"]).splitlines()
    assert lines[0].startswith("■ BLOCK: the locale filter hides")
    assert lines[-1] == "runs/report.html"


def test_a_pipe_gets_no_colour_and_a_terminal_does() -> None:
    assert "\x1b" not in printed()
    assert "\x1b[1;31m■ BLOCK:" in printed(terminal=True)


def test_the_waterfall_is_drawn_with_text_bars() -> None:
    row = next(line for line in printed().splitlines() if line.startswith("filtered"))
    assert row.split() == ["filtered", "█" * 20, "51", "9", "58"]
    parsed = next(line for line in printed().splitlines() if line.startswith("parsed"))
    assert "not recorded" in parsed


def test_german_is_written_in_full() -> None:
    text = printed(language="de")
    assert "■ verletzt Sicher um mehr als die Toleranz" in text
    assert "Die meisten Belege gehen in der Stufe „Filter“ verloren" in text
    assert "Zuerst ansehen" in text


@pytest.mark.parametrize("payload", [*HOSTILE, "[bold red]markup[/] [link=file:///etc]x[/link]"])
def test_no_name_can_drive_the_terminal(payload: str) -> None:
    said = Sentence(en=payload, de=payload)
    checks = tuple(check.model_copy(update={"reason": said}) for check in DECISION.checks)
    text = printed(decision=DECISION.model_copy(update={"headline": said, "checks": checks}))
    assert not {"\x1b", "\x07", "\u202e", "\u2066", "\u200b"} & set(text)
    assert ("[bold red]markup[/]" in text) == payload.startswith("[bold")


def test_a_brief_answer_has_reasons_and_paths_only() -> None:
    text = printed(brief=True, paths=["report.html"])
    assert "■ fail Worse than the baseline" in text
    assert text.splitlines()[-1] == "report.html"
    assert "Where" not in text
    assert "All checks" not in text


def test_the_answer_alone_is_one_line() -> None:
    assert "\n" not in answer_line(DECISION, language="de").plain


def test_a_decision_without_checks_or_waterfall_says_why() -> None:
    bare = DECISION.model_copy(
        update={"checks": (), "candidate": DECISION.candidate.model_copy(update={"waterfall": ()}), "baseline": None}
    )
    assert "so nothing can pass" in printed(decision=bare)
