from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from beleg.core.findings import Finding
from beleg.run.findings import FindingsWriter, read_findings
from beleg.run.folder import RunFolder
from cli.judging import GOOD, HALF, write_judge, write_judged_project
from cli.projects import beleg
from support.mock_judge import served_apart


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with served_apart() as address:
        yield address


POLICY = {
    "policy": "judged",
    "minimum_n": 2,
    "checks": [{"metric": "faithfulness", "pass_at": 0.5, "block_at": 0.2, "margin": 0.5}],
}
REJUDGE = ("rejudge", "runs/new", "--judge", "judge.yaml", "--policy", "policy.json", "--out", "runs/re")


@pytest.fixture
def project(tmp_path: Path, server: str) -> Path:
    write_judge(tmp_path / "judge.yaml", server)
    (tmp_path / "policy.json").write_text(json.dumps(POLICY))
    write_judged_project(tmp_path, [GOOD, HALF, GOOD])
    assert beleg("judge", "run", "runs/new", "--judge", "judge.yaml", cwd=tmp_path).code == 0
    return tmp_path


def judged_by_somebody_else(run: Path) -> None:
    """Makes the findings those of a judge who lets every claim pass."""
    file = RunFolder(run).findings_file
    found = list(read_findings(file).latest.values())
    file.unlink()
    with FindingsWriter(file, keep_bytes=0) as writer:
        for each in found:
            writer.append(lenient(each))


def lenient(found: Finding) -> Finding:
    assert found.judge is not None
    claims = [claim | {"support": "supported"} for claim in (found.evidence or {})["claims"]]
    judge = found.judge.model_copy(update={"model": "old-judge"})
    return found.model_copy(update={"evidence": {"claims": claims}, "judge": judge})


def test_stored_answers_are_judged_anew_in_a_run_of_their_own_and_what_moved_is_told(project: Path) -> None:
    judged_by_somebody_else(project / "runs" / "new")
    stored = RunFolder(project / "runs" / "new")
    before = stored.findings_file.read_bytes()
    done = beleg(*REJUDGE, cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0] == "3 of 3 judged · 1 of 4 shared claims have another verdict by the judge alone"
    assert "c1: Gifts are wrapped for free.: supported → not in context" in done.lines
    assert done.lines[-1] == "Next: beleg gate CANDIDATE_RUN --baseline runs/re --policy policy.json"
    assert stored.findings_file.read_bytes() == before
    new = RunFolder(project / "runs" / "re")
    assert new.journal_file.read_bytes() == stored.journal_file.read_bytes()
    link = new.header().made_from
    assert link is not None
    assert (link.kind, link.run_id, link.traces_digest) == ("rejudge", stored.header().run_id, new.traces_digest())
    assert link.findings_digest == read_findings(stored.findings_file).digest
    shift = json.loads((project / "runs" / "re" / "rejudged.json").read_text())
    assert [name.split()[0] for name in (*shift["judges_before"], *shift["judges_today"])] == [
        "old-judge",
        "mock-judge",
    ]
    (faithfulness,) = [each for each in shift["metrics"] if each["metric"] == "faithfulness"]
    assert faithfulness["moved"] == [{"case_id": "c1", "old": 1.0, "new": 0.5}]


def test_the_same_judge_moves_nothing(project: Path) -> None:
    found = beleg(*REJUDGE, "--json", cwd=project).json
    assert [len(each["moved"]) for each in found["shift"]["claims"]] == [0]
    assert all(each["moved"] == [] for each in found["shift"]["metrics"])


def test_answers_do_not_get_younger_by_being_judged_anew(project: Path) -> None:
    assert beleg(*REJUDGE, cwd=project).code == 0
    old, new = (RunFolder(project / "runs" / name).header() for name in ("new", "re"))
    assert (new.created_at, new.beleg_version, new.packages) == (old.created_at, old.beleg_version, old.packages)
    assert new.run_id != old.run_id


def test_candidate_and_rejudged_baseline_stand_under_one_judge(project: Path) -> None:
    """Before, the gate finds two judges and compares nothing; after, the judge is the same in both runs."""
    write = ("run", "new.yaml", "--suite", "cases.jsonl", "--out", "runs/candidate")
    assert beleg(*write, cwd=project).code == 0
    assert beleg("judge", "run", "runs/candidate", "--judge", "judge.yaml", cwd=project).code == 0
    judged_by_somebody_else(project / "runs" / "new")
    gate = ("gate", "runs/candidate", "--policy", "policy.json", "--json", "--baseline")
    apart = beleg(*gate, "runs/new", cwd=project).json
    assert apart["comparability"][0]["different"] == ["judge"]
    assert beleg(*REJUDGE, cwd=project).code == 0
    together = beleg(*gate, "runs/re", cwd=project).json
    assert together["comparability"][0]["comparable"] is True
    dimension = next(each for each in together["comparison"] if each["name"] == "judge of claim_support")
    assert dimension["status"] == "SAME"


def test_a_rejudgement_that_was_stopped_is_finished_by_the_same_command(project: Path, server: str) -> None:
    assert beleg(*REJUDGE, cwd=project).code == 0
    new = RunFolder(project / "runs" / "re")
    lines = new.findings_file.read_bytes().splitlines(keepends=True)
    new.findings_file.write_bytes(b"".join(lines[:1]))
    again = beleg(*REJUDGE, "--json", cwd=project)
    assert (again.code, again.json["judging"]["judged_before"]) == (0, 1)
    assert new.header().run_id == again.json["shift"]["run_id"]


def test_a_run_that_nobody_had_judged_is_judged_and_that_is_said(tmp_path: Path, server: str) -> None:
    write_judge(tmp_path / "judge.yaml", server)
    write_judged_project(tmp_path, [GOOD])
    done = beleg("rejudge", "runs/new", "--judge", "judge.yaml", "--out", "runs/re", "--lang", "de", cwd=tmp_path)
    assert done.lines[0] == "1 von 1 beurteilt · den gespeicherten Lauf hatte niemand beurteilt"


def test_nothing_that_is_there_is_overwritten(project: Path) -> None:
    itself = beleg("rejudge", "runs/new", "--judge", "judge.yaml", "--out", "runs/new", cwd=project)
    assert (itself.code, "is the stored run itself" in itself.err) == (2, True)
    assert beleg("run", "new.yaml", "--suite", "cases.jsonl", "--out", "runs/re", cwd=project).code == 0
    other = beleg(*REJUDGE, cwd=project)
    assert (other.code, "holds another run" in other.err) == (2, True)


def test_answers_that_were_exchanged_are_refused(project: Path) -> None:
    assert beleg(*REJUDGE, cwd=project).code == 0
    journal = RunFolder(project / "runs" / "re").journal_file
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:2]))
    done = beleg(*REJUDGE, cwd=project)
    assert (done.code, "does not hold the answers" in done.err) == (30, True)
