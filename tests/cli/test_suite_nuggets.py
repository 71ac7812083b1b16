from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.projects import beleg, write_cases

DIGESTS = {"prompt_digest": "p", "schema_digest": "s"}


def line(case_id: str, **changes: Any) -> dict[str, Any]:
    return {
        "case_id": case_id,
        "question_digest": "d",
        "judge": {"provider": "openai", "model": "m"},
        "task": {"task": "nugget_creation", "version": "1", "language": "en", **DIGESTS},
        "call": "k",
        "nuggets": [{"nugget_id": "n1", "text": "Returns are free", "decision": "accepted"}],
        **changes,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_cases(tmp_path / "cases.jsonl", 3, lambda _: {})
    return tmp_path


def ids(folder: Path) -> list[str]:
    return [json.loads(row)["case_id"] for row in (folder / "cases.jsonl").read_text().splitlines()]


def write(folder: Path, *lines: dict[str, Any]) -> None:
    (folder / "nuggets.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))


def test_reviewed_nuggets_are_taken_and_the_others_wait(folder: Path) -> None:
    first, second, _ = ids(folder)
    write(folder, line(first, review={"by": "Ana", "on": "2026-11-30"}), line(second))
    done = beleg("suite", "nuggets", "cases.jsonl", "nuggets.jsonl", "--out", "new.jsonl", cwd=folder)
    assert (done.code, done.err) == (0, "")
    assert done.lines == [
        "1 nuggets taken into 1 cases",
        f"1 proposals wait for a review: {second}",
        "new.jsonl",
        "Next: beleg suite validate new.jsonl",
    ]
    assert beleg("suite", "diff", "cases.jsonl", "new.jsonl", cwd=folder).lines[0].startswith("0 added, 0 removed, 1 c")


def test_a_faulty_line_is_named_and_nothing_is_written(folder: Path) -> None:
    write(folder, line(ids(folder)[0], nuggets=[{"nugget_id": "n1", "text": "", "decision": "maybe"}]))
    done = beleg("suite", "nuggets", "cases.jsonl", "nuggets.jsonl", "--out", "new.jsonl", cwd=folder)
    assert done.code == 30
    assert "nuggets.jsonl:1: field" in done.err
    assert "decision" in done.err
    assert not (folder / "new.jsonl").exists()


def test_json_says_the_same(folder: Path) -> None:
    first = ids(folder)[0]
    write(folder, line(first, review={"by": "Ana", "on": "2026-11-30"}))
    found = beleg("suite", "nuggets", "cases.jsonl", "nuggets.jsonl", "--out", "n.jsonl", "--json", cwd=folder).json
    assert found == {"cases": [first], "nuggets": 1, "unreviewed": []}
