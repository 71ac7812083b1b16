"""The history beside a decision: every request and every override, over or not, with the keys that signed."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime, timedelta
from pathlib import Path

from beleg.app.overriding import signed_overrides
from beleg.app.workbench.override_history import override_history
from beleg.app.workbench.workspace import Workspace
from beleg.core.access import Role
from cli.projects import beleg
from support.workbench import application, signed_in
from web.test_overrides import ask, blocked, key_of


def overridden(folder: Path) -> Path:
    """A request, and the override that its owner signed."""
    with application(folder) as app:
        browser = signed_in(app, Role.OWNER, name="bob")
        assert ask(browser, key_of(folder)).status_code == 303
        page = browser.get("/overrides?lang=en").text
    command = page.partition("<bdi>beleg override")[2].partition("</bdi>")[0]
    words = shlex.split(command.replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">"))
    done = beleg("override", *(word if word != "KEY" else "keys/owner.pem" for word in words), cwd=folder)
    assert done.code == 0, done.err
    return folder


def test_request_and_override_stand_there_the_newest_first_with_the_key(tmp_path: Path) -> None:
    folder = overridden(blocked(tmp_path))
    (entry,) = Workspace(folder).holdings().decisions
    signed, asked = override_history(entry, datetime.now(UTC))
    assert (signed.is_signed, asked.is_signed, asked.asked_by) == (True, False, "bob")
    assert asked.signed_by == ()
    ((key_id,),) = [each.key_ids for each in signed_overrides(entry.folder)]
    assert signed.signed_by == (key_id[:16],)


def test_an_override_that_is_over_stays_in_the_history(tmp_path: Path) -> None:
    folder = overridden(blocked(tmp_path))
    (entry,) = Workspace(folder).holdings().decisions
    signed, _ = override_history(entry, datetime.now(UTC) + timedelta(days=30))
    assert signed.is_over


def test_the_page_of_the_decision_shows_it_and_texts_stay_texts(tmp_path: Path) -> None:
    folder = overridden(blocked(tmp_path))
    with application(folder) as app:
        browser = signed_in(app)
        page = browser.get(f"/releases/{key_of(folder)}?lang=en").text
        german = browser.get(f"/releases/{key_of(folder)}?lang=de").text
    part = page.partition('id="override-history"')[2]
    assert "asked for, lets nothing through" in part
    assert "in force" in part
    assert "asked by bob" in part
    assert "Peak week &lt;b&gt;" in part
    assert "<b>" not in part
    assert "Verlauf der Ausnahmen" in german


def test_a_decision_that_nobody_ever_asked_to_override_has_none(tmp_path: Path) -> None:
    folder = blocked(tmp_path)
    (entry,) = Workspace(folder).holdings().decisions
    assert override_history(entry, datetime.now(UTC)) == ()
    with application(folder) as app:
        assert "override-history" not in signed_in(app).get(f"/releases/{key_of(folder)}").text
