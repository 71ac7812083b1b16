from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest

from beleg.adapters.models import onnx_folder
from beleg.adapters.models.nli_onnx import NliVerifier
from beleg.adapters.models.onnx_folder import fetch_repository, open_folder
from beleg.core.errors import DataError, MissingExtra, UsageError
from support.tiny_models import TinyModel, write_nli

COMMIT = "a" * 40


def test_every_file_has_its_digest(tmp_path: Path) -> None:
    write_nli(tmp_path)
    found = open_folder(tmp_path)
    assert set(found.digests) == {"model.onnx", "tokenizer.json", "config.json"}
    assert found.digests["model.onnx"] == hashlib.sha256((tmp_path / "model.onnx").read_bytes()).hexdigest()


def test_a_model_in_the_folder_onnx_is_found(tmp_path: Path) -> None:
    write_nli(tmp_path)
    (tmp_path / "onnx").mkdir()
    (tmp_path / "model.onnx").rename(tmp_path / "onnx" / "model.onnx")
    assert open_folder(tmp_path).model.parent.name == "onnx"


def test_weights_beside_the_model_are_loaded_and_digested(tmp_path: Path) -> None:
    write_nli(tmp_path)
    (tmp_path / "model.onnx").unlink()
    TinyModel(3).write(
        tmp_path / "model.onnx", save_as_external_data=True, location="model.onnx_data", size_threshold=200
    )
    found = open_folder(tmp_path)
    assert "model.onnx_data" in found.digests
    assert NliVerifier.load(found).support([("a", "b")]).shape == (1,)


def test_weights_outside_of_the_folder_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "inner"
    write_nli(folder)
    (folder / "model.onnx").unlink()
    TinyModel(3).write(folder / "model.onnx", save_as_external_data=True, location="weights", size_threshold=200)
    (folder / "weights").rename(tmp_path / "weights")
    # The same length, so that the file stays well-formed.
    data = (folder / "model.onnx").read_bytes()
    (tmp_path / "ghts").write_bytes((tmp_path / "weights").read_bytes())
    (folder / "model.onnx").write_bytes(data.replace(b"weights", b"../ghts"))
    with pytest.raises(DataError, match="cannot be loaded"):
        NliVerifier.load(open_folder(folder))


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_folder_without_one_of_its_files_is_refused(tmp_path: Path, missing: str) -> None:
    write_nli(tmp_path)
    (tmp_path / missing).unlink()
    with pytest.raises(UsageError):
        open_folder(tmp_path)


def test_a_pickle_is_named_and_never_read(tmp_path: Path) -> None:
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80\x04cos\nsystem\n")
    with pytest.raises(UsageError, match=r"only pytorch_model\.bin, which may run code and is never read"):
        open_folder(tmp_path)


def test_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        open_folder(tmp_path / "none")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("model.onnx", b"garbage"),
        ("model.onnx", b""),
        ("tokenizer.json", b"{}"),
        ("tokenizer.json", b"[" * 100),
        ("config.json", b"[]"),
        ("config.json", b'{"id2label": NaN}'),
        ("config.json", b"\xff\xfe"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, name: str, content: bytes) -> None:
    write_nli(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=name):
        NliVerifier.load(open_folder(tmp_path))


def test_a_file_that_is_too_large_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_nli(tmp_path)
    monkeypatch.setattr(onnx_folder, "MAX_MODEL_BYTES", 10)
    with pytest.raises(DataError, match="more than the 10 that are read"):
        open_folder(tmp_path)


@pytest.mark.parametrize("repository", ["../etc/x", "owner", "owner/..", "a/b/c", "owner/na me", "https://x/y", "-/x"])
def test_a_name_that_is_no_repository_is_refused(tmp_path: Path, repository: str) -> None:
    with pytest.raises(UsageError, match="no repository"):
        fetch_repository(repository, COMMIT, cache_folder=tmp_path)


@pytest.mark.parametrize("revision", ["main", "v1.0", "a" * 39, "A" * 40, ""])
def test_a_revision_that_may_change_is_refused(tmp_path: Path, revision: str) -> None:
    with pytest.raises(UsageError, match="no commit"):
        fetch_repository("owner/name", revision, cache_folder=tmp_path)


def test_only_named_files_of_one_commit_are_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_nli(tmp_path)
    asked: dict[str, Any] = {}

    def fetched(repository: str, **options: Any) -> str:
        asked.update(options, repository=repository)
        return str(tmp_path)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", fetched)
    found = fetch_repository("owner/name", COMMIT, cache_folder=tmp_path / "cache")
    assert found.name == f"owner/name@{COMMIT}"
    assert (asked["repository"], asked["revision"]) == ("owner/name", COMMIT)
    assert not [name for name in asked["allow_patterns"] if name.endswith((".py", ".bin", ".pt", "*"))]


def test_a_hub_that_cannot_be_reached_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(repository: str, **options: Any) -> str:
        raise OSError("no route")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", unreachable)
    with pytest.raises(UsageError, match="cannot fetch owner/name"):
        fetch_repository("owner/name", COMMIT, cache_folder=tmp_path)


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_without_its_packages_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    write_nli(tmp_path)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra) as caught:
        NliVerifier.load(open_folder(tmp_path))
    assert "beleg[verify]" in caught.value.diagnostics()
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtra):
        fetch_repository("owner/name", COMMIT, cache_folder=tmp_path)
