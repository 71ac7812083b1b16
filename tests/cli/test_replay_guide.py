"""What the guide on replays shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from architecture.source import PROJECT
from cli.projects import beleg

GUIDE = (PROJECT / "docs" / "guide" / "replay-and-compare.md").read_text(encoding="utf-8")


def shown_after(command: str) -> list[str]:
    """The indented lines that follow the paragraph behind a command."""
    behind = GUIDE.partition(f"    {command}\n")[2]
    block = re.search(r"^((?:    .*\n)+)", behind, re.MULTILINE)
    assert block is not None
    return [line.removeprefix("    ") for line in block[1].splitlines()]


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    folder = tmp_path_factory.mktemp("guide") / "library"
    assert beleg("init", str(folder), cwd=folder.parent).code == 0
    run = ("run", "candidates/released.yaml", "--suite", "suite/suite.yaml", "--out", "runs/released")
    assert beleg(*run, cwd=folder).code == 0
    fees = folder / "corpus" / "fees-en.md"
    text = fees.read_text(encoding="utf-8")
    edited = text.replace("For every week begun", "For each day begun").replace("€1.50 per item", "€0.25 per item")
    assert edited != text
    fees.write_text(edited, encoding="utf-8")
    done = beleg("replay", "runs/released", "candidates/released.yaml", "--out", "runs/again", cwd=folder)
    assert done.code == 0
    return folder, done.lines


def without_ids(lines: list[str]) -> list[str]:
    return [re.sub(r"released-\d{8}T\d{6}Z-[0-9a-f]{6}", "RUN", line) for line in lines]


def test_a_replay_says_what_the_guide_shows(replayed: tuple[Path, list[str]]) -> None:
    shown = shown_after("beleg replay runs/released candidates/released.yaml --out runs/again")
    assert without_ids(replayed[1]) == without_ids(shown)


def test_the_comparison_says_what_the_guide_shows(replayed: tuple[Path, list[str]]) -> None:
    done = beleg("compare", "runs/again", "runs/released", "--claims", cwd=replayed[0])
    shown = shown_after("beleg compare runs/again runs/released --claims")
    assert done.lines[: len(shown)] == shown
