"""What gets into a pack, what never does, and what redaction leaves to be proved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from beleg.adapters.signing.envelopes import sign_payload
from beleg.app.gating import gate_runs, store_decision
from beleg.app.pack_contents import PackInputs
from beleg.app.pack_verifying import PackState, verify_pack
from beleg.app.packing import PackOutcome, PackRequest, pack_run
from beleg.app.reporting import write_reports
from beleg.core.attestation import PAYLOAD_TYPE
from beleg.core.decision import EXIT_CODES
from beleg.core.digest import canonical_json
from beleg.core.errors import EvidenceError, UsageError
from beleg.core.inventory import Inventory, InventoryDocument
from beleg.core.pack_faults import PackFault
from beleg.core.packs import MissingReason, PackRole, RedactionMap
from beleg.evidence.redaction import proves, reveal
from support.packs import POLICY, Decided, cases, decided, forged, parts, write_run
from support.signing import PlainSigner

CANARY = "sk-canary-5f1d9c0a"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Decided:
    return decided(tmp_path_factory.mktemp("decided"))


def request(made: Decided, **fields: object) -> PackRequest:
    return PackRequest(inputs=PackInputs(run=made.run, baseline=made.baseline, policy=made.policy), **fields)  # type: ignore[arg-type]


def packed(made: Decided, out: Path, **fields: object) -> PackOutcome:
    return pack_run(request(made, **fields), out, {})


def test_everything_is_there_or_named_as_missing_with_its_reason(made: Decided, tmp_path: Path) -> None:
    manifest = packed(made, tmp_path / "a.pack.zip").manifest
    there = {entry.role for entry in manifest.entries}
    missing = {part.role: part.reason for part in manifest.missing}
    assert there >= {PackRole.TRACES, PackRole.BASELINE_TRACES, PackRole.POLICY, PackRole.POLICY_SOURCE}
    assert there.isdisjoint(missing)
    assert there | missing.keys() == set(PackRole)
    assert missing[PackRole.INVENTORY] is MissingReason.NOT_RECORDED
    assert missing[PackRole.CALIBRATION] is MissingReason.NOT_NEEDED
    assert missing[PackRole.REVIEW_EVENTS] is MissingReason.NOT_GIVEN
    assert [gap.what for gap in manifest.gaps if gap.role is PackRole.RUN] == ["manifest_fields_unresolved"]


def test_the_schemas_in_a_pack_name_every_field_of_what_it_holds(made: Decided, tmp_path: Path) -> None:
    members = parts(packed(made, tmp_path / "a.pack.zip").path)
    line = json.loads(members["candidate/traces.jsonl"].splitlines()[0])
    held = {
        "pack": json.loads(members["manifest.json"]),
        "run": json.loads(members["candidate/run.json"]),
        "suite": json.loads(members["candidate/suite.json"]),
        "policy": json.loads(members["policy/policy.json"]),
        "decision": json.loads(members["decision/decision.json"]),
        "versions": json.loads(members["versions.json"]),
        "trace": line["trace"],
    }
    for name, value in held.items():
        schema = json.loads(members[f"schemas/{name}.schema.json"])
        assert schema["additionalProperties"] is False
        assert set(schema.get("required", ())) <= value.keys() <= schema["properties"].keys(), name


def test_a_run_that_was_not_decided_on_is_not_packed(made: Decided, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="was not decided on"):
        pack_run(PackRequest(inputs=PackInputs(run=made.baseline)), tmp_path / "x.zip", {})


def test_another_policy_or_another_baseline_is_not_packed(made: Decided, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(made.policy.read_text().replace("0.3", "0.1"))
    with pytest.raises(EvidenceError, match="is not the policy that decided"):
        pack_run(PackRequest(inputs=PackInputs(run=made.run, policy=other)), tmp_path / "x.zip", {})
    with pytest.raises(UsageError, match="is not the run that the decision compares with"):
        pack_run(PackRequest(inputs=PackInputs(run=made.run, baseline=made.run)), tmp_path / "x.zip", {})
    assert not (tmp_path / "x.zip").exists()


def test_traces_that_were_changed_after_the_decision_are_not_packed(tmp_path: Path) -> None:
    made = decided(tmp_path)
    journal = made.run / "traces.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(EvidenceError, match="not those that were decided on"):
        packed(made, tmp_path / "x.zip")


def test_a_cut_last_line_is_left_out_and_the_pack_still_holds(tmp_path: Path) -> None:
    made = decided(tmp_path)
    with (made.run / "traces.jsonl").open("ab") as file:
        file.write(b'{"check":"0123')
    path = packed(made, tmp_path / "x.zip").path
    assert not parts(path)["candidate/traces.jsonl"].endswith(b"0123")
    assert verify_pack(path).exit_code == 0


def test_no_secret_of_the_environment_gets_into_a_pack(made: Decided, tmp_path: Path) -> None:
    environment = {"OPENAI_API_KEY": CANARY, "USER": "canary-user", "GITHUB_SHA": "ab12", "GITHUB_RUN_ID": CANARY}
    path = pack_run(request(made), tmp_path / "a.zip", {**environment, "GITHUB_RUN_ID": "7"}).path
    data = path.read_bytes()
    assert CANARY.encode() not in data
    assert b"canary-user" not in data
    assert json.loads(parts(path)["versions.json"])["environment"] == {"GITHUB_RUN_ID": "7", "GITHUB_SHA": "ab12"}
    with pytest.raises(EvidenceError, match=r"OPENAI_API_KEY stands in versions\.json"):
        pack_run(request(made), tmp_path / "b.zip", environment)
    assert not (tmp_path / "b.zip").exists()


@pytest.mark.parametrize("secret", [CANARY, 'pass"word\\1', "geheim-ü-1"])
def test_a_secret_that_a_candidate_echoed_is_never_packed(tmp_path: Path, secret: str) -> None:
    made = decided(tmp_path)
    header = made.run / "run.json"
    raw = json.loads(header.read_text())
    raw["python_version"] = f"3 {secret}"
    header.write_text(json.dumps(raw, ensure_ascii=False))
    with pytest.raises(EvidenceError, match=r"MY_TOKEN stands in candidate/run\.json") as caught:
        pack_run(request(made), tmp_path / "x.zip", {"MY_TOKEN": secret})
    assert secret not in caught.value.diagnostics()


@pytest.mark.parametrize("secret", [CANARY * 30, "\n".join([CANARY * 3] * 4), "a" * 5_000])
def test_a_secret_longer_than_a_path_may_be_is_neither_shown_nor_in_the_way(
    made: Decided, tmp_path: Path, secret: str
) -> None:
    path = pack_run(request(made), tmp_path / "a.zip", {"MY_TOKEN": secret}).path
    assert verify_pack(path).exit_code == 0


def test_a_signature_under_another_public_half_is_not_packed(made: Decided, tmp_path: Path) -> None:
    class Mistaken(PlainSigner):
        public_key = PlainSigner(Ed25519PrivateKey.generate()).public_key

    signer = Mistaken(Ed25519PrivateKey.generate())
    with pytest.raises(EvidenceError, match="does not verify under the public half"):
        packed(made, tmp_path / "a.pack.zip", signer=signer)
    assert not (tmp_path / "a.pack.zip").exists()


def decided_twice(folder: Path, rationale: str) -> Decided:
    """A run that was decided by two states of a policy, which the second decision rests on."""
    made = decided(folder)
    for policy in (POLICY | {"rationale": rationale}, POLICY):
        made.policy.write_text(json.dumps(policy), encoding="utf-8")
        write_reports(gate_runs(made.run, made.baseline, made.policy))
    return made


def test_a_redacted_pack_whose_decision_rests_on_facts_is_still_recomputed(tmp_path: Path) -> None:
    made = decided_twice(tmp_path, "as measured")
    path = packed(made, tmp_path / "a.pack.zip", redact=("prompts", "principals")).path
    assert "decision/facts.json" in parts(path)
    verdict = verify_pack(path)
    assert verdict.problems == ()
    assert verdict.exit_code == EXIT_CODES[verdict.decision.verdict] if verdict.decision else False


def test_a_text_in_the_facts_gives_way_and_comes_back(tmp_path: Path) -> None:
    made = decided_twice(tmp_path, "as Anna Weiss measured")
    outcome = packed(made, tmp_path / "a.pack.zip", redact_texts=named("Anna Weiss", tmp_path))
    assert b"Anna Weiss" not in outcome.path.read_bytes()
    assert verify_pack(outcome.path).state is PackState.NOT_RECOMPUTED
    assert verify_pack(outcome.path, redactions=outcome.redactions).problems == ()


def test_facts_under_a_marker_that_nobody_declared_are_refused(tmp_path: Path) -> None:
    made = decided_twice(tmp_path, "as Anna Weiss measured")
    path = packed(made, tmp_path / "a.pack.zip").path

    def hide(members: dict[str, bytes]) -> None:
        name = "decision/facts.json"
        members[name] = members[name].replace(b"as Anna Weiss measured", b"redacted:" + b"ab" * 32)

    changed = forged(path, tmp_path / "b.zip", hide)
    assert [item.fault for item in verify_pack(changed).problems] == [PackFault.DECISION_DIFFERS]


def test_an_asker_who_stays_named_where_it_was_decided_is_warned_of(tmp_path: Path) -> None:
    made = decided(tmp_path, policy=POLICY | {"rationale": "as tenant-1 asked"})
    outcome = packed(made, tmp_path / "a.pack.zip", redact=("principals",))
    told = [warning for warning in outcome.warnings if "names an asker" in warning]
    assert [warning.split()[0] for warning in told] == ["policy/policy.json", "policy/source.yaml"]


def named(text: str, tmp_path: Path) -> Path:
    """A file of texts that may not stand in a pack."""
    path = tmp_path / "texts.txt"
    path.write_text(f"{text}\n", encoding="utf-8")
    return path


def test_a_text_that_stands_escaped_in_the_policy_stops_the_packing(tmp_path: Path) -> None:
    made = decided(tmp_path, policy=POLICY | {"rationale": 'Anna "A" Weiss wants it'})
    with pytest.raises(UsageError, match=r"policy/policy\.json holds a text"):
        packed(made, tmp_path / "a.pack.zip", redact_texts=named('"A" Weiss', tmp_path))


@pytest.mark.parametrize("text", ["Anna Weiss", "Weiß"])
def test_a_text_inside_an_envelope_stops_the_packing(tmp_path: Path, text: str) -> None:
    made = decided(tmp_path)
    signer = PlainSigner(Ed25519PrivateKey.generate())
    payload = canonical_json({"owner": "Anna Weiss", "reason": "Frau Weiß fragt"})
    folder = made.run / "decision" / "overrides"
    folder.mkdir(parents=True)
    envelope = sign_payload(payload, PAYLOAD_TYPE, [signer])
    (folder / "a.dsse.json").write_text(json.dumps(envelope.to_json_dict()))
    with pytest.raises(UsageError, match=r"decision/overrides/.* holds a text"):
        packed(made, tmp_path / "a.pack.zip", redact_texts=named(text, tmp_path))


def test_a_text_in_the_name_of_a_field_stops_the_packing(tmp_path: Path) -> None:
    given = tuple(case.model_copy(update={"segments": {"Kunde Weiss": "a"}}) for case in cases())
    write_run(tmp_path, "new", given)
    made = Decided(tmp_path)
    made.policy.write_text(json.dumps(POLICY | {"require_baseline": False}))
    outcome = gate_runs(made.run, None, made.policy)
    store_decision(outcome, made.run / "decision" / "decision.json")
    with pytest.raises(UsageError, match=r"candidate/suite\.json holds a text"):
        pack_run(
            PackRequest(
                inputs=PackInputs(run=made.run, policy=made.policy), redact_texts=named("Kunde Weiss", tmp_path)
            ),
            tmp_path / "a.pack.zip",
            {},
        )


def signers() -> Iterator[PlainSigner]:
    yield PlainSigner(Ed25519PrivateKey.generate())
    yield PlainSigner(generate_private_key(SECP256R1()))


@pytest.mark.parametrize("signer", list(signers()), ids=["ed25519", "p-256"])
def test_a_signed_pack_is_held_against_trusted_keys_alone(made: Decided, tmp_path: Path, signer: PlainSigner) -> None:
    path = packed(made, tmp_path / "a.zip", signer=signer).path
    other = PlainSigner(Ed25519PrivateKey.generate())
    trusted = verify_pack(path, trusted_keys=[other.public_key, signer.public_key])
    assert (trusted.exit_code, trusted.signed_by) == (0, (signer.key_id,))
    stranger = verify_pack(path, trusted_keys=[other.public_key])
    assert (stranger.exit_code, [item.fault for item in stranger.problems]) == (30, [PackFault.UNTRUSTED_KEY])
    nobody = verify_pack(path)
    assert (nobody.is_signed, nobody.signed_by) == (True, ())
    assert any("not proved" in line for line in nobody.lines())


def test_a_signature_is_asked_for_where_keys_are_trusted(made: Decided, tmp_path: Path) -> None:
    signer = PlainSigner(Ed25519PrivateKey.generate())
    verdict = verify_pack(packed(made, tmp_path / "a.zip").path, trusted_keys=[signer.public_key])
    assert (verdict.exit_code, [item.fault for item in verdict.problems]) == (30, [PackFault.UNSIGNED])


def test_the_signature_of_another_manifest_does_not_count(made: Decided, tmp_path: Path) -> None:
    signer = PlainSigner(Ed25519PrivateKey.generate())
    path = packed(made, tmp_path / "a.zip", signer=signer).path
    forgery = forged(path, tmp_path / "b.zip", lambda members: members.pop("policy/source.yaml"), missing=())
    verdict = verify_pack(forgery, trusted_keys=[signer.public_key])
    assert verdict.exit_code == 30
    moved = forged(path, tmp_path / "c.zip", lambda members: members.update({"versions.json": b'{"beleg":"9"}'}))
    verdict = verify_pack(moved, trusted_keys=[signer.public_key])
    assert [item.fault for item in verdict.problems] == [PackFault.SIGNATURE_OF_OTHER]


def test_an_ed25519_signature_leaves_the_bytes_the_same(made: Decided, tmp_path: Path) -> None:
    signer = PlainSigner(Ed25519PrivateKey.generate())
    one, two = (packed(made, tmp_path / name, signer=signer).path for name in ("a.zip", "b.zip"))
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("kinds", [("prompts",), ("principals",), ("answers", "prompts"), ("principals", "answers")])
def test_what_no_check_reads_can_be_redacted_and_the_decision_is_still_recomputed(
    made: Decided, tmp_path: Path, kinds: tuple[str, ...]
) -> None:
    outcome = packed(made, tmp_path / "a.pack.zip", redact=kinds)
    hidden = {
        "prompts": "Answer from: ", "principals": "tenant-1", "answers": "a year [1]", "questions": "What does tenant",
    }  # fmt: skip
    data = outcome.path.read_bytes()
    assert all(hidden[kind].encode() not in data for kind in kinds if kind != "principals" or "answers" in kinds)
    verdict = verify_pack(outcome.path)
    assert (verdict.exit_code, verdict.differences) == (0, ())
    assert verdict.manifest is not None
    assert verdict.manifest.redacted == tuple(sorted(kinds))
    assert any(line.startswith("Redacted: ") for line in verdict.lines())


def test_redacting_what_a_check_reads_leaves_the_decision_unproved_until_the_owner_shows_it(tmp_path: Path) -> None:
    check = {"metric": "required_clauses", "pass_at": 0.5, "block_at": 0.3}
    policy = {"policy": "p", "minimum_n": 10, "checks": [check]}
    made = decided(tmp_path, policy=policy | {"require_baseline": False})
    made.decide()
    plain = verify_pack(packed(made, tmp_path / "plain.zip").path)
    assert plain.holds
    outcome = packed(made, tmp_path / "a.pack.zip", redact=("answers", "questions", "passages"))
    assert outcome.redactions == tmp_path / "a.redactions.json"
    assert outcome.redactions.stat().st_mode & 0o777 == 0o600
    hidden = verify_pack(outcome.path)
    assert (hidden.state, hidden.exit_code) == (PackState.NOT_RECOMPUTED, 30)
    assert "owner's map" in hidden.lines()[0]
    restored = verify_pack(outcome.path, redactions=outcome.redactions)
    assert (restored.holds, restored.is_restored, restored.exit_code) == (True, True, plain.exit_code)


def test_one_redacted_text_is_proved_by_its_salt_and_no_other_is_shown(made: Decided, tmp_path: Path) -> None:
    outcome = packed(made, tmp_path / "a.pack.zip", redact=("prompts",))
    assert outcome.redactions is not None
    known = RedactionMap.model_validate_json(outcome.redactions.read_bytes())
    (marker,) = known.texts
    assert marker.encode() in outcome.path.read_bytes()
    shown = reveal(known, marker)
    assert shown is not None
    assert proves(shown)
    assert not proves(shown.model_copy(update={"text": shown.text + "."}))


def test_the_same_map_gives_the_same_pack(made: Decided, tmp_path: Path) -> None:
    one = packed(made, tmp_path / "a.pack.zip", redact=("prompts", "answers"))
    two = packed(made, tmp_path / "b.pack.zip", redact=("answers", "prompts"), redactions=one.redactions)
    three = packed(made, tmp_path / "c.pack.zip", redact=("answers", "prompts"))
    assert one.path.read_bytes() == two.path.read_bytes()
    assert one.path.read_bytes() != three.path.read_bytes()


def test_a_map_of_another_pack_restores_nothing(made: Decided, tmp_path: Path) -> None:
    one = packed(made, tmp_path / "a.pack.zip", redact=("prompts",))
    two = packed(made, tmp_path / "b.pack.zip", redact=("prompts",))
    verdict = verify_pack(one.path, redactions=two.redactions)
    assert [item.fault for item in verdict.problems] == [PackFault.REVEAL_DIFFERS]


def test_a_file_that_is_no_map_is_neither_believed_nor_overwritten(made: Decided, tmp_path: Path) -> None:
    other = tmp_path / "notes.json"
    other.write_text('{"mine": 1}')
    with pytest.raises(EvidenceError, match="secret"):
        packed(made, tmp_path / "a.pack.zip", redact=("prompts",), redactions=other)
    assert other.read_text() == '{"mine": 1}'
    path = packed(made, tmp_path / "b.pack.zip", redact=("prompts",)).path
    with pytest.raises(EvidenceError, match="secret"):
        verify_pack(path, redactions=other)


def test_markers_that_are_not_declared_or_are_too_many_are_refused(made: Decided, tmp_path: Path) -> None:
    path = packed(made, tmp_path / "a.pack.zip", redact=("prompts",)).path
    claimed = forged(
        path, tmp_path / "b.zip",
        lambda members: members.update(
            {"candidate/traces.jsonl": members["candidate/traces.jsonl"].replace(b"redacted:", b"readable:", 1)}
        ),
    )  # fmt: skip
    assert [item.fault for item in verify_pack(claimed).problems] == [PackFault.REDACTION_UNDECLARED]
    silent = forged(path, tmp_path / "c.zip", lambda members: None, redacted=None)
    assert [item.fault for item in verify_pack(silent).problems] == [PackFault.REDACTION_UNDECLARED]


def test_texts_of_a_file_are_redacted_everywhere_or_the_pack_is_refused(made: Decided, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("12 €\n", encoding="utf-8")
    path = packed(made, tmp_path / "a.pack.zip", redact_texts=texts).path
    assert "12 €".encode() not in path.read_bytes()
    assert verify_pack(path).exit_code == 0
    texts.write_text("release\n", encoding="utf-8")
    with pytest.raises(UsageError, match="must stay as it decided"):
        packed(made, tmp_path / "b.pack.zip", redact_texts=texts)


def test_a_few_short_redactions_are_warned_of(tmp_path: Path) -> None:
    made = decided(tmp_path)
    outcome = packed(made, tmp_path / "a.pack.zip", redact=("principals",))
    assert any("test a guess" in warning for warning in outcome.warnings)


@pytest.mark.parametrize(
    ("fields", "told"),
    [({"redact": ("names",)}, "no such kind of text"), ({"redact_texts": Path("missing.txt")}, "cannot be read")],
)
def test_redactions_that_cannot_be_made_are_refused(
    made: Decided, tmp_path: Path, fields: dict[str, object], told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        packed(made, tmp_path / "a.pack.zip", **fields)


def test_an_inventory_is_packed_and_its_passages_can_be_redacted(tmp_path: Path) -> None:
    made = decided(tmp_path)
    inventory = Inventory(documents=(InventoryDocument(document_id="d1", text="Die Gebühr"),), passages=())
    data = inventory.model_dump_json(exclude_none=True).encode() + b"\n"
    from beleg.core.digest import digest_of_bytes

    (made.run / "inventory.json").write_bytes(data)
    header = json.loads((made.run / "run.json").read_text()) | {"inventory_digest": digest_of_bytes(data)}
    (made.run / "run.json").write_text(json.dumps(header))
    made.decide()
    plain = packed(made, tmp_path / "a.pack.zip")
    redacted = packed(made, tmp_path / "b.pack.zip", redact=("passages",))
    assert verify_pack(plain.path).holds
    assert "Gebühr".encode() not in redacted.path.read_bytes()
    assert verify_pack(redacted.path, redactions=redacted.redactions).holds
    assert verify_pack(redacted.path).state is not PackState.REFUSED
