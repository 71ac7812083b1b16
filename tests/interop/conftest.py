"""Other implementations, and a reported skip where they are not installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
VERIFIER = PROJECT / "examples" / "deploy" / "node" / "verify.mjs"

Answers = dict[str, dict[str, Any]]


@pytest.fixture(scope="session")
def node() -> str:
    """The path of Node."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not installed")
    return found


@pytest.fixture(scope="session")
def node_answers(node: str) -> Callable[[Path], Answers]:
    """Answers of the Node verifier to every vector of a folder."""

    def answers(folder: Path) -> Answers:
        words = [node, str(HERE / "run_vectors.mjs"), str(folder), str(VERIFIER)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        return dict(json.loads(done.stdout))

    return answers


@pytest.fixture(scope="session")
def sigstore(node: str) -> Callable[[list[dict[str, Any]]], list[str | None]]:
    """What @sigstore/verify says of envelopes: nothing where it verifies one, else why not."""
    if not (HERE / "node_modules" / "@sigstore" / "verify").is_dir():
        pytest.skip("@sigstore/verify is not installed: make interop")

    def faults(asked: list[dict[str, Any]]) -> list[str | None]:
        words = [node, str(HERE / "verify_bundles.mjs")]
        done = subprocess.run(words, input=json.dumps(asked), capture_output=True, text=True, check=True)
        return list(json.loads(done.stdout))

    return faults
