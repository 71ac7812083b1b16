"""What the guides on runs show is what happens."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from architecture.source import PROJECT
from beleg.adapters.formats import headings
from beleg.adapters.formats.runs.json_lines import RESULTS
from beleg.app.ir.reading import read_run

GUIDE = (PROJECT / "docs" / "guide" / "evaluate-runs.md").read_text(encoding="utf-8")
PYTHON_GUIDE = (PROJECT / "docs" / "guide" / "evaluate-runs-from-python.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("name", "content"), FENCED.findall(GUIDE))
@pytest.mark.parametrize("is_named", [True, False])
def test_every_run_in_the_guide_is_the_same_run(tmp_path: Path, name: str, content: str, is_named: bool) -> None:
    path = tmp_path / (f"run.{name}" if is_named else "run")
    path.write_text(content)
    table = read_run(path).table
    assert table.queries == ("q1",)
    assert dict(zip(table.documents.texts(), table.value.tolist(), strict=True)) == {"d1": 0.75, "d2": 0.5}


def test_every_format_is_shown() -> None:
    assert {name for name, _ in FENCED.findall(GUIDE)} == {"trec", "jsonl", "json", "csv"}


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("query", headings.QUERY),
        ("document", headings.DOCUMENT),
        ("score of a run", headings.SCORE),
        ("grade of a judgement", headings.GRADE),
        ("results of a query", RESULTS),
    ],
)
def test_the_names_of_columns_are_those_that_are_read(what: str, names: tuple[str, ...]) -> None:
    assert f"| {what} | {', '.join(f'`{name}`' for name in names)} |" in GUIDE


def test_the_python_of_the_guide_gives_what_its_comments_say() -> None:
    known: dict[str, Any] = {}
    shown = 0
    for _, block in FENCED.findall(PYTHON_GUIDE):
        for statement in ast.parse(block).body:
            line = block.splitlines()[statement.end_lineno - 1] if statement.end_lineno else ""
            expected = line.partition("  # ")[2]
            if isinstance(statement, ast.Expr) and expected:
                assert eval(ast.unparse(statement), known) == ast.literal_eval(expected.strip())  # noqa: S307
                shown += 1
            else:
                exec(ast.unparse(statement), known)  # noqa: S102
    assert shown == 5


def test_the_example_prints_the_figures_of_the_guide(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(PROJECT / "examples" / "evaluate_runs.py"))
    assert capsys.readouterr().out.splitlines() == [
        "{'nDCG@10': 0.7398124665681315, 'RR': 0.75, 'R(rel=2)@10': 0.5}",
        "{'nDCG@10': 0.4796249331362629, 'RR': 0.5, 'R(rel=2)@10': 1.0}",
        "{'queries': 2, 'missing': 0, 'without_relevant': 0, 'without_judgements': 0, 'extra': 0}",
        "{'nDCG@10': 0.7398124665681315}",
        "{'nDCG@10': 0.7398124665681315}",
        "{'RR': 0.75}",
        "{'R@10': 0.75}",
    ]
