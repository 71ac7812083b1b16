"""What the workbench remembers, in SQLite and in PostgreSQL: the same answers, and no tenant sees another."""

# ruff: noqa: S608 - the statements go into a database of the test itself

from __future__ import annotations

import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from beleg.adapters.stores.state_postgres import create_postgres_state, open_postgres_state
from beleg.adapters.stores.state_sqlite import open_sqlite_state
from beleg.adapters.stores.state_store import MAX_SESSIONS, SqlWorkbenchState
from beleg.core.access import Role
from beleg.core.errors import EvidenceError, UsageError
from beleg.core.workbench_state import Account, AuditAction
from support.postgres import OWNER, READER, RECORDER, Cluster
from support.states import NOW, StatePlace, audit, postgres_state, session, sqlite_state, token

HASH = "a" * 64
OTHER_HASH = "b" * 64


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> StatePlace:
    """A new state."""
    return sqlite_state(tmp_path) if request.param == "sqlite" else postgres_state(request.getfixturevalue("postgres"))


@pytest.fixture
def state(place: StatePlace) -> Iterator[SqlWorkbenchState]:
    """The state, open."""
    opened = place.open()
    yield opened
    opened.close()


def account(name: str = "ada", tenant: str = "acme", **fields: object) -> Account:
    given: dict[str, object] = {"roles": frozenset({Role.OWNER}), "password_hash": "scrypt$x", "created_at": NOW}
    return Account.model_validate({"tenant": tenant, "name": name, **given, **fields})


class TestSessions:
    """Sessions by the hash of their id."""

    def test_a_session_is_found_until_it_is_ended(self, state: SqlWorkbenchState) -> None:
        state.begin_session("acme", HASH, session())
        assert state.session("acme", HASH) == session()
        assert state.session("acme", OTHER_HASH) is None
        state.end_session("acme", HASH)
        state.end_session("acme", HASH)
        assert state.session("acme", HASH) is None

    def test_when_it_was_used_is_kept(self, state: SqlWorkbenchState) -> None:
        state.begin_session("acme", HASH, session())
        state.see_session("acme", HASH, NOW + timedelta(minutes=5))
        found = state.session("acme", HASH)
        assert found is not None
        assert (found.began_at, found.seen_at) == (NOW, NOW + timedelta(minutes=5))

    def test_what_is_over_by_either_limit_is_forgotten(self, state: SqlWorkbenchState) -> None:
        for key, at in (("old", -3), ("idle", -2), ("fresh", 0)):
            state.begin_session("acme", key, session(at=NOW + timedelta(hours=at)))
        state.see_session("acme", "old", NOW)
        state.forget_sessions(
            "acme", seen_before=NOW - timedelta(hours=1), began_before=NOW - timedelta(hours=2, minutes=30)
        )
        assert [state.session("acme", key) is None for key in ("old", "idle", "fresh")] == [True, True, False]

    def test_all_sessions_of_one_person_end_together(self, state: SqlWorkbenchState) -> None:
        for key, name in (("1", "ada"), ("2", "ada"), ("3", "bob")):
            state.begin_session("acme", key, session(name))
        state.end_sessions_of("acme", "ada")
        assert [state.session("acme", key) is None for key in "123"] == [True, True, False]

    def test_there_are_never_more_than_fit(self, state: SqlWorkbenchState, monkeypatch: pytest.MonkeyPatch) -> None:
        assert MAX_SESSIONS == 10_000
        monkeypatch.setattr("beleg.adapters.stores.state_store.MAX_SESSIONS", 3)
        for number in range(5):
            state.begin_session("acme", str(number), session(at=NOW + timedelta(seconds=number)))
        state.begin_session("other", "x", session(tenant="other"))
        assert [state.session("acme", str(number)) is None for number in range(5)] == [True, True, False, False, False]
        assert state.session("other", "x") is not None

    def test_it_outlives_the_process(self, place: StatePlace) -> None:
        one = place.open()
        one.begin_session("acme", HASH, session())
        one.close()
        other = place.open()
        assert other.session("acme", HASH) == session()
        other.close()


class TestTokens:
    """Tokens by the hash of their secret."""

    def test_a_token_is_found_by_its_hash_and_listed_newest_first(self, state: SqlWorkbenchState) -> None:
        state.create_token(token(1), HASH)
        state.create_token(token(2), OTHER_HASH)
        assert state.token("acme", HASH) == token(1)
        assert state.token("acme", "c" * 64) is None
        assert [each.token_id for each in state.tokens("acme")] == ["t2", "t1"]

    def test_use_and_revocation_are_kept_and_a_token_is_revoked_once(self, state: SqlWorkbenchState) -> None:
        state.create_token(token(1), HASH)
        state.see_token("acme", "t1", NOW)
        first = state.revoke_token("acme", "t1", NOW)
        again = state.revoke_token("acme", "t1", NOW + timedelta(hours=1))
        assert first is not None
        assert (first.last_used_at, first.revoked_at) == (NOW, NOW)
        assert again == first
        assert state.revoke_token("acme", "t9", NOW) is None

    def test_a_secret_or_an_id_is_never_taken_twice(self, state: SqlWorkbenchState) -> None:
        state.create_token(token(1), HASH)
        for taken, secret in ((token(2), HASH), (token(1), OTHER_HASH)):
            with pytest.raises(EvidenceError):
                state.create_token(taken, secret)
        assert len(state.tokens("acme")) == 1


def test_an_account_is_kept_in_place_of_the_one_before(state: SqlWorkbenchState) -> None:
    state.put_account(account("bob"))
    state.put_account(account())
    state.put_account(account(is_disabled=True))
    found = state.account("acme", "ada")
    assert found is not None
    assert found.is_disabled
    assert [each.name for each in state.accounts("acme")] == ["ada", "bob"]
    assert state.account("acme", "eve") is None


class TestAuditLog:
    """Lines are added, numbered and never changed."""

    def test_the_newest_lines_come_first_and_page_by_number(self, state: SqlWorkbenchState) -> None:
        for number in range(5):
            state.note("acme", audit(target=str(number)))
        assert [(each.number, each.event.target) for each in state.audit_log("acme", limit=2)] == [(5, "4"), (4, "3")]
        assert [each.number for each in state.audit_log("acme", before=4)] == [3, 2, 1]

    def test_lines_of_one_actor_or_action_are_found_to_the_letter(self, state: SqlWorkbenchState) -> None:
        pretended = 'x","actor":"ada","action":"signed_in","y'
        for actor, action, target in (
            ("ada", AuditAction.SIGNED_IN, ""),
            ("Ada", AuditAction.SIGNED_IN, "\x00 „“ \\"),
            ('a"d\\a %_', AuditAction.PACK_READ, ""),
            ("eve", AuditAction.SIGNED_OUT, pretended),
            (pretended, AuditAction.SIGNED_OUT, ',"actor":"ada",'),
            ("ada", AuditAction.PACK_READ, ""),
        ):
            state.note("acme", audit(action, actor=actor, target=target))
        state.note("other", audit(AuditAction.SIGNED_IN, actor="ada"))

        def found(**wanted: object) -> list[int]:
            return [line.number for line in state.audit_log("acme", **wanted)]  # type: ignore[arg-type]

        assert found(actor="ada") == [6, 1]
        assert found(actor="ad") == found(actor="%") == found(actor="") == []
        assert (found(actor="Ada"), found(actor='a"d\\a %_'), found(actor=pretended)) == ([2], [3], [5])
        assert found(action=AuditAction.SIGNED_IN) == [2, 1]
        assert found(actor="ada", action=AuditAction.PACK_READ) == [6]
        assert found(actor="ada", before=6, limit=1) == [1]

    def test_many_at_once_lose_nothing_and_share_no_number(self, state: SqlWorkbenchState) -> None:
        def work(worker: int) -> None:
            for number in range(10):
                state.note("acme", audit(actor=f"w{worker}", target=str(number)))
                state.begin_session("acme", f"{worker}-{number}", session())

        with ThreadPoolExecutor(12) as pool:
            list(pool.map(work, range(12)))
        lines = state.audit_log("acme", limit=500)
        assert [line.number for line in lines] == list(range(120, 0, -1))
        assert len({(line.event.actor, line.event.target) for line in lines}) == 120
        assert all(state.session("acme", f"{w}-{n}") is not None for w in range(12) for n in range(10))


def test_a_tenant_sees_nothing_of_another(state: SqlWorkbenchState) -> None:
    state.begin_session("acme", HASH, session())
    state.create_token(token(1), HASH)
    state.put_account(account())
    state.note("acme", audit())
    assert state.session("other", HASH) is None
    assert state.token("other", HASH) is None
    assert state.account("other", "ada") is None
    assert (state.tokens("other"), state.accounts("other"), state.audit_log("other")) == ((), (), ())
    state.end_session("other", HASH)
    state.end_sessions_of("other", "ada")
    state.forget_sessions("other", seen_before=NOW + timedelta(days=9), began_before=NOW + timedelta(days=9))
    assert state.revoke_token("other", "t1", NOW) is None
    state.note("other", audit(AuditAction.SIGNED_IN))
    assert state.session("acme", HASH) is not None
    assert state.tokens("acme")[0].revoked_at is None
    assert [line.number for line in state.audit_log("other")] == [1]


class TestSqliteFile:
    """The file is its owner's alone."""

    def test_nobody_else_may_read_it(self, tmp_path: Path) -> None:
        state = sqlite_state(tmp_path).open()
        state.note("acme", audit())
        modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "deep").iterdir()}
        state.close()
        assert modes == {0o600}

    def test_a_line_is_neither_changed_nor_removed(self, tmp_path: Path) -> None:
        import sqlite3

        state = sqlite_state(tmp_path).open()
        state.note("acme", audit())
        state.close()
        connection = sqlite3.connect(tmp_path / "deep" / "state.db")
        for statement in (
            "UPDATE beleg_audit SET content = ''",
            "DELETE FROM beleg_audit",
            "INSERT OR REPLACE INTO beleg_audit VALUES ('acme', 1, '')",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)
        connection.close()

    def test_a_file_of_another_program_is_left_as_it_is(self, tmp_path: Path) -> None:
        import sqlite3

        path = tmp_path / "state.db"
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE theirs (x)")
        connection.close()
        before = path.read_bytes()
        with pytest.raises(EvidenceError, match="another program"):
            open_sqlite_state(path)
        assert path.read_bytes() == before

    def test_a_damaged_file_is_told(self, tmp_path: Path) -> None:
        path = tmp_path / "state.db"
        path.write_bytes(b"no database " * 400)
        with pytest.raises(EvidenceError, match="cannot be opened") as told:
            open_sqlite_state(path)
        assert told.value.hint is not None
        assert "Move the file away" in told.value.hint

    def test_a_newer_file_is_refused(self, tmp_path: Path) -> None:
        import sqlite3

        path = tmp_path / "deep" / "state.db"
        sqlite_state(tmp_path).open().close()
        connection = sqlite3.connect(path)
        connection.execute("UPDATE beleg_state_version SET version_num = '0009'")
        connection.commit()
        connection.close()
        with pytest.raises(EvidenceError, match="revision 0009"):
            open_sqlite_state(path)


class TestPostgresPolicies:
    """The database itself keeps tenants apart, even from a statement that forgets to name one."""

    @pytest.fixture
    def shared(self, postgres: Cluster) -> StatePlace:
        place = postgres_state(postgres)
        state = place.open()
        for tenant in ("acme", "other"):
            state.begin_session(tenant, HASH, session(tenant=tenant))
            state.create_token(token(1, tenant), HASH)
            state.put_account(account(tenant=tenant))
            state.note(tenant, audit())
        state.close()
        return place

    @pytest.mark.parametrize("table", ["beleg_sessions", "beleg_tokens", "beleg_accounts", "beleg_audit"])
    def test_a_statement_without_a_tenant_sees_the_rows_of_its_own_and_without_a_setting_none(
        self, postgres: Cluster, shared: StatePlace, table: str
    ) -> None:
        def asked(statement: str) -> list[str]:
            return postgres.sql(statement, role=RECORDER, database=shared.database).split()

        assert asked(f"SELECT tenant FROM {table}") == []
        found = asked(f"BEGIN; SET LOCAL beleg.tenant = 'acme'; SELECT tenant FROM {table}; COMMIT")
        assert found == ["BEGIN", "SET", "acme", "COMMIT"]
        # The setting ends with its transaction.
        assert asked(f"BEGIN; SET LOCAL beleg.tenant = 'acme'; COMMIT; SELECT tenant FROM {table}") == [
            "BEGIN", "SET", "COMMIT",
        ]  # fmt: skip

    @pytest.mark.parametrize("table", ["beleg_sessions", "beleg_tokens", "beleg_accounts"])
    def test_a_change_without_a_tenant_reaches_only_its_own(
        self, postgres: Cluster, shared: StatePlace, table: str
    ) -> None:
        said = postgres.sql(
            f"BEGIN; SET LOCAL beleg.tenant = 'acme'; UPDATE {table} SET content = 'x'; DELETE FROM {table}; COMMIT",
            role=RECORDER,
            database=shared.database,
        )
        assert said.split("\n")[2:4] == ["UPDATE 1", "DELETE 1"]
        assert postgres.sql(f"SELECT tenant FROM {table}", database=shared.database).split() == ["other"]

    def test_no_row_is_moved_to_another_tenant(self, postgres: Cluster, shared: StatePlace) -> None:
        for statement in (
            "UPDATE beleg_accounts SET tenant = 'other', name = 'eve'",
            "INSERT INTO beleg_accounts VALUES ('other', 'eve', '')",
            "INSERT INTO beleg_audit VALUES ('other', 9, '')",
        ):
            said = postgres.sql(
                f"BEGIN; SET LOCAL beleg.tenant = 'acme'; {statement}; COMMIT", role=RECORDER, database=shared.database
            )
            assert "row-level security" in said, statement

    @pytest.mark.parametrize(
        "statement", ["UPDATE beleg_audit SET content = ''", "DELETE FROM beleg_audit", "TRUNCATE beleg_audit"]
    )
    @pytest.mark.parametrize("role", [RECORDER, OWNER])
    def test_a_line_is_neither_changed_nor_removed_not_even_by_the_owner(
        self, postgres: Cluster, shared: StatePlace, statement: str, role: str
    ) -> None:
        said = postgres.sql(
            f"BEGIN; SET LOCAL beleg.tenant = 'acme'; {statement}; COMMIT", role=role, database=shared.database
        )
        assert "append-only" in said or "permission denied" in said
        assert postgres.sql("SELECT count(*) FROM beleg_audit", database=shared.database).split() == ["2"]

    @pytest.mark.parametrize("role", [OWNER, "postgres"])
    def test_a_role_that_could_see_every_tenant_may_not_serve(
        self, postgres: Cluster, shared: StatePlace, role: str
    ) -> None:
        with pytest.raises(UsageError, match="could see every tenant"):
            open_postgres_state(postgres.address(role, shared.database), {})

    def test_switched_off_policies_are_refused(self, postgres: Cluster, shared: StatePlace) -> None:
        postgres.sql("ALTER TABLE beleg_tokens DISABLE ROW LEVEL SECURITY", database=shared.database)
        with pytest.raises(UsageError, match="beleg_tokens are switched off"):
            open_postgres_state(postgres.address(RECORDER, shared.database), {})

    @pytest.mark.parametrize("table", ["beleg_sessions", "beleg_tokens", "beleg_accounts", "beleg_audit"])
    def test_the_owner_of_any_one_table_may_not_serve(self, postgres: Cluster, shared: StatePlace, table: str) -> None:
        postgres.sql(f"ALTER TABLE {table} OWNER TO {RECORDER}", database=shared.database)
        with pytest.raises(UsageError, match="could see every tenant"):
            shared.open()

    @pytest.mark.parametrize("attribute", ["BYPASSRLS", "SUPERUSER"])
    def test_a_role_that_may_become_one_that_passes_over_policies_may_not_serve(
        self, postgres: Cluster, shared: StatePlace, attribute: str
    ) -> None:
        postgres.sql(f"CREATE ROLE passes NOLOGIN {attribute}; CREATE ROLE between NOLOGIN; GRANT passes TO between")
        postgres.sql(f"GRANT between TO {RECORDER}")
        try:
            became = postgres.sql("SET ROLE passes; SELECT current_user", role=RECORDER, database=shared.database)
            assert became.split() == ["SET", "passes"]
            with pytest.raises(UsageError, match="or one that it may become, could see every tenant"):
                shared.open()
        finally:
            postgres.sql("DROP ROLE between; DROP ROLE passes")
        shared.open().close()

    @pytest.mark.parametrize("role", ["PUBLIC", RECORDER])
    def test_a_further_policy_that_opens_rows_is_refused(
        self, postgres: Cluster, shared: StatePlace, role: str
    ) -> None:
        made = f"CREATE POLICY wide ON beleg_audit FOR SELECT TO {role} USING (true)"
        postgres.sql(made, database=shared.database)
        seen = postgres.sql("SELECT tenant FROM beleg_audit", role=RECORDER, database=shared.database)
        assert sorted(seen.split()) == ["acme", "other"]
        with pytest.raises(UsageError, match="the policy wide of beleg_audit opens rows"):
            shared.open()

    def test_a_further_policy_for_another_role_does_no_harm(self, postgres: Cluster, shared: StatePlace) -> None:
        made = f"CREATE POLICY reports ON beleg_audit FOR SELECT TO {READER} USING (true)"
        postgres.sql(made, database=shared.database)
        shared.open().close()

    def test_newer_tables_are_refused_by_whoever_serves_and_whoever_owns(
        self, postgres: Cluster, shared: StatePlace
    ) -> None:
        postgres.sql("UPDATE beleg_state_version SET version_num = '0009'", database=shared.database)
        with pytest.raises(EvidenceError, match="revision 0009") as told:
            shared.open()
        assert told.value.hint
        with pytest.raises(EvidenceError, match="revision 0009"):
            create_postgres_state(postgres.address(OWNER, shared.database), {})

    def test_making_it_again_changes_nothing(self, postgres: Cluster, shared: StatePlace) -> None:
        create_postgres_state(postgres.address(OWNER, shared.database), {}, grant_to=(RECORDER,))
        state = shared.open()
        assert state.session("acme", HASH) is not None
        state.close()

    def test_a_database_without_one_is_told(self, postgres: Cluster) -> None:
        with pytest.raises(EvidenceError, match="holds no workbench state"):
            open_postgres_state(postgres.address(RECORDER, "postgres"), {})
