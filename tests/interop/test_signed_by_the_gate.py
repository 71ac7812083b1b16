"""What the command line signs is taken, and refused, by implementations that are not Beleg's."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.projects import beleg, write_cases, write_policy, write_recorded
from interop.conftest import VERIFIER

TERMS = {"waivable": ["hit@5"], "owners": ["Ada"]}
OVERRIDE = (
    "override", "runs/worse", "--policy", "policy.yaml", "--check", "hit@5/band", "--owner", "Ada", "--reason", "Peak",
    "--ticket", "OPS-1", "--control", "Support watches", "--hours", "6",
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A good and a bad run, keys, and a trust file."""
    write_cases(tmp_path / "cases.jsonl", 40)
    write_policy(
        tmp_path / "policy.yaml", checks=[{"metric": "hit@5", "pass_at": 0.85, "block_at": 0.8}], release=TERMS
    )
    for name, found in (("good", ["d1"] * 40), ("worse", ["d1", "d2"] * 20)):
        write_recorded(tmp_path, name, found)
        words = ("run", f"{name}.yaml", "--suite", "cases.jsonl", "--out", f"runs/{name}")
        assert beleg(*words, cwd=tmp_path).code == 0
    for key, kind in (("gate", "ed25519"), ("p256", "p256"), ("ada", "ed25519"), ("bea", "ed25519"), ("root", "p256")):
        assert beleg("keys", "new", key, "--kind", kind, cwd=tmp_path).code == 0
    trusted = ("--gate", "the gate=gate.pub.pem", "--gate", "second gate=p256.pub.pem")
    owners = ("--owner", "Ada=ada.pub.pem", "--owner", "Bea=bea.pub.pem")
    assert beleg("trust", "new", "trust.json", *trusted, *owners, cwd=tmp_path).code == 0
    signing = ("trust", "sign", "trust.json", "--key", "root.pem", "--out", "trust.dsse.json")
    assert beleg(*signing, cwd=tmp_path).code == 0
    return tmp_path


def signed(project: Path, run: str, *keys: str) -> int:
    words = [word for key in keys for word in ("--sign", f"{key}.pem")]
    return beleg("gate", f"runs/{run}", "--policy", "policy.yaml", *words, cwd=project).code


def asked(project: Path, node: str, run: str, subject: str) -> tuple[int, str]:
    """What Node says of what stands beside a run, about the candidate of another one."""
    manifest = json.loads((project / f"runs/{subject}/run.json").read_text())["manifest_digest"]
    given = [
        "--trust",
        "trust.dsse.json",
        "--root",
        "root.pub.pem",
        "--environment",
        "production",
        "--subject",
        manifest,
    ]
    words = [node, str(VERIFIER), f"runs/{run}/decision", *given]
    done = subprocess.run(words, cwd=project, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.strip()


@pytest.mark.parametrize("keys", [("gate",), ("p256",), ("gate", "p256")])
def test_node_deploys_what_the_gate_passed_and_signed(project: Path, node: str, keys: tuple[str, ...]) -> None:
    assert signed(project, "good", *keys) == 0
    assert asked(project, node, "good", "good") == (0, "ALLOW: pass")
    assert asked(project, node, "good", "worse") == (30, "DENY: wrong_subject")


def test_node_deploys_a_block_only_by_its_owner(project: Path, node: str) -> None:
    assert signed(project, "worse", "gate") == 20
    assert asked(project, node, "worse", "worse") == (20, "DENY: block")
    assert beleg(*OVERRIDE, "--key", "bea.pem", cwd=project).code == 0
    assert asked(project, node, "worse", "worse") == (20, "DENY: override_not_by_owner")
    assert beleg(*OVERRIDE, "--key", "ada.pem", cwd=project).code == 0
    assert asked(project, node, "worse", "worse") == (0, "ALLOW: overridden")


def test_node_refuses_what_another_run_was_signed_for(project: Path, node: str) -> None:
    assert signed(project, "good", "gate") == 0
    assert signed(project, "worse", "gate") == 20
    statement = (project / "runs/good/decision/decision.dsse.json").read_bytes()
    (project / "runs/worse/decision/decision.dsse.json").write_bytes(statement)
    assert asked(project, node, "worse", "worse") == (30, "DENY: wrong_subject")


@pytest.mark.parametrize("key", ["gate", "p256"])
def test_sigstore_takes_the_bundle_as_it_is_written(
    project: Path, sigstore: Callable[[list[dict[str, Any]]], list[str | None]], key: str
) -> None:
    assert signed(project, "good") == 0
    sign = ("sign", "runs/good", "--policy", "policy.yaml", "--key", f"{key}.pem", "--bundle")
    assert beleg(*sign, cwd=project).code == 0
    bundle = json.loads((project / "runs/good/decision/decision.sigstore.json").read_text())
    pem = (project / f"{key}.pub.pem").read_text()
    keyid = beleg("keys", "show", f"{key}.pem", "--json", cwd=project).json["key_id"]
    other = (project / "ada.pub.pem").read_text()
    faults = sigstore([{"bundle": bundle, "keyid": keyid, "pem": one} for one in (pem, other)])
    assert faults[0] is None
    assert faults[1] is not None
