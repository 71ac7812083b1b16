"""Reviewing in a real browser over a real server: by key alone, without scripts, and with nothing typed ever lost."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from support.review_projects import LOW, RUN_ID, events_of, rebuild, review_project
from support.review_runs import q017_case
from support.sheet_data import hostile_case
from unit.report.test_sheet_html import PAYLOADS

pytestmark = pytest.mark.browser

ARGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
WATCH = "addEventListener('securitypolicyviolation', e => (window.broken ??= []).push(e.violatedDirective))"


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(ARGS))
        yield started
        started.close()


class Server:
    """``beleg serve`` in a process of its own, for one person."""

    def __init__(self, project: Path, person: str) -> None:
        command = [sys.executable, "-m", "beleg", "serve", str(project), "--port", "0", "--person", person]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout is not None
        told = self.process.stdout.readline()
        found = re.search(r"(http://[^/]+)(/sign-in\S+)", told)
        assert found is not None, told
        self.base, self.sign_in = found.group(1), "".join(found.groups())

    def end(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return review_project(tmp_path)


@pytest.fixture
def serve(project: Path) -> Iterator[Any]:
    started: list[Server] = []

    def start(person: str = "ada") -> Server:
        started.append(Server(project, person))
        return started[-1]

    yield start
    for server in started:
        server.end()


class Visitor:
    """Somebody with a browser, and everything that it complained about."""

    def __init__(self, browser: Browser, server: Server, **options: Any) -> None:
        self.server, self.complaints = server, []  # type: ignore[var-annotated]
        self.context: BrowserContext = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        self.context.add_init_script(WATCH)
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(server.sign_in)

    def claim(self, claim_id: str) -> Page:
        self.page.goto(f"{self.server.base}/review/{RUN_ID}/claims/{claim_id}?queue=all")
        return self.page

    def assert_clean(self, *allowed: str) -> None:
        left = [each for each in self.complaints if not any(word in each for word in allowed)]
        assert left == []
        if self.page.evaluate("typeof window.broken") != "undefined":
            pytest.fail(str(self.page.evaluate("window.broken")))


def test_three_claims_are_reviewed_by_key_alone(browser: Browser, serve: Any, project: Path) -> None:
    ada = Visitor(browser, serve())
    page = ada.claim("C-017-1")
    for support, number in (("not_supported", 3), ("partially_supported", 2), ("not_supported", 3)):
        page.keyboard.press(str(number))
        expect(page.locator(f"input[value={support}]").first).to_be_checked()
        expect(page.locator("#live")).to_contain_text("Chosen")
        page.keyboard.press("Shift+Digit1")
        page.keyboard.press("r")
        page.keyboard.type("The passage says 1 thing only: j, k, n and ? are text here.")
        page.keyboard.press("Control+Enter")
        # The attribution has no reason yet: nothing is recorded, and nothing is lost.
        expect(page.locator("#attribution_rationale-wrong")).to_be_visible()
        page.keyboard.press("r")
        page.keyboard.type("The mark stands on it.")
        page.keyboard.press("Control+Enter")
        expect(page.locator("[data-announce]")).to_contain_text("Your verdict is recorded")
        expect(page.locator("#live")).to_contain_text("Your verdict is recorded")
    recorded = events_of(project)
    assert [each.action.stream.rpartition("/")[2] for each in recorded] == ["C-017-1", "C-017-2", "C-017-3"]
    assert [each.action.support.verdict.value for each in recorded if each.action.support] == [
        "not_supported", "partially_supported", "not_supported",
    ]  # fmt: skip
    assert {each.action.support.condition.value for each in recorded if each.action.support} == {"blind"}  # type: ignore[union-attr]
    assert all((each.action.spent_ms or 0) > 0 for each in recorded)
    assert page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('beleg-draft')).length") == 0
    ada.assert_clean("422")


def test_keys_move_open_the_help_and_can_be_changed_and_switched_off(browser: Browser, serve: Any) -> None:
    ada = Visitor(browser, serve())
    page = ada.claim("C-017-1")
    page.keyboard.press("j")
    expect(page.locator("h1")).to_contain_text("C-017-2")
    assert page.evaluate("document.activeElement.id") == "top"
    page.keyboard.press("k")
    expect(page.locator("h1")).to_contain_text("C-017-1")
    page.keyboard.press("n")
    expect(page.locator("h1")).to_contain_text("C-017-2")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.locator("[data-remap=next]").press("x")
    page.locator("#keys-close").click()
    page.keyboard.press("j")
    expect(page.locator("h1")).to_contain_text("C-017-2")
    page.keyboard.press("x")
    expect(page.locator("h1")).to_contain_text("C-017-3")
    page.locator("[data-help]").click()
    page.locator("#keys-on").uncheck()
    page.locator("#keys-close").click()
    page.keyboard.press("k")
    page.keyboard.press("1")
    expect(page.locator("h1")).to_contain_text("C-017-3")
    expect(page.locator("input[name=support]:checked")).to_have_count(0)
    ada.assert_clean()


def test_everything_works_without_scripts(browser: Browser, serve: Any, project: Path) -> None:
    ada = Visitor(browser, serve(), java_script_enabled=False)
    page = ada.claim("C-017-1")
    expect(page.locator("[data-help]")).to_be_hidden()
    page.locator("input[name=support][value=supported]").check()
    page.locator("[data-save]").click()
    expect(page.locator("#support_rationale-wrong")).to_contain_text("Write why")
    page.locator("#support_rationale").fill("It says so.")
    page.locator("[data-save]").click()
    expect(page.locator("h1")).to_contain_text("C-017-2")
    page.goto(f"{ada.server.base}/review/{RUN_ID}/claims/C-017-1?queue=all")
    page.locator("#withdraw summary").click()
    page.locator("#withdraw-reason").fill("Wrong claim.")
    page.get_by_role("button", name="Withdraw").click()
    expect(page.locator("[data-announce]")).to_contain_text("withdrawn")
    assert [each.action.kind.value for each in events_of(project)] == ["verdict_recorded", "withdrawn"]


def test_a_reload_and_an_expired_session_keep_what_was_typed(browser: Browser, serve: Any, project: Path) -> None:
    ada = Visitor(browser, serve())
    page = ada.claim("C-017-1")
    page.keyboard.press("3")
    page.locator("#support_rationale").fill("Half a thought")
    page.reload()
    expect(page.locator("#support_rationale")).to_have_value("Half a thought")
    expect(page.locator("input[name=support][value=not_supported]")).to_be_checked()
    expect(page.locator("#draft-note")).to_be_visible()
    page.locator("#support_rationale").fill("A whole thought")
    ada.context.clear_cookies()
    page.locator("[data-save]").click()
    expect(page.locator("main")).to_contain_text("A whole thought")
    assert events_of(project) == ()
    token = ada.server.sign_in.partition("token=")[2]
    page.locator("#token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("h1")).to_contain_text("C-017-1")
    expect(page.locator("#support_rationale")).to_have_value("A whole thought")
    page.locator("[data-save]").click()
    expect(page.locator("h1")).to_contain_text("C-017-2")
    assert len(events_of(project)) == 1
    ada.assert_clean("401")


def test_two_reviewers_at_once_lose_nothing(browser: Browser, serve: Any, project: Path) -> None:
    """Two servers over one ledger, as two people on one machine have them."""
    ada, bob = Visitor(browser, serve("ada")), Visitor(browser, serve("bob"))
    for visitor, text in ((ada, "Ada's reason"), (bob, "Bob's reason")):
        page = visitor.claim("C-017-1")
        page.keyboard.press("3" if visitor is ada else "1")
        page.locator("#support_rationale").fill(text)
    ada.page.locator("[data-save]").click()
    expect(ada.page.locator("h1")).to_contain_text("C-017-2")
    bob.page.locator("[data-save]").click()
    expect(bob.page.locator("[role=alert]")).to_contain_text("somebody acted on this claim")
    expect(bob.page.locator("#support_rationale")).to_have_value("Bob's reason")
    expect(bob.page.locator("body")).not_to_contain_text("Ada's reason")
    bob.page.reload()
    bob.claim("C-017-1")
    expect(bob.page.locator("#support_rationale")).to_have_value("Bob's reason")
    bob.page.locator("[data-save]").click()
    expect(bob.page.locator("h1")).to_contain_text("C-017-2")
    actions = [each.action for each in events_of(project)]
    told = [(each.actor, each.support.rationale) for each in actions if each.support]
    assert told == [("ada", "Ada's reason"), ("bob", "Bob's reason")]
    bob.assert_clean("409")


def test_the_machine_is_hidden_until_it_is_asked_for_and_that_is_recorded(
    browser: Browser, serve: Any, project: Path
) -> None:
    ada = Visitor(browser, serve())
    page = ada.claim("C-017-1")
    expect(page.locator(".proposal")).to_have_count(0)
    expect(page.locator("blockquote mark")).to_have_count(0)
    assert " ".join(page.locator(".answer mark").all_inner_texts()) == q017_case().claims[0].text
    page.get_by_role("button", name="Show the proposal").click()
    expect(page.locator(".proposal")).to_contain_text("not supported")
    expect(page.locator("blockquote mark")).to_have_text("Final-Sale-Artikel sind ausgeschlossen.")
    page.keyboard.press("3")
    page.locator("#support_rationale").fill("As the machine says.")
    page.locator("[data-save]").click()
    expect(page.locator("h1")).to_contain_text("C-017-2")
    shown, decided = events_of(project)
    assert shown.action.shown == "saw_machine"
    assert decided.action.support is not None
    assert decided.action.support.condition == "saw_machine"
    ada.assert_clean()


def test_every_page_fits_the_window_in_every_look(browser: Browser, serve: Any) -> None:
    """320 px is a window of 1280 at 400 %."""
    server = serve()
    paths = ("", f"/{RUN_ID}", f"/{RUN_ID}/claims/{LOW}", f"/{RUN_ID}/agreement", f"/{RUN_ID}/adjudicate")
    for width, scheme, language in (
        (1280, "light", "en"),
        (1280, "dark", "de"),
        (390, "dark", "en"),
        (320, "light", "de"),
    ):
        ada = Visitor(
            browser, server, viewport={"width": width, "height": 844}, color_scheme=scheme, locale=language
        )  # fmt: skip
        for path in paths:
            ada.page.goto(f"{server.base}/review{path}")
            assert ada.page.evaluate("document.documentElement.lang") == language
            assert ada.page.evaluate("document.documentElement.scrollWidth") <= width, path
            background = ada.page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (background == "rgb(255, 255, 255)") == (scheme == "light")
        ada.assert_clean()
        ada.context.close()


def test_forced_colours_still_show_what_is_chosen_quoted_and_in_focus(browser: Browser, serve: Any) -> None:
    ada = Visitor(browser, serve(), forced_colors="active")
    page = ada.claim("C-017-1")
    page.get_by_role("button", name="Show the proposal").click()
    mark = page.locator("blockquote mark")
    around = mark.evaluate("each => getComputedStyle(each.parentElement).backgroundColor")
    assert mark.evaluate("each => getComputedStyle(each).backgroundColor") != around
    choices = page.locator("input[name=support]")
    choices.first.focus()
    assert choices.first.evaluate("each => getComputedStyle(each).appearance") != "none"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    before = page.locator("form.judging").screenshot()
    page.keyboard.press("3")
    expect(choices.nth(2)).to_be_checked()
    assert page.locator("form.judging").screenshot() != before
    ada.assert_clean()


def test_hostile_claims_run_nothing_and_can_be_reviewed(browser: Browser, serve: Any, project: Path) -> None:
    cases = [hostile_case(payload) for payload in PAYLOADS]
    rebuild(project, *(case.model_copy(update={"claims": case.claims[:1]}) for case in cases))
    ada = Visitor(browser, serve())
    page = ada.page
    page.goto(f"{ada.server.base}/review/{RUN_ID}")
    page.locator("a.button").click()
    for payload in PAYLOADS:
        expect(page.locator(".wording")).to_have_text(payload)
        page.get_by_role("button", name="Show the proposal").click()
        expect(page.locator(".proposal")).to_be_visible()
        page.keyboard.press("1")
        page.locator("#support_rationale").fill(payload)
        page.reload()
        expect(page.locator("#support_rationale")).to_have_value(payload)
        found = page.evaluate(
            "document.querySelectorAll('main img, main iframe, main svg, main script, main meta').length"
        )
        assert found == 0
        page.locator("[data-save]").click()
        expect(page.locator("[data-announce]")).to_contain_text("Your verdict is recorded")
    for path in ("", f"/{RUN_ID}?queue=all", f"/{RUN_ID}/agreement", f"/{RUN_ID}/adjudicate"):
        page.goto(f"{ada.server.base}/review{path}")
    assert page.evaluate("window.__x") is None
    decided = [event.action.support for event in events_of(project)]
    assert [each.rationale for each in decided if each is not None] == list(PAYLOADS)
    ada.assert_clean()
