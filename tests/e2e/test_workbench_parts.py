"""Parts of pages that the script of the workbench swaps: what a reader keeps, and what happens when it fails."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from beleg.app.workbench.addresses import case_path
from beleg.app.workbench.workspace import Workspace
from cli.projects import beleg
from e2e.test_workbench import ARGS
from support.run_pages import RUN, indexed, project
from support.served import Served, Visitor, served, visitor
from web.test_overrides import blocked

pytestmark = pytest.mark.browser

HERE = f"/runs/{RUN}"


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


@pytest.fixture
def someone(browser: Browser, workbench: Served) -> Iterator[Visitor]:
    with visitor(browser, workbench, locale="en-GB") as made:
        opened(made)
        yield made


def opened(someone: Visitor, path: str = HERE) -> Page:
    """A page that knows whether it was loaded anew."""
    page = someone.goes(path)
    page.evaluate("window.stayed = true")
    return page


def stayed(page: Page) -> bool:
    return bool(page.evaluate("window.stayed === true"))


def counted(page: Page, text: str) -> None:
    expect(page.locator("#case-count")).to_contain_text(text)


def test_a_filter_changes_the_list_and_the_address_and_nothing_else(someone: Visitor) -> None:
    page = someone.page
    page.locator("summary", has_text="Metrics to show").click()
    field = page.get_by_label("Id or question holds")
    field.fill("item 1")
    before = page.evaluate("scrollY")
    field.press("Enter")
    counted(page, "11")
    assert (stayed(page), page.url) == (True, f"{someone.at.base}{HERE}?q=item+1#cases")
    expect(page.get_by_label("Id or question holds")).to_be_focused()
    assert page.evaluate("scrollY") == before
    assert page.locator("details.choose").evaluate("each => each.open")
    expect(page.locator("#live")).to_contain_text("11")
    assert page.locator("[aria-busy]").count() == 0
    assert "q=item" in (page.get_by_role("link", name="Deutsch").get_attribute("href") or "")
    assert someone.noticed == []


def test_sorting_keeps_the_place_of_the_reader_and_back_and_forward_lead_through_the_lists(someone: Visitor) -> None:
    page = someone.page
    head = page.locator(".case-table thead a", has_text="Latency")
    head.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".case-table [aria-sort=ascending]")).to_have_count(1)
    expect(page.locator(".case-table thead a", has_text="Latency")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".case-table [aria-sort=descending]")).to_have_count(1)
    page.go_back()
    expect(page.locator(".case-table [aria-sort=ascending]")).to_have_count(1)
    page.go_back()
    expect(page.locator(".case-table [aria-sort]")).to_have_count(0)
    page.go_forward()
    expect(page.locator(".case-table [aria-sort=ascending]")).to_have_count(1)
    assert stayed(page)
    assert someone.noticed == []


def test_the_next_page_begins_at_the_head_of_the_list(someone: Visitor) -> None:
    page = someone.page
    page.get_by_role("link", name="Next", exact=True).click()
    counted(page, "51")
    expect(page.get_by_role("heading", name="Cases", exact=True)).to_be_focused()
    expect(page.get_by_role("heading", name="Cases", exact=True)).to_be_in_viewport()
    page.locator(".case-table tbody a").first.click()
    page.get_by_role("link", name="← To the cases").click()
    assert HERE in page.url
    assert someone.noticed == []


def test_a_number_of_lost_cases_above_the_list_shows_them(someone: Visitor) -> None:
    page = someone.page
    page.locator("#waterfall a").first.click()
    expect(page.get_by_label("Evidence lost at")).not_to_have_value("")
    assert stayed(page)


def test_what_opens_another_window_is_left_to_the_browser(someone: Visitor) -> None:
    page = someone.page
    with page.context.expect_page() as other:
        page.locator(".case-table thead a").last.click(modifiers=["Control"])
    expect(other.value.locator(".case-table [aria-sort]")).to_have_count(1)
    assert page.locator(".case-table [aria-sort]").count() == 0


def test_the_newer_request_wins(someone: Visitor) -> None:
    page, held = someone.page, []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(lambda url: url.endswith("q=item+1"), hold)
    field = page.get_by_label("Id or question holds")
    field.fill("item 1")
    field.press("Enter")
    expect(page.locator("#listed")).to_have_attribute("aria-busy", "true")
    field.press("Enter")
    field.fill("item 42")
    field.press("Enter")
    expect(page.locator(".case-table tbody tr")).to_have_count(1)
    assert len(held) == 1
    assert page.url.endswith("?q=item+42#cases")
    expect(page.locator(".case-table tbody tr")).to_have_count(1)
    assert stayed(page)


@pytest.mark.parametrize("fault", ["server", "network", "whole page", "script in it"])
def test_whatever_goes_wrong_the_page_itself_is_opened(someone: Visitor, fault: str) -> None:
    page = someone.page

    def spoil(route: Route) -> None:
        if "x-fragment" not in route.request.headers:
            route.continue_()
        elif fault == "network":
            route.abort()
        else:
            body = "<div id='listed'><script>window.__x = 1</script></div>" if fault == "script in it" else "<p>other"
            told = {"X-Fragment": "listed"} if fault != "whole page" else {}
            route.fulfill(status=500 if fault == "server" else 200, body=body, headers=told, content_type="text/html")

    page.route("**/*q=item*", spoil)
    page.get_by_label("Id or question holds").fill("item 42")
    page.keyboard.press("Enter")
    expect(page.locator(".case-table tbody tr")).to_have_count(1)
    assert page.evaluate("window.__x") is None


def test_whoever_was_signed_out_meanwhile_is_asked_to_sign_in(someone: Visitor) -> None:
    page = someone.page
    page.context.clear_cookies()
    page.get_by_label("Id or question holds").fill("item 42")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    assert "item" in page.url


@pytest.mark.parametrize("path", [HERE, case_path(RUN, "c01")], ids=["run", "case"])
def test_a_run_that_is_being_indexed_appears_by_itself(browser: Browser, tmp_path: Path, path: str) -> None:
    with served(project(tmp_path)) as at, visitor(browser, at, locale="en-GB") as someone:
        page = someone.goes(path)
        expect(page.locator("[data-refresh]")).to_be_visible()
        page.evaluate("window.stayed = true")
        expect(page.locator(".sections")).to_be_visible(timeout=60_000)
        expect(page.locator("#live")).to_contain_text("is indexed")
        assert stayed(page)
        assert someone.noticed == []


def test_a_list_that_was_fetched_does_nothing_with_words_of_strangers(browser: Browser, tmp_path: Path) -> None:
    payload = "<img src=x onerror=window.__x=1><script>window.__x=1</script>"
    folder = project(tmp_path, payload)
    indexed(folder)
    with served(folder) as at, visitor(browser, at, locale="en-GB") as someone:
        page = opened(someone)
        page.get_by_label("Id or question holds").fill("Question")
        page.keyboard.press("Enter")
        counted(page, "1 ")
        expect(page.locator(".case-table tbody")).to_contain_text("<img src=x")
        assert stayed(page)
        assert page.evaluate("window.__x") is None
        assert page.locator("main img").count() == 0
        assert someone.noticed == []


@pytest.fixture(scope="module")
def overridden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A signed BLOCK with an override for three hours."""
    with ThreadPoolExecutor(1) as pool:  # in a thread of its own: the browser holds the event loop of this one
        folder = pool.submit(blocked, tmp_path_factory.mktemp("overridden")).result()
    words = ("--owner", "A. Weiss", "--reason", "Peak", "--ticket", "OPS-1", "--control", "watched", "--hours", "3")
    where = ("runs/worse", "--policy", "policy.yaml", "--check", "hit@5/band", "--key", "keys/owner.pem")
    done = beleg("override", *where, *words, cwd=folder)
    assert done.code == 0, done.err
    return folder


class TestTimeLeft:
    """The time that an override still has."""

    @pytest.mark.parametrize(
        ("locale", "left", "later", "over"),
        [
            ("en-GB", "3 hours left", "1 hour, 1 minute left", "over"),
            ("de-DE", "noch 3 Stunden", "noch 1 Stunde, 1 Minute", "abgelaufen"),
        ],
    )
    def test_it_is_counted_down_and_its_end_is_said(
        self, browser: Browser, overridden: Path, locale: str, left: str, later: str, over: str
    ) -> None:
        (made,) = Workspace(overridden).holdings().decisions
        with served(overridden) as at:
            for path in ("/overrides", "/", f"/releases/{made.key}"):
                with visitor(browser, at, locale=locale) as someone:
                    ends = datetime.fromisoformat(page_time(someone, path))
                    page = someone.page
                    page.clock.install(time=ends - timedelta(hours=3))
                    someone.goes(path)
                    expect(page.locator("time[data-countdown]").first).to_have_text(left)
                    page.clock.fast_forward(timedelta(hours=1, minutes=59).total_seconds() * 1000)
                    expect(page.locator("time[data-countdown]").first).to_have_text(later)
                    page.clock.fast_forward(timedelta(minutes=62).total_seconds() * 1000)
                    expect(page.locator("[data-lives] [data-over]").first).to_contain_text(over)
                    assert page.locator("time[data-countdown]").count() == 0
                    assert someone.noticed == []

    def test_without_a_script_the_server_tells_it(self, browser: Browser, overridden: Path) -> None:
        with served(overridden) as at, visitor(browser, at, locale="en-GB", java_script_enabled=False) as someone:
            page = someone.goes("/overrides")
            ends = datetime.fromisoformat(page.locator("time[data-countdown]").get_attribute("datetime") or "")
            text = page.locator("time[data-countdown]").inner_text()
        minutes = int((ends - datetime.now(UTC)).total_seconds() // 60) + 1
        assert f"{minutes // 60} hours" in text


def page_time(someone: Visitor, path: str) -> str:
    """When the first override on a page ends."""
    return someone.goes(path).locator("time[data-countdown]").first.get_attribute("datetime") or ""
