"""``beleg sheet show`` and ``export``: claims on the terminal and in files, whole and filtered."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from beleg.core.sheet_export import SheetExport
from cli.projects import beleg
from support.q017 import evidence
from support.sheet_data import reviewed, write_sheet

FORMATS = ("md", "html", "csv", "json", "jsonl")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_sheet(tmp_path / "run", [evidence()])
    events = "".join(event.model_dump_json(exclude_none=True) + "\n" for event in reviewed())
    (tmp_path / "reviews.jsonl").write_text(events, "utf-8")
    return tmp_path


def test_show_begins_with_the_sheet_and_ends_with_the_next_command(project: Path) -> None:
    done = beleg("sheet", "show", "run", "--lang", "de", cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0] == "Nachweisblatt von run-1: 4 Aussagen, 1 Antwort"
    assert "C-017-3: Ihre Erstattung beginnt mit dem Absenden des Antrags." in done.out
    assert done.lines[-1].startswith("Next: beleg sheet export run")


def test_filters_pick_claims_by_machine_and_by_people(project: Path) -> None:
    done = beleg("sheet", "show", "run", "--support", "partially_supported", cwd=project)
    assert "C-017-2" in done.out
    assert "C-017-1" not in done.out
    done = beleg(
        "sheet", "show", "run", "--human", "not_supported", "--reviews", "reviews.jsonl", "--json", cwd=project
    )
    shown = json.loads(done.out)
    assert [row["claim_id"] for row in shown["cases"][0]["case"]["claims"]] == ["C-017-2"]
    assert shown["cases"][0]["left_out"] == 3
    assert len(shown["cases"][0]["reviews"][0]["verdicts"]) == 2


def test_a_filter_that_finds_nothing_says_so(project: Path) -> None:
    done = beleg("sheet", "show", "run", "--case", "Q-999", cwd=project)
    assert done.code == 0
    assert "No claim fits the filter." in done.out


def test_what_people_decided_is_not_asked_for_without_reviews(project: Path) -> None:
    done = beleg("sheet", "show", "run", "--human", "supported", cwd=project)
    assert done.code == 2
    assert "--reviews" in done.err


def test_a_verdict_that_there_is_not_is_refused(project: Path) -> None:
    done = beleg("sheet", "show", "run", "--support", "good", cwd=project)
    assert done.code == 2
    assert "'good'" in done.err


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_format_is_written_and_named(project: Path, kind: str, language: str) -> None:
    given = ("--format", kind, "--language", language, "--out", f"sheet.{kind}", "--reviews", "reviews.jsonl")
    done = beleg("sheet", "export", "run", *given, cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0] == (
        "Written: 4 claims in 1 answer" if language == "en" else "Geschrieben: 4 Aussagen in 1 Antwort"
    )
    assert done.lines[1] == f"sheet.{kind}"
    assert "C-017-4" in (project / f"sheet.{kind}").read_text("utf-8")


def test_formats_hold_the_same_claims(project: Path) -> None:
    for kind in ("csv", "json"):
        beleg(
            "sheet", "export", "run", "--format", kind, "--out", f"s.{kind}", "--support", "not_supported", cwd=project
        )
    rows = list(csv.DictReader(io.StringIO((project / "s.csv").read_text("utf-8-sig"))))
    export = SheetExport.model_validate_json((project / "s.json").read_text("utf-8"))
    ids = [row.claim_id for case in export.cases for row in case.case.claims]
    assert [row["Claim id"] for row in rows] == ids == ["C-017-1", "C-017-3", "C-017-4"]


def test_bad_targets_are_refused_and_nothing_is_left(project: Path) -> None:
    done = beleg("sheet", "export", "run", "--format", "xml", "--out", "s.xml", cwd=project)
    assert done.code == 2
    assert "md, html, csv, json, jsonl" in done.err
    (project / "link").symlink_to(project / "elsewhere")
    assert beleg("sheet", "export", "run", "--format", "md", "--out", "link", cwd=project).code == 2
    assert not (project / "elsewhere").exists()
    assert beleg("sheet", "show", "nowhere", cwd=project).code == 2


def test_a_damaged_sheet_writes_nothing(project: Path) -> None:
    cases = project / "run/evidence/cases.jsonl"
    cases.write_text(cases.read_text("utf-8").replace("C-017-4", "C-017-9"), "utf-8")
    done = beleg("sheet", "export", "run", "--format", "csv", "--out", "s.csv", cwd=project)
    assert done.code == 30
    assert "cases.jsonl: its digest is not the one in" in done.err
    assert not (project / "s.csv").exists()
