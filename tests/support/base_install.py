"""Beleg as the base install has it: whatever only an extra brings is hidden from a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

PROJECT = Path(__file__).resolve().parents[2]
OWN = "beleg"

_HIDING = 'import sys; sys.modules.update(dict.fromkeys(sys.argv.pop(1).split(",")))'
# A name that stands for None among the modules cannot be imported, nor found.


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def declared() -> dict[str, Any]:
    """The table ``project`` of ``pyproject.toml``."""
    found: dict[str, Any] = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    return found


def names(written: list[str]) -> set[str]:
    """The names of requirements, as an index writes them."""
    return {_normal(Requirement(one).name) for one in written}


def closure(written: list[str]) -> set[str]:
    """The distributions that requirements bring, those of those included; what is not installed has none of its own."""
    found: set[str] = set()
    waiting = [(Requirement(one), "") for one in written]
    seen = set()
    while waiting:
        requirement, extra = waiting.pop()
        name = _normal(requirement.name)
        if (requirement.marker and not requirement.marker.evaluate({"extra": extra})) or name == OWN:
            continue
        found.add(name)
        for wanted in {"", *requirement.extras} - {one for known, one in seen if known == name}:
            seen.add((name, wanted))
            waiting.extend((Requirement(one), wanted) for one in _requires(name))
    return found


def _requires(name: str) -> list[str]:
    try:
        return requires(name) or []
    except PackageNotFoundError:
        return []


@cache
def base() -> frozenset[str]:
    """The distributions of an install without extras."""
    return frozenset(closure(declared()["dependencies"]))


@cache
def hidden() -> tuple[str, ...]:
    """The top-level modules that are installed here and would not be in a base install."""
    kept = base() | {OWN}
    return tuple(
        sorted(
            module
            for module, owners in packages_distributions().items()
            if module.isidentifier() and module != OWN and not kept & {_normal(owner) for owner in owners}
        )
    )


def base_python(program: str, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Runs a program in a process of its own that finds no package but those of the base install."""
    command = [sys.executable, "-c", f"{_HIDING}\n{program}", ",".join(hidden()), *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def base_beleg(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Runs the command line as `base_python` does."""
    return base_python("from beleg.cli.main import main; main()", *words, cwd=cwd)
