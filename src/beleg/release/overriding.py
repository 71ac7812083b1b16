"""Whether an override of a named owner lets this one decision pass."""

from __future__ import annotations

from datetime import datetime, timedelta

from beleg.core.attestation import AdmissionReason, ReleaseDecision, ReleaseOverride, TrustFile


def fault_of_override(
    override: ReleaseOverride, decision: ReleaseDecision, payload: str, trust: TrustFile, at: datetime
) -> AdmissionReason | None:
    """What keeps an override from counting; ``None`` where it counts.

    Args:
        override: signed by an owner who may.
        decision: what it is meant to override.
        payload: the SHA-256 of the decision's payload, in hex.
        trust: says how long an override may live.
        at: the time of asking.
    """
    if override.overrides != payload:
        return AdmissionReason.OVERRIDE_OF_OTHER
    if override.issued_at > at:
        return AdmissionReason.OVERRIDE_NOT_YET_VALID
    if at >= override.expires_at:
        return AdmissionReason.OVERRIDE_EXPIRED
    if override.expires_at - override.issued_at > timedelta(hours=trust.max_override_hours):
        return AdmissionReason.OVERRIDE_TOO_LONG
    failed = set(decision.failed_checks)
    # Where nothing is named as failed, nothing can be covered: an empty list must not be covered by anything.
    if not failed or not failed <= set(override.checks):
        return AdmissionReason.OVERRIDE_INCOMPLETE
    return None if failed <= set(decision.waivable_checks) else AdmissionReason.NOT_WAIVABLE
