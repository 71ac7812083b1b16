"""Whether the entries of a pack speak of one run, and who signed the manifest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from beleg.adapters.signing.verification import verified_keys
from beleg.app.pack_contents import CALLS
from beleg.app.pack_opening import OpenPack
from beleg.core.attestation import (
    DECISION_TYPE,
    OVERRIDE_TYPE,
    PAYLOAD_TYPE,
    VSA_TYPE,
    ReleaseDecision,
    ReleaseOverride,
    Statement,
)
from beleg.core.decision import Decision, Verdict
from beleg.core.digest import digest_of, digest_of_bytes
from beleg.core.errors import DataError, Error, shown
from beleg.core.evidence import SheetHeader
from beleg.core.pack_faults import PackFault, PackProblem, PackRefused
from beleg.core.packs import PACK_PAYLOAD_TYPE, PackRole
from beleg.core.review import ReviewEvent
from beleg.core.run import RunHeader
from beleg.evidence.pack_rules import ROLE_RULES
from beleg.release.canonical import parse_canonical, read_as
from beleg.release.opening import OpenEnvelope, open_envelope
from beleg.release.public_keys import key_id_of
from beleg.run.checked_lines import read_lines
from beleg.run.findings import read_findings
from beleg.run.folder import read_model


def trusted_by_id(keys: Iterable[str]) -> dict[str, str]:
    """Public keys in PEM by their id.

    Raises:
        DataError: for one that is no public key of Ed25519 or P-256.
    """
    return {key_id_of(pem): pem for pem in keys}


def signers(pack: OpenPack, trusted: Mapping[str, str]) -> tuple[str, ...]:
    """The ids of the trusted keys that signed the manifest of a pack; keys that it names itself count for nothing.

    Raises:
        PackRefused: if what is there is no signature of this manifest, or keys are trusted and none of them signed.
    """
    if pack.signature is None:
        if trusted:
            raise PackRefused(PackFault.UNSIGNED)
        return ()
    try:
        envelope = open_envelope(pack.signature)
    except DataError as error:
        raise PackRefused(PackFault.BAD_ENVELOPE, found=error.message) from error
    if envelope.payload_type != PACK_PAYLOAD_TYPE or envelope.payload != pack.manifest_bytes:
        raise PackRefused(PackFault.SIGNATURE_OF_OTHER)
    if not trusted:
        return ()
    found = verified_keys(envelope.payload, envelope.payload_type, envelope.signatures, trusted)
    if not found:
        raise PackRefused(PackFault.UNTRUSTED_KEY)
    return tuple(sorted(found))


def entry_problems(pack: OpenPack, decision: Decision) -> list[PackProblem]:
    """Where the entries of a pack do not belong together."""
    checks = (
        _run_problems,
        _statement_problems,
        _summary_problems,
        _override_problems,
        _sheet_problems,
        _review_problems,
        _call_problems,
    )
    problems: list[PackProblem] = []
    for check in checks:
        try:
            problems += check(pack, decision)
        except PackRefused as error:
            problems.append(error.problem)
    return problems


def _run_problems(pack: OpenPack, decision: Decision) -> list[PackProblem]:
    named = decision.baseline.run_id if decision.baseline is not None else None
    problems = []
    for role, said, decided in (
        (PackRole.RUN, pack.manifest.run_id, decision.candidate.run_id),
        (PackRole.BASELINE_RUN, pack.manifest.baseline_run_id, named),
    ):
        path = pack.file(role)
        if path is None:
            continue
        try:
            header = read_model(RunHeader, path)
        except Error as error:
            raise PackRefused(PackFault.UNREADABLE_ENTRY, ROLE_RULES[role].place, _last_part(error.message)) from error
        if not header.run_id == said == decided:
            problems.append(_problem(PackFault.OTHER_RUN, role, f"{header.run_id}, {said} and {decided}"))
    return problems


def _statement_problems(pack: OpenPack, decision: Decision) -> list[PackProblem]:
    """Whether the signed statement says what the decision says; who signed it is asked by whoever deploys."""
    path, stored = pack.file(PackRole.STATEMENT), pack.file(PackRole.DECISION)
    if path is None or stored is None:
        return []
    envelope, statement, predicate = _signed(path, PackRole.STATEMENT, ReleaseDecision)
    records = {digest_of_bytes(stored.read_bytes()), digest_of(decision.to_json_dict())}
    pairs = (
        ("payload type", envelope.payload_type == PAYLOAD_TYPE and statement.predicate_type == DECISION_TYPE),
        ("decision", predicate.decision is decision.verdict),
        ("subject", decision.candidate.manifest_digest in [subject.digest.digest for subject in statement.subject]),
        ("policy", predicate.policy.digest.digest == decision.policy_digest),
        ("suite", predicate.suite.digest.digest == decision.suite_digest),
        ("decision record", predicate.decision_record.digest.digest in records),
    )
    return _differing(PackRole.STATEMENT, pairs)


def _summary_problems(pack: OpenPack, decision: Decision) -> list[PackProblem]:
    """Whether the summary for other tools says what the decision says: only a PASS has one."""
    path, signed = pack.file(PackRole.VSA), pack.file(PackRole.STATEMENT)
    if path is None:
        return []
    envelope, statement, _ = _signed(path, PackRole.VSA, None)
    predicate = statement.predicate
    rests_on = None if signed is None else _signed(signed, PackRole.STATEMENT, None)[0].payload
    named = [_sha256_in(one) for one in _listed(predicate.get("inputAttestations"))]
    pairs = (
        ("payload type", envelope.payload_type == PAYLOAD_TYPE and statement.predicate_type == VSA_TYPE),
        ("decision", decision.verdict is Verdict.PASS and predicate.get("verificationResult") == "PASSED"),
        ("subject", decision.candidate.manifest_digest in [subject.digest.digest for subject in statement.subject]),
        ("policy", _sha256_in(predicate.get("policy")) == decision.policy_digest),
        ("statement", rests_on is not None and digest_of_bytes(rests_on) in named),
    )
    return _differing(PackRole.VSA, pairs)


def _override_problems(pack: OpenPack, decision: Decision) -> list[PackProblem]:
    """Whether every override is one, and of this candidate; one of a former decision lets nothing through."""
    problems = []
    for path in pack.files.get(PackRole.OVERRIDE, ()):
        envelope, statement, _ = _signed(path, PackRole.OVERRIDE, ReleaseOverride)
        pairs = (
            ("payload type", envelope.payload_type == PAYLOAD_TYPE and statement.predicate_type == OVERRIDE_TYPE),
            ("subject", decision.candidate.manifest_digest in [one.digest.digest for one in statement.subject]),
        )
        problems += _differing(PackRole.OVERRIDE, pairs)
    return problems


def _signed(
    path: Path, role: PackRole, model: type[ReleaseDecision | ReleaseOverride] | None
) -> tuple[OpenEnvelope, Statement, Any]:
    """An envelope, the statement in it, and its predicate."""
    try:
        envelope = open_envelope(path.read_bytes())
        statement = read_as(Statement, parse_canonical(envelope.payload))
        return envelope, statement, None if model is None else read_as(model, statement.predicate)
    except DataError as error:
        raise PackRefused(PackFault.UNREADABLE_ENTRY, ROLE_RULES[role].place, error.message) from error


def _differing(role: PackRole, pairs: Iterable[tuple[str, bool]]) -> list[PackProblem]:
    wrong = [name for name, holds in pairs if not holds]
    return [_problem(PackFault.STATEMENT_DIFFERS, role, ", ".join(wrong))] if wrong else []


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _sha256_in(value: object) -> str | None:
    """The digest of a descriptor that anybody may have written."""
    digest = value.get("digest") if isinstance(value, dict) else None
    return f"sha256:{digest.get('sha256')}" if isinstance(digest, dict) else None


def _sheet_problems(pack: OpenPack, decision: Decision) -> list[PackProblem]:
    path = pack.file(PackRole.SHEET_HEADER)
    if path is None:
        return []
    try:
        header = read_model(SheetHeader, path)
    except Error as error:
        place = ROLE_RULES[PackRole.SHEET_HEADER].place
        raise PackRefused(PackFault.UNREADABLE_ENTRY, place, _last_part(error.message)) from error
    reference = decision.candidate
    pairs = (
        ("run", header.run_id, reference.run_id),
        ("manifest", header.manifest_digest, reference.manifest_digest),
        ("suite", header.suite_digest, decision.suite_digest),
        ("traces", header.traces_digest or reference.traces_digest, reference.traces_digest),
    )
    wrong = [name for name, mine, decided in pairs if mine != decided]
    return [_problem(PackFault.OTHER_RUN, PackRole.SHEET_HEADER, ", ".join(wrong))] if wrong else []


def _review_problems(pack: OpenPack, _: Decision) -> list[PackProblem]:
    """Whether review events follow on each other; a redacted event no longer has the hash that it had."""
    path = pack.file(PackRole.REVIEW_EVENTS)
    if path is None or pack.is_redacted(PackRole.REVIEW_EVENTS):
        return []
    before: ReviewEvent | None = None
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            event = ReviewEvent.model_validate_json(line)
        except ValidationError as error:
            what = f"line {number}: {error.errors()[0]['msg']}"
            raise PackRefused(PackFault.UNREADABLE_ENTRY, ROLE_RULES[PackRole.REVIEW_EVENTS].place, what) from error
        if before is not None and (event.sequence, event.previous_hash) != (before.sequence + 1, before.hash):
            return [_problem(PackFault.REVIEW_CHAIN_BROKEN, PackRole.REVIEW_EVENTS, f"event {event.sequence}")]
        before = event
    return []


def _call_problems(pack: OpenPack, _: Decision) -> list[PackProblem]:
    """Whether every call that a finding rests on is there, where calls are."""
    findings, calls = pack.file(PackRole.FINDINGS), pack.file(PackRole.CALLS)
    if findings is None or calls is None:
        return []
    try:
        named = [key for found in read_findings(findings).latest.values() for key in found.calls]
        known = {call.key for call in read_lines(calls, CALLS).records}
    except Error as error:
        place = ROLE_RULES[PackRole.CALLS].place
        raise PackRefused(PackFault.UNREADABLE_ENTRY, place, _last_part(error.message)) from error
    lost = sorted(set(named) - known)
    return [_problem(PackFault.CALL_MISSING, PackRole.CALLS, shown(lost[0]))] if lost else []


def _problem(fault: PackFault, role: PackRole, found: str) -> PackProblem:
    return PackProblem(fault=fault, subject=ROLE_RULES[role].place, found=found)


def _last_part(message: str) -> str:
    """A message without the folder that its file was put into for a moment."""
    return message.rpartition("/")[2]
