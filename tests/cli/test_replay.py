from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from beleg.core.run import RunHeader
from beleg.run.folder import RunFolder
from cli.projects import beleg, write_cases, write_policy, write_recorded


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_cases(tmp_path / "cases.jsonl", 4, lambda i: {"language": "de" if i % 2 else "en"})
    write_recorded(tmp_path, "good", ["d1"] * 4)
    write_recorded(tmp_path, "other", ["d1", "d2"] * 2, answer="no")
    made = beleg("run", "good.yaml", "--suite", "cases.jsonl", "--out", "runs/good", "--timeout", "7", cwd=tmp_path)
    assert made.code == 0
    return tmp_path


def header(run: Path) -> RunHeader:
    return RunFolder(run).header()


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_replay_is_a_new_run_of_the_same_frozen_cases_that_names_the_old_one(project: Path) -> None:
    before = contents(project / "runs" / "good")
    done = beleg("replay", "runs/good", "good.yaml", "--out", "runs/again", cwd=project)
    assert (done.code, done.err) == (0, "")
    old, new = header(project / "runs" / "good"), header(project / "runs" / "again")
    assert done.lines[0] == f"4 of 4 answers to the same cases as in {old.run_id} · the manifest is the same"
    assert done.lines[-1] == "Next: beleg compare runs/again runs/good --claims"
    assert contents(project / "runs" / "good") == before
    assert new.run_id != old.run_id
    assert (new.suite_digest, new.case_ids, new.settings) == (old.suite_digest, old.case_ids, old.settings)
    link = new.made_from
    assert link is not None
    assert (link.kind, link.run_id, link.manifest_digest) == ("replay", old.run_id, old.manifest_digest)
    assert link.traces_digest == RunFolder(project / "runs" / "good").traces_digest()


def test_the_cases_are_those_of_the_stored_run_and_not_those_of_today(project: Path) -> None:
    write_cases(project / "cases.jsonl", 2)
    assert beleg("replay", "runs/good", "good.yaml", "--out", "runs/again", "--json", cwd=project).json["expected"] == 4


def test_what_changed_in_the_manifest_is_named_in_german_too(project: Path) -> None:
    file = project / "other.yaml"
    file.write_text(file.read_text().replace("{name: other}", "{name: other, prompt: v2}"))
    done = beleg("replay", "runs/good", "other.yaml", "--out", "runs/other", "--lang", "de", cwd=project)
    assert done.lines[0].endswith(" · im Manifest verschieden: prompt")
    again = beleg("replay", "runs/good", "other.yaml", "--out", "runs/third", "--json", cwd=project)
    assert again.json["manifest_changed"] == {"prompt": [None, "v2"]}


def test_only_the_cases_of_a_part_are_asked_again(project: Path) -> None:
    part = ("run", "good.yaml", "--suite", "cases.jsonl", "--out", "runs/part", "--case", "c1")
    assert beleg(*part, cwd=project).code == 0
    assert beleg("replay", "runs/part", "good.yaml", "--out", "runs/part2", cwd=project).code == 0
    new = header(project / "runs" / "part2")
    assert (new.case_ids, new.subset) == (("c1",), "named")
    subset = ("run", "good.yaml", "--suite", "cases.jsonl", "--out", "runs/sub", "--subset", "2", "--seed", "5")
    assert beleg(*subset, cwd=project).code == 0
    assert beleg("replay", "runs/sub", "good.yaml", "--out", "runs/sub2", cwd=project).code == 0
    old, new = header(project / "runs" / "sub"), header(project / "runs" / "sub2")
    assert (new.case_ids, new.subset, new.subset_seed) == (old.case_ids, "stratified", 5)


def test_nothing_that_is_there_is_overwritten(project: Path) -> None:
    for out, said in (("runs/good", "is the stored run itself"), ("runs/again", "already holds a run")):
        beleg("replay", "runs/good", "good.yaml", "--out", "runs/again", cwd=project)
        done = beleg("replay", "runs/good", "good.yaml", "--out", out, cwd=project)
        assert (done.code, done.out) == (2, "")
        assert said in done.err


def test_a_replay_is_resumed_only_as_the_same_replay(project: Path) -> None:
    assert beleg("replay", "runs/good", "good.yaml", "--out", "runs/again", cwd=project).code == 0
    journal = project / "runs" / "again" / "traces.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:2]))
    done = beleg("replay", "runs/good", "good.yaml", "--out", "runs/again", "--resume", "--json", cwd=project)
    assert (done.code, done.json["already_done"], done.json["added"]) == (0, 2, 2)
    plain = ("run", "good.yaml", "--suite", "cases.jsonl", "--out", "runs/again", "--resume", "--timeout", "7")
    refused = beleg(*plain, cwd=project)
    assert refused.code == 30
    assert "changed: the run that it replays" in refused.err


def test_a_replay_of_a_counted_suite_is_a_use_of_it(project: Path) -> None:
    (project / "suite.yaml").write_text("name: holdout\nkind: holdout\ncases: [cases.jsonl]\n")
    made = beleg("run", "good.yaml", "--suite", "suite.yaml", "--out", "runs/held", cwd=project)
    assert made.code == 0, made.err
    refused = beleg("replay", "runs/held", "good.yaml", "--out", "runs/held2", cwd=project)
    assert (refused.code, (project / "runs" / "held2").exists()) == (2, False)
    assert "--usage" in refused.err
    ledger = ("--usage", "usage.jsonl")
    assert beleg("replay", "runs/held", "good.yaml", "--out", "runs/held2", *ledger, cwd=project).code == 0
    uses = [json.loads(line) for line in (project / "usage.jsonl").read_text().splitlines()]
    assert [use["purpose"] for use in uses] == ["run", "replay"]


def test_a_stored_run_that_was_changed_is_not_replayed(project: Path) -> None:
    suite = project / "runs" / "good" / "suite.json"
    suite.write_bytes(suite.read_bytes().replace(b"question 1", b"question 9"))
    done = beleg("replay", "runs/good", "good.yaml", "--out", "runs/again", cwd=project)
    assert (done.code, (project / "runs" / "again").exists()) == (30, False)
    assert "was changed after the run began" in done.err


def test_nothing_is_no_stored_run(project: Path) -> None:
    assert beleg("replay", "runs/none", "good.yaml", "--out", "runs/again", cwd=project).code == 2


def test_a_pack_is_replayed_without_the_run_that_it_was_made_of(project: Path) -> None:
    write_policy(project / "policy.yaml", checks=[{"metric": "recall@5", "pass_at": 0.5, "block_at": 0.3}])
    beleg("gate", "runs/good", "--policy", "policy.yaml", cwd=project)
    assert beleg("pack", "runs/good", "--policy", "policy.yaml", "--out", "good.pack.zip", cwd=project).code == 0
    old = header(project / "runs" / "good")
    shutil.rmtree(project / "runs" / "good")
    done = beleg("replay", "good.pack.zip", "good.yaml", "--out", "runs/again", cwd=project)
    assert (done.code, done.err) == (0, "")
    new = header(project / "runs" / "again")
    assert new.made_from is not None
    assert (new.made_from.run_id, new.suite_digest) == (old.run_id, old.suite_digest)
    compared = beleg("compare", "runs/again", "good.pack.zip", "--claims", "--json", cwd=project)
    assert compared.json["made_from_old"] is True


def test_a_pack_that_was_changed_is_not_replayed(project: Path) -> None:
    (project / "x.pack.zip").write_bytes(b"PK\x03\x04")
    done = beleg("replay", "x.pack.zip", "good.yaml", "--out", "runs/again", cwd=project)
    assert done.code == 30
    assert "nothing of it was used" in done.err


CLAIMS = ("compare", "runs/again", "runs/good", "--claims")


def test_a_run_beside_its_own_replay_is_the_same_in_every_dimension(project: Path) -> None:
    assert beleg("replay", "runs/good", "good.yaml", "--out", "runs/again", cwd=project).code == 0
    found = beleg(*CLAIMS, "--json", cwd=project).json
    assert found["made_from_old"] is True
    likenesses = {
        each["likeness"] for case in found["cases"] for each in case["aspects"] if each["aspect"] != "configuration"
    }
    # Nobody recorded which documents a recorded candidate stands on, or which citations it showed: not "the same".
    assert likenesses == {"same", "not_comparable"}
    unlike = {
        each["aspect"] for case in found["cases"] for each in case["aspects"] if each["likeness"] == "not_comparable"
    }
    assert unlike == {"configuration", "source_snapshot", "citations", "locator_text", "passages"}


def test_the_comparison_is_kept_beside_the_new_run_in_three_forms(project: Path) -> None:
    assert beleg("replay", "runs/good", "other.yaml", "--out", "runs/again", cwd=project).code == 0
    done = beleg(*CLAIMS, cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0].startswith("4 of 4 cases are not the same in both runs: ")
    assert "answer changed in 4" in done.lines[0]
    assert done.lines[-1] == "Next: beleg show c0 --run runs/again"
    kept = json.loads((project / "runs" / "again" / "comparison.json").read_text())
    assert kept["schema_version"] == "beleg-run-comparison/v1"
    assert (project / "runs" / "again" / "comparison.html").read_text().startswith("<!doctype html>")
    assert "answer changed" in (project / "runs" / "again" / "comparison.md").read_text()
    german = beleg(*CLAIMS, "--lang", "de", "--case", "c1", cwd=project)
    assert "  ◆ Antwort geändert: der Wortlaut ist verschieden" in german.lines
    assert "c0" not in german.lines
    score = beleg("score", "runs/again", cwd=project)
    assert score.code == 0


def test_a_comparison_that_makes_no_sense_is_refused(project: Path) -> None:
    shutil.copytree(project / "runs" / "good", project / "runs" / "again")
    for words, said in (
        (("compare", "runs/good", "runs/good", "--claims"), "is compared with itself"),
        ((*CLAIMS, "--metric", "recall@5"), "takes neither --metric nor --by"),
        (("compare", "runs/again", "runs/good", "--case", "c1"), "needs --claims"),
        ((*CLAIMS, "--case", "zz"), "share no case 'zz'"),
        (("compare", "runs/none", "runs/good", "--claims"), "holds no run"),
    ):
        done = beleg(*words, cwd=project)
        assert done.code == 2
        assert said in done.err


def test_a_replay_of_answers_that_were_exchanged_since_is_not_called_one(project: Path) -> None:
    assert beleg("replay", "runs/good", "good.yaml", "--out", "runs/again", cwd=project).code == 0
    journal = project / "runs" / "good" / "traces.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:3]))
    assert beleg(*CLAIMS, "--json", cwd=project).json["made_from_old"] is False


def test_rows_come_from_the_sheets_where_there_are_some_and_are_the_same_without(project: Path) -> None:
    assert beleg("replay", "runs/good", "other.yaml", "--out", "runs/again", cwd=project).code == 0
    made_anew = beleg(*CLAIMS, "--json", cwd=project).json
    for run in ("runs/good", "runs/again"):
        assert beleg("sheet", "build", run, cwd=project).code == 0
    from_sheets = beleg(*CLAIMS, "--json", cwd=project).json
    assert from_sheets["cases"] == made_anew["cases"]
    sheet = project / "runs" / "good" / "evidence" / "cases.jsonl"
    sheet.write_bytes(sheet.read_bytes() + b"x")
    damaged = beleg(*CLAIMS, cwd=project)
    assert (damaged.code, damaged.out) == (30, "")
