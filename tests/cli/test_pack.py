from __future__ import annotations

import json
from pathlib import Path

import pytest

from beleg.app.pack_verifying import verify_pack
from cli.projects import beleg, write_cases, write_lines, write_policy
from support.packs import parts


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


TEXT = "The warranty of the kettle lasts two years from the day of purchase."
RIGHT, WRONG = "The warranty of the kettle lasts two years.", "Elephants paint large murals in winter."


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PASS that rests on a calibration and on labels of people."""
    folder = tmp_path_factory.mktemp("calibrated")
    write_cases(folder / "cases.jsonl", 80)
    passage = {"passage_id": "d1", "document_id": "d1", "text": TEXT}
    write_lines(
        folder / "new.traces.jsonl",
        ({"case_id": f"c{i}", "retrieved": [passage], "answer": RIGHT} for i in range(80)),
    )
    (folder / "new.yaml").write_text("kind: traces\nmanifest: {name: new}\ntraces: {path: new.traces.jsonl}\n")
    write_lines(
        folder / "judged.jsonl",
        (
            {"case_id": f"l{i}", "question": f"How long {i}?", "passages": [TEXT], "segments": {"language": "en"}}
            | ({"answer": RIGHT, "label": "pass"} if i % 2 else {"answer": WRONG, "label": "fail"})
            for i in range(80)
        ),
    )
    write_policy(folder / "policy.yaml", checks=[{"metric": "faithfulness_proxy", "pass_at": 0.8, "block_at": 0.5}])
    assert beleg("run", "new.yaml", "--suite", "cases.jsonl", "--out", "runs/new", cwd=folder).code == 0
    run_id = json.loads((folder / "runs/new/run.json").read_text())["run_id"]
    rows = (
        {"run_id": run_id, "case_id": f"c{i}", "metric": "faithfulness_proxy", "value": 1.0} for i in range(0, 80, 2)
    )
    write_lines(folder / "labels.jsonl", rows)
    words = ("judge", "calibrate", "judged.jsonl", "--metric", "faithfulness_proxy", "--out", "kept")
    assert beleg(*words, cwd=folder).code == 0
    words = ("gate", "runs/new", "--policy", "policy.yaml", "--calibration", "kept", "--labels", "labels.jsonl")
    assert beleg(*words, cwd=folder).code == 0
    return folder


JUDGED = ("pack", "runs/new", "--policy", "policy.yaml")


def test_calibrations_and_labels_go_along_and_the_decision_is_recomputed_with_them(
    calibrated: Path, tmp_path: Path
) -> None:
    out = tmp_path / "j.pack.zip"
    words = (*JUDGED, "--calibration", "kept", "--labels", "labels.jsonl", "--out", str(out))
    assert beleg(*words, cwd=calibrated).code == 0
    names = parts(out)
    assert "labels/labels.jsonl" in names
    assert any(name.startswith("calibrations/") for name in names)
    verdict = verify_pack(out)
    assert (verdict.exit_code, verdict.differences) == (0, ())


def test_a_calibration_that_the_decision_rests_on_must_be_named(calibrated: Path, tmp_path: Path) -> None:
    done = beleg(*JUDGED, "--labels", "labels.jsonl", "--out", str(tmp_path / "j.zip"), cwd=calibrated)
    assert done.code == 30
    assert "--calibration" in done.err


def test_without_the_labels_that_decided_nothing_is_recomputed(calibrated: Path, tmp_path: Path) -> None:
    out = tmp_path / "j.pack.zip"
    done = beleg(*JUDGED, "--calibration", "kept", "--out", str(out), cwd=calibrated)
    assert "--labels" in done.err
    verdict = verify_pack(out)
    assert (verdict.exit_code, verdict.state.value) == (30, "not_recomputed")


def test_a_pack_is_verified_offline_and_says_what_its_rows_give(project: Path, tmp_path: Path) -> None:
    made = _packed(project, tmp_path)
    alone = beleg("verify", str(made), cwd=tmp_path)
    assert alone.code == 30
    assert "nobody you trust has signed this" in alone.err
    anyone = beleg("verify", str(made), "--anyone", cwd=tmp_path)
    assert anyone.code == 0
    assert beleg("verify", str(made), "--anyone", "--json", cwd=tmp_path).json["exit_code"] == 0


def test_a_pack_counts_by_the_keys_that_are_trusted(project: Path, tmp_path: Path) -> None:
    for name in ("gate", "other"):
        assert beleg("keys", "new", name, cwd=tmp_path).code == 0
    made = _packed(project, tmp_path, "--key", str(tmp_path / "gate.pem"))
    assert beleg("verify", str(made), "--key", "gate.pub.pem", cwd=tmp_path).code == 0
    assert beleg("verify", str(made), "--key", "other.pub.pem", cwd=tmp_path).code == 30


def test_a_changed_pack_is_refused(project: Path, tmp_path: Path) -> None:
    made = _packed(project, tmp_path)
    data = bytearray(made.read_bytes())
    data[len(data) // 2] ^= 1
    made.write_bytes(bytes(data))
    assert beleg("verify", str(made), "--anyone", cwd=tmp_path).code == 30


def _packed(project: Path, tmp_path: Path, *more: str) -> Path:
    words = ("pack", "runs/good", "--policy", "policy.yaml", "--out", str(tmp_path / "good.pack.zip"), *more)
    assert beleg("gate", "runs/good", "--policy", "policy.yaml", cwd=project).code == 0
    assert beleg(*words, cwd=project).code == 0
    return tmp_path / "good.pack.zip"
