"""The base install is a closed list of packages, and everything but what an extra is named for works with it alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from architecture.source import PROJECT, modules, require_none
from support.base_install import base, base_beleg, base_python, closure, declared, hidden, names

ALLOWED = {
    "aiohttp", "backports-zstd", "cryptography", "duckdb", "jinja2", "numpy", "pydantic", "pyyaml", "rapidfuzz",
    "rfc8785", "rich", "securesystemslib", "typer",
}  # fmt: skip
"""Every name costs space in every environment that Beleg stands in; see docs/adr/0024-extras-and-size.md."""

BEYOND_THE_BASE = re.compile(
    r"beleg\.(reference\b|adapters\.stores\.(review_|run_index|state_|migrating$|database_faults$|postgres_address$)|"
    r"adapters\.identity\b|app\.workbench\.provider$|web\.(?!server$)|pytest_plugin$)|.*\.__main__$"
)
"""What an extra is named for, the plugin of pytest, and what does something when it is imported.

Of the pages only what the command loads first is looked at: it says which extra is missing."""


def test_no_package_joins_the_base_install_unnoticed() -> None:
    assert names(declared()["dependencies"]) == ALLOWED


def test_nothing_that_an_extra_is_for_comes_with_the_base_by_another_way() -> None:
    for_an_extra = {"alembic", "sqlalchemy", "pg8000", "fastapi", "uvicorn", "authlib", "qdrant-client", "faiss-cpu"}
    for_an_extra |= {"vl-convert-python", "onnxruntime", "tokenizers", "beautifulsoup4", "bm25s", "pystemmer"}
    extras = names([one for listed in declared()["optional-dependencies"].values() for one in listed])
    assert for_an_extra <= extras
    assert not for_an_extra & base()


def test_the_extras_that_keep_a_ledger_bring_what_it_is_kept_with() -> None:
    extras = declared()["optional-dependencies"]
    assert names(extras["review"]) == {"alembic", "sqlalchemy"}
    for name in ("postgres", "serve"):
        assert any("review" in one.partition("[")[2] for one in extras[name] if one.startswith("beleg[")), name


def test_what_is_hidden_here_is_what_extras_and_tests_bring() -> None:
    assert {"sqlalchemy", "alembic", "bs4", "bm25s", "pytest"} <= set(hidden())
    assert not {"numpy", "pydantic", "duckdb", "rich", "typer", "cryptography", "markdown_it"} & set(hidden())
    assert "mako" in closure(["alembic"])
    assert "email-validator" not in closure(["pydantic"]), "an extra that nobody asked for"
    assert base_python("import sqlalchemy", cwd=PROJECT).returncode == 1


def test_every_module_that_a_command_may_load_imports_without_an_extra() -> None:
    wanted = sorted(module.name for module in modules() if not BEYOND_THE_BASE.match(module.name))
    assert "beleg.cli.main" in wanted
    program = (
        "import importlib, sys\n"
        "for name in sys.argv[1].split(','):\n"
        "    try:\n        importlib.import_module(name)\n"
        "    except ImportError as error:\n        print(f'{name}: {error}')\n"
    )
    done = base_python(program, ",".join(wanted), cwd=PROJECT)
    assert done.returncode == 0, done.stderr
    require_none(
        done.stdout.splitlines(), "Import the package inside the function that needs it, and raise MissingExtra"
    )


@pytest.mark.parametrize("words", [("--help",), ("init", "mine"), ("review", "--help")])
def test_the_first_commands_need_no_extra(words: tuple[str, ...], tmp_path: Path) -> None:
    done = base_beleg(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout
