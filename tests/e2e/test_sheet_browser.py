"""The page of an evidence sheet in a real browser: it obeys no text, needs no mouse, and fits a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from beleg.core.sheet_export import ExportedCase, SheetFilter
from beleg.report.sheet_html import PageLinks, page_names, sheet_page
from support.q017 import BOUNDED_ANSWER, BOUNDED_CLAIMS, evidence, output
from support.sheet_data import exported, header_of, hostile_case, reviewed
from unit.report.test_sheet_html import PAYLOADS

pytestmark = pytest.mark.browser

ARGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(ARGS))
        yield started
        started.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    yield opened
    opened.close()


def written(folder: Path, *cases: ExportedCase, place: int = 1, total: int = 1) -> str:
    names = page_names("sheet", ".html", total)
    links = PageLinks(number=place, total=total, names=names)
    path = folder / names[place - 1]
    path.write_text(sheet_page(header_of(len(cases), 4), SheetFilter(), cases, links, language="de"), "utf-8")
    return path.as_uri()


def opened(context: BrowserContext, address: str) -> tuple[Page, list[str]]:
    page, noticed = context.new_page(), []
    page.on("request", lambda request: noticed.append(request.url) if request.url != address else None)
    page.on("console", lambda message: noticed.append(message.text))
    page.on("pageerror", lambda error: noticed.append(str(error)))
    page.on("dialog", lambda dialog: noticed.append(dialog.message))
    page.goto(address)
    return page, noticed


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_does_nothing_and_is_read_as_text(context: BrowserContext, tmp_path: Path, payload: str) -> None:
    page, noticed = opened(context, written(tmp_path, exported(hostile_case(payload))))
    assert noticed == []
    assert page.evaluate("window.__x") is None
    assert page.evaluate("document.querySelectorAll('script, img, iframe, svg, math').length") == 0
    expect(page.locator(".question").first).to_have_text(payload)


def test_a_quote_is_marked_and_people_do_not_look_like_machines(context: BrowserContext, tmp_path: Path) -> None:
    page, noticed = opened(context, written(tmp_path, exported(events=reviewed())))
    expect(page.locator("#case-1-claim-1 mark")).to_have_text("Final-Sale-Artikel sind ausgeschlossen.")
    assert page.locator(".proposal").count() == 4
    assert page.locator(".decided").count() == 2
    styles = [
        page.locator(name).first.evaluate(
            "each => getComputedStyle(each).borderLeftStyle + getComputedStyle(each).backgroundColor"
        )
        for name in (".proposal", ".decided")
    ]
    assert styles[0] != styles[1]
    assert noticed == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_the_window_in_light_and_dark(browser: Browser, tmp_path: Path, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)  # type: ignore[arg-type]
    bounded = exported(evidence(BOUNDED_CLAIMS, returned=output(BOUNDED_ANSWER)))
    page, _ = opened(context, written(tmp_path, exported(events=reviewed()), bounded))
    page.locator("summary").evaluate_all("all => all.forEach(each => each.parentElement.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    context.close()


def test_it_works_by_key_alone(context: BrowserContext, tmp_path: Path) -> None:
    page, _ = opened(context, written(tmp_path, exported(), place=1, total=2))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("h1")).to_contain_text("Evidence sheet of run-1")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "SUMMARY":
            break
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.parentElement.open") is True


def test_pages_lead_to_each_other(context: BrowserContext, tmp_path: Path) -> None:
    written(tmp_path, exported(), place=2, total=2)
    page, _ = opened(context, written(tmp_path, exported(), place=1, total=2))
    page.locator("a[rel=next]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".paging").first).to_contain_text("Seite 2 von 2")


def test_text_from_right_to_left_keeps_to_itself(context: BrowserContext, tmp_path: Path) -> None:
    case = evidence().model_copy(update={"question": "ما هي مهلة الإرجاع؟ 14", "case_id": "حالة-7"})
    page, _ = opened(context, written(tmp_path, exported(case)))
    direction = page.locator(".question bdi").evaluate("each => getComputedStyle(each).direction")
    assert direction == "rtl"
    assert page.locator("h2 bdi").evaluate("each => getComputedStyle(each).unicodeBidi") == "isolate"
