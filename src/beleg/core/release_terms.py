"""What a policy says about its signed decisions: where and how long they hold, what may be overridden (P5, P6)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from beleg.core.case import Identifier, ShortText
from beleg.core.decision import CheckKind, CheckResult, CheckState
from beleg.core.model import StoredModel

NEVER_WAIVABLE = frozenset({CheckKind.ZERO_TOLERANCE, CheckKind.COMPARABILITY, CheckKind.COMPLETENESS})
"""Certain faults, and decisions that were not made on the evidence they name: no owner can answer for these."""


class ReleaseTerms(StoredModel):
    """Terms of the signed decision and of overrides."""

    environments: Annotated[tuple[Identifier, ...], Field(min_length=1)] = ("production",)
    """Where a decision by this policy may let a candidate in; the first one is meant where none is named."""
    policy_uri: ShortText | None = None
    """Where the policy is published."""
    valid_hours: Annotated[int, Field(ge=1, le=720)] = 72
    """How long a decision holds."""
    waivable: tuple[Identifier, ...] = ()
    """Metrics or check ids that a named owner may override; a zero-tolerance check never."""
    max_override_hours: Annotated[int, Field(ge=1, le=720)] = 72
    """How long an override may hold."""
    owners: tuple[ShortText, ...] = ()
    """Who may override; none named: whoever holds a key that the trust file lets."""
    two_persons: bool = False
    """Whether an override takes the signatures of two owners; the trust file must say so as well."""

    def may_be_waived(self, check: CheckResult) -> bool:
        """Whether an owner may override a check that did not pass."""
        named = check.check_id in self.waivable or (check.metric is not None and check.metric in self.waivable)
        return named and check.kind not in NEVER_WAIVABLE and check.state is not CheckState.ERROR
