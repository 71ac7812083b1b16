"""What people come to do, from the first page to what stands on the disk afterwards, with the keyboard alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from beleg.app.suite_labels import labels_file, read_labels
from beleg.app.workbench.workspace import Workspace
from cli.projects import beleg
from e2e.test_workbench import ARGS
from support.blocked import ASKED, blocked
from support.packs import decided
from support.served import served, visitor
from support.unjudged import unjudged_project

pytestmark = pytest.mark.browser
Made = TypeVar("Made")


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(ARGS))
        yield started
        started.close()


def elsewhere(make: Callable[..., Made], *given: object) -> Made:
    """Does something in a thread of its own: the browser's thread has a loop already, and commands begin theirs."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(make, *given).result()


def follow(page: Page, name: str) -> None:
    """Opens a link as the keyboard does."""
    page.get_by_role("link", name=name).first.focus()
    page.keyboard.press("Enter")


def test_an_override_is_asked_for_and_its_owner_finds_the_command(browser: Browser, tmp_path: Path) -> None:
    folder = elsewhere(blocked, tmp_path)
    with served(folder, "--person", "bob") as found, visitor(browser, found, locale="en-GB") as someone:
        page = someone.goes("/")
        follow(page, "Overrides")
        follow(page, "Ask for an override")
        page.locator("#owner").focus()
        for name in ("owner", "reason", "ticket", "compensating_control", "hours"):
            page.keyboard.press("Control+a")
            page.keyboard.type(ASKED[name] if name != "hours" else "9999")
            page.keyboard.press("Tab")
        page.locator("form.stacked").evaluate("form => { form.noValidate = true; }")
        page.keyboard.press("Enter")
        expect(page.locator("#problem-hours-1")).to_be_visible()
        # Nothing that was typed is lost.
        expect(page.locator("#reason")).to_have_value(ASKED["reason"])
        page.locator("#hours").fill(ASKED["hours"])
        page.get_by_role("button").last.focus()
        page.keyboard.press("Enter")
        command = page.locator("pre.command")
        expect(command).to_contain_text("beleg override")
        expect(command).to_contain_text(ASKED["ticket"])
        assert [line for line in someone.noticed if "422" not in line] == []
    (request,) = (folder / "runs" / "worse" / "decision" / "overrides" / "requests").glob("*.json")
    asked = json.loads(request.read_text("utf-8"))
    assert (asked["asked_by"], asked["hours"], asked["reason"]) == ("bob", 6, ASKED["reason"])


def test_an_auditor_has_a_pack_made_takes_it_away_and_verifies_it(browser: Browser, tmp_path: Path) -> None:
    folder = decided(tmp_path / "project").folder
    # The pack is made from the policy beside the decision, as `beleg gate` leaves it there.
    assert beleg("gate", "new", "--baseline", "released", "--policy", "policy.yaml", cwd=folder).code in (0, 10, 20)
    with served(folder) as found, visitor(browser, found, locale="en-GB", accept_downloads=True) as someone:
        key = Workspace(folder).holdings().decisions[0].key
        page = someone.goes(f"/releases/{key}")
        page.get_by_role("button", name="Make the audit pack").focus()
        page.keyboard.press("Enter")
        # It appears by itself: nobody has to load the page anew.
        link = page.get_by_role("link", name=f"{key}.pack.zip")
        expect(link).to_be_visible(timeout=60_000)
        told = page.locator("#files").inner_text()
        with page.expect_download() as download:
            link.focus()
            page.keyboard.press("Enter")
        taken = tmp_path / "taken.pack.zip"
        download.value.save_as(taken)
        assert hashlib.sha256(taken.read_bytes()).hexdigest()[:16] in told
        page.goto(f"{found.base}/audit")
        expect(page.get_by_role("cell", name="read evidence").first).to_be_visible()
        assert someone.noticed == []
    assert beleg("verify", str(taken), "--anyone", cwd=tmp_path).code == 0


def test_somebody_labels_what_nobody_judged(browser: Browser, tmp_path: Path) -> None:
    project = elsewhere(unjudged_project, tmp_path)
    with served(project, "--person", "ada") as found, visitor(browser, found, locale="en-GB") as someone:
        page = someone.goes("/suites")
        page.locator('a[href^="/suites/one"]').first.focus()
        page.keyboard.press("Enter")
        follow(page, "Unjudged evidence to label")
        follow(page, "Begin")
        choices = page.locator("input[name=verdict]")
        for box in choices.all():
            assert box.evaluate("each => getComputedStyle(each).opacity") == "1"
        choices.first.focus()
        page.keyboard.press("Space")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        before = page.url
        page.get_by_role("button").last.focus()
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: url != before)
        assert someone.noticed == []
    (label,) = read_labels(labels_file(project, "shop"))
    assert (label.actor, label.verdict.value) == ("ada", "2")


def test_two_runs_are_chosen_and_compared(browser: Browser, tmp_path: Path) -> None:
    folder = decided(tmp_path).folder
    with served(folder) as found, visitor(browser, found, locale="en-GB") as someone:
        page = someone.goes("/")
        follow(page, "Compare")
        page.get_by_label("New run").focus()
        page.keyboard.press("Home")
        page.get_by_label("Old run").focus()
        page.keyboard.press("End")
        page.get_by_role("button", name="Compare").focus()
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_contain_text("released-1")
        assert "new=" in page.url
        assert someone.noticed == []
