"""An override is visible while it lives, and shown as over when it is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from bs4 import BeautifulSoup

from beleg.core.override_note import OverrideNote
from beleg.report.html import html_report
from beleg.report.markdown import markdown_report
from beleg.report.overrides import override_views
from beleg.report.terminal import terminal_report
from support.report_data import HOSTILE, build_report
from support.signing import WHEN


def note(hours: int = 6, **fields: object) -> OverrideNote:
    given = {
        "owner": "A. Weiss", "reason": "Peak week", "ticket": "OPS-1", "compensating_control": "Support watches",
        "checks": ("latency_ms/p95/band",), "environment": "production", "issued_at": WHEN,
        "expires_at": WHEN + timedelta(hours=hours), "signatures": 2,
    }  # fmt: skip
    return OverrideNote(**given | fields)


def test_it_names_owner_ticket_checks_and_the_hours_left() -> None:
    (view,) = override_views([note()], WHEN + timedelta(hours=2))
    assert view.is_active
    assert view.sentence.en == (
        "Overridden by A. Weiss (OPS-1) in production for latency_ms/p95/band, 4 hours left, "
        "until 2026-11-30 18:00 UTC; 2 signatures, not checked here: beleg verify tells whether it counts"
    )
    assert "noch 4 Stunden" in view.sentence.de


def test_no_report_says_that_it_counts_since_anybody_can_write_the_file() -> None:
    (view,) = override_views([note(signatures=1)], WHEN)
    assert "1 signature, not checked here" in view.sentence.en
    assert "1 Signatur, hier nicht geprüft" in view.sentence.de
    markdown = markdown_report(build_report().decision, language="en", overrides=[view])
    assert "in force" not in markdown.lower().split("###")[0]


def test_an_expired_one_is_shown_as_over() -> None:
    (view,) = override_views([note()], WHEN + timedelta(hours=7))
    assert not view.is_active
    assert "lets nothing through" in view.sentence.en


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_report_shows_it_before_anything_else_but_the_verdict(language: str) -> None:
    report = build_report()
    views = override_views([note()], WHEN)
    markdown = markdown_report(report.decision, language=language, overrides=views)
    assert "A. Weiss" in markdown.split("###")[0]
    assert "Peak week" in markdown
    page = BeautifulSoup(
        html_report(type(report)(**{**vars_of(report), "overrides": views}), language=language), "html.parser"
    )
    (shown,) = page.select("#decision .override")
    assert "A. Weiss" in shown.get_text()
    assert "Support watches" in shown.get_text()
    assert page.select_one("#decision .verdict").get_text(strip=True).endswith("BLOCK:")
    from rich.console import Console

    console = Console(width=200, no_color=True)
    with console.capture() as captured:
        console.print(terminal_report(report.decision, language=language, overrides=views))
    assert "A. Weiss" in captured.get().splitlines()[1] + captured.get().splitlines()[2]


def vars_of(report: object) -> dict[str, object]:
    return {name: getattr(report, name) for name in report.__slots__}


@pytest.mark.parametrize("payload", HOSTILE)
def test_what_an_owner_writes_stays_text(payload: str) -> None:
    report = build_report()
    views = override_views([note(owner=payload, reason=payload, ticket=payload, compensating_control=payload)], WHEN)
    page = BeautifulSoup(html_report(type(report)(**{**vars_of(report), "overrides": views})), "html.parser")
    (shown,) = page.select("#decision .override")
    assert {tag.name for tag in shown.find_all(True)} <= {"strong", "span", "bdi", "br"}
    assert "<script" not in markdown_report(report.decision, overrides=views)
