"""The compiled part is optional: absent, unwanted or of another time, it is left aside."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from beleg.adapters.native import library as module


@pytest.fixture(autouse=True)
def _asked_anew() -> Iterator[None]:
    module.library.cache_clear()
    yield
    module.library.cache_clear()


def test_it_is_left_aside_where_it_was_not_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "LIBRARY", tmp_path / "none.so")
    assert module.library() is None


def test_it_is_left_aside_where_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(module.SWITCH, "0")
    assert module.library() is None


def test_a_file_that_is_no_library_is_left_aside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "broken.so").write_bytes(b"\x7fELF" + bytes(100))
    monkeypatch.setattr(module, "LIBRARY", tmp_path / "broken.so")
    assert module.library() is None


def test_one_that_was_built_for_another_version_is_left_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    if not module.LIBRARY.is_file():
        pytest.skip("the compiled part was not built; install a C compiler and run make")
    monkeypatch.setattr(module, "ABI_VERSION", module.ABI_VERSION + 1)
    assert module.library() is None


def test_it_is_there_where_a_compiler_is() -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    assert module.library() is not None
