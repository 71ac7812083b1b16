from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app import schemas
from cli.projects import beleg


def failing_with(fault: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> None:
        raise fault

    monkeypatch.setattr(schemas, "schema_of", fail)


def test_a_fault_of_our_own_ends_with_70_and_says_how_to_see_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing_with(RuntimeError("a bug"), monkeypatch)
    done = beleg("schema", "policy", cwd=tmp_path)
    assert (done.code, done.out) == (70, "")
    assert "a fault of Beleg itself: RuntimeError: a bug\nRun again with BELEG_TRACEBACK=1" in done.err


def test_a_fault_is_raised_where_the_traceback_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing_with(RuntimeError("a bug"), monkeypatch)
    monkeypatch.setenv("BELEG_TRACEBACK", "1")
    with pytest.raises(RuntimeError, match="a bug"):
        beleg("schema", "policy", cwd=tmp_path)


def test_a_file_that_the_system_refuses_is_named_and_no_fault_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing_with(PermissionError(13, "Permission denied", "secret.yaml"), monkeypatch)
    done = beleg("schema", "policy", cwd=tmp_path)
    assert done.code == 2
    assert done.err.startswith("beleg: secret.yaml: Permission denied\nCheck the path")


def test_output_that_cannot_be_written_is_no_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing_with(OSError(28, "No space left on device"), monkeypatch)
    done = beleg("schema", "policy", cwd=tmp_path)
    assert done.code == 30
    assert "the output cannot be written: No space left on device" in done.err


def test_an_interrupt_ends_with_130_and_says_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing_with(KeyboardInterrupt(), monkeypatch)
    done = beleg("schema", "policy", cwd=tmp_path)
    assert (done.code, done.out) == (130, "")
    assert "the finished cases of a run are kept" in done.err


def test_an_interrupt_of_a_judge_names_no_option_that_judging_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("beleg.app.judge_checking.check_judge", interrupted)
    done = beleg("judge", "check", "judge.yaml", cwd=tmp_path)
    assert done.code == 130
    assert "the same command again goes on from there" in done.err
    assert "--resume" not in done.err


def test_names_in_messages_cannot_drive_the_terminal(tmp_path: Path) -> None:
    done = beleg("score", "runs\x1b[31m", cwd=tmp_path)
    assert done.code == 2
    assert "\x1b" not in done.err
    assert "runs⟦U+001B⟧[31m holds no run" in done.err
