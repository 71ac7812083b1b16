"""Imports run one way: the contracts of pyproject.toml hold."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

from architecture.source import PROJECT, require_none


def test_every_import_contract_is_kept() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    ended = subprocess.run(
        [linter, "--no-cache", "--no-logo"], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    require_none(
        [] if ended.returncode == 0 else [ended.stdout + ended.stderr],
        "Move the code to the layer that may import what it needs, or pass the value in; "
        "do not change the contracts in pyproject.toml",
    )
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    assert f"Contracts: {len(contracts)} kept, 0 broken." in ended.stdout
