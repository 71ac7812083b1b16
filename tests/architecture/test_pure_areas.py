"""In core, text, stats, metrics and release nothing reads a file, a clock or global randomness."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from architecture.source import PURE_AREAS, Module, modules, require_none

BUILTINS = {"open", "input", "print", "breakpoint"}
PACKAGES = (
    "os", "io", "pathlib", "shutil", "tempfile", "glob", "socket", "subprocess", "random", "secrets", "uuid", "time",
    "logging", "threading", "asyncio",
)  # fmt: skip
CLOCKS = {
    "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today",
}  # fmt: skip
STREAMS = {"sys.stdin", "sys.stdout", "sys.stderr"}
NUMPY_FILES = {
    f"numpy.{name}"
    for name in ("load", "save", "savez", "savez_compressed", "loadtxt", "savetxt", "genfromtxt", "fromfile", "memmap")
}
PATH_METHODS = {
    "read_text", "read_bytes", "write_text", "write_bytes", "open", "unlink", "mkdir", "rmdir", "touch", "iterdir",
    "glob", "rglob", "is_file", "is_dir", "exists", "stat", "tofile",
}  # fmt: skip
GENERATOR_TYPE = "numpy.random.Generator"


def impurities(module: Module) -> Iterator[str]:
    for node, full in module.names():
        random = full.startswith("numpy.random.") and not _is_in(full, (GENERATOR_TYPE,))
        if random or full in CLOCKS | STREAMS | NUMPY_FILES:
            yield f"{module.at(node)} {full}"
    for node, full in module.imports():
        if _is_in(full, PACKAGES):
            yield f"{module.at(node)} imports {full}"
    for call in ast.walk(module.tree):
        if not isinstance(call, ast.Call):
            continue
        if isinstance(call.func, ast.Name) and call.func.id in BUILTINS:
            yield f"{module.at(call)} {call.func.id}()"
        if isinstance(call.func, ast.Attribute) and call.func.attr in PATH_METHODS:
            yield f"{module.at(call)} .{call.func.attr}()"


def _is_in(full: str, packages: tuple[str, ...]) -> bool:
    return any(full == package or full.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("area", PURE_AREAS)
def test_an_area_below_run_is_pure(area: str) -> None:
    require_none(
        (found for module in modules(area) for found in impurities(module)),
        "Take the value, the time or the generator (rng: np.random.Generator) as an argument; adapters read files",
    )


@pytest.mark.parametrize(
    "text",
    [
        "open('a')",
        "print('a')",
        "from pathlib import Path",
        "def f(place):\n    return place.read_text()",
        "import numpy as np\nnp.random.seed(1)",
        "import numpy as np\nrng = np.random.default_rng(1)",
        "from numpy.random import default_rng\ndefault_rng()",
        "import numpy\nnumpy.load('a')",
        "import datetime as dt\ndt.datetime.now()",
        "from datetime import date\ndate.today()",
        "from time import perf_counter\nperf_counter()",
        "def f():\n    import random",
    ],
)
def test_the_rule_sees_what_it_forbids(text: str) -> None:
    assert list(impurities(Module.of(text)))


def test_the_rule_allows_a_generator_that_is_passed_in() -> None:
    text = (
        "import numpy as np\nfrom datetime import date\ndef f(rng: np.random.Generator, day: date):\n    rng.random()"
    )
    assert list(impurities(Module.of(text))) == []
