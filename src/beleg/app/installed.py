"""The packages that can change what a candidate in this process answers, so that two runs can be told apart by them."""

from __future__ import annotations

from functools import cache
from importlib.metadata import distributions

PACKAGES: tuple[str, ...] = (
    "bm25s",
    "fastembed",
    "numpy",
    "onnxruntime",
    "pystemmer",
    "qdrant-client",
    "tokenizers",
)
"""Those that compute something of an answer or of its passages; what only moves bytes about is left out."""


def installed_packages() -> dict[str, str]:
    """The versions of the `PACKAGES` that are installed, by name; one that is not installed is left out."""
    return dict(_installed())


@cache
def _installed() -> tuple[tuple[str, str], ...]:
    found = {name: next(iter(distributions(name=name)), None) for name in PACKAGES}
    return tuple((name, each.version) for name, each in found.items() if each is not None)
