"""The progress line of counted steps: there for a person, silent in a pipe."""

from __future__ import annotations

import io
import sys

import pytest

from beleg.app.ir.ann.sweep import Step
from beleg.cli.progress import steps_line


class Terminal(io.StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        return True


def test_a_pipe_sees_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with steps_line("exact search") as update:
        assert update is None
    assert stream.getvalue() == ""


def test_a_terminal_sees_what_is_done_of_how_many_at_which_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("COLUMNS", "120")
    with steps_line("exact search") as update:
        assert update is not None
        update(Step(doing="exact search", done=500, total=1_000, unit="rows"))
        update(Step(doing="faiss-ivf nlist=8", done=30, total=120, unit="calls"))
    shown = stream.getvalue()
    assert "faiss-ivf nlist=8" in shown
    assert "30/120" in shown
    assert "calls/s" in shown
