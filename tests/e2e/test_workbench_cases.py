"""Runs and cases in a real browser, served by the real program: keyboard alone, no script, narrow, and under attack."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from beleg.app.workbench.addresses import case_path
from e2e.test_workbench import ARGS, AXE, overflows
from support.run_pages import ODD_ID, QUOTE, RUN, indexed, project
from support.served import Served, served, violations, visitor
from unit.report.test_sheet_html import PAYLOADS

pytestmark = pytest.mark.browser

HARDER = (
    "<math><mtext><table><mglyph><style><img src=x onerror=window.__x=1>",
    "<noscript><p title='</noscript><img src=x onerror=window.__x=1>'>",
    "<svg><style><a id='</style><img src=x onerror=window.__x=1>'>",
    "\u202eevil\u2066hidden\u2069 zero\u200bwidth",
    "{{ 7*7 }}{% raw %}${window.__x=1}`",
    "javascript:window.__x=1//[1](javascript:window.__x=1)",
)
ALL = (*PAYLOADS, *HARDER)
PAGES = ["/runs", f"/runs/{RUN}", f"/runs/{RUN}?q=item&sort=mrr&order=down", case_path(RUN, "plain"),
         case_path(RUN, ODD_ID), case_path(RUN, "c01")]  # fmt: skip


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(ARGS))
        yield started
        started.close()


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = project(tmp_path_factory.mktemp("runs"))
    indexed(folder)
    with served(folder) as found:
        yield found


@pytest.mark.parametrize(
    "options",
    [
        {"java_script_enabled": False},
        {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"},
        # 400 % zoom of a window of 1280 × 1024
        {"viewport": {"width": 320, "height": 256}, "locale": "de-DE"},
        {"forced_colors": "active"},
    ],
    ids=["no script", "phone, dark", "zoom, German", "forced colours"],
)
def test_every_page_fits_and_says_nothing_to_the_console(
    browser: Browser, workbench: Served, options: dict[str, object]
) -> None:
    with visitor(browser, workbench, **options) as someone:
        for path in PAGES:
            page = someone.goes(path)
            expect(page.get_by_role("heading", level=1)).to_be_attached()
            if options.get("java_script_enabled") is not False:
                page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true; })")
                assert not overflows(page), path
        assert someone.noticed == []


@pytest.mark.parametrize("options", [{"color_scheme": "dark", "locale": "de-DE"}, {"color_scheme": "light"}])
def test_axe_finds_nothing(browser: Browser, workbench: Served, options: dict[str, str]) -> None:
    if not AXE.is_file():
        pytest.skip("axe is not installed: make interop")
    assert violations(browser, workbench, PAGES, AXE, **options) == []


FOUND = 9
"""Of c01 and c10 to c19, which hold "item 1", the attempts on c01 and c11 failed."""


def rows(page: Page) -> int:
    return page.locator(".case-table tbody tr").count()


def test_cases_are_filtered_sorted_and_opened_without_a_script(browser: Browser, workbench: Served) -> None:
    with visitor(browser, workbench, java_script_enabled=False, locale="en-GB") as someone:
        page = someone.goes("/runs")
        page.get_by_role("link", name=RUN).click()
        page.get_by_label("Id or question holds").fill("item 1")
        page.get_by_label("How it ended").select_option("ok")
        page.get_by_label("Sort by").select_option("latency_ms")
        page.locator("[name=order]").select_option("down")
        page.get_by_role("button", name="Show").click()
        assert "q=item+1" in page.url
        assert rows(page) == FOUND
        page.locator(".case-table tbody a").first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text("c19")
        page.get_by_role("link", name="Next case").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("c18")
        page.get_by_role("link", name="← To the cases").click()
        assert rows(page) == FOUND
        expect(page.get_by_label("Id or question holds")).to_have_value("item 1")
        page.get_by_role("link", name="Deutsch").click()
        assert rows(page) == FOUND
        expect(page.get_by_label("Id oder Frage enthält")).to_have_value("item 1")
        assert someone.noticed == []


def test_the_keyboard_alone_finds_a_case(browser: Browser, workbench: Served) -> None:
    with visitor(browser, workbench, locale="en-GB") as someone:
        page = someone.goes(f"/runs/{RUN}")
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.name") == "q":
                break
        page.keyboard.type("item 42")
        page.keyboard.press("Enter")
        page.wait_for_url("**q=item+42**")
        assert rows(page) == 1
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent") == "c42":
                break
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("c42")


def test_a_citation_opens_its_passage_with_the_quote_marked(browser: Browser, workbench: Served) -> None:
    with visitor(browser, workbench, java_script_enabled=False) as someone:
        page = someone.goes(case_path(RUN, "c06"))
        page.locator("#r1-attempt a.cite").first.click()
        passage = page.locator(f"[id='{page.url.partition('#')[2]}']")
        expect(passage).to_be_in_viewport()
        expect(passage.locator("mark")).to_have_text(QUOTE)
        # A link to a passage that is folded away opens it.
        page.locator("#r1-attempt table.stage a", has_text="p-2").first.click()
        expect(page.locator(f"[id='{page.url.partition('#')[2]}']")).to_be_in_viewport()


@pytest.mark.parametrize("payload", ALL)
def test_a_payload_is_read_as_text_and_does_nothing(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, payload: str
) -> None:
    folder = project(tmp_path_factory.mktemp("attack"), payload)
    indexed(folder)
    with served(folder) as at, visitor(browser, at) as someone:
        for path in (f"/runs/{RUN}", f"/runs/{RUN}?q=item", case_path(RUN, payload), case_path(RUN, "c01")):
            page = someone.goes(path)
            page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true; })")
            page.mouse.move(300, 300)
            assert page.evaluate("window.__x") is None, path
            assert (
                page.evaluate("document.querySelectorAll('main img, iframe, math, object, embed, style').length") == 0
            )
            assert page.evaluate("document.querySelectorAll('script').length") == 1
        assert someone.noticed == []
