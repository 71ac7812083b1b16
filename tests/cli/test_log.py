"""The decision log on the command line: what gates and owners sign is entered, and no change stays unseen."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from beleg.adapters.stores.decision_log import read_log
from beleg.release.merkle import leaf_hash
from cli.projects import beleg, write_cases, write_policy, write_recorded

CHECKS = [{"metric": "hit@5", "pass_at": 0.85, "block_at": 0.8}]
TERMS = {"waivable": ["hit@5"], "max_override_hours": 48, "owners": ["A. Weiss"]}
OVERRIDE = (
    "override", "runs/worse", "--policy", "policy.yaml", "--check", "hit@5/band", "--owner", "A. Weiss", "--reason",
    "r", "--ticket", "T-1", "--control", "c", "--hours", "6", "--key", "keys/owner.pem",
)  # fmt: skip
LOG = ("--log", "decisions.log")
DECISION = "runs/good/decision/decision.dsse.json"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Keys, a policy, a run that passes and one that does not."""
    write_cases(tmp_path / "cases.jsonl", 40)
    write_recorded(tmp_path, "good", ["d1"] * 40)
    write_recorded(tmp_path, "worse", ["d1", "d2"] * 20)
    for name in ("good", "worse"):
        assert beleg("run", f"{name}.yaml", "--suite", "cases.jsonl", "--out", f"runs/{name}", cwd=tmp_path).code == 0
    write_policy(tmp_path / "policy.yaml", checks=CHECKS, release=TERMS)
    for name in ("gate", "owner", "second", "log"):
        assert beleg("keys", "new", f"keys/{name}", cwd=tmp_path).code == 0
    return tmp_path


@pytest.fixture
def logged(project: Path) -> Path:
    """A PASS with its summary in the log, and a checkpoint over both."""
    assert gate(project, "good", *LOG).code == 0
    assert checkpoint(project).code == 0
    return project


def gate(project: Path, run: str, *more: str) -> Any:
    return beleg("gate", f"runs/{run}", "--policy", "policy.yaml", "--sign", "keys/gate.pem", *more, cwd=project)


def checkpoint(project: Path, *more: str) -> Any:
    return beleg("log", "checkpoint", "decisions.log", "--key", "keys/log.pem", *more, cwd=project)


def verify(project: Path, *more: str) -> Any:
    return beleg("log", "verify", "decisions.log", *more, cwd=project)


def kinds(project: Path) -> list[str]:
    shown = beleg("log", "show", "decisions.log", "--json", cwd=project)
    return [entry["kind"] for entry in json.loads(shown.out)["entries"]]


def test_gate_sign_and_override_enter_what_they_sign_before_they_write_it(project: Path) -> None:
    assert gate(project, "good", *LOG).code == 0
    assert gate(project, "worse", *LOG).code == 20
    words = ("--policy", "policy.yaml", "--key", "keys/gate.pem")
    assert beleg("sign", "runs/worse", *words, *LOG, cwd=project).code == 0
    assert beleg(*OVERRIDE, *LOG, cwd=project).code == 0
    (path,) = (project / "runs/worse/decision/overrides").glob("*.dsse.json")
    again = ("override", str(path), "--countersign", "--key", "keys/second.pem")
    assert beleg(*again, *LOG, cwd=project).code == 0
    assert kinds(project) == ["decision", "summary", "decision", "decision", "override", "override"]
    kept = read_log(project / "decisions.log", leaf_hash).lines
    assert base64.b64decode(kept[0].content or "") == (project / DECISION).read_bytes()
    assert base64.b64decode(kept[-1].content or "") == path.read_bytes()


def test_nothing_is_signed_where_the_log_takes_no_entry(project: Path) -> None:
    (project / "decisions.log").write_text("something else\n")
    done = gate(project, "good", *LOG)
    assert done.code == 30
    assert "no decision log" in done.err
    assert not (project / DECISION).exists()
    assert gate(project, "worse").code == 20
    assert beleg(*OVERRIDE, *LOG, cwd=project).code == 30
    assert not (project / "runs/worse/decision/overrides").exists()


def test_a_log_without_a_signature_is_a_mistake(project: Path) -> None:
    done = beleg("gate", "runs/good", "--policy", "policy.yaml", *LOG, cwd=project)
    assert done.code == 2
    assert "--sign" in done.err


def test_an_entry_is_proved_offline(logged: Path) -> None:
    done = beleg("log", "prove", "decisions.log", DECISION, cwd=logged)
    assert done.code == 0
    assert done.lines[0].startswith("Proved: decision decision.dsse.json is entry 0 of the 2 in beleg-log-")
    (logged / "decisions.log").unlink()
    words = ("log", "check", f"{DECISION}.tlog-proof", "--key", "keys/log.pub.pem")
    assert beleg(*words, "--file", DECISION, cwd=logged).lines[0].startswith("The proof holds: decision")
    assert "No document was compared" in beleg(*words, cwd=logged).out
    other = beleg(*words, "--file", "runs/good/decision/vsa.dsse.json", cwd=logged)
    assert (other.code, "not the document of the entry" in other.err) == (30, True)
    wrong = beleg(*words[:-1], "keys/gate.pub.pem", cwd=logged)
    assert (wrong.code, "not signed by this key" in wrong.err) == (30, True)
    elsewhere = beleg(*words, "--origin", "example.com/other", cwd=logged)
    assert (elsewhere.code, "another log" in elsewhere.err) == (30, True)


def test_an_entry_is_proved_by_its_number_and_only_under_a_checkpoint_that_covers_it(logged: Path) -> None:
    assert beleg("log", "prove", "decisions.log", "--entry", "1", cwd=logged).code == 0
    assert beleg("log", "prove", "decisions.log", "--entry", "2", cwd=logged).code == 2
    assert gate(logged, "worse", *LOG).code == 20
    late = beleg("log", "prove", "decisions.log", "--entry", "2", cwd=logged)
    assert (late.code, "came after" in late.err) == (30, True)
    assert checkpoint(logged).code == 0
    assert beleg("log", "prove", "decisions.log", "--entry", "2", cwd=logged).code == 0
    absent = beleg("log", "prove", "decisions.log", "policy.yaml", cwd=logged)
    assert (absent.code, "is not in decisions.log" in absent.err) == (30, True)


def test_a_grown_log_holds_against_its_old_checkpoint(logged: Path) -> None:
    assert gate(logged, "worse", *LOG).code == 20
    done = verify(logged, "--against", "decisions.log.2.checkpoint", "--key", "keys/log.pub.pem")
    assert done.code == 0
    assert done.lines[0] == "3 entries, each as it was entered; the first 2 are those of the checkpoint"
    assert "was not checked" in verify(logged, "--against", "decisions.log.2.checkpoint").out
    assert "shows only against a checkpoint" in verify(logged).lines[0]
    assert "anderswo verwahrter Prüfpunkt" in verify(logged, "--lang", "de").lines[0]
    told = json.loads(
        verify(logged, "--against", "decisions.log.2.checkpoint", "--key", "keys/log.pub.pem", "--json").out
    )
    assert (told["size"], told["against"][0]["size"], told["signatures_checked"]) == (3, 2, True)


def cut_tail(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def reorder(path: Path) -> None:
    head, one, two = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + two + one)


def rewrite(path: Path) -> None:
    """One entry changed, with its hash made anew as the format has it."""
    head, one, two = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + forged(one) + two)


def rewrite_all(path: Path) -> None:
    head, *lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + b"".join(forged(line) for line in lines))


def insert(path: Path) -> None:
    head, *lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + forged(lines[0]) + b"".join(lines))


def forged(line: bytes) -> bytes:
    from beleg.core.decision_log import LogLine

    was = LogLine.model_validate_json(line)
    entry = was.entry.model_copy(update={"name": "forged.json"})
    made = was.model_copy(update={"entry": entry, "leaf": leaf_hash(entry.leaf).hex()})
    return json.dumps(made.to_json_dict(), sort_keys=True, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize("attack", [cut_tail, reorder, rewrite, rewrite_all, insert])
def test_no_change_of_the_past_holds_against_a_checkpoint(logged: Path, attack: Any) -> None:
    log = logged / "decisions.log"
    attack(log)
    assert verify(logged).code == 0, "by itself the log looks whole: that is why checkpoints are kept elsewhere"
    done = verify(logged, "--against", "decisions.log.2.checkpoint", "--key", "keys/log.pub.pem")
    assert done.code == 30
    assert "cut off" in done.err or "changed, added or removed" in done.err
    before = sorted(logged.glob("*.checkpoint"))
    assert checkpoint(logged).code == 30, "the log's key signs no second past"
    assert sorted(logged.glob("*.checkpoint")) == before
    assert beleg("log", "prove", "decisions.log", "--entry", "0", cwd=logged).code == 30


def test_a_checkpoint_that_somebody_else_signed_is_refused(logged: Path) -> None:
    words = ("--against", "decisions.log.2.checkpoint", "--key", "keys/gate.pub.pem")
    done = verify(logged, *words)
    assert (done.code, "not signed by this key" in done.err) == (30, True)


def test_a_checkpoint_of_another_log_is_refused(logged: Path) -> None:
    assert beleg("log", "append", "other.log", DECISION, "--origin", "example.com/other", cwd=logged).code == 0
    done = beleg("log", "verify", "other.log", "--against", "decisions.log.2.checkpoint", cwd=logged)
    assert (done.code, "Name its own log" in done.err) == (30, True)
    renamed = beleg("log", "append", "other.log", DECISION, "--origin", "example.com/third", cwd=logged)
    assert (renamed.code, "example.com/other" in renamed.err) == (2, True)


def test_files_are_entered_by_what_they_are(logged: Path) -> None:
    (logged / "a.pack.zip").write_bytes(b"PK" + bytes(1000))
    (logged / "head.txt").write_text("12 sha256:abc\n")
    assert beleg("log", "append", "decisions.log", "a.pack.zip", DECISION, cwd=logged).lines[:2] == [
        "Entry 2: pack a.pack.zip",
        "Entry 0: decision decision.dsse.json was in the log already",
    ]
    unknown = beleg("log", "append", "decisions.log", "head.txt", cwd=logged)
    assert (unknown.code, "--kind" in unknown.err) == (30, True)
    assert beleg("log", "append", "decisions.log", "head.txt", "--kind", "review_head", cwd=logged).code == 0
    assert beleg("log", "append", "decisions.log", "head.txt", "--kind", "gossip", cwd=logged).code == 2
    assert kinds(logged) == ["decision", "summary", "pack", "review_head"]
    assert "does not keep the document itself of 1" in verify(logged).out


def test_a_private_key_never_enters_a_log(logged: Path) -> None:
    before = (logged / "decisions.log").read_bytes()
    done = beleg("log", "append", "decisions.log", "keys/gate.pem", "--kind", "trust", cwd=logged)
    assert (done.code, "private key" in done.err) == (30, True)
    assert (logged / "decisions.log").read_bytes() == before


def test_a_p256_key_signs_no_checkpoint(logged: Path) -> None:
    assert beleg("keys", "new", "keys/p", "--kind", "p256", cwd=logged).code == 0
    done = beleg("log", "checkpoint", "decisions.log", "--key", "keys/p.pem", cwd=logged)
    assert (done.code, "Ed25519" in done.err) == (30, True)


def test_a_name_that_drives_the_terminal_is_shown_harmless(logged: Path) -> None:
    (logged / "a\x1b[31m.zip").write_bytes(b"PK")
    assert beleg("log", "append", "decisions.log", "a\x1b[31m.zip", cwd=logged).code == 0
    assert "\x1b" not in beleg("log", "show", "decisions.log", cwd=logged).out
    assert b"\\u001b" not in (logged / "decisions.log").read_bytes()
