"""The deployment controller: may exactly this candidate be deployed here and now? Nothing found is a no.

It requires a PASS and never looks for a BLOCK, so that taking a statement away cannot help; and among several decisions
on a candidate the newest one alone speaks, so that an older PASS does not come back when a later BLOCK has run out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from beleg.core.admission import Admission, ControllerState, EnvelopeFinding, StatementKind, Waiver
from beleg.core.attestation import AdmissionReason, ReleaseDecision, ReleaseOverride, SignatureCheck, TrustFile
from beleg.core.decision import CheckState, Verdict
from beleg.release.authentic import Authentic, Terms, authenticate
from beleg.release.memory import is_another, least_sequence, remembered
from beleg.release.overriding import fault_of_override
from beleg.release.trust_files import BelievedTrust, read_trust

HOW_FAR = (
    AdmissionReason.WRONG_PREDICATE,
    AdmissionReason.BAD_ENVELOPE,
    AdmissionReason.UNTRUSTED_KEY,
    AdmissionReason.BAD_SIGNATURE,
    AdmissionReason.WRONG_PAYLOAD_TYPE,
    AdmissionReason.NOT_STRICT,
    AdmissionReason.KEY_NOT_ALLOWED,
    AdmissionReason.KEY_NOT_YET_VALID,
    AdmissionReason.KEY_RETIRED,
    AdmissionReason.WRONG_SUBJECT,
    AdmissionReason.WRONG_ENVIRONMENT,
    AdmissionReason.OVERRIDE_NOT_BY_OWNER,
    AdmissionReason.BELOW_THRESHOLD,
    AdmissionReason.REVOKED,
    AdmissionReason.STALE_SEQUENCE,
    AdmissionReason.OVERRIDE_OF_OTHER,
    AdmissionReason.OVERRIDE_NOT_YET_VALID,
    AdmissionReason.OVERRIDE_EXPIRED,
    AdmissionReason.OVERRIDE_TOO_LONG,
    AdmissionReason.OVERRIDE_INCOMPLETE,
    AdmissionReason.NOT_WAIVABLE,
)
"""The reasons in the order in which a statement meets them: of several refused, the one that came furthest is named."""


@dataclass(frozen=True, slots=True)
class NamedBytes:
    """A file that was read."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a controller is asked."""

    trust: bytes
    """The signed trust file."""
    roots: tuple[str, ...]
    """The public halves of the offline roots in PEM."""
    envelopes: tuple[NamedBytes, ...]
    """Decisions and overrides, in any order."""
    subject: str
    """The SHA-256 of the manifest of what is about to be deployed, in hex."""
    environment: str
    at: datetime
    """Now, in UTC."""
    state: ControllerState
    """What was seen before."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer, and what to remember of it whether it was yes or no."""

    admission: Admission
    state: ControllerState


@dataclass(slots=True, kw_only=True)
class _Case:
    """What is known so far."""

    question: Question
    trust: BelievedTrust | None = None
    newest: Authentic | None = None
    decision: ReleaseDecision | None = None
    in_force: bool = False
    waiver: Waiver | None = None
    findings: list[EnvelopeFinding] = field(default_factory=list)


def admit(question: Question, verify: SignatureCheck) -> Answer:
    """Decides whether the candidate may be deployed.

    Args:
        question: the files, the candidate, the place, the time and the memory.
        verify: the check of signatures, as `beleg.adapters.signing.verification` has it.

    Raises:
        DataError: if a root is no key that can be used.
    """
    case = _Case(question=question)
    trust = read_trust(question.trust, question.roots, verify, question.at, question.state)
    if isinstance(trust, AdmissionReason):
        return _answer(case, trust)
    case.trust = trust
    terms = Terms(
        trust=trust.file,
        verify=verify,
        subject=question.subject,
        environment=question.environment,
        at=question.at,
    )
    return _answer(case, _decide(case, trust.file, terms))


def _decide(case: _Case, trust: TrustFile, terms: Terms) -> AdmissionReason:
    authentic: list[Authentic] = []
    for envelope in case.question.envelopes:
        one = authenticate(envelope.name, envelope.data, terms)
        if isinstance(one, Authentic):
            authentic.append(one)
            one = EnvelopeFinding(name=one.name, kind=one.kind, statement=one.payload)
        case.findings.append(one)
    if any(finding.refused is AdmissionReason.NOT_STRICT for finding in case.findings):
        # A key that counts has signed something that nobody can read: it may be the newest word on the candidate.
        return AdmissionReason.NOT_STRICT
    fault = _find_newest(case, trust, authentic)
    if fault is not None or case.decision is None:
        return fault or AdmissionReason.NOTHING_FOUND
    fault = _fault_of_decision(case.decision, trust, case.question.at)
    if fault is not None:
        return fault
    case.in_force = True
    return AdmissionReason.PASS if case.decision.decision is Verdict.PASS else _overridden(case, trust, authentic)


def _find_newest(case: _Case, trust: TrustFile, authentic: Sequence[Authentic]) -> AdmissionReason | None:
    least = least_sequence(case.question.state, case.question.subject, case.question.environment, trust)
    decisions: dict[str, tuple[int, Authentic]] = {}
    for one in authentic:
        if isinstance(one.predicate, ReleaseDecision):
            sequence = int(one.predicate.sequence)
            if sequence >= least:
                decisions[one.payload] = (sequence, one)
            else:
                _refuse(case, one.payload, AdmissionReason.STALE_SEQUENCE)
    if not decisions:
        return _furthest(case, (None, StatementKind.DECISION))
    highest = max(sequence for sequence, _ in decisions.values())
    newest = [one for sequence, one in decisions.values() if sequence == highest]
    if len(newest) > 1 or is_another(
        newest[0].payload, highest, case.question.state, case.question.subject, case.question.environment
    ):
        return AdmissionReason.SEQUENCE_TIE
    case.newest = newest[0]
    case.decision = newest[0].predicate if isinstance(newest[0].predicate, ReleaseDecision) else None
    return None


def _fault_of_decision(decision: ReleaseDecision, trust: TrustFile, at: datetime) -> AdmissionReason | None:
    if not _agrees_with_itself(decision):
        return AdmissionReason.INCONSISTENT
    if max(decision.not_before, decision.issued_at) > at:
        return AdmissionReason.NOT_YET_VALID
    if at >= decision.expires_at:
        return AdmissionReason.EXPIRED
    if at - decision.issued_at > timedelta(hours=trust.max_decision_age_hours):
        return AdmissionReason.TOO_OLD
    if trust.require_evidence_pack and decision.evidence_pack is None:
        return AdmissionReason.NO_PACK
    return None


def _agrees_with_itself(decision: ReleaseDecision) -> bool:
    """Whether the checks, the list of those that did not pass, and the verdict say the same.

    A PASS without a single check is none: silence never passes.
    """
    names = [check.id for check in decision.checks]
    not_passed = {check.id for check in decision.checks if check.state is not CheckState.PASS}
    failed, waivable = set(decision.failed_checks), set(decision.waivable_checks)
    lists_agree = len(set(names)) == len(names) and failed == not_passed and waivable <= failed
    return lists_agree and (decision.decision is not Verdict.PASS or (bool(names) and not failed))


def _overridden(case: _Case, trust: TrustFile, authentic: Sequence[Authentic]) -> AdmissionReason:
    """Looks for an override that counts; of several the one that lives longest is named."""
    if case.decision is None or case.newest is None:
        return AdmissionReason.NOTHING_FOUND
    counting: list[tuple[ReleaseOverride, str]] = []
    for one in authentic:
        if isinstance(one.predicate, ReleaseOverride):
            fault = fault_of_override(one.predicate, case.decision, case.newest.payload, trust, case.question.at)
            if fault is None:
                counting.append((one.predicate, one.payload))
            else:
                _refuse(case, one.payload, fault)
    if counting:
        case.waiver = _waiver(*max(counting, key=lambda both: (both[0].expires_at, both[1])))
        return AdmissionReason.OVERRIDDEN
    verdict = AdmissionReason.BLOCK if case.decision.decision is Verdict.BLOCK else AdmissionReason.REVIEW
    return _furthest(case, (StatementKind.OVERRIDE,)) or verdict


def _refuse(case: _Case, payload: str, reason: AdmissionReason) -> None:
    case.findings = [
        finding.model_copy(update={"refused": reason})
        if finding.statement == payload and finding.refused is None
        else finding
        for finding in case.findings
    ]


def _furthest(case: _Case, kinds: Sequence[StatementKind | None]) -> AdmissionReason | None:
    refused = [finding.refused for finding in case.findings if finding.refused and finding.kind in kinds]
    return max(refused, key=HOW_FAR.index) if refused else None


def _waiver(override: ReleaseOverride, payload: str) -> Waiver:
    return Waiver(
        owner=override.owner,
        reason=override.reason,
        ticket=override.ticket,
        compensating_control=override.compensating_control,
        checks=override.checks,
        expires_at=override.expires_at,
        statement=payload,
    )


def _answer(case: _Case, reason: AdmissionReason) -> Answer:
    question, decision = case.question, case.decision
    admission = Admission(
        admitted=reason in (AdmissionReason.PASS, AdmissionReason.OVERRIDDEN),
        reason=reason,
        subject=question.subject,
        environment=question.environment,
        at=question.at,
        trust_version=case.trust.file.version if case.trust else None,
        decision=decision.decision if decision and case.in_force else None,
        statement=case.newest.payload if case.newest else None,
        sequence=decision.sequence if decision else None,
        issued_at=decision.issued_at if decision else None,
        not_before=decision.not_before if decision else None,
        expires_at=decision.expires_at if decision else None,
        waiver=case.waiver,
        envelopes=tuple(case.findings),
    )
    return Answer(admission=admission, state=remembered(question.state, admission, case.trust))
