"""What a pack proves: every digest, and the decision from the rows in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from beleg.app.pack_contents import PackInputs
from beleg.app.pack_verifying import PackState, PackVerdict, verify_pack
from beleg.app.packing import PackRequest, pack_run
from beleg.core.decision import Verdict
from beleg.core.pack_faults import PackFault
from beleg.core.packs import MANIFEST_PATH
from beleg.evidence.redaction import checked_line
from beleg.run.journal import TRACES
from support.packs import Decided, Raw, decided, forged, parts, raw_zip

DECISION = "decision/decision.json"
Change = Callable[[dict[str, bytes]], None]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> tuple[Decided, Path]:
    """A run that passed, and its pack."""
    made = decided(tmp_path_factory.mktemp("decided"))
    path = made.folder / "good.pack.zip"
    pack_run(PackRequest(inputs=inputs(made)), path, {})
    return made, path


@pytest.fixture(scope="module")
def blocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pack of a run that misses most documents."""
    made = decided(tmp_path_factory.mktemp("blocked"), document=lambda number: "d1" if number % 8 == 0 else "d9")
    return pack_run(PackRequest(inputs=inputs(made)), made.folder / "bad.pack.zip", {}).path


def inputs(made: Decided) -> PackInputs:
    return PackInputs(run=made.run, baseline=made.baseline, policy=made.policy)


def faults(verdict: PackVerdict) -> list[PackFault]:
    assert verdict.exit_code == 30
    return [problem.fault for problem in verdict.problems]


def edited(name: str, change: Callable[[Any], Any]) -> Change:
    """Edits one JSON entry."""

    def edit(members: dict[str, bytes]) -> None:
        members[name] = (json.dumps(change(json.loads(members[name])), ensure_ascii=False) + "\n").encode()

    return edit


def test_a_pack_as_it_was_written_holds_and_says_what_was_decided(good: tuple[Decided, Path], blocked: Path) -> None:
    passed, stopped = verify_pack(good[1]), verify_pack(blocked)
    assert (passed.holds, passed.exit_code) == (True, 0)
    assert (stopped.holds, stopped.exit_code) == (True, 20)
    assert passed.lines("en")[0] == "The pack holds, and its rows give its decision: PASS."
    assert stopped.lines("de")[0] == "Das Paket ist unversehrt, und seine Zeilen ergeben seine Entscheidung: BLOCK."
    assert any("who made the pack is not proved" in line for line in passed.lines("en"))
    assert passed.to_json_dict()["state"] == "holds"


def test_the_same_content_gives_the_same_bytes_wherever_it_lies(good: tuple[Decided, Path], tmp_path: Path) -> None:
    made, path = good
    again = tmp_path / "again.pack.zip"
    pack_run(PackRequest(inputs=inputs(made)), again, {"USER": "anna", "LANG": "de_AT"})
    assert again.read_bytes() == path.read_bytes()


def test_a_pack_is_verified_without_the_runs_that_it_was_made_of(tmp_path: Path) -> None:
    made = decided(tmp_path / "gone")
    path = pack_run(PackRequest(inputs=inputs(made)), tmp_path / "x.pack.zip", {}).path
    for file in sorted(made.folder.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    assert verify_pack(path).exit_code == 0


def test_one_changed_bit_in_any_entry_is_found(good: tuple[Decided, Path], tmp_path: Path) -> None:
    data, target = good[1].read_bytes(), tmp_path / "bit.pack.zip"
    # Every region of the file is hit: headers, manifest, each entry, the list at the end.
    for at in range(0, len(data), max(1, len(data) // 150)):
        changed = bytearray(data)
        changed[at] ^= 1 << (at % 8)
        target.write_bytes(changed)
        verdict = verify_pack(target)
        assert verdict.state is PackState.REFUSED, at


FORGERIES: dict[str, tuple[Change, PackFault, str]] = {
    "a forged verdict over untouched rows": (
        edited(DECISION, lambda found: found | {"verdict": "PASS"}),
        PackFault.DECISION_DIFFERS,
        "verdict: the pack says PASS, its rows give BLOCK",
    ),
    "a check that ended otherwise": (
        edited(DECISION, lambda found: found | {"checks": [check | {"state": "PASS"} for check in found["checks"]]}),
        PackFault.DECISION_DIFFERS,
        "].state: the pack says PASS, its rows give FAIL",
    ),
    "a check that was taken out": (
        edited(DECISION, lambda found: found | {"checks": found["checks"][1:]}),
        PackFault.DECISION_DIFFERS,
        "the pack says nothing, its rows give FAIL",
    ),
    "a check that stands there twice": (
        edited(DECISION, lambda found: found | {"checks": [*found["checks"], found["checks"][0]]}),
        PackFault.DECISION_DIFFERS,
        "checks: the pack says",
    ),
    "a figure": (
        edited(
            DECISION,
            lambda found: (
                found
                | {
                    "checks": [
                        check | ({"figure": check["figure"] | {"lower": 0.99}} if "figure" in check else {})
                        for check in found["checks"]
                    ]
                }
            ),
        ),
        PackFault.DECISION_DIFFERS,
        ".figure.lower: the pack says 0.99",
    ),
    "a headline": (
        edited(DECISION, lambda found: found | {"headline": {"en": "All is well", "de": "Alles gut"}}),
        PackFault.DECISION_DIFFERS,
        "headline.en: the pack says All is well",
    ),
    "a bar that was lowered afterwards": (
        lambda members: members.update(
            {
                "policy/policy.json": members["policy/policy.json"].replace(b"0.3", b"0.01").replace(b"0.5", b"0.02"),
                "policy/source.yaml": members["policy/source.yaml"].replace(b"0.3", b"0.01").replace(b"0.5", b"0.02"),
            }
        ),
        PackFault.DECISION_DIFFERS,
        "policy_digest",
    ),
    "an answer of the system that was mended": (
        lambda members: members.update(
            {"candidate/traces.jsonl": members["candidate/traces.jsonl"].replace(*_line_of(members, "c3", "d9", "d1"))}
        ),
        PackFault.DECISION_DIFFERS,
        "candidate.traces_digest",
    ),
    "rows that were dropped": (
        lambda members: members.update(
            {"candidate/traces.jsonl": b"".join(members["candidate/traces.jsonl"].splitlines(keepends=True)[:30])}
        ),
        PackFault.DECISION_DIFFERS,
        "candidate.traces_digest",
    ),
    "a policy whose comments say otherwise": (
        lambda members: members.update({"policy/source.yaml": members["policy/source.yaml"].replace(b"0.3", b"0.1")}),
        PackFault.POLICY_SOURCE_DIFFERS,
        "policy/source.yaml",
    ),
    "a repeated key": (
        lambda members: members.update({DECISION: members[DECISION].replace(b"{", b'{"verdict":"PASS",', 1)}),
        PackFault.UNREADABLE_ENTRY,
        "the key stands twice",
    ),
    "a field that nobody knows": (
        edited(DECISION, lambda found: found | {"approved": True}),
        PackFault.UNREADABLE_ENTRY,
        DECISION,
    ),
    "an entry that is no JSON": (
        lambda members: members.update({DECISION: b"\x89PNG\r\n\x1a\n"}),
        PackFault.WRONG_MEDIA_TYPE,
        DECISION,
    ),
    "a run of another name": (
        edited("candidate/run.json", lambda found: found | {"run_id": "other"}),
        PackFault.OTHER_RUN,
        "candidate/run.json",
    ),
}


def _line_of(members: dict[str, bytes], case_id: str, old: str, new: str) -> tuple[bytes, bytes]:
    """One line of the traces, and the same with one document in the place of another and a fresh checksum."""
    line = next(
        line for line in members["candidate/traces.jsonl"].split(b"\n") if f'"case_id":"{case_id}"'.encode() in line
    )
    record = TRACES.decode(line + b"\n")
    assert record is not None
    body = record.model_dump_json(exclude_none=True).replace(old, new)
    return line + b"\n", checked_line("trace", body).encode()


@pytest.mark.parametrize("what", FORGERIES)
def test_a_bundle_that_was_made_to_fit_again_is_refused_and_the_difference_named(
    what: str, blocked: Path, tmp_path: Path
) -> None:
    change, fault, told = FORGERIES[what]
    verdict = verify_pack(forged(blocked, tmp_path / "forged.pack.zip", change))
    assert faults(verdict) == [fault]
    assert told in "\n".join(verdict.lines("en"))
    assert verdict.lines("en")[0].startswith("Refused: ")
    assert verdict.lines("de")[0].startswith("Abgelehnt: ")
    assert verdict.to_json_dict()["verdict"] is None


def test_without_the_policy_nothing_is_recomputed_and_that_is_no_pass(tmp_path: Path) -> None:
    made = decided(tmp_path)
    outcome = pack_run(PackRequest(inputs=PackInputs(run=made.run, baseline=made.baseline)), tmp_path / "p.zip", {})
    verdict = verify_pack(outcome.path)
    assert "--policy" in outcome.warnings[0]
    assert (verdict.state, faults(verdict)) == (PackState.NOT_RECOMPUTED, [PackFault.NOT_RECOMPUTABLE])
    assert verdict.lines("de")[0].startswith("Nicht nachgeprüft: ")


def test_without_the_baseline_nothing_is_recomputed(tmp_path: Path) -> None:
    made = decided(tmp_path)
    outcome = pack_run(PackRequest(inputs=PackInputs(run=made.run, policy=made.policy)), tmp_path / "p.zip", {})
    assert verify_pack(outcome.path).state is PackState.NOT_RECOMPUTED


def whole(path: Path, change: Callable[[list[Raw]], list[Raw]], target: Path) -> PackVerdict:
    """A pack whose members were changed and whose manifest was left as it is."""
    members = change([Raw(name, data) for name, data in parts(path).items()])
    target.write_bytes(raw_zip(members))
    return verify_pack(target)


LISTS: dict[str, tuple[Callable[[list[Raw]], list[Raw]], PackFault]] = {
    "extra": (lambda members: [*members, Raw("zz.json", b"{}")], PackFault.EXTRA_ENTRY),
    "missing": (lambda members: members[:-1], PackFault.MISSING_ENTRY),
    "duplicate": (lambda members: [*members, members[-1]], PackFault.DUPLICATE),
    "a second decision": (lambda members: [*members, Raw(DECISION, b"{}")], PackFault.DUPLICATE),
    "case twin": (lambda members: [*members, Raw("VERSIONS.json", b"{}")], PackFault.CASE_TWIN),
    "unicode twin": (
        lambda members: [*members, Raw("\uff56ersions.json", b"{}", both={"flags": 0x800})],
        PackFault.UNICODE_TWIN,
    ),
    "manifest not first": (lambda members: [*members[1:], members[0]], PackFault.MANIFEST_NOT_FIRST),
    "no manifest": (lambda members: members[1:], PackFault.MANIFEST_NOT_FIRST),
    "another order": (lambda members: [members[0], *members[:0:-1]], PackFault.NOT_SORTED),
    "other bytes of the same length": (
        lambda members: [*members[:-1], Raw(members[-1].name, members[-1].data.replace(b"beleg", b"gelb!"))],
        PackFault.WRONG_DIGEST,
    ),
    "other length": (
        lambda members: [*members[:-1], Raw(members[-1].name, members[-1].data + b" ")],
        PackFault.WRONG_SIZE,
    ),
    **{
        name: (lambda members, name=name: [*members, Raw(name, b"{}")], fault)
        for name, fault in {
            "../up.json": PackFault.PARENT_PATH,
            "a/../b.json": PackFault.PARENT_PATH,
            "a//b.json": PackFault.PARENT_PATH,
            "./a.json": PackFault.PARENT_PATH,
            "folder/": PackFault.PARENT_PATH,
            "/etc/passwd": PackFault.ABSOLUTE_PATH,
            "a\\..\\b.json": PackFault.BACKSLASH,
            "C:/b.json": PackFault.DRIVE_LETTER,
            "a\x00.json": PackFault.NUL_IN_PATH,
            "aux.json": PackFault.RESERVED_NAME,
            "a/COM1": PackFault.RESERVED_NAME,
            "a.json.": PackFault.TRAILING_DOT_OR_SPACE,
            "a.json ": PackFault.TRAILING_DOT_OR_SPACE,
            "a b.json": PackFault.CHARACTER,
            "-rf.json": PackFault.CHARACTER,
            f"{'a' * 300}.json": PackFault.CHARACTER,
        }.items()
    },
}  # fmt: skip


@pytest.mark.parametrize("what", LISTS)
def test_a_pack_that_is_not_what_its_manifest_says_is_refused(
    what: str, good: tuple[Decided, Path], tmp_path: Path
) -> None:
    change, fault = LISTS[what]
    assert faults(whole(good[1], change, tmp_path / "bad.pack.zip"))[0] is fault


def manifest(change: Callable[[dict[str, Any]], Any]) -> Callable[[list[Raw]], list[Raw]]:
    """Edits the manifest and leaves it in its canonical form."""

    def edit(members: list[Raw]) -> list[Raw]:
        data = json.loads(members[0].data)
        text = json.dumps(change(data) or data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return [Raw(MANIFEST_PATH, text.encode()), *members[1:]]

    return edit


MANIFESTS: dict[str, tuple[Callable[[list[Raw]], list[Raw]], PackFault]] = {
    "no JSON": (lambda members: [Raw(MANIFEST_PATH, b"PASS"), *members[1:]], PackFault.MANIFEST_NOT_CANONICAL),
    "spaces": (
        lambda members: [Raw(MANIFEST_PATH, members[0].data.replace(b",", b", ", 1)), *members[1:]],
        PackFault.MANIFEST_NOT_CANONICAL,
    ),
    "an unknown schema": (
        manifest(lambda data: data.update(schema_version="beleg-audit-pack/v9")), PackFault.MANIFEST_UNREADABLE
    ),
    "an unknown field": (manifest(lambda data: data.update(verified=True)), PackFault.MANIFEST_UNREADABLE),
    "an embedded key": (manifest(lambda data: data.update(public_key="x")), PackFault.MANIFEST_UNREADABLE),
    "another root": (manifest(lambda data: data.update(root="sha256:00")), PackFault.WRONG_ROOT),
    "another media type": (
        manifest(lambda data: data["entries"][0].update(media_type="text/html")), PackFault.WRONG_MEDIA_TYPE
    ),
    "another role": (manifest(lambda data: data["entries"][0].update(role="labels")), PackFault.WRONG_PLACE),
    "a gap that is not told": (
        manifest(lambda data: data.update(missing=data["missing"][1:])), PackFault.NOT_ACCOUNTED_FOR
    ),
    "a gap that is none": (
        manifest(lambda data: data["missing"].append({"role": "decision", "reason": "not_recorded"})),
        PackFault.NOT_MISSING,
    ),
    "a redaction that is none": (
        manifest(
            lambda data: next(e for e in data["entries"] if e["role"] == "traces").update(
                original={"size": 1, "sha256": "0" * 64, "fields": 1}
            )
        ),
        PackFault.WRONG_ROOT,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", MANIFESTS)
def test_a_manifest_that_breaks_its_own_rules_is_refused(what: str, good: tuple[Decided, Path], tmp_path: Path) -> None:
    change, fault = MANIFESTS[what]
    assert fault in faults(whole(good[1], change, tmp_path / "bad.pack.zip"))


def test_a_review_is_no_pass_either(tmp_path: Path) -> None:
    policy = {"policy": "r", "minimum_n": 60, "checks": [{"metric": "recall@5", "pass_at": 0.5, "block_at": 0.3}]}
    made = decided(tmp_path, policy=policy)
    verdict = verify_pack(pack_run(PackRequest(inputs=inputs(made)), tmp_path / "r.zip", {}).path)
    assert verdict.decision is not None
    assert (verdict.decision.verdict, verdict.exit_code) == (Verdict.REVIEW, 10)
