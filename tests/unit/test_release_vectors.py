"""The vectors are what their script writes, and hold no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.release_vectors import FOLDER
from support.vector_tools import tool

made = tool("release_vectors")


def test_the_script_reproduces_every_file() -> None:
    assert made.stale(FOLDER) == [], "run: python tools/release_vectors.py"


def test_a_changed_a_missing_and_a_strange_file_are_named(tmp_path: Path) -> None:
    for name, content in made.files().items():
        (tmp_path / name).write_text(content)
    assert made.stale(tmp_path) == []
    (tmp_path / "pass.json").write_text("{}")
    (tmp_path / "block.json").unlink()
    (tmp_path / "strange.json").write_text("{}")
    assert made.stale(tmp_path) == ["block.json", "pass.json", "strange.json"]


def test_the_24_rules_are_all_there() -> None:
    assert len(made.first_vectors()) == 24


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_no_private_key_is_in_a_vector(path: Path) -> None:
    assert "PRIVATE" not in path.read_text()
