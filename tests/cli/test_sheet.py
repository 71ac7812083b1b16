"""``beleg sheet``: from a run to its evidence sheet, and whether its passages still stand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from beleg.app.sheets import build_sheet, read_sheet, stale_parts
from beleg.core.evidence import EvidenceCase
from cli.judging import GOOD, HALF, PASSAGE, write_judge, write_judged_project
from cli.projects import beleg, write_lines
from support.mock_judge import served_apart
from support.sheet_laws import require_true_sheet


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with served_apart() as address:
        yield address


@pytest.fixture
def project(tmp_path: Path, server: str) -> Path:
    write_judge(tmp_path / "judge.yaml", server)
    return write_judged_project(tmp_path, [GOOD, HALF, f"{GOOD} [1]", None])


def judge(project: Path) -> None:
    assert beleg("judge", "run", "runs/new", "--judge", "judge.yaml", cwd=project).code == 0


def cases(project: Path) -> list[EvidenceCase]:
    return list(read_sheet(project / "runs/new")[1])


def index_of(folder: Path, name: str, text: str) -> None:
    """A run whose candidate tells what its index holds, so that it can be compared with."""
    from beleg.core.digest import digest_of_bytes
    from beleg.core.inventory import Inventory, InventoryDocument, InventoryPassage

    inventory = Inventory(
        documents=(InventoryDocument(document_id="d1", text=text),),
        passages=(InventoryPassage(passage_id="d1", document_id="d1", text=text),),
    )
    assert beleg("run", "new.yaml", "--suite", "cases.jsonl", "--out", f"runs/{name}", cwd=folder).code == 0
    run = folder / "runs" / name
    data = inventory.model_dump_json(exclude_none=True).encode() + b"\n"
    (run / "inventory.json").write_bytes(data)
    header = json.loads((run / "run.json").read_text()) | {"inventory_digest": digest_of_bytes(data)}
    (run / "run.json").write_text(json.dumps(header))


def test_a_judged_run_has_a_row_for_every_claim_and_true_quotes(project: Path) -> None:
    judge(project)
    done = beleg("sheet", "build", "runs/new", cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0].endswith(": 4 claims in 4 answers, with proposals of a judge")
    assert done.lines[1] == "runs/new/evidence/cases.jsonl"
    assert done.lines[2] == "Next: beleg sheet show runs/new"
    found = cases(project)
    assert require_true_sheet(found) == 4
    deciders = {row.support.decider.kind for case in found for row in case.claims if row.support}
    assert deciders == {"llm"}
    verdicts = [[row.support.verdict.value for row in case.claims if row.support] for case in found]
    assert verdicts == [["supported"], ["supported", "not_supported"], ["supported"], []]
    assert found[3].missing[0] == "die Antwort"


def test_a_run_that_nobody_judged_has_a_sheet_too(project: Path) -> None:
    done = beleg("sheet", "build", "runs/new", "--lang", "de", cwd=project)
    assert done.lines[0].endswith(": 4 Aussagen in 4 Antworten, ohne Vorschläge: niemand hat geurteilt")
    assert [row.support for case in cases(project) for row in case.claims] == [None] * 4


def test_built_again_all_bytes_but_the_time_are_the_same(project: Path) -> None:
    judge(project)
    first, second = (beleg("sheet", "build", "runs/new", "--json", cwd=project).json["header"] for _ in range(2))
    assert first.pop("created_at") != second.pop("created_at")
    assert first == second


def test_a_sheet_tells_when_the_run_was_judged_after_it(project: Path) -> None:
    run = project / "runs/new"
    build_sheet(run)
    assert stale_parts(run) == ()
    judge(project)
    assert stale_parts(run) == ("findings",)
    build_sheet(run)
    assert stale_parts(run) == ()


def test_figures_in_json_are_those_for_people(project: Path) -> None:
    said = beleg("sheet", "build", "runs/new", "--json", cwd=project).json
    assert (said["header"]["case_count"], said["header"]["claim_count"]) == (4, 4)
    assert said["folder"] == "runs/new/evidence"


def test_unchanged_sources_end_with_0(project: Path) -> None:
    beleg("sheet", "build", "runs/new", cwd=project)
    index_of(project, "today", PASSAGE)
    done = beleg("sheet", "locate", "runs/new", "--inventory", "runs/today", cwd=project)
    assert (done.code, done.lines[0]) == (0, "Word for word where they stood: 1 of 1 passages")


def test_changed_sources_name_the_rows_that_cannot_be_compared(project: Path) -> None:
    judge(project)
    beleg("sheet", "build", "runs/new", cwd=project)
    index_of(project, "today", PASSAGE.replace("30", "14"))
    done = beleg("sheet", "locate", "runs/new", "--inventory", "runs/today", cwd=project)
    assert done.code == 30
    assert done.lines[0] == "Not as they stood: 1 of 1 passages (1 ORPHAN)"
    assert "a like-for-like comparison is not possible" in done.out
    assert "C-c0-1" in done.out
    said = beleg("sheet", "locate", "runs/new", "--inventory", "runs/today", "--json", cwd=project)
    assert said.code == 30
    assert said.json["states"] == {"OK": 0, "MOVED": 0, "ORPHAN": 1, "NOT_RECORDED": 0}
    seen = {"code": "locator_drift", "subjects": ["d1"]}
    assert {"claim_id": "C-c0-1", "observation": seen} in said.json["not_comparable"]
    german = beleg("sheet", "locate", "runs/new", "--inventory", "runs/today", "--lang", "de", cwd=project)
    assert "Quellendrift verhindert einen gleichartigen Vergleich." in german.out


def test_a_sheet_that_is_not_of_today_is_not_looked_at(project: Path) -> None:
    """It may lack passages and rows, and what it lacks would look as if it stood where it stood."""
    beleg("sheet", "build", "runs/new", cwd=project)
    index_of(project, "today", PASSAGE)
    judge(project)
    done = beleg("sheet", "locate", "runs/new", "--inventory", "runs/today", cwd=project)
    assert done.code == 2
    assert "findings changed after its evidence sheet was built" in done.err
    assert "beleg sheet build runs/new" in done.err


def test_documents_of_today_are_read_from_a_folder(project: Path) -> None:
    beleg("sheet", "build", "runs/new", cwd=project)
    (project / "docs").mkdir()
    (project / "docs/d1.txt").write_text(f"Neu.\n\n{PASSAGE}\n")
    done = beleg("sheet", "locate", "runs/new", "--documents", "docs", cwd=project)
    assert (done.code, done.lines[0]) == (30, "Not as they stood: 1 of 1 passages (1 MOVED)")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("build", "runs/none"), 2, "holds no run"),
        (("locate", "runs/new", "--documents", "."), 2, "holds no evidence sheet"),
        (("locate", "runs/none", "--documents", "."), 2, "holds no evidence sheet"),
        (("locate", "runs/new"), 2, "name the sources of today, once"),
        (("locate", "runs/new", "--documents", "a", "--inventory", "b"), 2, "name the sources of today, once"),
        (("build", "runs/new", "--lang", "fr"), 2, "neither en nor de"),
    ],
)
def test_what_cannot_be_done_is_said(project: Path, words: tuple[str, ...], code: int, told: str) -> None:
    done = beleg("sheet", *words, cwd=project)
    assert done.code == code
    assert told in done.err


def test_a_run_without_an_inventory_is_no_source_of_today(project: Path) -> None:
    beleg("sheet", "build", "runs/new", cwd=project)
    done = beleg("sheet", "locate", "runs/new", "--inventory", "runs/new", cwd=project)
    assert (done.code, "holds no inventory" in done.err) == (2, True)


def test_a_folder_that_is_not_there_is_no_source_of_today(project: Path) -> None:
    beleg("sheet", "build", "runs/new", cwd=project)
    done = beleg("sheet", "locate", "runs/new", "--documents", "gone", cwd=project)
    assert (done.code, "gone is no folder" in done.err) == (2, True)


def test_a_sheet_without_passages_proves_nothing(tmp_path: Path) -> None:
    project = write_judged_project(tmp_path, [None])
    rows: list[dict[str, Any]] = [{"case_id": "c0", "retrieved": [], "answer": None}]
    write_lines(project / "new.traces.jsonl", rows)
    assert beleg("run", "new.yaml", "--suite", "cases.jsonl", "--out", "runs/empty", cwd=project).code == 0
    beleg("sheet", "build", "runs/empty", cwd=project)
    index_of(project, "today", PASSAGE)
    done = beleg("sheet", "locate", "runs/empty", "--inventory", "runs/today", cwd=project)
    assert (done.code, done.lines[0]) == (30, "The sheet holds no passage")


@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_a_damaged_sheet_is_not_used_in_part(project: Path, damage: str) -> None:
    beleg("sheet", "build", "runs/new", cwd=project)
    index_of(project, "today", PASSAGE)
    file = project / "runs/new/evidence/cases.jsonl"
    data = file.read_bytes()
    file.write_bytes(data[:-5] if damage == "cut" else data.replace(b"free", b"paid"))
    done = beleg("sheet", "locate", "runs/new", "--inventory", "runs/today", cwd=project)
    assert done.code == 30
    assert "beleg sheet build RUN" in done.err
