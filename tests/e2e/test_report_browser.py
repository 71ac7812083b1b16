"""The report in a real browser: offline, obeying no text, used by link, by key and without scripts."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from beleg.report.html import html_report
from beleg.report.runs_page import COUNT_KEYS, RunsPage, runs_page
from support.report_data import HOSTILE, HOSTILE_ID, LONG_ANSWER, build_report
from support.run_data import compared

pytestmark = pytest.mark.browser

ARGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WATCH_POLICY = "addEventListener('securitypolicyviolation', e => (window.broken ??= []).push(e.violatedDirective))"


@dataclass
class Watched:
    """A page with everything it asked for or complained about."""

    page: Page
    address: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def assert_clean(self) -> None:
        """Asserts that nothing left the page, nothing was complained about, and no text ran."""
        assert {request.split("#")[0] for request in self.requests} == {self.address}
        assert self.complaints == []
        assert self.page.evaluate("window.__x") is None
        assert self.page.evaluate("window.broken") is None


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(ARGS))
        yield started
        started.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html_report(build_report()), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    opened.add_init_script(WATCH_POLICY)
    yield opened
    opened.close()


def visit(context: BrowserContext, address: str, fragment: str = "") -> Watched:
    watched = Watched(context.new_page(), address)
    watched.page.on("request", lambda request: watched.requests.append(request.url))
    watched.page.on("console", lambda message: watched.complaints.append(message.text))
    watched.page.on("pageerror", lambda error: watched.complaints.append(str(error)))
    watched.page.goto(address + fragment)
    watched.page.locator("html[data-ready]").wait_for(state="attached")
    return watched


def test_hostile_cases_run_nothing_and_ask_for_nothing(context: BrowserContext, address: str) -> None:
    watched = visit(context, address)
    page = watched.page
    ids = page.evaluate("index.ids.slice(0, 21)")
    assert HOSTILE_ID in ids
    for case_id in ids:
        page.evaluate("id => { location.hash = '#case=' + encodeURIComponent(id) }", case_id)
        expect(page.locator("#case-page h1")).to_have_text(case_id)
        page.evaluate("document.querySelectorAll('#case-page details').forEach(node => { node.open = true })")
    assert page.locator("img, iframe, #case-page script").count() == 0
    watched.assert_clean()


def test_unseen_characters_are_named_on_the_case_page(context: BrowserContext, address: str) -> None:
    page = visit(context, address, "#case=returns-00007").page
    answer = page.locator(".answer").first
    expect(answer.locator(".ctl").first).to_have_text("U+202E")
    assert "\u202e" not in answer.inner_text()


def test_the_reader_goes_down_from_the_decision_to_the_passage(context: BrowserContext, address: str) -> None:
    watched = visit(context, address)
    page = watched.page
    page.locator("#why a.caselink", has_text="garantie-00002").click()
    expect(page.locator("#case-page h1")).to_have_text("garantie-00002")
    expect(page.locator("#report")).to_be_hidden()
    baseline = page.locator(".side").nth(1)
    expect(baseline.locator("mark").first).to_have_text("Die Garantie auf Leuchten beträgt 5 Jahre.")
    expect(page.locator(".side").nth(0).locator("mark")).to_have_count(0)
    expect(page.locator("#case-page")).to_contain_text("Required evidence is lost at “filtered”.")
    expect(page.locator("#case-page")).to_contain_text("Dropped here: p-000019")
    baseline.locator(".answer button.cite").first.click()
    assert page.evaluate("document.activeElement.passage") == "doc-garantie#2"
    page.locator("#back").click()
    expect(page.locator("#report")).to_be_visible()
    watched.assert_clean()


def test_a_link_with_a_case_id_opens_that_case(context: BrowserContext, address: str) -> None:
    page = visit(context, address, "#case=account-00011").page
    expect(page.locator("#case-page h1")).to_have_text("account-00011")
    page.goto(address + "#case=nothing")
    expect(page.locator("#case-page")).to_contain_text("No case with this id is in the report.")


def test_the_waterfall_leads_to_the_cases_lost_at_a_stage(context: BrowserContext, address: str) -> None:
    page = visit(context, address).page
    page.locator('#waterfall td.num > a[href="#lost=filtered"]').click()
    expect(page.locator("#case-count")).to_have_text("9 of 60 cases")
    page.locator('#segments a[href="#segment=language%3Dde"]').click()
    expect(page.locator("#case-count")).to_have_text("30 of 60 cases")
    page.locator('#changes a[href="#change=worse"]').click()
    expect(page.locator("#f-change")).to_have_value("worse")
    assert page.locator("#case-window tbody .worse-text").count() > 5


def test_the_case_table_filters_and_sorts(context: BrowserContext, address: str) -> None:
    page = visit(context, address).page
    page.locator("#f-text").fill("konto löschen gibt es nicht")
    expect(page.locator("#case-count")).to_contain_text("No case matches")
    page.locator("#f-text").fill("INVOICE")
    expect(page.locator("#case-count")).to_have_text("11 of 60 cases")
    page.locator(".filters button").click()
    page.locator('[data-sort="difference"]').click()
    differences = page.locator("#case-window tbody tr:not(.spacer) td:last-child").all_inner_texts()
    values = [float(text.split()[0].replace("−", "-")) for text in differences if text[0] in "−+0"]
    assert values == sorted(values)
    expect(page.locator('th[aria-sort="ascending"]')).to_contain_text("Difference")
    page.locator('[data-sort="difference"]').press("Enter")
    expect(page.locator('th[aria-sort="descending"]')).to_contain_text("Difference")
    page.locator("#f-status").select_option("timeout")
    expect(page.locator("#case-count")).to_have_text("1 of 60 cases")
    expect(page.locator("#case-window tbody .reason").first).to_have_text("timeout")


def test_everything_works_by_keyboard_alone(context: BrowserContext, address: str) -> None:
    watched = visit(context, address)
    page, keys = watched.page, watched.page.keyboard
    keys.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    keys.press("?")
    expect(page.locator("#keys")).to_be_visible()
    keys.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    keys.press("/")
    keys.type("garantie")
    expect(page.locator("#case-count")).to_have_text("10 of 60 cases")
    keys.type("-j")
    expect(page.locator("#f-text")).to_have_value("garantie-j")
    keys.press("Backspace")
    keys.press("Backspace")
    keys.press("Escape")
    keys.press("j")
    keys.press("j")
    keys.press("k")
    keys.press("j")
    keys.press("Enter")
    expect(page.locator("#case-page h1")).to_have_text("garantie-00008")
    expect(page.locator("#case-page h1")).to_be_focused()
    keys.press("j")
    expect(page.locator("#case-page h1")).to_have_text("garantie-00014")
    keys.press("k")
    expect(page.locator("#case-page h1")).to_have_text("garantie-00008")
    keys.press("Escape")
    expect(page.locator('#case-window a[href="#case=garantie-00008"]')).to_be_focused()
    watched.assert_clean()


def test_the_language_switches_without_a_reload(context: BrowserContext, address: str) -> None:
    watched = visit(context, address, "#case=account-00011")
    page = watched.page
    page.locator("#lang-de").check(force=True)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#case-page")).to_contain_text("Erwartete Belege")
    expect(page.locator("#case-page")).not_to_contain_text("Expected evidence")
    page.keyboard.press("Escape")
    expect(page.locator("#decision .headline")).to_be_visible()
    text = page.locator("body").inner_text()
    assert "Wo Belege verloren gehen" in text
    assert "Where evidence is lost" not in text
    assert re.search(r"0,873 \[0,841; 0,902\]", text)
    assert len(watched.requests) == 1


def test_the_theme_switches_and_nothing_is_remembered(context: BrowserContext, address: str) -> None:
    page = visit(context, address).page
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    page.locator("#theme-dark").check(force=True)
    assert page.evaluate(ground) == "rgb(21, 24, 28)"
    page.emulate_media(color_scheme="dark")
    page.locator("#theme-light").check(force=True)
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    page.locator("#theme-auto").check(force=True)
    assert page.evaluate(ground) == "rgb(21, 24, 28)"
    assert context.storage_state() == {"cookies": [], "origins": []}


def test_without_scripts_the_decision_and_its_reasons_stand(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    for section in ("decision", "why", "waterfall", "intervals", "segments", "changes", "checks", "run"):
        expect(page.locator(f"#{section}")).to_be_visible()
    assert "Scripts are off in this viewer." in page.locator("#cases").inner_text()
    page.locator("#lang-de").check(force=True)
    expect(page.locator("#why h2 .de")).to_be_visible()
    expect(page.locator("#why h2 .en")).to_be_hidden()
    context.close()


@pytest.mark.parametrize("fragment", ["", "#case=returns-00007", "#case=versand-00012"])
def test_a_narrow_screen_never_scrolls_sideways(context: BrowserContext, address: str, fragment: str) -> None:
    page = visit(context, address, fragment).page
    page.set_viewport_size({"width": 390, "height": 844})
    if fragment:
        page.locator("#case-page h1").wait_for()
    for language in ("en", "de"):
        page.locator(f"#lang-{language}").check(force=True)
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_very_long_answer_is_whole(context: BrowserContext, address: str) -> None:
    page = visit(context, address, "#case=versand-00012").page
    assert page.locator(".answer").first.evaluate("node => node.textContent") == LONG_ANSWER


def test_damaged_case_data_is_reported_and_the_decision_stays(context: BrowserContext, tmp_path: Path) -> None:
    text = html_report(build_report(cases=12))
    broken = re.sub(r'(id="index">)[^<]{40}', r"\1", text)
    path = tmp_path / "broken.html"
    path.write_text(broken, encoding="utf-8")
    page = context.new_page()
    page.goto(path.as_uri())
    expect(page.locator("#case-table")).to_contain_text("cannot be read")
    expect(page.locator("#decision")).to_be_visible()


@pytest.mark.slow
def test_ten_thousand_cases_open_and_stay_light(
    context: BrowserContext, tmp_path: Path, record_property: pytest.RecordProperty
) -> None:
    path = tmp_path / "large.html"
    path.write_text(html_report(build_report(cases=10_000, passage_pool=5_000)), encoding="utf-8")
    assert path.stat().st_size < 15_000_000
    begun = time.perf_counter()
    watched = visit(context, path.as_uri())
    record_property("seconds_to_open", round(time.perf_counter() - begun, 2))
    page = watched.page
    expect(page.locator("#case-count")).to_have_text("10,000 of 10,000 cases")
    assert page.locator("#case-window tbody tr").count() < 120
    page.locator("#case-window").evaluate("node => node.scrollTo(0, node.scrollHeight)")
    expect(page.locator("#case-window tbody")).to_contain_text("payment-09999")
    page.goto(path.as_uri() + "#case=garantie-09998")
    expect(page.locator("#case-page h1")).to_have_text("garantie-09998")
    watched.assert_clean()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_comparison_of_runs_fits_the_window_and_runs_nothing(
    browser: Browser, tmp_path: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    queries = (*HOSTILE, *(f"q{number}" for number in range(50)))
    path = tmp_path / "runs.html"
    shown = RunsPage(
        compared=compared(0.03, 0.0, queries=queries, measures="AP RR", all_pairs=True, resamples=200),
        names=("old", HOSTILE[1], "same"),
        counts=tuple(dict.fromkeys(COUNT_KEYS, 60) for _ in range(3)),
        seed=1,
        version="0",
    )
    path.write_text(runs_page(shown), encoding="utf-8")
    opened = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    opened.add_init_script(WATCH_POLICY)
    watched = Watched(opened.new_page(), path.as_uri())
    page = watched.page
    page.on("request", lambda request: watched.requests.append(request.url))
    page.on("console", lambda message: watched.complaints.append(message.text))
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.check("#lang-de")
    expect(page.get_by_role("heading", name="Wie verglichen wurde", exact=True)).to_be_visible()
    page.locator("table.compared a").first.click()
    expect(page.locator("#comparison-1 svg[role=img]")).to_be_in_viewport()
    assert page.locator("#comparison-1 rect").count() > 20
    watched.assert_clean()
    opened.close()
