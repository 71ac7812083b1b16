"""The guide to serving a team: its settings are read as they stand there, and its commands do what it says."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from beleg.app.workbench.accounts import signed_in_by_password
from beleg.app.workbench.state_opening import open_state
from beleg.app.workbench.team import load_workbench_settings
from beleg.core.access import Role
from cli.projects import beleg
from support.teams import write_settings

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "workbench-for-a-team.md"
ADD = ("workbench", "add-account", "ada", "--tenant", "acme", "--role", "admin", "--settings", "workbench.yaml")
PASSWORD = "four words of cheese"


def test_the_settings_of_the_guide_are_read_as_they_stand_there(tmp_path: Path) -> None:
    found = re.search(r"```yaml\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    path = tmp_path / "workbench.yaml"
    path.write_text(found.group(1), "utf-8")
    settings = load_workbench_settings(path)
    assert set(settings.tenants) == {"acme", "initech"}
    assert settings.sign_in.oidc is not None
    assert settings.sign_in.oidc.roles["rag-owners"] == (Role.OWNER, Role.AUDITOR)


def test_the_first_account_is_made_as_the_guide_says(tmp_path: Path) -> None:
    write_settings(tmp_path)
    done = beleg(*ADD, cwd=tmp_path)
    assert done.code == 0, done.err
    assert "ada may sign in to acme" in done.out
    assert re.search(r"Password, shown only now: \S{20}\n", done.out)


@pytest.mark.parametrize(("again", "code"), [(PASSWORD, 0), ("another four words", 2)])
def test_a_password_is_typed_twice_and_not_seen(tmp_path: Path, again: str, code: int) -> None:
    write_settings(tmp_path)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "beleg", *ADD, "--ask-password"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stderr is not None
        # What is typed before the question is thrown away, so that nothing is taken for an answer by mistake.
        for question, typed in (("Password of ada: ", PASSWORD), ("The same again: ", again)):
            asked = ""
            while not asked.endswith(question):
                more = process.stderr.read(1)
                assert more, asked
                asked += more.decode()
            os.write(ours, f"{typed}\n".encode())
        out, err = process.communicate()
    os.close(theirs)
    os.close(ours)
    assert process.returncode == code, err
    assert PASSWORD.encode() not in out
    if code == 0:
        state = open_state(str(tmp_path / "state.db"))
        try:
            assert signed_in_by_password(state, "acme", "ada", PASSWORD) is not None
        finally:
            state.close()


def test_where_nobody_can_be_asked_it_is_told(tmp_path: Path) -> None:
    write_settings(tmp_path)
    done = beleg(*ADD, "--ask-password", "--password-stdin", cwd=tmp_path)
    assert (done.code, "either from standard input or from you" in done.err) == (2, True)
