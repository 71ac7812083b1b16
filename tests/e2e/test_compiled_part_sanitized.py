"""The compiled part reads files and dictionaries of strangers: none makes it touch memory that is not its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROUNDS = 6_000
SANITIZED = ("-g", "-O1", "-std=gnu11", "-fPIC", "-shared", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
OVERREAD = """
#include <stdlib.h>
int beleg_abi_version(void) { volatile int at = 8; volatile char *text = malloc(at); return text[at] ? 1 : 2; }
"""


@pytest.fixture(scope="module")
def sanitizer() -> str:
    """The sanitizer's own library, which must be loaded before Python."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed; it brings the address sanitizer")
    found = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    path = found.stdout.strip()
    if not Path(path).is_absolute():
        pytest.skip("gcc has no address sanitizer here")
    return path


def build(source: Path, library: Path) -> Path:
    subprocess.run(["gcc", *SANITIZED, "-o", str(library), str(source), "-lm"], check=True, capture_output=True)
    return library


def fuzz(
    project: Path, sanitizer: str, library: Path, rounds: int, *, script: str = "fuzz_compiled.py"
) -> subprocess.CompletedProcess[str]:
    settings = {
        "LD_PRELOAD": sanitizer,
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:exitcode=99",
        "PYTHONMALLOC": "malloc",
    }
    return subprocess.run(
        [sys.executable, str(project / "tests" / "support" / script), str(library), str(rounds), "20"],
        env={**os.environ, **settings}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_hostile_texts_touch_no_foreign_memory(project: Path, sanitizer: str, tmp_path: Path) -> None:
    source = project / "src" / "beleg" / "adapters" / "native" / "run_pass.c"
    done = fuzz(project, sanitizer, build(source, tmp_path / "sanitized.so"), ROUNDS)
    assert done.returncode == 0, done.stderr[-3_000:]
    taken = int(done.stdout.split()[0])
    assert 2 * ROUNDS // 5 < taken < 2 * ROUNDS


def test_hostile_dictionaries_touch_no_foreign_memory(project: Path, sanitizer: str, tmp_path: Path) -> None:
    source = project / "src" / "beleg" / "adapters" / "native" / "held_run.c"
    library = build(source, tmp_path / "sanitized.so")
    done = fuzz(project, sanitizer, library, ROUNDS, script="fuzz_held_run.py")
    assert done.returncode == 0, done.stderr[-3_000:]
    taken = int(done.stdout.split()[0])
    assert ROUNDS // 5 < taken < ROUNDS


def test_trees_and_what_is_none_touch_no_foreign_memory(project: Path, sanitizer: str, tmp_path: Path) -> None:
    source = project / "src" / "beleg" / "adapters" / "native" / "tree_saving.c"
    done = fuzz(project, sanitizer, build(source, tmp_path / "sanitized.so"), ROUNDS, script="fuzz_trees.py")
    assert done.returncode == 0, done.stderr[-3_000:]
    taken = int(done.stdout.split()[0])
    assert ROUNDS // 3 < taken < ROUNDS


def test_the_sanitizer_sees_what_it_must(project: Path, sanitizer: str, tmp_path: Path) -> None:
    (tmp_path / "overread.c").write_text(OVERREAD)
    done = fuzz(project, sanitizer, build(tmp_path / "overread.c", tmp_path / "overread.so"), 1)
    assert done.returncode == 99
    assert "heap-buffer-overflow" in done.stderr
