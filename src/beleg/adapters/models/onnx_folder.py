"""A model in a folder: which files are read, how large they may be, and their digests. Nothing in it is executed."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beleg.adapters.formats.files import read_document_text, require_file
from beleg.adapters.formats.strict_json import parse_json
from beleg.core.errors import DataError, MissingExtra, Problem, UsageError, shown

MAX_MODEL_BYTES = 16 * 2**30
MAX_TOKENIZER_BYTES = 128 * 2**20
MODEL_NAMES = ("model.onnx", "onnx/model.onnx")
"""Where the model may stand in the folder."""
EXTERNAL_DATA = ("model.onnx_data", "model.onnx.data")
"""Where a large model keeps its weights, beside itself."""
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,95}/[A-Za-z0-9][A-Za-z0-9_.-]{0,95}")
_REVISION = re.compile(r"[0-9a-f]{40}")
_CHUNK = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFolder:
    """The files of a model, with the digest of each."""

    name: str
    """The folder's name, or the repository with its revision."""
    model: Path
    tokenizer: Path
    config: dict[str, Any]
    digests: dict[str, str]
    """SHA-256 by file name: what was loaded, whatever its name says."""


def open_folder(folder: Path, *, name: str | None = None) -> ModelFolder:
    """Looks through the folder of a model without loading it.

    Args:
        folder: with ``model.onnx`` (or ``onnx/model.onnx``), ``tokenizer.json`` and ``config.json``.
        name: the name in reports; the folder's own where it is left out.

    Raises:
        UsageError: if the folder or one of its files is not there.
        DataError: if a file is too large, empty, or no JSON. Weights in a pickle are never read.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", hint="Name the folder with model.onnx and tokenizer.json")
    model = next((folder / place for place in MODEL_NAMES if (folder / place).exists()), None)
    if model is None:
        pickles = sorted(path.name for path in folder.iterdir() if path.suffix in {".bin", ".pt", ".pth", ".pkl"})
        found = f", only {', '.join(pickles[:3])}, which may run code and is never read" if pickles else ""
        raise UsageError(f"{folder} holds no model.onnx{found}", hint="Export the model to ONNX first")
    tokenizer = folder / "tokenizer.json"
    require_file(model, MAX_MODEL_BYTES)
    require_file(tokenizer, MAX_TOKENIZER_BYTES)
    config_file = folder / "config.json"
    config = parse_json(read_document_text(config_file), file=str(config_file))
    if not isinstance(config, dict):
        raise DataError(Problem(file=str(config_file), message="a mapping is expected", value=shown(config)))
    weights = [path for path in (model.parent / place for place in EXTERNAL_DATA) if path.exists()]
    files = [model, *weights, tokenizer, config_file]
    return ModelFolder(
        name=name or folder.resolve().name,
        model=model,
        tokenizer=tokenizer,
        config=config,
        digests={path.name: sha256_of(path) for path in files},
    )


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, read in parts."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", hint="Check the rights on the file") from error
    return digest.hexdigest()


def fetch_repository(repository: str, revision: str, *, cache_folder: Path) -> ModelFolder:
    """The files of a model from a hub, at one commit; what is in the cache already is not asked for again.

    Only the files that `open_folder` reads are fetched, so no code of the repository ever reaches this machine.

    Args:
        repository: such as ``owner/name``.
        revision: the commit in full, 40 hexadecimal digits.
        cache_folder: where the files are kept.

    Raises:
        MissingExtra: if the hub's client is not installed.
        UsageError: for a name that is none, a revision that is no commit, and where the hub cannot be reached.
    """
    if _REPOSITORY.fullmatch(repository) is None or ".." in repository:
        raise UsageError(f"{shown(repository)} is no repository of a hub", hint="Write owner/name")
    if _REVISION.fullmatch(revision) is None:
        raise UsageError(
            f"{shown(revision)} is no commit", hint="Write all 40 hexadecimal digits: a branch may change at any time"
        )
    folder = _fetched(repository, revision, cache_folder)
    return open_folder(folder, name=f"{repository}@{revision}")


def _fetched(repository: str, revision: str, cache_folder: Path) -> Path:
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError, RepositoryNotFoundError
    except ImportError as error:
        raise MissingExtra("a model from a hub", "verify") from error
    weights = [*EXTERNAL_DATA, *(f"onnx/{name}" for name in EXTERNAL_DATA)]
    wanted = [*MODEL_NAMES, *weights, "tokenizer.json", "config.json"]
    try:
        found = snapshot_download(repository, revision=revision, cache_dir=cache_folder, allow_patterns=wanted)
    except (HfHubHTTPError, LocalEntryNotFoundError, RepositoryNotFoundError, OSError, ValueError) as error:
        raise UsageError(
            f"cannot fetch {repository} at {revision}: {type(error).__name__}",
            hint="Check that the hub can be reached, or fetch the files elsewhere and name the folder",
        ) from error
    return Path(found)
