"""The generated reference says what the source says."""

from __future__ import annotations

from pathlib import Path

import pytest

from architecture.generated import generator
from architecture.source import PROJECT, require_none


def test_no_page_is_stale() -> None:
    require_none(
        (
            path.relative_to(PROJECT).as_posix()
            for path in generator().stale(PROJECT / "docs" / "reference", generator().pages())
        ),
        "Run: python tools/generate_reference.py",
    )


def test_a_stale_or_missing_page_fails_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = generator()
    assert made.main(["--out", str(tmp_path)]) == 0
    assert made.main(["--out", str(tmp_path), "--check"]) == 0
    (tmp_path / "cli.md").write_text("old", encoding="utf-8")
    (tmp_path / "policy.md").unlink()
    capsys.readouterr()
    assert made.main(["--out", str(tmp_path), "--check"]) == 1
    named = capsys.readouterr().err
    assert "cli.md" in named
    assert "policy.md" in named
    assert (tmp_path / "cli.md").read_text(encoding="utf-8") == "old"


def test_the_pages_do_not_depend_on_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = generator().pages()
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    assert generator().pages() == wide
