"""The report in a real browser: offline, obeying no text, used by link, by key and without scripts."""

from __future__ import annotations

import itertools
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
from support.report_sheets import with_sheet
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
    path.write_text(html_report(with_sheet(build_report())), encoding="utf-8")
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
    page.locator("#cases .filters button").click()
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
    for section in ("decision", "why", "waterfall", "intervals", "segments", "changes", "checks", "sheet", "run"):
        expect(page.locator(f"#{section}")).to_be_visible()
    assert "Scripts are off in this viewer." in page.locator("#cases").inner_text()
    page.locator("#lang-de").check(force=True)
    expect(page.locator("#why h2 .de")).to_be_visible()
    expect(page.locator("#why h2 .en")).to_be_hidden()
    context.close()


@pytest.mark.parametrize("fragment", ["", "#case=returns-00007", "#case=versand-00012", "#case=versand-00000"])
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


def test_a_claim_of_the_sheet_leads_to_its_passage_with_the_quote_marked(context: BrowserContext, address: str) -> None:
    watched = visit(context, address)
    page = watched.page
    expect(page.locator("#claim-count")).to_have_text("116 of 116 claims")
    page.locator("#c-machine").select_option("supported")
    page.locator("#c-text").fill("account-00011")
    expect(page.locator("#claim-count")).to_have_text("1 of 116 claims")
    page.locator("#claim-window tbody a").click()
    claim = page.locator("#case-page .claim").first
    expect(claim).to_be_focused()
    expect(claim.locator("mark")).to_have_text("An account is deleted in the settings within 24 hours.")
    expect(claim.locator(".proposal")).to_contain_text("supported")
    expect(claim).to_contain_text("no person has decided")
    claim.locator(".quoted-passage summary").focus()
    page.keyboard.press("Enter")
    expect(claim.locator(".quoted-passage dl")).to_contain_text("sha256:")
    page.keyboard.press("Escape")
    expect(page.locator("#report")).to_be_visible()
    watched.assert_clean()


def test_people_and_machines_look_different_and_people_who_differ_are_found(
    context: BrowserContext, address: str
) -> None:
    page = visit(context, address).page
    page.locator("#c-human").select_option("differ")
    expect(page.locator("#claim-window tbody tr:not(.spacer)")).to_have_count(6)
    page.locator("#claim-window tbody a").first.click()
    claim = page.locator("#case-page .claim").first
    expect(claim.locator(".decided")).to_have_count(2)
    styles = [
        claim.locator(name).first.evaluate("each => getComputedStyle(each).borderLeftStyle")
        for name in (".proposal", ".decided")
    ]
    assert styles == ["dashed", "solid"]
    page.locator("#lang-de").check(force=True)
    expect(page.locator("#case-page .claim").first).to_contain_text("Urteil eines Menschen")
    expect(page.locator("#case-page .claim").first).to_contain_text("teilweise gestützt")
    expect(page.locator("#case-page .sheet-answer")).not_to_contain_text("Human verdict")


def test_every_link_and_field_has_a_name_and_headings_skip_no_level(context: BrowserContext, address: str) -> None:
    for fragment in ("", "#case=versand-00000"):
        page = visit(context, address, fragment).page
        if fragment:
            page.locator("#case-page h1").wait_for()
        area = page.locator("#case-page" if fragment else "#report")
        unnamed = area.evaluate(
            """area => [...area.querySelectorAll("a[href], button, input, select, summary")].filter(each =>
                each.checkVisibility() && each.tabIndex >= 0 && !each.closest("[aria-hidden=true]")
                && !(each.innerText ?? each.textContent).trim() && !each.labels?.length
            ).map(each => each.outerHTML)"""
        )
        assert unnamed == []
        levels = area.evaluate(
            "area => [...area.querySelectorAll('h1, h2, h3, h4')]"
            ".filter(h => h.checkVisibility()).map(h => +h.tagName[1])"
        )
        assert levels[0] == 1
        assert all(below - above <= 1 for above, below in itertools.pairwise(levels))


def test_without_colours_the_heat_map_says_the_same(browser: Browser, address: str) -> None:
    context = browser.new_context(forced_colors="active")
    page = visit(context, address).page
    worse = page.locator("td.worse-certain").first
    expect(worse).to_contain_text("▼ worse")
    assert worse.evaluate("each => getComputedStyle(each).borderTopWidth") == "3px"
    small = page.locator("td.cell.small").first
    expect(small).to_contain_text("too few cases")
    assert "gradient" in small.evaluate("each => getComputedStyle(each).backgroundImage")
    context.close()


def test_on_paper_everything_is_light_open_and_without_controls(context: BrowserContext, address: str) -> None:
    page = visit(context, address).page
    page.locator("#theme-dark").check(force=True)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    for control in (".bar", ".sections", ".filters", ".skip"):
        expect(page.locator(control).first).to_be_hidden()
    expect(page.locator("#waterfall .lost a").first).to_be_visible()
    assert page.locator("#case-window tbody tr").count() == 60
    assert page.locator("#claim-window tbody tr").count() == 116
    assert page.locator("#case-window tr.spacer").count() == 0
    breaking = page.evaluate(
        "[...document.querySelectorAll('#report tbody tr, .reasons li')].map(it => getComputedStyle(it).breakInside)"
    )
    assert set(breaking) == {"avoid"}
    heads = page.evaluate("[...document.querySelectorAll('#report thead')].map(each => getComputedStyle(each).display)")
    assert set(heads) == {"table-header-group"}
    page.set_viewport_size({"width": 688, "height": 1000})
    assert page.evaluate("document.documentElement.scrollWidth") == 688
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#case-window tr.spacer").count() == 2


def test_the_printed_report_is_a_document_of_several_pages_and_prints_no_address(
    context: BrowserContext, address: str
) -> None:
    watched = visit(context, address)
    printed = watched.page.pdf(prefer_css_page_size=True)
    assert printed.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) > 5
    assert len(printed) < 500_000, "a hatched cell is drawn as a tile, not line by line"
    assert watched.page.evaluate(
        "[...document.styleSheets[0].cssRules].every(rule => !/attr\\(href/.test(rule.cssText))"
    )
    watched.assert_clean()


def test_on_paper_a_long_list_says_how_much_of_it_is_printed(context: BrowserContext, tmp_path: Path) -> None:
    path = tmp_path / "long.html"
    path.write_text(html_report(build_report(cases=250)), encoding="utf-8")
    page = visit(context, path.as_uri()).page
    expect(page.locator("#cases .print-only")).to_be_hidden()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#cases .print-only")).to_contain_text("Printed: the first 200 of 250 rows.")
    assert page.locator("#case-window tbody tr").count() == 200


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
    report = with_sheet(build_report(cases=10_000, passage_pool=5_000))
    assert report.sheet is not None
    assert report.sheet.header is not None
    claims = f"{report.sheet.header.claim_count:,}"
    path.write_text(html_report(report), encoding="utf-8")
    assert path.stat().st_size < 15_000_000
    begun = time.perf_counter()
    watched = visit(context, path.as_uri())
    record_property("seconds_to_open", round(time.perf_counter() - begun, 2))
    page = watched.page
    expect(page.locator("#case-count")).to_have_text("10,000 of 10,000 cases")
    assert page.locator("#case-window tbody tr").count() < 120
    page.locator("#case-window").evaluate("node => node.scrollTo(0, node.scrollHeight)")
    expect(page.locator("#case-window tbody")).to_contain_text("payment-09999")
    expect(page.locator("#claim-count")).to_have_text(f"{claims} of {claims} claims")
    assert page.locator("#claim-window tbody tr").count() < 120
    page.locator("#c-text").fill("garantie-09998")
    expect(page.locator("#claim-count")).to_have_text(f"2 of {claims} claims")
    page.goto(path.as_uri() + "#case=garantie-09998")
    expect(page.locator("#case-page h1")).to_have_text("garantie-09998")
    expect(page.locator("#case-page .claim")).to_have_count(2)
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
