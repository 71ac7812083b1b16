from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from beleg.core.decision import CheckState, Decision, Verdict
from beleg.core.governance import DecidedBefore, Incident, IncidentKind, PolicyRegistration
from beleg.core.policy import Policy
from beleg.gating.decide import decide
from beleg.gating.facts import Facts
from beleg.gating.governance import (
    error_budget_check,
    first_seen,
    lacking,
    registration_check,
    review_dates_check,
    stands_behind,
)
from support.builders import case, evaluation
from unit.gating.building import policy

NOW = datetime(2026, 12, 1, tzinfo=UTC)
BEGAN = datetime(2026, 11, 30, tzinfo=UTC)
TODAY = NOW.date()
BAND = {"metric": "hit@5", "pass_at": 0.8, "block_at": 0.7}
STANDS = {"owner": "Search", "rationale": "by harm", "review_by": "2027-01-01"}


def entry(of: Policy, at: datetime) -> PolicyRegistration:
    return PolicyRegistration(policy=of.policy, version=of.version, digest=of.digest, at=at, content=of)


def incident(days_ago: float, weight: float = 1.0) -> Incident:
    return Incident(at=NOW - timedelta(days=days_ago), kind=IncidentKind.INCIDENT, note="n", weight=weight)


def test_what_a_check_does_not_say_itself_the_policy_says_for_it() -> None:
    rules = policy(BAND | {"owner": "Search"}, owner="Board", rationale="why", review_by="2027-01-01")
    stand = stands_behind(rules, rules.checks[0])
    assert (stand.owner, stand.rationale, stand.review_by) == ("Search", "why", date(2027, 1, 1))
    assert lacking(rules, rules.checks[0], TODAY) == []


def test_what_is_missing_and_what_has_passed_is_named() -> None:
    rules = policy(BAND | {"review_by": "2026-11-30"})
    assert lacking(rules, rules.checks[0], TODAY) == ["owner", "rationale", "overdue"]
    assert lacking(rules, rules.checks[0], date(2026, 11, 30)) == ["owner", "rationale"]


def test_a_passed_review_date_keeps_from_pass_where_the_policy_says_so_and_only_there() -> None:
    silent, asking = (
        policy(BAND | STANDS | {"review_by": "2026-11-30"}, **more) for more in ({}, {"require_review_dates": True})
    )
    assert review_dates_check(silent, TODAY) is None
    found = review_dates_check(asking, TODAY)
    assert found is not None
    assert (found.state, "1 have a review date that has passed" in found.reason.en) == (CheckState.INCONCLUSIVE, True)
    kept = review_dates_check(policy(BAND | STANDS, require_review_dates=True), TODAY)
    assert kept is not None
    assert kept.state is CheckState.PASS


def test_two_checks_of_one_metric_are_looked_at_each() -> None:
    german = BAND | STANDS | {"where": {"language": "de"}}
    rules = policy(BAND | STANDS | {"review_by": "2026-11-30"}, german, require_review_dates=True)
    found = review_dates_check(rules, TODAY)
    assert found is not None
    assert found.state is CheckState.INCONCLUSIVE
    assert "Of 2 checks, 1 have" in found.reason.en


def test_a_policy_that_was_registered_before_the_run_stands() -> None:
    rules = policy(BAND)
    before = Facts(registrations=(entry(rules, BEGAN - timedelta(hours=1)),))
    found = registration_check(rules, BEGAN, before)
    assert found is not None
    assert found.state is CheckState.PASS
    assert first_seen(rules, before.registrations or ()) == BEGAN - timedelta(hours=1)


def test_a_bar_that_was_lowered_after_the_run_is_told_and_named() -> None:
    strict, loose = policy(BAND), policy(BAND | {"pass_at": 0.75})
    given = Facts(registrations=(entry(strict, BEGAN - timedelta(days=9)), entry(loose, BEGAN + timedelta(hours=1))))
    found = registration_check(loose, BEGAN, given)
    assert found is not None
    assert found.state is CheckState.INCONCLUSIVE
    assert "after the run had begun" in found.reason.en
    assert "hit@5.pass_at: 0.8 → 0.75 (looser)" in found.reason.en
    assert "lockerer" in found.reason.de


def test_a_policy_that_the_register_does_not_know_is_told() -> None:
    found = registration_check(policy(BAND), BEGAN, Facts(registrations=()))
    assert found is not None
    assert (found.state, "not in the register" in found.reason.en) == (CheckState.INCONCLUSIVE, True)


def test_without_a_register_nothing_is_said_unless_the_policy_asks() -> None:
    assert registration_check(policy(BAND), BEGAN, Facts()) is None
    found = registration_check(policy(BAND, require_registration=True), BEGAN, Facts())
    assert found is not None
    assert found.state is CheckState.NOT_EVALUATED


def before(decision: Decision, content: Policy | None = None) -> Facts:
    """The record that a decision leaves of its policy."""
    entry = DecidedBefore(
        policy=decision.policy_name,
        version=decision.policy_version,
        digest=decision.policy_digest,
        at=decision.decided_at,
        verdict=decision.verdict,
        content=content,
    )
    return Facts(decided_before=(entry,))


def test_lowering_a_bar_and_deciding_again_on_the_same_run_is_seen_without_any_register() -> None:
    run = evaluation([case(f"c{i}") for i in range(400)], {"hit@5": [1.0, 1.0, 1.0, 0.0] * 100})
    strict = policy(BAND, require_baseline=False)
    loose = policy(BAND | {"pass_at": 0.6, "block_at": 0.5}, require_baseline=False)
    first = decide(strict, run, None, decided_at=NOW, beleg_version="0")
    assert first.verdict is Verdict.REVIEW
    assert decide(loose, run, None, decided_at=NOW, beleg_version="0").verdict is Verdict.PASS
    again = decide(loose, run, None, decided_at=NOW, beleg_version="0", facts=before(first))
    assert again.verdict is Verdict.REVIEW
    assert "decided before" in again.headline.en
    told = decide(loose, run, None, decided_at=NOW, beleg_version="0", facts=before(first, strict))
    assert told.verdict is Verdict.REVIEW
    assert "hit@5.pass_at: 0.8 → 0.6 (looser)" in told.headline.en
    forged = before(first, loose)
    assert decide(loose, run, None, decided_at=NOW, beleg_version="0", facts=forged).verdict is Verdict.REVIEW
    twice = Facts(decided_before=(*before(first, strict).decided_before, *before(again, loose).decided_before))
    assert decide(loose, run, None, decided_at=NOW, beleg_version="0", facts=twice).verdict is Verdict.REVIEW
    same = decide(strict, run, None, decided_at=NOW, beleg_version="0", facts=before(first))
    assert not any(check.check_id == "registration" for check in same.checks)


@pytest.mark.parametrize(
    ("incidents", "state"),
    [
        ((), CheckState.PASS),
        ((incident(1), incident(2)), CheckState.PASS),
        ((incident(1), incident(2), incident(3)), CheckState.INCONCLUSIVE),
        ((incident(1, weight=2.5),), CheckState.INCONCLUSIVE),
        ((incident(1), incident(2), incident(31)), CheckState.PASS),
        ((incident(1), incident(2), incident(-1)), CheckState.INCONCLUSIVE),
    ],
)
def test_the_budget_of_a_period_is_counted_by_weight(incidents: tuple[Incident, ...], state: CheckState) -> None:
    rules = policy(BAND, error_budget={"period_days": 30, "allowed": 2})
    found = error_budget_check(rules, Facts(incidents=incidents), NOW)
    assert found is not None
    assert found.state is state


def test_no_file_of_incidents_is_not_the_same_as_no_incident() -> None:
    rules = policy(BAND, error_budget={"period_days": 30, "allowed": 2})
    found = error_budget_check(rules, Facts(), NOW)
    assert found is not None
    assert found.state is CheckState.NOT_EVALUATED
    assert error_budget_check(policy(BAND), Facts(), NOW) is None


def test_a_bar_that_was_raised_since_the_earlier_decision_needs_no_word() -> None:
    run = evaluation([case(f"c{i}") for i in range(400)], {"hit@5": [1.0] * 400})
    loose, strict = (policy(BAND | {"pass_at": level}, require_baseline=False) for level in (0.8, 0.9))
    first = decide(loose, run, None, decided_at=NOW, beleg_version="0")
    given = before(first, loose)
    assert decide(strict, run, None, decided_at=NOW, beleg_version="0", facts=given).verdict is Verdict.PASS
