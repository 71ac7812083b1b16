"""A sealed suite, and what may be told of a decision on it (G4)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from beleg.core.attestation import Sha256Hex
from beleg.core.case import Identifier
from beleg.core.decision import Bounds, CheckKind, CheckState, Verdict
from beleg.core.model import StoredModel
from beleg.core.suite import SuiteHeader

LEAST_CASES = 30
"""Fewer cases than this tell too much of each of them; a seal may ask for more."""


class SealTerms(StoredModel):
    """What stands in the clear on a sealed suite. It is bound to the cases: a changed word opens nothing."""

    header: SuiteHeader
    """The suite without its cases; its ``usage_budget`` is how many candidates may be asked in all."""
    suite_digest: Identifier
    """The content address of the suite within."""
    cases: Annotated[int, Field(ge=1)]
    """How many cases there are."""
    minimum_cases: Annotated[int, Field(ge=LEAST_CASES)] = LEAST_CASES
    """No figure is told that rests on fewer cases, nor figures of which a difference does."""
    recipient: Sha256Hex
    """The SHA-256 of the public key that it is sealed to, as SubjectPublicKeyInfo in DER."""


class SealedSuite(StoredModel):
    """A suite that only the holder of one key can open (HPKE of RFC 9180)."""

    beleg_seal: Literal[1] = 1
    """Version of the format."""
    terms: SealTerms
    """What stands in the clear."""
    ciphertext: str
    """The suite, encrypted, in base64."""


class ToldCheck(StoredModel):
    """One check of a decision on a sealed suite: figures over many cases, and no word about any one of them."""

    check_id: Identifier
    """Metric, kind and segment as one name."""
    kind: CheckKind
    """What was compared."""
    state: CheckState
    """How the check ended."""
    figure: Bounds | None = None
    """The candidate's figure."""
    baseline: float | None = None
    """The baseline's figure over the paired cases."""
    difference: Bounds | None = None
    """Candidate minus baseline."""
    events: int | None = None
    """How often something happened that must not happen at all."""
    withheld: bool = False
    """Whether the comparison is not told, since with the figure it would tell of too few cases."""


class ToldDecision(StoredModel):
    """What is told of a decision on a sealed suite. Only what is listed here ever leaves it."""

    verdict: Verdict
    """May the candidate ship?"""
    suite_name: Identifier
    """The suite that was asked."""
    suite_version: int
    """Its version."""
    suite_digest: Identifier
    """Its content address."""
    cases: int
    """How many cases were asked."""
    minimum_cases: int
    """The fewest cases that anything told rests on."""
    use: Annotated[int, Field(ge=1)]
    """Which use of the suite this was."""
    usage_budget: int
    """How many there may be."""
    policy_name: Identifier
    """The policy that decided."""
    policy_digest: Identifier
    """Its content address."""
    candidate: Identifier
    """The name of the candidate."""
    manifest_digest: Identifier
    """The content address of what it is made of."""
    baseline_manifest_digest: Identifier | None = None
    """That of the baseline, where there was one."""
    checks: tuple[ToldCheck, ...]
    """Every check."""
    beleg_version: Identifier
    """The version of Beleg that decided."""
    decided_at: datetime
    """When it was decided."""
