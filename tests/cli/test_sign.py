"""From a decision to a deployment on the command line: keys, signing, overrides, and what nobody can make up."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from beleg.app.gating import gate_runs, store_decision
from cli.projects import beleg, write_cases, write_policy, write_recorded

CHECKS = [{"metric": "hit@5", "pass_at": 0.85, "block_at": 0.8}]
TERMS = {"waivable": ["hit@5"], "max_override_hours": 48, "owners": ["A. Weiss"]}
SIGN = ("--policy", "policy.yaml", "--key", "keys/gate.pem")
OVERRIDE: dict[str, str] = {
    "--check": "hit@5/band", "--owner": "A. Weiss", "--reason": "Peak week", "--ticket": "OPS-1",
    "--control": "Support watches", "--hours": "6", "--key": "keys/owner.pem", "--policy": "policy.yaml",
}  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A good and a bad run, keys of gate, owner and root, and a trust file."""
    write_cases(tmp_path / "cases.jsonl", 40)
    write_recorded(tmp_path, "good", ["d1"] * 40)
    write_recorded(tmp_path, "worse", ["d1", "d2"] * 20)
    for name in ("good", "worse"):
        assert beleg("run", f"{name}.yaml", "--suite", "cases.jsonl", "--out", f"runs/{name}", cwd=tmp_path).code == 0
    write_policy(tmp_path / "policy.yaml", checks=CHECKS, release=TERMS)
    for name in ("gate", "owner", "second", "root"):
        assert beleg("keys", "new", f"keys/{name}", cwd=tmp_path).code == 0
    words = ("--gate", "the gate=keys/gate.pub.pem", "--owner", "A. Weiss=keys/owner.pub.pem")
    assert beleg("trust", "new", "trust.json", *words, cwd=tmp_path).code == 0
    assert (
        beleg("trust", "sign", "trust.json", "--key", "keys/root.pem", "--out", "t.dsse.json", cwd=tmp_path).code == 0
    )
    return tmp_path


def gate(project: Path, run: str, *more: str) -> Any:
    return beleg("gate", f"runs/{run}", "--policy", "policy.yaml", *more, cwd=project)


def verify(project: Path, run: str, *more: str) -> Any:
    words = ("--trust", "t.dsse.json", "--root", "keys/root.pub.pem", "--environment", "production")
    return beleg("verify", f"runs/{run}", *words, "--manifest", f"runs/{run}/run.json", *more, cwd=project)


def override(project: Path, **changes: str) -> Any:
    given = OVERRIDE | {f"--{name}": value for name, value in changes.items()}
    return beleg("override", "runs/worse", *(word for pair in given.items() for word in pair), cwd=project)


def statement(project: Path, run: str) -> Path:
    return project / f"runs/{run}/decision/decision.dsse.json"


def test_a_signed_pass_deploys(project: Path) -> None:
    assert gate(project, "good", "--sign", "keys/gate.pem").code == 0
    done = verify(project, "good")
    assert done.code == 0
    assert done.lines[0].startswith("ALLOW: the gate said PASS")
    assert (project / "runs/good/decision/vsa.dsse.json").exists()


def test_an_unsigned_pass_does_not(project: Path) -> None:
    assert gate(project, "good").code == 0
    assert verify(project, "good").code == 30


def test_a_stored_decision_is_signed_after_it_was_made_again(project: Path) -> None:
    assert gate(project, "worse").code == 20
    done = beleg("sign", "runs/worse", *SIGN, "--bundle", cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0].startswith("Signed BLOCK for production by ")
    assert (project / "runs/worse/decision/decision.sigstore.json").exists()
    assert verify(project, "worse").code == 20


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('"verdict":"BLOCK"', '"verdict":"PASS"', "verdict"),
        ('"state":"FAIL"', '"state":"PASS"', "checks"),
        ('"estimate":0.5', '"estimate":0.95', "checks"),
        ('"policy_version":1', '"policy_version":2', "policy_version"),
    ],
)
def test_a_decision_that_was_edited_is_not_signed(project: Path, old: str, new: str, word: str) -> None:
    assert gate(project, "worse").code == 20
    path = project / "runs/worse/decision/decision.json"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    done = beleg("sign", "runs/worse", *SIGN, cwd=project)
    assert done.code == 30
    assert f"it differs in {word}" in done.err
    assert not statement(project, "worse").exists()


def test_a_bar_that_was_lowered_afterwards_signs_nothing(project: Path) -> None:
    assert gate(project, "worse").code == 20
    write_policy(project / "policy.yaml", checks=[CHECKS[0] | {"pass_at": 0.3, "block_at": 0.2}], release=TERMS)
    done = beleg("sign", "runs/worse", *SIGN, cwd=project)
    assert done.code == 30
    assert "policy_digest" in done.err


def test_another_decision_takes_the_former_statement_out_of_the_way(project: Path) -> None:
    assert gate(project, "good", "--sign", "keys/gate.pem").code == 0
    write_policy(project / "policy.yaml", checks=[CHECKS[0] | {"pass_at": 0.999}], release=TERMS)
    assert gate(project, "good").code == 10
    assert not statement(project, "good").exists()
    assert len(list((project / "runs/good/decision/former").iterdir())) == 2
    assert verify(project, "good").code == 30


def test_the_same_decision_again_keeps_its_bytes_and_its_signature(project: Path) -> None:
    assert gate(project, "good", "--sign", "keys/gate.pem").code == 0
    before = (project / "runs/good/decision/decision.json").read_bytes()
    assert gate(project, "good").code == 0
    assert (project / "runs/good/decision/decision.json").read_bytes() == before
    assert verify(project, "good").code == 0


def test_an_override_lets_the_named_checks_pass_and_every_report_shows_it(project: Path) -> None:
    assert gate(project, "worse", "--sign", "keys/gate.pem").code == 20
    done = override(project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0].startswith("A. Weiss lets production pass in spite of hit@5/band until ")
    allowed = verify(project, "worse")
    assert allowed.code == 0
    again = gate(project, "worse")
    assert again.code == 20
    assert "Overridden by A. Weiss (OPS-1)" in again.out
    folder = project / "runs/worse/decision"
    for name in ("report.md", "report.html"):
        text = (folder / name).read_text(encoding="utf-8")
        assert "A. Weiss" in text
        assert "Support watches" in text


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"owner": "B. Grau"}, "does not let this owner"),
        ({"hours": "49"}, "1 to 48 hours"),
        ({"reason": " "}, "is empty"),
        ({"ticket": "t" * 4_001}, "field 'ticket'"),
        ({"reason": "a\ud800"}, "field 'reason'"),
        ({"check": "ndcg@10/band"}, "did not fail"),
    ],
)
def test_an_override_that_would_not_count_is_not_signed(project: Path, changes: dict[str, str], word: str) -> None:
    assert gate(project, "worse", "--sign", "keys/gate.pem").code == 20
    done = override(project, **changes)
    assert done.code == 30
    assert word in done.err
    assert not (project / "runs/worse/decision/overrides").exists()


def test_nothing_that_was_not_signed_can_be_overridden(project: Path) -> None:
    assert gate(project, "worse").code == 20
    done = override(project)
    assert done.code == 2
    assert "nothing was signed there" in done.err


def test_two_persons_sign_one_override(project: Path) -> None:
    write_policy(project / "policy.yaml", checks=CHECKS, release=TERMS | {"two_persons": True})
    assert gate(project, "worse", "--sign", "keys/gate.pem").code == 20
    first = override(project)
    assert "It takes the signature of a second owner before it counts" in first.out
    (path,) = (project / "runs/worse/decision/overrides").glob("*.dsse.json")
    before = json.loads(path.read_text())
    words = ("override", str(path), "--countersign", "--key", "keys/second.pem")
    assert beleg(*words, cwd=project).code == 0
    after = json.loads(path.read_text())
    assert after["payload"] == before["payload"]
    assert len(after["signatures"]) == 2
    assert beleg(*words, cwd=project).code == 30


def test_two_keys_sign_one_decision(project: Path) -> None:
    assert beleg("keys", "new", "keys/p256", "--kind", "p256", cwd=project).code == 0
    assert gate(project, "good", "--sign", "keys/gate.pem", "--sign", "keys/p256.pem").code == 0
    assert len(json.loads(statement(project, "good").read_text())["signatures"]) == 2


def test_an_environment_that_the_policy_does_not_name_is_refused(project: Path) -> None:
    done = gate(project, "good", "--sign", "keys/gate.pem", "--environment", "moon")
    assert done.code == 30
    assert "does not decide for this environment" in done.err


@pytest.mark.parametrize("name", ["", ".", "..", "keys/.."])
def test_a_key_needs_a_name(project: Path, name: str) -> None:
    done = beleg("keys", "new", name, cwd=project)
    assert done.code == 2
    assert "is no name for a key" in done.err


def test_keys_are_not_overwritten_and_never_told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again = beleg("keys", "new", "keys/gate", cwd=project)
    assert again.code == 2
    private = (project / "keys/gate.pem").read_text().splitlines()[1]
    monkeypatch.setenv("GATE_KEY", (project / "keys/gate.pem").read_text())
    shown = beleg("keys", "show", "env:GATE_KEY", cwd=project)
    signed = gate(project, "good", "--sign", "env:GATE_KEY", "--json")
    assert signed.code == 0
    everything = shown.out + shown.err + signed.out + signed.err
    for path in (project / "runs").rglob("*"):
        if path.is_file():
            everything += path.read_text(encoding="utf-8", errors="replace")
    assert private not in everything


def test_a_key_that_others_may_read_signs_nothing(project: Path) -> None:
    (project / "keys/gate.pem").chmod(0o644)
    done = gate(project, "good", "--sign", "keys/gate.pem")
    assert done.code == 2
    assert "may be read by others" in done.err


class Killed(BaseException):
    """Ends a command as a signal does that nobody can catch."""


def killed_at_step(step: int) -> Callable[[Path, Path], Path]:
    """Moves files, of which every command of this kind makes use, until a step that never comes about."""
    moved, replace = iter(range(1, step + 1)), Path.replace

    def move(self: Path, target: Path) -> Path:
        if next(moved) == step:
            raise Killed
        return replace(self, target)

    return move


@pytest.mark.parametrize("step", range(1, 11))
def test_a_gate_that_is_killed_leaves_no_word_of_the_former_decision(
    project: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    assert gate(project, "good", "--sign", "keys/gate.pem").code == 0
    write_policy(project / "policy.yaml", checks=[CHECKS[0] | {"pass_at": 0.999}], release=TERMS)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", killed_at_step(step))
        with pytest.raises(Killed):
            gate(project, "good", "--sign", "keys/gate.pem")
    folder = project / "runs/good/decision"
    stored = json.loads((folder / "decision.json").read_text())["verdict"]
    is_signed, is_summed_up = statement(project, "good").exists(), (folder / "vsa.dsse.json").exists()
    assert is_signed or not is_summed_up
    assert stored == "PASS" or not is_signed
    assert gate(project, "good", "--sign", "keys/gate.pem").code == 10
    assert verify(project, "good").code == 10


def decided_at(project: Path, at: datetime, **policy: Any) -> None:
    """Leaves the decision that the gate would have stored at a time; its file is all that says when that was."""
    write_policy(project / "policy.yaml", checks=CHECKS, release=TERMS, **policy)
    outcome = gate_runs(project / "runs/good", None, project / "policy.yaml", decided_at=at)
    assert outcome.decision.verdict.value == "PASS"
    store_decision(outcome, project / "runs/good/decision/decision.json")


def test_a_decision_that_would_end_otherwise_today_is_not_signed(project: Path) -> None:
    now = datetime.now(UTC)
    reviewed = {"require_review_dates": True, "owner": "Ada", "rationale": "measured"}
    decided_at(project, now - timedelta(days=9), **reviewed, review_by=f"{now - timedelta(days=3):%Y-%m-%d}")
    done = beleg("sign", "runs/good", *SIGN, cwd=project)
    assert done.code == 30
    assert "as of today the same rows give REVIEW" in done.err
    assert not statement(project, "good").exists()


def test_a_decision_of_days_ago_that_holds_today_is_signed(project: Path) -> None:
    decided_at(project, datetime.now(UTC) - timedelta(days=9))
    assert beleg("sign", "runs/good", *SIGN, cwd=project).code == 0


def test_a_decision_from_the_future_is_not_signed(project: Path) -> None:
    decided_at(project, datetime.now(UTC) + timedelta(days=9))
    done = beleg("sign", "runs/good", *SIGN, cwd=project)
    assert done.code == 30
    assert "is still to come" in done.err
    assert not statement(project, "good").exists()


def test_a_decision_on_a_registered_policy_is_signed_with_its_register(project: Path) -> None:
    write_policy(project / "policy.yaml", checks=CHECKS, release=TERMS, require_registration=True)
    assert beleg("policy", "register", "policy.yaml", "--file", "register.jsonl", cwd=project).code == 0
    assert beleg("run", "good.yaml", "--suite", "cases.jsonl", "--out", "runs/later", cwd=project).code == 0
    assert gate(project, "later", "--registered", "register.jsonl").code == 0
    without = beleg("sign", "runs/later", *SIGN, cwd=project)
    assert without.code == 30
    assert "facts_digest" in without.err
    assert beleg("sign", "runs/later", *SIGN, "--registered", "register.jsonl", cwd=project).code == 0
    assert verify(project, "later").code == 0


@pytest.mark.parametrize(
    ("more", "word"),
    [
        (("--sequence", "1" + "0" * 18), "whole number from 1 to"),
        (("--pack", "sha256:XYZ"), "no digest of a pack"),
        (("--pack", "ab" * 32), "no digest of a pack"),
        (("--bundle", "--key", "keys/owner.pem"), "holds one signature"),
    ],
)
def test_a_word_that_cannot_be_signed_is_refused_and_leaves_what_was_signed(
    project: Path, more: tuple[str, ...], word: str
) -> None:
    assert gate(project, "good", "--sign", "keys/gate.pem").code == 0
    before = statement(project, "good").read_bytes()
    done = beleg("sign", "runs/good", *SIGN, *more, cwd=project)
    assert done.code == 2
    assert word in done.err
    assert statement(project, "good").read_bytes() == before


@pytest.mark.parametrize("command", ["gate", "sign"])
def test_an_environment_that_a_variable_left_empty_is_not_the_first_one(project: Path, command: str) -> None:
    assert gate(project, "good").code == 0
    words = ("--sign", "keys/gate.pem") if command == "gate" else ("--key", "keys/gate.pem")
    done = beleg(command, "runs/good", "--policy", "policy.yaml", *words, "--environment", "", cwd=project)
    assert done.code == 30
    assert not statement(project, "good").exists()
