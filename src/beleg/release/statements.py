"""From a decision to what is signed: an in-toto statement with our predicate, and a SLSA summary for each PASS."""

from __future__ import annotations

import decimal
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from beleg.core.attestation import (
    DECISION_TYPE,
    VSA_TYPE,
    AttestedCheck,
    Descriptor,
    DigestSet,
    ReleaseDecision,
    Statement,
    Subject,
    Verifier,
)
from beleg.core.decision import CheckResult, CheckState, Decision, Verdict
from beleg.core.digest import canonical_json, digest_of
from beleg.core.errors import ConfigError, Problem
from beleg.core.policy import Policy
from beleg.core.score import FAILED_STATUSES

VERIFIER_ID = "https://github.com/beleg/beleg"
SLSA_LEVEL = "BELEG_RELEASE_V1"
SLSA_VERSION = "1.2"
MAX_TEXT = 4_000
MAX_FRACTION_DIGITS = 12
MAX_WHOLE_DIGITS = 18
_LAST_DIGIT = decimal.Decimal(1).scaleb(-MAX_FRACTION_DIGITS)
_ROUNDING = decimal.Context(prec=MAX_WHOLE_DIGITS + MAX_FRACTION_DIGITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """What is not in the decision itself: where it is to hold, from when, and which number it has."""

    environment: str
    issued_at: datetime
    sequence: int
    pack_digest: str | None = None
    """The audit pack, as ``sha256:<hex>``."""


def decision_statement(decision: Decision, policy: Policy, issue: Issue) -> Statement:
    """The statement ``release-decision/v1`` about the candidate's manifest.

    Equal decisions give equal statements but for time and sequence.

    Args:
        decision: what was decided.
        policy: by which policy; it names environments, validity and what may be overridden.
        issue: where and when it is to hold.

    Raises:
        ConfigError: if the policy is not the one that decided, or does not name the environment.
    """
    terms = policy.release_terms
    _require_fitting(decision, policy, issue.environment)
    failed = [check for check in decision.checks if check.state is not CheckState.PASS]
    predicate = ReleaseDecision(
        decision=decision.verdict,
        environment=issue.environment,
        policy=Descriptor(uri=terms.policy_uri, digest=DigestSet.of(decision.policy_digest)),
        suite=Descriptor(
            uri=f"{decision.suite_name}@{decision.suite_version}", digest=DigestSet.of(decision.suite_digest)
        ),
        baseline=None
        if decision.baseline is None
        else Descriptor(uri=decision.baseline.run_id, digest=DigestSet.of(decision.baseline.manifest_digest)),
        evidence_pack=None if issue.pack_digest is None else Descriptor(digest=DigestSet.of(issue.pack_digest)),
        decision_record=Descriptor(digest=DigestSet.of(record_digest(decision))),
        issued_at=issue.issued_at,
        not_before=issue.issued_at,
        expires_at=issue.issued_at + timedelta(hours=terms.valid_hours),
        sequence=str(issue.sequence),
        headline=_cut(decision.headline.en),
        checks=tuple(_attested(check) for check in decision.checks),
        failed_checks=tuple(check.check_id for check in failed),
        waivable_checks=tuple(check.check_id for check in failed if terms.may_be_waived(check)),
        verifier=Verifier(id=VERIFIER_ID, version=decision.beleg_version),
    )
    return Statement(subject=(_subject(decision),), predicate_type=DECISION_TYPE, predicate=predicate.to_json_dict())


def record_digest(decision: Decision) -> str:
    """The content address of a stored decision."""
    return digest_of(decision.to_json_dict())


def _require_fitting(decision: Decision, policy: Policy, environment: str) -> None:
    if decision.policy_digest != policy.digest:
        raise ConfigError(
            Problem(
                message="the decision was made by another policy",
                field="policy_digest",
                value=decision.policy_digest,
                remedy=f"Decide again by the policy {policy.policy} version {policy.version}",
            )
        )
    if environment not in policy.release_terms.environments:
        raise ConfigError(
            Problem(
                message="the policy does not decide for this environment",
                field="release.environments",
                value=repr(environment),
                remedy=f"Name one of {', '.join(policy.release_terms.environments)}, or add it to the policy",
            )
        )


def _subject(decision: Decision) -> Subject:
    return Subject(name=decision.candidate.name, digest=DigestSet.of(decision.candidate.manifest_digest))


def _attested(check: CheckResult) -> AttestedCheck:
    bounds = check.difference if check.difference is not None else check.figure
    counts = check.counts
    failed = None if counts is None else sum(counts.reasons.get(status, 0) for status in FAILED_STATUSES)
    return AttestedCheck(
        id=check.check_id,
        state=check.state,
        metric=check.metric,
        segment=check.segment,
        estimate=None if bounds is None else as_decimal(bounds.estimate),
        lower=None if bounds is None else as_decimal(bounds.lower),
        upper=None if bounds is None else as_decimal(bounds.upper),
        scored=None if counts is None else str(counts.scored),
        expected=None if counts is None else str(counts.expected),
        failed=None if failed is None else str(failed),
    )


def as_decimal(value: float | None) -> str | None:
    """A figure as decimal text, the same in every language; ``None`` where there is none, or none that fits.

    Example:
        >>> as_decimal(0.1), as_decimal(1e-7), as_decimal(-0.0), as_decimal(1e300)
        ('0.1', '0.0000001', '0', None)
    """
    if value is None:
        return None
    exact = decimal.Decimal(repr(value))
    if exact.adjusted() >= MAX_WHOLE_DIGITS:
        return None
    text = f"{exact.quantize(_LAST_DIGIT, context=_ROUNDING):f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"


def payload_of(statement: Statement) -> bytes:
    """The bytes that are signed: the RFC 8785 form."""
    return canonical_json(statement.to_json_dict())


def verification_summary(
    decision: Decision, statement: Statement, payload_digest: str, at: datetime
) -> Statement | None:
    """A SLSA verification summary (v1.2) for tools that know no more; only a PASS has one.

    Args:
        decision: what was decided.
        statement: the signed statement that it rests on.
        payload_digest: the SHA-256 of its payload, in hex.
        at: the time of issue.
    """
    if decision.verdict is not Verdict.PASS:
        return None
    policy = statement.predicate["policy"]
    predicate: dict[str, Any] = {
        "verifier": {"id": VERIFIER_ID, "version": {"beleg": decision.beleg_version}},
        "timeVerified": f"{at:%Y-%m-%dT%H:%M:%SZ}",
        "resourceUri": f"beleg:candidate/{decision.candidate.name}",
        "policy": {"uri": policy.get("uri", f"beleg:policy/{decision.policy_name}"), "digest": policy["digest"]},
        "inputAttestations": [{"uri": "decision.dsse.json", "digest": {"sha256": payload_digest}}],
        "verificationResult": "PASSED",
        "verifiedLevels": [SLSA_LEVEL],
        "slsaVersion": SLSA_VERSION,
    }
    return Statement(subject=statement.subject, predicate_type=VSA_TYPE, predicate=predicate)
