"""Whether the entries of a pack speak of one decision."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from beleg.app.keys import new_key
from beleg.app.pack_contents import CALLS, PackInputs
from beleg.app.pack_verifying import verify_pack
from beleg.app.packing import PackRequest, pack_run
from beleg.app.signing import DecidedFrom, SigningRequest, sign_stored
from beleg.core.attestation import DECISION_TYPE, OVERRIDE_TYPE, PAYLOAD_TYPE, VSA_TYPE
from beleg.core.decision import Decision
from beleg.core.digest import canonical_json, digest_of
from beleg.core.findings import Finding
from beleg.core.judging import Call, JudgeSpec, TaskReference
from beleg.core.pack_faults import PackFault
from beleg.core.review import NO_HASH, ReviewAction, ReviewEvent, ReviewEventKind
from beleg.run.findings import FINDINGS
from support.packs import Decided, decided, parts

SPEC = JudgeSpec(provider="openai", model="m")
TASK = TaskReference(task="t", version="1", language="en", prompt_digest="a", schema_digest="b")


@pytest.fixture
def made(tmp_path: Path) -> Decided:
    return decided(tmp_path)


def found(made: Decided, **inputs: Path) -> list[tuple[PackFault, str | None]]:
    request = PackRequest(inputs=PackInputs(run=made.run, baseline=made.baseline, policy=made.policy, **inputs))
    verdict = verify_pack(pack_run(request, made.folder / "x.pack.zip", {}).path)
    return [(problem.fault, problem.found) for problem in verdict.problems]


def statement(decision: Decision) -> dict[str, Any]:
    """What a gate signs of a decision."""

    def digest(value: str) -> dict[str, str]:
        return {"sha256": value.removeprefix("sha256:")}

    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": "candidate", "digest": digest(decision.candidate.manifest_digest)}],
        "predicateType": DECISION_TYPE,
        "predicate": {
            "decision": decision.verdict.value,
            "environment": "production",
            "policy": {"digest": digest(decision.policy_digest)},
            "suite": {"digest": digest(decision.suite_digest)},
            "decisionRecord": {"digest": digest(digest_of(decision.to_json_dict()))},
            "issuedAt": "2026-11-30T08:00:00Z",
            "notBefore": "2026-11-30T08:00:00Z",
            "expiresAt": "2026-12-01T08:00:00Z",
            "sequence": "7",
            "headline": decision.headline.en,
            "checks": [],
            "verifier": {"id": "https://example.org/gate", "version": "1"},
        },
    }


STATEMENTS: dict[str, tuple[Callable[[dict[str, Any]], object], list[str]]] = {
    "as it was decided": (lambda value: None, []),
    "another verdict": (lambda value: value["predicate"].update(decision="BLOCK"), ["decision"]),
    "another candidate": (lambda value: value["subject"][0]["digest"].update(sha256="0" * 64), ["subject"]),
    "another policy": (lambda value: value["predicate"]["policy"]["digest"].update(sha256="0" * 64), ["policy"]),
    "another record": (
        lambda value: value["predicate"]["decisionRecord"]["digest"].update(sha256="0" * 64), ["decision record"]
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", STATEMENTS)
def test_a_signed_statement_must_say_what_the_decision_says(made: Decided, what: str) -> None:
    change, wrong = STATEMENTS[what]
    folder = made.run / "decision"
    value = statement(Decision.model_validate_json((folder / "decision.json").read_bytes()))
    change(value)
    envelope = {
        "payload": base64.b64encode(canonical_json(value)).decode(),
        "payloadType": PAYLOAD_TYPE,
        "signatures": [{"keyid": "k", "sig": "AAAA"}],
    }
    (folder / "decision.dsse.json").write_text(json.dumps(envelope))
    assert found(made) == [(PackFault.STATEMENT_DIFFERS, ", ".join(wrong))] * bool(wrong)


def test_a_statement_that_is_none_is_refused(made: Decided) -> None:
    (made.run / "decision" / "decision.dsse.json").write_text('{"payload":"e30="}')
    assert [fault for fault, _ in found(made)] == [PackFault.UNREADABLE_ENTRY]


@pytest.mark.parametrize("field", ["run_id", "manifest_digest", "suite_digest", "traces_digest"])
def test_a_sheet_of_another_run_is_refused(made: Decided, field: str) -> None:
    run = json.loads((made.run / "run.json").read_text())
    decision = json.loads((made.run / "decision" / "decision.json").read_text())
    header = {
        **{name: run[name] for name in ("run_id", "manifest", "manifest_digest", "suite_name", "suite_version")},
        "suite_digest": run["suite_digest"],
        "traces_digest": decision["candidate"]["traces_digest"],
        "beleg_version": "1",
        "created_at": "2026-11-30T08:00:00Z",
    }
    sheet = made.run / "evidence"
    sheet.mkdir()
    (sheet / "cases.jsonl").write_text("")
    (sheet / "header.json").write_text(json.dumps(header))
    assert found(made) == []
    (sheet / "header.json").write_text(json.dumps(header | {field: "other"}))
    assert [fault for fault, _ in found(made)] == [PackFault.OTHER_RUN]


def chain_of(size: int) -> list[dict[str, Any]]:
    """Notes of one reviewer, each chained to the one before it."""
    events: list[ReviewEvent] = []
    for number in range(1, size + 1):
        action = ReviewAction(
            kind=ReviewEventKind.NOTE_ADDED, stream=f"r/c{number}", expected_version=0, idempotency_key=f"k{number}",
            actor="anna", evidence_digest="sha256:0", note="seen",
        )  # fmt: skip
        previous = events[-1].hash if events else NO_HASH
        at = datetime(2026, 11, 30, 8, tzinfo=UTC)
        events.append(ReviewEvent.chained(action, sequence=number, version=1, recorded_at=at, previous_hash=previous))
    return [each.to_json_dict() for each in events]


def write_events(made: Decided, *events: dict[str, Any]) -> Path:
    file = made.folder / "events.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in events))
    return file


def test_review_events_must_follow_on_each_other(made: Decided) -> None:
    first, second, third = chain_of(3)
    assert found(made, reviews=write_events(made, first, second, third)) == []
    broken = [(PackFault.REVIEW_CHAIN_BROKEN, "event 3")]
    assert found(made, reviews=write_events(made, first, third)) == broken


def test_a_review_event_must_be_what_its_hash_says(made: Decided) -> None:
    first, second = chain_of(2)
    second["action"]["note"] = "seen by nobody"
    broken = [(PackFault.REVIEW_CHAIN_BROKEN, "event 2")]
    assert found(made, reviews=write_events(made, first, second)) == broken


def test_a_call_that_a_finding_rests_on_must_be_there(made: Decided) -> None:
    from beleg.adapters.stores.sqlite_calls import SqliteCallStore

    call = Call(key="k1", judge=SPEC, task=TASK, messages=(("user", "?"),), reply={"a": 1})
    with SqliteCallStore.open(made.run / "calls.db") as store:
        store.put(call)
    finding = Finding(
        case_id="c1", measure="claim_support", measure_version="1", evidence={}, subject_digest="x", calls=("k1",)
    )
    findings = made.run / "findings.jsonl"
    findings.write_bytes(FINDINGS.encode(finding))
    made.decide()
    assert found(made) == []
    assert parts(made.folder / "x.pack.zip")["candidate/calls.jsonl"] == CALLS.encode(call)
    findings.write_bytes(FINDINGS.encode(finding.model_copy(update={"calls": ("k1", "k2")})))
    made.decide()
    assert found(made) == [(PackFault.CALL_MISSING, "'k2'")]


def signed_for_real(made: Decided) -> Path:
    """The decision as a gate signs it, with the summary of a PASS and an override."""
    new_key(made.folder / "gate")
    request = SigningRequest(keys=(str(made.folder / "gate.pem"),))
    sign_stored(made.run, made.policy, request, DecidedFrom(baseline=made.baseline))
    return made.run / "decision"


def enveloped(statement: dict[str, Any]) -> str:
    payload = base64.b64encode(canonical_json(statement)).decode()
    return json.dumps({"payload": payload, "payloadType": PAYLOAD_TYPE, "signatures": [{"keyid": "k", "sig": "AA=="}]})


def opened(path: Path) -> dict[str, Any]:
    return dict(json.loads(base64.b64decode(json.loads(path.read_text())["payload"])))


def test_what_a_gate_signs_belongs_to_its_pack(made: Decided) -> None:
    folder = signed_for_real(made)
    assert (folder / "vsa.dsse.json").exists()
    assert found(made) == []


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda one: one["predicate"].update(verificationResult="FAILED"), "decision"),
        (lambda one: one["predicate"].update(policy={"digest": {"sha256": "ab" * 32}}), "policy"),
        (lambda one: one["predicate"].update(policy="mine"), "policy"),
        (lambda one: one["predicate"].update(inputAttestations=[]), "statement"),
        (lambda one: one["predicate"].update(inputAttestations=["x", {"digest": 1}]), "statement"),
        (lambda one: one.update(subject=[{"name": "x", "digest": {"sha256": "ab" * 32}}]), "subject"),
        (lambda one: one.update(predicateType="https://other"), "payload type"),
    ],
)
def test_a_summary_that_says_something_else_is_refused(
    made: Decided, change: Callable[[dict[str, Any]], None], word: str
) -> None:
    path = signed_for_real(made) / "vsa.dsse.json"
    summary = opened(path)
    change(summary)
    path.write_text(enveloped(summary))
    assert found(made) == [(PackFault.STATEMENT_DIFFERS, word)]


def test_no_summary_turns_a_block_into_a_pass(tmp_path: Path) -> None:
    made = decided(tmp_path, document=lambda _: "d2")
    folder = signed_for_real(made)
    statement = opened(folder / "decision.dsse.json")
    rests_on = hashlib.sha256(canonical_json(statement)).hexdigest()
    summary = {
        "_type": "https://in-toto.io/Statement/v1", "subject": statement["subject"], "predicateType": VSA_TYPE,
        "predicate": {
            "verificationResult": "PASSED", "policy": statement["predicate"]["policy"],
            "inputAttestations": [{"digest": {"sha256": rests_on}}],
        },
    }  # fmt: skip
    (folder / "vsa.dsse.json").write_text(enveloped(summary))
    assert found(made) == [(PackFault.STATEMENT_DIFFERS, "decision")]


@pytest.mark.parametrize("text", ['{"garbage": 1}', enveloped({"_type": "x"})])
def test_an_override_that_is_none_is_refused(made: Decided, text: str) -> None:
    folder = made.run / "decision" / "overrides"
    folder.mkdir(parents=True)
    (folder / "a.dsse.json").write_text(text)
    assert [fault for fault, _ in found(made)] == [PackFault.UNREADABLE_ENTRY]


@pytest.mark.parametrize(("subject", "problems"), [(None, []), ("ab" * 32, [(PackFault.STATEMENT_DIFFERS, "subject")])])
def test_an_override_is_of_the_candidate_in_the_pack(
    made: Decided, subject: str | None, problems: list[tuple[PackFault, str]]
) -> None:
    statement = opened(signed_for_real(made) / "decision.dsse.json")
    override = {
        **statement, "predicateType": OVERRIDE_TYPE,
        "predicate": {
            "overrides": "cd" * 32, "environment": "production", "checks": ["a"], "owner": "Ada", "reason": "r",
            "ticket": "t", "compensatingControl": "c", "issuedAt": "2026-11-30T08:00:00Z",
            "expiresAt": "2026-12-01T08:00:00Z",
        },
    }  # fmt: skip
    if subject is not None:
        override["subject"] = [{"name": "x", "digest": {"sha256": subject}}]
    folder = made.run / "decision" / "overrides"
    folder.mkdir(parents=True)
    (folder / "a.dsse.json").write_text(enveloped(override))
    assert found(made) == problems
