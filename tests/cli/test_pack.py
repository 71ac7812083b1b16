from __future__ import annotations

import json
from pathlib import Path

import pytest

from beleg.app.pack_verifying import verify_pack
from cli.projects import beleg


@pytest.fixture(scope="module")
def decided(project: Path) -> Path:
    words = ("gate", "runs/worse", "--baseline", "runs/good", "--policy", "policy.yaml")
    assert beleg(*words, cwd=project).code in (0, 10, 20)
    return project


PACK = ("pack", "runs/worse", "--baseline", "runs/good", "--policy", "policy.yaml")


def test_a_decision_is_packed_and_the_next_command_named(decided: Path, tmp_path: Path) -> None:
    out = tmp_path / "release.pack.zip"
    done = beleg(*PACK, "--out", str(out), cwd=decided)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Packed: run worse-")
    assert done.lines[-2:] == [str(out), f"Next: beleg verify {out}"]
    stored = json.loads((decided / "runs/worse/decision/decision.json").read_text())
    verdict = verify_pack(out)
    assert verdict.decision is not None
    assert verdict.decision.verdict.value == stored["verdict"]


def test_json_and_german_say_the_same(decided: Path, tmp_path: Path) -> None:
    out = tmp_path / "release.pack.zip"
    as_json = beleg(*PACK, "--out", str(out), "--json", cwd=decided).json
    german = beleg(*PACK, "--out", str(out), "--lang", "de", cwd=decided)
    assert german.out.startswith(f"Gepackt: Lauf {as_json['manifest']['run_id']}")
    assert as_json["manifest"]["root"] in german.out
    assert as_json["size"] == out.stat().st_size


def test_without_a_name_the_pack_carries_the_name_of_the_run(decided: Path) -> None:
    done = beleg(*PACK, cwd=decided)
    assert done.lines[-2] == "worse.pack.zip"
    (decided / "worse.pack.zip").unlink()


def test_a_redacted_pack_names_the_map_to_keep_private(decided: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.pack.zip"
    done = beleg(*PACK, "--redact", "answers, questions", "--out", str(out), cwd=decided)
    assert done.code == 0
    assert str(tmp_path / "r.redactions.json") in done.out
    assert "Redacted: answers, questions" in done.out


def test_a_pack_is_signed_with_a_key_of_its_owner_alone(decided: Path, tmp_path: Path) -> None:
    key = tmp_path / "key.pem"
    key.write_text("no key")
    key.chmod(0o644)
    done = beleg(*PACK, "--key", str(key), "--out", str(tmp_path / "s.zip"), cwd=decided)
    assert done.code == 2
    assert "chmod 600" in done.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("pack", "runs/good"), "was not decided on"),
        (("pack", "runs/none"), "holds no run"),
        ((*PACK, "--redact", "names"), "no such kind of text"),
        ((*PACK, "--lang", "fr"), "neither en nor de"),
    ],
)
def test_bad_input_is_refused_in_words(decided: Path, words: tuple[str, ...], told: str) -> None:
    done = beleg(*words, cwd=decided)
    assert done.code == 2
    assert told in done.err
