from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from beleg.app.suite_tools import release_suite
from beleg.app.workbench.suites import SuiteShelf, suite_view, suites_differ
from beleg.core.errors import UsageError

TODAY = date(2026, 12, 1)


def write_suite(folder: Path, *cases: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    path = folder / "suite.yaml"
    path.write_text("name: help\ncases: [cases.jsonl]\n", encoding="utf-8")
    return path


def case(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "case_id": name,
        "user_input": f"What of {name}?",
        "expected_passages": [{"document_id": "d1"}],
        "reference_answer": "That.",
        "owner": "ada",
        "review_by": "2027-06-01",
        **fields,
    }


def test_working_copies_and_released_versions_stand_side_by_side(tmp_path: Path) -> None:
    path = write_suite(tmp_path / "suite", case("c1"))
    release_suite(str(path), tmp_path / "suites", note="first")
    found, unreadable = SuiteShelf(tmp_path).suites()
    assert [(entry.key, entry.is_released) for entry in found] == [
        ("suite/suite.yaml", False),
        ("suites/help/v1", True),
    ]
    assert unreadable == ()


def test_a_suite_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    write_suite(tmp_path / "good", case("c1"))
    (write_suite(tmp_path / "bad").parent / "cases.jsonl").write_text("{", encoding="utf-8")
    found, unreadable = SuiteShelf(tmp_path).suites()
    assert [entry.key for entry in found] == ["good/suite.yaml"]
    assert [each.path.parent.name for each in unreadable] == ["bad"]


def test_a_suite_is_read_again_when_its_cases_change(tmp_path: Path) -> None:
    write_suite(tmp_path / "suite", case("c1"))
    shelf = SuiteShelf(tmp_path)
    before = shelf.suite("suite/suite.yaml")
    assert shelf.suite("suite/suite.yaml") is before
    write_suite(tmp_path / "suite", case("c1"), case("c2"))
    assert len(shelf.suite("suite/suite.yaml").suite.cases) == 2


def test_nothing_outside_the_project_is_a_suite_of_it(tmp_path: Path) -> None:
    write_suite(tmp_path / "outside", case("c1"))
    (tmp_path / "project").mkdir()
    with pytest.raises(UsageError, match="no suite"):
        SuiteShelf(tmp_path / "project").suite("../outside/suite.yaml")


def test_empty_cells_stand_in_the_matrix(tmp_path: Path) -> None:
    write_suite(
        tmp_path,
        case("c1", language="de", document_class="fee"),
        case("c2", language="en", document_class="rule"),
    )
    entry = SuiteShelf(tmp_path).suite("suite.yaml")
    view = suite_view(entry, ["language", "document_class"], minimum_n=1, today=TODAY)
    assert view.coverage is not None
    assert [(cell.labels, cell.n) for cell in view.coverage.cells] == [
        (("de", "fee"), 1), (("de", "rule"), 0), (("en", "fee"), 0), (("en", "rule"), 1),
    ]  # fmt: skip


def test_reviews_that_are_over_or_come_soon_are_due(tmp_path: Path) -> None:
    days = {"over": -1, "today": 0, "soon": 30, "later": 31}
    write_suite(tmp_path, *(case(name, review_by=str(TODAY + timedelta(days=each))) for name, each in days.items()))
    view = suite_view(SuiteShelf(tmp_path).suite("suite.yaml"), [], minimum_n=1, today=TODAY)
    assert [(due.case_id, due.is_over) for due in view.due] == [("over", True), ("today", False), ("soon", False)]
    assert (view.due_in_all, view.without_owner) == (3, 0)


def test_a_matrix_of_too_many_dimensions_is_refused(tmp_path: Path) -> None:
    write_suite(tmp_path, case("c1"))
    with pytest.raises(UsageError, match="at most 3"):
        suite_view(SuiteShelf(tmp_path).suite("suite.yaml"), ["a", "b", "c", "d"], minimum_n=1, today=TODAY)


def test_two_suites_differ_field_by_field(tmp_path: Path) -> None:
    write_suite(tmp_path / "a", case("c1"), case("c2"))
    write_suite(tmp_path / "b", case("c1", owner="bob"), case("c3"))
    shelf = SuiteShelf(tmp_path)
    found = suites_differ(shelf.suite("a/suite.yaml"), shelf.suite("b/suite.yaml"))
    assert (found.added, found.removed, found.unchanged) == (("c3",), ("c2",), 0)
    assert [(change.case_id, change.fields[0].field) for change in found.changed] == [("c1", "owner")]
