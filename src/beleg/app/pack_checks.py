"""Whether the entries of a pack speak of one run, and who signed the manifest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import ValidationError

from beleg.adapters.signing.verification import verified_keys
from beleg.app.pack_contents import CALLS
from beleg.app.pack_opening import OpenPack
from beleg.core.attestation import DECISION_TYPE, PAYLOAD_TYPE, ReleaseDecision, Statement
from beleg.core.decision import Decision
from beleg.core.digest import digest_of, digest_of_bytes
from beleg.core.errors import DataError, Error, shown
from beleg.core.evidence import SheetHeader
from beleg.core.pack_faults import PackFault, PackProblem, PackRefused
from beleg.core.packs import PACK_PAYLOAD_TYPE, PackRole
from beleg.core.review import ReviewEvent
from beleg.core.run import RunHeader
from beleg.evidence.pack_rules import ROLE_RULES
from beleg.release.canonical import parse_canonical, read_as
from beleg.release.opening import open_envelope
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
    checks = (_run_problems, _statement_problems, _sheet_problems, _review_problems, _call_problems)
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
    try:
        envelope = open_envelope(path.read_bytes())
        statement = read_as(Statement, parse_canonical(envelope.payload))
        predicate = read_as(ReleaseDecision, statement.predicate)
    except DataError as error:
        raise PackRefused(PackFault.UNREADABLE_ENTRY, ROLE_RULES[PackRole.STATEMENT].place, error.message) from error
    records = {digest_of_bytes(stored.read_bytes()), digest_of(decision.to_json_dict())}
    pairs = (
        ("payload type", envelope.payload_type == PAYLOAD_TYPE and statement.predicate_type == DECISION_TYPE),
        ("decision", predicate.decision is decision.verdict),
        ("subject", decision.candidate.manifest_digest in [subject.digest.digest for subject in statement.subject]),
        ("policy", predicate.policy.digest.digest == decision.policy_digest),
        ("suite", predicate.suite.digest.digest == decision.suite_digest),
        ("decision record", predicate.decision_record.digest.digest in records),
    )
    wrong = [name for name, holds in pairs if not holds]
    return [_problem(PackFault.STATEMENT_DIFFERS, PackRole.STATEMENT, ", ".join(wrong))] if wrong else []


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
