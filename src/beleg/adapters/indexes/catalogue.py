"""Every kind of index by its name."""

from __future__ import annotations

import difflib
from importlib.util import find_spec

from beleg.adapters.indexes import (
    faiss_hnsw,
    faiss_ivf,
    hnswlib_index,
    qdrant_edge_index,
    qdrant_index,
    usearch_index,
)
from beleg.core.errors import MissingExtra, UsageError
from beleg.core.nearest import IndexBuilder, IndexKind

BUILDERS: dict[str, tuple[IndexBuilder, str]] = {
    "faiss-hnsw": (faiss_hnsw.FaissHnsw(), "faiss"),
    "faiss-ivf": (faiss_ivf.FaissIvf(), "faiss"),
    "hnswlib": (hnswlib_index.Hnswlib(), "hnswlib"),
    "usearch": (usearch_index.Usearch(), "usearch"),
    "qdrant-edge": (qdrant_edge_index.QdrantEdge(), "qdrant_edge"),
    "qdrant-local": (qdrant_index.Qdrant(), "qdrant_client"),
}
"""The builder of each kind, and the package that it needs. A Qdrant server needs an address as well."""


def kinds() -> tuple[IndexKind, ...]:
    """All kinds, that of a Qdrant server too."""
    return (*(builder.kind for builder, _ in BUILDERS.values()), qdrant_index.SERVER)


def kind_named(name: str) -> IndexKind:
    """The kind of this name.

    Raises:
        UsageError: if there is none.
    """
    known = {kind.name: kind for kind in kinds()}
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(known)}"
    raise UsageError(f"there is no index called {name!r}", hint=hint)


def is_installed(name: str) -> bool:
    """Whether the package that a kind needs can be loaded."""
    package = BUILDERS[name][1] if name in BUILDERS else "qdrant_client"
    return find_spec(package) is not None


def require_usable(name: str, *, server: qdrant_index.QdrantServer | None = None) -> None:
    """Refuses a kind that could not be built, before any work is done.

    Raises:
        UsageError: if there is no such kind, or a server is needed and not named.
        MissingExtra: if the package behind it is not installed.
    """
    builder_named(name, server=server)
    if is_installed(name):
        return
    if name == "hnswlib":
        raise hnswlib_index.not_installed()
    raise MissingExtra(f"the index {name}", "ann")


def builder_named(name: str, *, server: qdrant_index.QdrantServer | None = None) -> IndexBuilder:
    """What builds this kind of index.

    Args:
        name: of the kind.
        server: where a Qdrant server is, for the kind ``qdrant``.

    Raises:
        UsageError: if there is no such kind, or a server is needed and not named.
    """
    if kind_named(name) is not qdrant_index.SERVER:
        return BUILDERS[name][0]
    if server is None:
        raise UsageError("the index qdrant needs a server", hint="Name it with --qdrant-url, or take qdrant-local")
    return qdrant_index.Qdrant(server)
