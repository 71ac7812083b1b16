"""The real `beleg serve` as a process, and pages in a real browser that notes everything that goes wrong."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@dataclass(frozen=True, slots=True)
class Served:
    """A workbench that listens."""

    base: str
    sign_in: str


@contextmanager
def served(project: Path, *options: str) -> Iterator[Served]:
    """Starts the program on a free port, as a person does, and ends it."""
    command = [sys.executable, "-m", "beleg", "serve", str(project), "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            found = re.search(r"(http://\S+)/sign-in\?token=\S+", line)
            if found is None:
                raise AssertionError(f"the workbench did not start: {line}{process.communicate(timeout=10)[0]}")
            yield Served(found.group(1), found.group(0))
        finally:
            process.terminate()


@dataclass(slots=True)
class Visitor:
    """A browser window of one person. Whatever the console says, and whatever leaves the site, is noted."""

    page: Page
    at: Served
    noticed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda message: self.noticed.append(message.text))
        self.page.on("pageerror", lambda error: self.noticed.append(str(error)))
        self.page.on("dialog", lambda dialog: self.noticed.append(f"dialog: {dialog.message}"))
        self.page.on("request", lambda request: self._note(request.url))

    def _note(self, url: str) -> None:
        if not url.startswith((self.at.base, "data:")):
            self.noticed.append(f"request: {url}")

    def goes(self, path: str) -> Page:
        """Opens a page of the workbench."""
        self.page.goto(f"{self.at.base}{path}")
        return self.page


@contextmanager
def visitor(browser: Browser, at: Served, **options: Any) -> Iterator[Visitor]:
    """Somebody who has signed in by the printed address."""
    context: BrowserContext = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    try:
        made = Visitor(context.new_page(), at)
        made.page.goto(at.sign_in)
        yield made
    finally:
        context.close()


def violations(browser: Browser, at: Served, paths: list[str], axe: Path, **options: Any) -> list[str]:
    """What axe finds on pages; its script comes from outside, so these windows leave the content policy off."""
    found: list[str] = []
    with visitor(browser, at, bypass_csp=True, **options) as someone:
        for path in paths:
            page = someone.goes(path)
            page.evaluate(axe.read_text(encoding="utf-8"))
            result = page.evaluate("rules => axe.run({runOnly: {type: 'tag', values: rules}})", AXE_RULES)
            found += [
                f"{path}: {each['id']}: {node['html'][:200]}" for each in result["violations"] for node in each["nodes"]
            ]
    return found


@contextmanager
def served_team(folder: Path) -> Iterator[int]:
    """Starts the program with the settings of a folder, and tells the port on which it listens."""
    command = [sys.executable, "-m", "beleg", "serve", "--settings", "workbench.yaml"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            lines = [process.stdout.readline(), process.stdout.readline()] if process.stdout else []
            found = re.search(r"port (\d+);", "".join(lines))
            if found is None:
                raise AssertionError(f"the workbench did not start: {lines}{process.communicate(timeout=10)[0]}")
            yield int(found.group(1))
        finally:
            process.terminate()
