"""What the guide on evidence sheets shows is what happens."""

from __future__ import annotations

import json
from pathlib import Path

from beleg.app.sheets import read_sheet
from beleg.core.evidence import AttributionVerdict
from beleg.core.locators import LocatorState
from cli.projects import beleg, write_lines

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "guide" / "evidence-sheet.md").read_text("utf-8")


def shown(kind: str) -> list[str]:
    return [part.split("```")[0] for part in GUIDE.split(f"```{kind}\n")[1:]]


def test_the_example_of_the_guide_gives_the_sheet_that_it_tells_of(tmp_path: Path) -> None:
    case, trace = (json.loads(part) for part in shown("json"))
    write_lines(tmp_path / "cases.jsonl", [case])
    write_lines(tmp_path / "new.traces.jsonl", [trace])
    (tmp_path / "new.yaml").write_text("kind: traces\nmanifest: {name: new}\ntraces: {path: new.traces.jsonl}\n")
    assert beleg("run", "new.yaml", "--suite", "cases.jsonl", "--out", "runs/new", cwd=tmp_path).code == 0
    said = beleg("sheet", "build", "runs/new", cwd=tmp_path).lines[0]
    (told,) = shown("text")
    assert said.split(": ", 1)[1] == told.strip().split(": ", 1)[1]
    (found,) = read_sheet(tmp_path / "runs/new")[1]
    assert [row.attribution.verdict for row in found.claims] == [
        AttributionVerdict.ATTACHED,
        AttributionVerdict.MISSING,
    ]
    assert found.known_gaps == ("how long refund processing takes",)


def test_the_guide_names_every_state_of_a_locator() -> None:
    assert all(f"| `{state.value}` |" in GUIDE for state in LocatorState)
