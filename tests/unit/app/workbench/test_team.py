"""A team's workbench as its settings describe it: tenants apart, and everything wrong told at its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beleg.app.workbench.provider import ProviderDoor
from beleg.app.workbench.team import add_account, load_workbench_settings, open_team
from beleg.core.errors import ConfigError, DataError, UsageError
from support.teams import write_settings

OIDC: dict[str, Any] = {
    "issuer": "https://id.example",
    "client_id": "beleg",
    "client_secret_file": "secrets/client",
    "tenant": "acme",
    "roles": {"owners": ["owner"]},
}


def opened(path: Path) -> None:
    open_team(load_workbench_settings(path), path).close()


def refused(path: Path) -> list[tuple[str | None, str]]:
    with pytest.raises(ConfigError) as told:
        opened(path)
    return [(problem.field, problem.message) for problem in told.value.problems]


def tenants(**projects: str) -> dict[str, Any]:
    return {name: {"project": project} for name, project in projects.items()}


def test_places_count_from_the_settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    path = write_settings(tmp_path, state="kept/state.db")
    installation = open_team(load_workbench_settings(path), path)
    try:
        assert installation.workbench("acme").workspace.root == tmp_path / "acme"
        assert (tmp_path / "kept" / "state.db").is_file()
    finally:
        installation.close()


def test_a_mistake_is_told_with_file_line_field_and_value(tmp_path: Path) -> None:
    path = write_settings(tmp_path)
    path.write_text(path.read_text("utf-8") + "listen_port: 99999\n", "utf-8")
    with pytest.raises(ConfigError) as told:
        load_workbench_settings(path)
    (problem,) = told.value.problems
    assert (problem.file, problem.field, problem.value) == (str(path), "listen_port", "99999")
    assert problem.line == len(path.read_text("utf-8").splitlines())


@pytest.mark.parametrize(
    "text", ["a: &x [1]\nb: *x\n", "address: a\naddress: b\n", "- 1\n", "!!python/object:os.system x\n"]
)
def test_settings_are_read_as_strictly_as_a_policy(tmp_path: Path, text: str) -> None:
    path = tmp_path / "workbench.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(DataError):
        load_workbench_settings(path)


def test_a_project_that_is_not_there_is_told_before_anybody_signs_in(tmp_path: Path) -> None:
    path = write_settings(tmp_path, tenants=tenants(acme="nowhere"))
    assert refused(path) == [("tenants.acme.project", f"{tmp_path / 'nowhere'} is no folder")]


@pytest.mark.parametrize("second", ["acme", "acme/below", ".", "other/../acme", "link"])
def test_projects_that_are_not_apart_are_refused(tmp_path: Path, second: str) -> None:
    (tmp_path / "acme" / "below").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "acme", target_is_directory=True)
    path = write_settings(tmp_path, tenants=tenants(acme="acme", other=second))
    assert refused(path) == [("tenants.other.project", "the projects of acme and other are not apart")]


def test_names_that_begin_alike_are_apart(tmp_path: Path) -> None:
    (tmp_path / "acme-2").mkdir()
    opened(write_settings(tmp_path, tenants=tenants(acme="acme", other="acme-2")))


DATABASE = "postgresql+pg8000://ada@db.example/reviews?password_env=A"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("reviews.db", "reviews.db"),
        ("reviews.db", "acme/../reviews.db"),
        (DATABASE, DATABASE),
        (DATABASE, "postgresql://bob@db.example:5432/reviews"),
    ],
)
def test_reviews_in_the_same_place_are_refused(tmp_path: Path, first: str, second: str) -> None:
    given = {"acme": {"project": "acme", "ledger": first}, "other": {"project": "other", "ledger": second}}
    path = write_settings(tmp_path, tenants=given)
    assert refused(path) == [("tenants.other.ledger", "acme and other name the same review ledger")]


def test_a_ledger_in_the_project_of_another_is_refused(tmp_path: Path) -> None:
    given = {"acme": {"project": "acme", "ledger": "other/reviews.db"}, "other": {"project": "other"}}
    found = refused(write_settings(tmp_path, tenants=given))
    assert found == [("tenants.acme.ledger", "the review ledger of acme lies in the project of other")]


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    found = refused(write_settings(tmp_path, tenants=tenants(one="nowhere", two="nothing", three="acme", four="acme")))
    assert [field for field, _ in found] == [
        "tenants.one.project",
        "tenants.two.project",
        "tenants.three.project",
    ]


def test_ledgers_in_two_databases_are_apart(tmp_path: Path) -> None:
    given = {
        "acme": {"project": "acme", "ledger": DATABASE},
        "other": {"project": "other", "ledger": "postgresql://ada@db.example/others"},
    }
    opened(write_settings(tmp_path, tenants=given))


class TestClientSecret:
    """It stands in the environment, or in a file that nobody else may read."""

    def door(self, folder: Path, **changes: Any) -> ProviderDoor:
        given = {name: value for name, value in (OIDC | changes).items() if value is not None}
        settings = load_workbench_settings(write_settings(folder, sign_in={"oidc": given}))
        assert settings.sign_in.oidc is not None
        return ProviderDoor.of(settings.sign_in.oidc, "https://beleg.example", ["acme"], {"SECRET": "of the variable"})

    def write(self, folder: Path, content: bytes, mode: int = 0o600) -> None:
        (folder / "secrets").mkdir()
        (folder / "secrets" / "client").write_bytes(content)
        (folder / "secrets" / "client").chmod(mode)

    def test_it_is_read_from_a_private_file(self, tmp_path: Path) -> None:
        self.write(tmp_path, b"of the file\n")
        door = self.door(tmp_path)
        assert door.provider.secret == "of the file"
        assert "of the file" not in repr(door)

    @pytest.mark.parametrize("mode", [0o640, 0o604, 0o644])
    def test_a_file_that_others_may_read_is_refused(self, tmp_path: Path, mode: int) -> None:
        self.write(tmp_path, b"of the file\n", mode)
        with pytest.raises(UsageError, match="may be read by others"):
            self.door(tmp_path)

    def test_a_file_that_is_not_there_or_empty_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="cannot read"):
            self.door(tmp_path)
        self.write(tmp_path, b" \n")
        with pytest.raises(UsageError, match="is empty"):
            self.door(tmp_path)

    def test_bytes_that_are_no_text_are_told_and_not_shown(self, tmp_path: Path) -> None:
        self.write(tmp_path, b"secret\xff")
        with pytest.raises(DataError) as told:
            self.door(tmp_path)
        assert "secret\xff" not in str(told.value)

    def test_it_is_read_from_the_environment(self, tmp_path: Path) -> None:
        door = self.door(tmp_path, client_secret_file=None, client_secret_env="SECRET")
        assert door.provider.secret == "of the variable"
        with pytest.raises(UsageError, match="OTHER is not set"):
            self.door(tmp_path, client_secret_file=None, client_secret_env="OTHER")

    def test_a_public_client_has_none(self, tmp_path: Path) -> None:
        assert self.door(tmp_path, client_secret_file=None).provider.secret is None


class TestFirstAccount:
    """It is made on the machine itself, since no page can make it."""

    def test_it_signs_in_with_a_random_password(self, tmp_path: Path) -> None:
        account, password = add_account(write_settings(tmp_path), tenant="acme", name="ada", roles=["admin"])
        assert account.tenant == "acme"
        assert len(password) == 20

    @pytest.mark.parametrize(
        ("tenant", "roles", "told"), [("nobody", ["admin"], "no tenant"), ("acme", ["boss"], "no role")]
    )
    def test_what_is_not_there_is_told_with_what_is(
        self, tmp_path: Path, tenant: str, roles: list[str], told: str
    ) -> None:
        with pytest.raises(UsageError, match=told) as found:
            add_account(write_settings(tmp_path), tenant=tenant, name="ada", roles=roles)
        assert "Known are" in str(found.value.hint)

    def test_where_accounts_are_off_none_is_made(self, tmp_path: Path) -> None:
        path = write_settings(tmp_path, sign_in={"oidc": OIDC})
        with pytest.raises(UsageError, match="allows no accounts"):
            add_account(path, tenant="acme", name="ada", roles=["admin"])
        assert not (tmp_path / "state.db").exists()

    @pytest.mark.parametrize("password", ["short", "passwordpassword", "ada and four words", "aaaaaaaaaaaaaaaa"])
    def test_a_password_that_is_soon_guessed_is_refused(self, tmp_path: Path, password: str) -> None:
        with pytest.raises(DataError) as told:
            add_account(write_settings(tmp_path), tenant="acme", name="ada", roles=["admin"], password=password)
        assert password not in json.dumps([str(problem) for problem in told.value.problems])
