"""From a decision to what is signed."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.attestation import DECISION_TYPE, VSA_TYPE, ReleaseDecision
from beleg.core.decision import Bounds, CheckState, Counts, Decision
from beleg.core.errors import ConfigError
from beleg.core.score import ScoreStatus
from beleg.release.canonical import parse_canonical, read_as
from beleg.release.statements import (
    Issue,
    as_decimal,
    decision_statement,
    payload_of,
    record_digest,
    verification_summary,
)
from support.signing import HEX, WHEN, check, decision, policy

ISSUE = Issue(environment="production", issued_at=WHEN, sequence=7)
FAIL, OPEN = CheckState.FAIL, CheckState.INCONCLUSIVE


def predicate(made: Decision, **release: object) -> ReleaseDecision:
    by = policy(**release)
    made = made.model_copy(update={"policy_digest": by.digest})
    return read_as(ReleaseDecision, decision_statement(made, by, ISSUE).predicate)


def test_its_subject_is_the_digest_of_the_candidates_manifest() -> None:
    statement = decision_statement(decision(), policy(), ISSUE)
    assert statement.predicate_type == DECISION_TYPE
    assert [(one.name, one.digest.sha256) for one in statement.subject] == [("hybrid", "12" * 32)]


def test_it_names_every_check_and_what_did_not_hold() -> None:
    made = predicate(
        decision(check("hit@5"), check("ndcg@10", FAIL), check("latency_ms", OPEN)), waivable=("latency_ms",)
    )
    assert [each.id for each in made.checks] == ["hit@5/band", "ndcg@10/band", "latency_ms/band"]
    assert made.failed_checks == ("ndcg@10/band", "latency_ms/band")
    assert made.waivable_checks == ("latency_ms/band",)


def test_it_holds_as_long_as_the_policy_says() -> None:
    made = predicate(decision(), valid_hours=24)
    assert (made.issued_at, made.not_before, made.expires_at) == (WHEN, WHEN, WHEN + timedelta(hours=24))


def test_it_is_bound_to_the_stored_decision_the_policy_and_the_suite() -> None:
    made = decision()
    told = predicate(made)
    assert told.decision_record.digest.digest == record_digest(made)
    assert told.policy.digest.digest == policy().digest
    assert (told.suite.uri, told.suite.digest.sha256) == ("s@2", HEX)


def test_figures_are_text_and_counts_come_with_them() -> None:
    figure = Bounds(estimate=0.1, lower=None, upper=1e-7, confidence=0.95, method="m", n=9)
    counts = Counts(expected=12, scored=9, reasons={ScoreStatus.TIMEOUT: 2, ScoreStatus.NOT_APPLICABLE: 1})
    (only,) = predicate(decision(check("hit@5", figure=figure, counts=counts))).checks
    assert (only.estimate, only.lower, only.upper) == ("0.1", None, "0.0000001")
    assert (only.scored, only.expected, only.failed) == ("9", "12", "2")


def test_equal_decisions_give_equal_bytes_in_canonical_form() -> None:
    first, again = (payload_of(decision_statement(decision(), policy(), ISSUE)) for _ in range(2))
    assert first == again
    assert parse_canonical(first)["predicate"]["sequence"] == "7"


def test_only_time_and_sequence_differ_between_two_issues() -> None:
    later = Issue(environment="production", issued_at=WHEN + timedelta(hours=1), sequence=8)
    one, other = (decision_statement(decision(), policy(), issue).predicate for issue in (ISSUE, later))
    assert {name for name in one if one[name] != other[name]} == {"issuedAt", "notBefore", "expiresAt", "sequence"}


def test_another_policy_than_the_one_that_decided_is_refused() -> None:
    with pytest.raises(ConfigError, match="another policy"):
        decision_statement(decision(), policy(valid_hours=24), ISSUE)


def test_an_environment_that_the_policy_does_not_name_is_refused() -> None:
    with pytest.raises(ConfigError, match="does not decide for this environment"):
        decision_statement(decision(), policy(), Issue(environment="staging", issued_at=WHEN, sequence=1))


class TestVerificationSummary:
    def summary(self, made: Decision) -> object:
        return verification_summary(made, decision_statement(made, policy(), ISSUE), HEX, WHEN)

    def test_a_pass_has_one_in_the_form_of_slsa(self) -> None:
        made = decision()
        found = verification_summary(made, decision_statement(made, policy(), ISSUE), HEX, WHEN)
        assert found is not None
        assert found.predicate_type == VSA_TYPE
        assert found.subject[0].digest.sha256 == "12" * 32
        told = found.predicate
        # The fields that SLSA v1.2 requires; custom levels may not begin with SLSA_.
        assert told["verificationResult"] == "PASSED"
        assert told["timeVerified"] == "2026-11-30T12:00:00Z"
        assert set(told) >= {
            "verifier",
            "timeVerified",
            "resourceUri",
            "policy",
            "verificationResult",
            "verifiedLevels",
        }
        assert not any(level.startswith("SLSA_") for level in told["verifiedLevels"])
        assert told["inputAttestations"][0]["digest"] == {"sha256": HEX}

    @pytest.mark.parametrize("state", [FAIL, OPEN])
    def test_nothing_else_has(self, state: CheckState) -> None:
        assert self.summary(decision(check("hit@5", state))) is None


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_decimal_text_is_the_figure_to_twelve_digits_after_the_point(value: float) -> None:
    text = as_decimal(value)
    if text is None:
        assert abs(value) >= 1e17
    else:
        assert "e" not in text.lower()
        assert float(text) == pytest.approx(value, rel=1e-15, abs=6e-13)
        assert json.loads(f'["{text}"]') == [text]
