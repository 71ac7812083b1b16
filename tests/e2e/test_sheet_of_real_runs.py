"""Sheets of runs of the embedded RAG, judged over HTTP: every row of every one is true to its answer and passages."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.sheets import build_sheet, read_sheet
from beleg.core.evidence import AttributionVerdict
from cli.judging import write_judge
from cli.projects import beleg
from support.mock_judge import served_apart
from support.sheet_laws import require_true_sheet


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    assert beleg("init", "p", cwd=folder).code == 0
    project = folder / "p"
    for name in ("released", "new"):
        done = beleg(
            "run", f"candidates/{name}.yaml", "--suite", "suite/suite.yaml", "--out", f"runs/{name}", cwd=project
        )
        assert done.code == 0
    with served_apart() as address:
        write_judge(project / "served.yaml", address)
        assert beleg("judge", "run", "runs/new", "--judge", "served.yaml", cwd=project).code == 0
    return project


@pytest.mark.parametrize("name", ["released", "new"])
def test_every_row_is_true_to_its_answer_and_its_passages(project: Path, name: str) -> None:
    run = project / "runs" / name
    build_sheet(run)
    header, cases = read_sheet(run)
    assert require_true_sheet(cases) == header.claim_count > 0


def test_every_claim_has_a_proposal_or_the_case_says_why_not(project: Path) -> None:
    build_sheet(project / "runs/new")
    cases = [case for case in read_sheet(project / "runs/new")[1] if case.claims]
    judged = [case for case in cases if all(row.support for row in case.claims)]
    for case in cases:
        told = [each for each in case.missing if "der Judge gab keinen ab" in each or "the judge gave none" in each]
        assert bool(told) == (case not in judged)
    assert len(judged) > len(cases) // 2


def test_where_nobody_judged_there_is_no_proposal_and_attribution_is_told_all_the_same(project: Path) -> None:
    build_sheet(project / "runs/released")
    rows = [row for case in read_sheet(project / "runs/released")[1] for row in case.claims]
    assert {row.support for row in rows} == {None}
    assert AttributionVerdict.ATTACHED in {row.attribution.verdict for row in rows}


def test_the_sources_of_the_project_have_not_drifted(project: Path) -> None:
    build_sheet(project / "runs/new")
    for option, where in (("--documents", "corpus"), ("--inventory", "runs/new")):
        assert beleg("sheet", "locate", "runs/new", option, where, cwd=project).code == 0
