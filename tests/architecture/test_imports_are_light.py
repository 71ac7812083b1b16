"""``import beleg`` and ``beleg --help`` load nothing heavy, so that both answer at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from architecture.source import PROJECT, require_none

HEAVY = {
    "numpy", "pydantic", "rich", "aiohttp", "duckdb", "jinja2", "yaml", "yarl", "rfc8785", "bm25s", "qdrant_client",
    "vl_convert", "scipy", "pandas",
}  # fmt: skip


def loaded(*arguments: str) -> set[str]:
    """The top-level packages that a Python process loads, from its own import log."""
    ended = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    log = [line for line in ended.stderr.splitlines() if line.startswith("import time:")]
    names = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in log}
    assert "beleg" in names, "the import log is empty"
    return names


def test_importing_the_package_loads_the_standard_library_alone() -> None:
    require_none(
        sorted(loaded("-c", "import beleg") & (HEAVY | {"typer", "click"})),
        "Load these when a name of the package is first used, through the table in beleg/__init__.py",
    )


def test_help_loads_nothing_but_the_command_line() -> None:
    require_none(
        sorted(loaded("-m", "beleg", "--help") & HEAVY),
        "Import these inside the function of the command that needs them",
    )


def test_a_workbench_on_a_laptop_loads_nothing_of_providers(tmp_path: Path) -> None:
    program = (
        "import pathlib, sys\n"
        "from beleg.app.workbench.installation import Installation\n"
        "from beleg.web.application import create_app\n"
        "from beleg.web.settings import WebSettings\n"
        "installation = Installation.local(pathlib.Path(sys.argv[1]))\n"
        "create_app(installation, WebSettings(start_token='t'))\n"
        "installation.close()\n"
    )
    names = loaded("-c", program, str(tmp_path))
    assert "fastapi" in names
    require_none(
        sorted(names & {"authlib", "joserfc", "aiohttp", "httpx", "pg8000"}), "Import these in web._door alone"
    )
