from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from beleg.app.workbench.releases import LINE_WIDTH, MARGIN, environments
from beleg.app.workbench.workspace import DecisionEntry, Holdings, Workspace
from beleg.core.attestation import ReleaseDecision
from beleg.core.decision import Verdict
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


def decided_as(entry: DecisionEntry, verdict: Verdict, environment: str, at: datetime) -> DecisionEntry:
    made = entry.decision.model_copy(update={"verdict": verdict, "decided_at": at})
    return replace(entry, decision=made, signed=signed(environment, AT))


def test_what_blocks_now_stands_on_top(entry: DecisionEntry) -> None:
    found = environments(
        holdings(
            decided_as(entry, Verdict.PASS, "canary", AT),
            decided_as(entry, Verdict.REVIEW, "preview", AT),
            decided_as(entry, Verdict.BLOCK, "production", AT),
            entry,
        ),
        AT,
    )
    assert [each.name for each in found] == ["production", "preview", "canary", None]


def test_the_line_goes_from_the_oldest_decision_to_the_newest(entry: DecisionEntry) -> None:
    days = [
        decided_as(entry, verdict, "production", AT - timedelta(days=age))
        for age, verdict in ((0, Verdict.BLOCK), (1, Verdict.PASS), (4, Verdict.PASS))
    ]
    (environment,) = environments(holdings(*days), AT)
    whole = LINE_WIDTH - 2 * MARGIN
    assert [mark.at for mark in environment.marks] == [MARGIN + whole, MARGIN + whole * 3 / 4, MARGIN]
    assert [mark.verdict for mark in environment.marks] == [Verdict.BLOCK, Verdict.PASS, Verdict.PASS]
    assert environment.counts == ((Verdict.BLOCK, 1), (Verdict.REVIEW, 0), (Verdict.PASS, 2))


def test_one_decision_makes_no_line(entry: DecisionEntry) -> None:
    (environment,) = environments(holdings(entry), AT)
    assert environment.marks == ()
