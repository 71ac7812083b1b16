"""From the words of a command line to what a sweep is asked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from beleg.adapters.indexes.qdrant_index import QdrantServer
from beleg.app.ir.ann.sweep import SweepRequest
from beleg.core.errors import UsageError, shown
from beleg.core.nearest import Similarity

QDRANT_KEY = "QDRANT_API_KEY"
"""The environment variable that holds the key of a Qdrant server, where it wants one."""


MAX_SEED = 2**31 - 1


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def sweep_request(  # noqa: PLR0913  the options of one command; a bundle would only hide them
    *,
    corpus: Path,
    queries: Path,
    out: Path,
    k: int,
    similarity: str,
    seed: int,
    threads: int,
    rounds: int,
    exact: Path | None,
    tags: tuple[Path, Path] | None,
    shares: Sequence[float],
    qdrant_url: str | None,
    floor: float,
) -> SweepRequest:
    """Checks the options that no file is needed for.

    Raises:
        UsageError: naming the option and what it may be.
    """
    names = [each.value for each in Similarity]
    if similarity not in names:
        raise UsageError(f"vectors are compared by {', '.join(names)} (found {shown(similarity)})")
    if not 0.0 < floor < 1.0:
        raise UsageError(f"the floor must lie between 0 and 1 (found {floor:g})")
    if qdrant_url is not None and not _is_address(qdrant_url):
        raise UsageError(f"a Qdrant server is named by http:// or https:// (found {shown(qdrant_url)})")
    if seed < 0:
        raise UsageError(f"the seed must not be negative (found {seed})")
    if seed > MAX_SEED:
        raise UsageError(f"the seed must be at most {MAX_SEED}, for the indexes take no larger one (found {seed})")
    server = None if qdrant_url is None else QdrantServer(url=qdrant_url, api_key=os.environ.get(QDRANT_KEY))
    return SweepRequest(
        corpus=corpus, queries=queries, out=out, k=k, similarity=Similarity(similarity), seed=seed, threads=threads,
        rounds=rounds, exact=exact, tags=tags, shares=tuple(shares), server=server,
    )  # fmt: skip
