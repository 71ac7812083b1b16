"""`kill -9` at any moment loses no finished case and repeats none: the real program, killed at random."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from beleg.run.journal import read

CASES = 160
KILLS = 8

SYSTEM = """
import asyncio, os, pathlib

CALLS = pathlib.Path(__file__).with_name("calls.log")
HELD = pathlib.Path(__file__).with_name("held")

async def answer(query):
    with CALLS.open("a") as log:
        log.write(query.case_id + "\\n")
    await asyncio.sleep(0.02)
    while HELD.exists():
        await asyncio.sleep(0.01)
    return {"retrieved": [{"passage_id": "p1", "document_id": "d1", "text": "x" * 2000}], "answer": "yes"}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "system.py").write_text(SYSTEM)
    (tmp_path / "candidate.yaml").write_text(
        "kind: callable\nmanifest: {name: slow}\ncallable: {target: 'system:answer'}\n"
    )
    lines = [
        json.dumps({"case_id": f"c{i}", "user_input": f"q{i}", "expected_passages": [{"document_id": "d1"}]})
        for i in range(CASES)
    ]
    (tmp_path / "cases.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


def start(project: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "beleg", "run", "candidate.yaml", "--suite", "cases.jsonl"]
    options = ["--out", "run", "--resume", "--concurrency", "4"]
    return subprocess.Popen(command + options, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finished(project: Path) -> list[str]:
    journal = project / "run" / "traces.jsonl"
    return [trace.case_id for trace in read(journal).traces] if journal.exists() else []


def calls(project: Path) -> list[str]:
    log = project / "calls.log"
    return log.read_text().split() if log.exists() else []


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_is_finished_without_losing_or_repeating_a_case(project: Path) -> None:
    moments = random.Random(20261130)
    killed = 0
    while killed < KILLS:
        done_before, calls_before = finished(project), len(calls(project))
        process = start(project)
        deadline = time.monotonic() + moments.uniform(0.05, 0.45)
        while time.monotonic() < deadline or (len(calls(project)) == calls_before and process.poll() is None):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if process.returncode == 0:
            break
        killed += 1
        done_after = finished(project)
        assert done_after[: len(done_before)] == done_before
        assert not set(calls(project)[calls_before:]) & set(done_before)
    assert killed >= 3

    done_before, calls_before = finished(project), len(calls(project))
    process = start(project)
    out, err = process.communicate()
    assert process.returncode == 0, err.decode()
    assert f"{CASES} of {CASES} cases answered" in out.decode()
    assert not set(calls(project)[calls_before:]) & set(done_before)
    assert sorted(finished(project)) == sorted(f"c{i}" for i in range(CASES))


def test_two_runs_cannot_write_into_one_folder(project: Path) -> None:
    held = project / "held"
    held.touch()
    first = start(project)
    try:
        while not calls(project):
            assert first.poll() is None
            time.sleep(0.005)
        second = start(project)
        _, err = second.communicate()
        held.unlink()
        out, _ = first.communicate()
    finally:
        first.kill()
        first.wait()
    assert second.returncode == 2
    assert "another process is writing" in err.decode()
    assert first.returncode == 0
    assert f"{CASES} of {CASES}" in out.decode()
    assert len(finished(project)) == CASES
