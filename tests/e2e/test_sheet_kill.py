"""A sheet that is killed while it is built leaves the sheet of before, or one that is refused; never a part."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from beleg.app.sheets import build_sheet, read_sheet
from beleg.core.errors import EvidenceError
from cli.judging import GOOD, write_judged_project


def cases_of(run: Path) -> list[str] | None:
    """The answers in the sheet; ``None`` where it is refused."""
    try:
        return [case.case_id for case in read_sheet(run)[1]]
    except EvidenceError:
        return None


def test_a_build_that_is_killed_at_any_instant_leaves_no_part_of_a_sheet(tmp_path: Path) -> None:
    project = write_judged_project(tmp_path, [GOOD] * 400)
    run = project / "runs/new"
    build_sheet(run)
    before = cases_of(run)
    assert before is not None
    assert len(before) == 400
    for wait_s in (0.3, 0.45, 0.6, 0.8):
        started = subprocess.Popen(
            [sys.executable, "-m", "beleg", "sheet", "build", str(run)], stdout=subprocess.DEVNULL
        )
        time.sleep(wait_s)
        started.send_signal(signal.SIGKILL)
        started.wait()
        assert cases_of(run) in (before, None)
    build_sheet(run)
    assert cases_of(run) == before
    assert sorted(path.name for path in (run / "evidence").iterdir()) == ["cases.jsonl", "header.json", "index.parquet"]
