"""Preparing the workbench of a team on the command line, and serving it as a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest

from cli.projects import Done, beleg, real_beleg
from support.postgres import OWNER, RECORDER, Cluster
from support.teams import write_settings

PASSWORD = "four words of cheese"


GIVEN = ("--tenant", "acme", "--role", "admin", "--settings", "workbench.yaml")


def add(folder: Path, *words: str) -> Done:
    """Makes the account of ada."""
    return beleg("workbench", "add-account", "ada", *(words or GIVEN), cwd=folder)


def test_the_first_account_gets_a_password_that_is_shown_once(tmp_path: Path) -> None:
    write_settings(tmp_path)
    done = add(tmp_path)
    assert done.code == 0
    found = re.search(r"shown only now: (\S{20})\n", done.out)
    assert found is not None
    assert found.group(1).encode() not in (tmp_path / "state.db").read_bytes()
    again = add(tmp_path)
    assert again.code == 30
    assert "there is an account with this name" in again.err


def test_a_password_from_standard_input_is_not_repeated(tmp_path: Path) -> None:
    write_settings(tmp_path)
    words = ("workbench", "add-account", "ada", *GIVEN, "--password-stdin")
    for typed, code in (("short\n", 30), (f"{PASSWORD}\n", 0)):
        done = real_beleg(*words, cwd=tmp_path, input=typed)
        assert done.code == code, done.err
        assert typed.strip() not in done.out + done.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--tenant", "nobody", "--role", "admin"), "there is no tenant 'nobody'"),
        (("--tenant", "acme", "--role", "boss"), "there is no role 'boss'"),
    ],
)
def test_what_is_not_there_is_told(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    write_settings(tmp_path)
    done = add(tmp_path, *words, "--settings", "workbench.yaml")
    assert done.code == 2
    assert says in done.err


def test_where_accounts_are_not_allowed_none_is_made(tmp_path: Path) -> None:
    oidc = {"issuer": "https://id.example", "client_id": "b", "tenant": "acme", "roles": {"g": ["owner"]}}
    write_settings(tmp_path, sign_in={"oidc": oidc})
    done = add(tmp_path)
    assert done.code == 2
    assert "allows no accounts" in done.err
    assert not (tmp_path / "state.db").exists()


def test_a_state_in_a_file_and_in_postgresql(tmp_path: Path, postgres: Cluster) -> None:
    assert beleg("workbench", "create-state", "state.db", cwd=tmp_path).code == 0
    assert (tmp_path / "state.db").stat().st_mode & 0o777 == 0o600
    assert beleg("workbench", "create-state", "state.db", "--grant", "x", cwd=tmp_path).code == 2
    postgres.sql(f"CREATE DATABASE from_the_command_line OWNER {OWNER}")
    address = postgres.address(OWNER, "from_the_command_line")
    done = beleg("workbench", "create-state", address, "--grant", RECORDER, "--json", cwd=tmp_path)
    assert done.json["granted_to"] == [RECORDER]
    rights = (
        "SELECT privilege_type FROM information_schema.role_table_grants WHERE grantee = '{}' AND table_name = '{}'"
    )
    granted = postgres.sql(rights.format(RECORDER, "beleg_audit"), database="from_the_command_line").split()
    assert sorted(granted) == ["INSERT", "SELECT"]


def served(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "beleg", "serve", "--settings", "workbench.yaml"]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def said(process: subprocess.Popen[str], pattern: str) -> str:
    """What the program prints that fits, or everything that it said instead."""
    lines: list[str] = []
    while process.stdout is not None and (line := process.stdout.readline()):
        lines.append(line)
        found = re.search(pattern, line)
        if found is not None:
            return found.group(1)
    raise AssertionError("".join(lines))


def test_a_team_is_served_and_a_session_outlives_the_process(tmp_path: Path) -> None:
    write_settings(tmp_path, listen_port=0)
    password = add(tmp_path, *GIVEN, "--json").json["password"]
    cookie = ""
    for _ in range(2):
        with served(tmp_path) as process:
            try:
                port = int(said(process, r"port (\d+)"))
                if not cookie:
                    form = urlencode({"tenant": "acme", "name": "ada", "password": password})
                    headers = {"host": "127.0.0.1", "content-type": "application/x-www-form-urlencoded"}
                    connection = HTTPConnection("127.0.0.1", port, timeout=20)
                    connection.request("POST", "/sign-in/password", form, headers)
                    answer = connection.getresponse()
                    assert answer.status == 303
                    cookie = str(answer.headers["set-cookie"]).partition(";")[0]
                    connection.close()
                connection = HTTPConnection("127.0.0.1", port, timeout=20)
                connection.request("GET", "/people", headers={"host": "127.0.0.1", "cookie": cookie})
                assert connection.getresponse().status == 200
                connection.close()
            finally:
                process.terminate()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"listen_host": "0.0.0.0"}, "nothing would be encrypted on the way"),  # noqa: S104 - what is refused
        ({"tls": {"certificate": "nothing.pem", "key": "nothing.key"}}, "nothing.pem is not there"),
        ({"state": "mysql://x@y/z"}, "cannot be kept in mysql"),
    ],
)
def test_what_would_not_be_safe_is_not_served(tmp_path: Path, changes: dict[str, object], says: str) -> None:
    write_settings(tmp_path, listen_port=0, **changes)
    done = beleg("serve", "--settings", "workbench.yaml", cwd=tmp_path)
    assert done.code == 2
    assert says in done.err.replace("\n", " ")


def test_without_settings_no_other_host_is_served(tmp_path: Path) -> None:
    done = beleg("serve", str(tmp_path), "--host", "0.0.0.0", cwd=tmp_path)  # noqa: S104 - what is refused
    assert done.code == 2
    assert "--settings workbench.yaml" in done.err.replace("\n", " ")
