"""One project with three finished runs, shared by all tests that only read."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.projects import POLICY, beleg, write_cases, write_recorded

CASES = 40


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of a good candidate, of one that misses every second document, and of one with two traces missing."""
    folder = tmp_path_factory.mktemp("project")
    write_cases(folder / "cases.jsonl", CASES, lambda i: {"language": "de" if i % 2 else "en"})
    write_recorded(folder, "good", ["d1"] * CASES)
    write_recorded(folder, "again", ["d1"] * CASES, answer="yes indeed")
    write_recorded(folder, "worse", ["d1", "d2"] * (CASES // 2))
    write_recorded(folder, "partial", ["d1"] * (CASES - 2))
    (folder / "policy.yaml").write_text(POLICY)
    for name in ("good", "again", "worse", "partial"):
        assert beleg("run", f"{name}.yaml", "--suite", "cases.jsonl", "--out", f"runs/{name}", cwd=folder).code == 0
    return folder
