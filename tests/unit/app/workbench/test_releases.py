from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from beleg.app.workbench.releases import environments
from beleg.app.workbench.workspace import DecisionEntry, Holdings, Workspace
from beleg.core.attestation import ReleaseDecision
from beleg.release.canonical import read_as
from beleg.release.statements import Issue, decision_statement
from support.packs import decided
from support.signing import check, decision, policy

AT = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def entry(tmp_path_factory: pytest.TempPathFactory) -> DecisionEntry:
    return Workspace(decided(tmp_path_factory.mktemp("project")).folder).holdings().decisions[0]


def signed(environment: str, at: datetime) -> ReleaseDecision:
    by = policy(environments=(environment,))
    made = decision(check("hit@5"), by=by)
    issue = Issue(environment=environment, issued_at=at, sequence=1)
    return read_as(ReleaseDecision, decision_statement(made, by, issue).predicate)


def holdings(*entries: DecisionEntry) -> Holdings:
    return Holdings(runs=(), decisions=entries, unreadable=())


def test_decisions_stand_under_the_environment_that_they_are_signed_for(entry: DecisionEntry) -> None:
    found = environments(
        holdings(entry, replace(entry, signed=signed("production", AT)), replace(entry, signed=signed("canary", AT))),
        AT,
    )
    assert [each.name for each in found] == ["canary", "production", None]


def test_a_statement_that_is_over_is_told_so(entry: DecisionEntry) -> None:
    statement = signed("production", AT)
    held = replace(entry, signed=statement)
    (before,) = environments(holdings(held), statement.expires_at - timedelta(seconds=1))
    (after,) = environments(holdings(held), statement.expires_at)
    assert (before.latest.is_expired, after.latest.is_expired) == (False, True)


def test_a_run_that_is_not_in_the_project_is_not_linked(entry: DecisionEntry, tmp_path: Path) -> None:
    (environment,) = environments(holdings(entry), AT)
    assert environment.latest.known_runs == frozenset()
    assert environment.latest.candidate_run == "new-1"
