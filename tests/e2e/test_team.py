"""A team's workbench in a real browser: signing in by account and by provider, tokens, the audit log."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from cli.projects import beleg
from support.oidc_provider import CLIENT, SECRET, Provider, running_provider
from support.packs import decided
from support.served import AXE_RULES
from support.teams import write_settings

pytestmark = pytest.mark.browser

ARGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
AXE = Path(__file__).resolve().parents[1] / "interop" / "node_modules" / "axe-core" / "axe.min.js"
PASSWORD = "four words of cheese"


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium, args=list(ARGS))
        yield made
        made.close()


@contextmanager
def served(folder: Path, **changes: object) -> Iterator[str]:
    """A team's workbench on a free port, whose address browsers use as it is."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    write_settings(folder, address=address, listen_port=port, **changes)
    command = [sys.executable, "-m", "beleg", "serve", "--settings", "workbench.yaml"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            assert address in line, line
            yield address
        finally:
            process.terminate()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window whose console stays empty."""
    context = browser.new_context(locale="en-GB")
    noticed: list[str] = []
    made = context.new_page()
    made.on("console", lambda message: noticed.append(message.text))
    made.on("pageerror", lambda error: noticed.append(str(error)))
    yield made
    context.close()
    assert [text for text in noticed if "403" not in text and "422" not in text] == []


def add_account(folder: Path) -> None:
    words = ("--tenant", "acme", "--role", "admin", "--role", "auditor", "--settings", "workbench.yaml", "--json")
    made = beleg("workbench", "add-account", "ada", *words, cwd=folder).json
    (folder / "password").write_text(made["password"])


def test_signing_in_making_a_token_and_reading_the_log_with_the_keyboard_alone(tmp_path: Path, page: Page) -> None:
    decided(tmp_path / "acme")
    with served(tmp_path) as address:
        add_account(tmp_path)
        page.goto(f"{address}/audit")
        expect(page).to_have_url(re.compile(r"/sign-in\?to="))
        page.get_by_label("Workspace").focus()
        page.keyboard.type("acme")
        page.keyboard.press("Tab")
        page.keyboard.type("ada")
        page.keyboard.press("Tab")
        page.keyboard.type("wrong")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("do not belong together")
        page.get_by_label("Workspace").fill("acme")
        page.get_by_label("Name", exact=True).fill("ada")
        page.get_by_label("Password").fill((tmp_path / "password").read_text())
        page.keyboard.press("Enter")
        # A wrong password leads to the form again, and the right one from there to where one wanted to go.
        expect(page).to_have_url(f"{address}/audit")
        page.goto(f"{address}/people")
        page.get_by_label(re.compile("^Name as reviews")).focus()
        page.keyboard.type("nightly")
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        # What one ticks is to be seen: the report's switches hide theirs behind words.
        for box in page.locator("fieldset.ticked input").all():
            shown = box.evaluate("each => [getComputedStyle(each).opacity, each.offsetWidth, each.offsetHeight]")
            assert shown == ["1", 18, 18]
        secret = page.locator("pre.command").inner_text()
        assert secret.startswith("beleg_acme_")
        answer = page.request.get(f"{address}/api/v1/whoami", headers={"authorization": f"Bearer {secret}"})
        told = answer.json()
        assert (told["name"], told["tenant"], told["roles"]) == ("program:nightly", "acme", ["auditor"])
        page.goto(f"{address}/people")
        page.get_by_role("button", name="Take back: nightly").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("taken back")).to_be_visible()
        assert page.request.get(f"{address}/api/v1/whoami", headers={"authorization": f"Bearer {secret}"}).status == 401
        page.goto(f"{address}/audit")
        for said in ("sign-in refused", "signed in", "made a token", "took a token back"):
            expect(page.get_by_role("cell", name=said, exact=True).first).to_be_visible()


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running_provider() as found:
        yield found


def test_signing_in_by_the_provider_of_an_organisation(
    tmp_path: Path, page: Page, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided(tmp_path / "acme")
    monkeypatch.setenv("OIDC_SECRET", SECRET)
    oidc = {
        "issuer": provider.issuer,
        "client_id": CLIENT,
        "client_secret_env": "OIDC_SECRET",
        "tenant": "acme",
        "roles": {"reviewers": ["reviewer"]},
    }
    with served(tmp_path, sign_in={"oidc": oidc}) as address:
        page.goto(f"{address}/runs")
        page.get_by_role("link", name="Sign in with your organisation").focus()
        page.keyboard.press("Enter")
        expect(page).to_have_url(f"{address}/runs")
        expect(page.get_by_text("ada@example.org")).to_be_visible()
        page.get_by_role("button", name="Sign out").click()
        provider.person = {"sub": "u2", "email": "eve@example.org", "groups": []}
        page.goto(f"{address}/runs")
        page.get_by_role("link", name="Sign in with your organisation").click()
        expect(page.get_by_role("alert")).to_contain_text("none of your groups")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_page_of_a_team_has_a_violation(tmp_path: Path, browser: Browser, scheme: str, language: str) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: make interop")
    decided(tmp_path / "acme")
    with served(tmp_path) as address:
        add_account(tmp_path)
        context = browser.new_context(bypass_csp=True, color_scheme=scheme)  # type: ignore[arg-type]
        page = context.new_page()
        found: list[str] = []
        for path in ("/sign-in", "/people", "/password", "/audit"):
            page.goto(f"{address}{path}?lang={language}")
            if "/sign-in" in page.url and path != "/sign-in":
                page.locator("#tenant").fill("acme")
                page.locator("#name").fill("ada")
                page.locator("#password").fill((tmp_path / "password").read_text())
                page.keyboard.press("Enter")
                page.wait_for_url(lambda url: "/sign-in" not in url)
            page.evaluate(AXE.read_text(encoding="utf-8"))
            result = page.evaluate("rules => axe.run({runOnly: {type: 'tag', values: rules}})", AXE_RULES)
            found += [f"{path}: {each['id']}: {each['nodes'][0]['html'][:200]}" for each in result["violations"]]
        context.close()
    assert found == []
