"""What both faiss indexes share: loading the package, threads, memory, filters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np

from beleg.core.errors import MissingExtra
from beleg.core.inference import Vectors
from beleg.core.nearest import Admitted, MemoryReading, Rows, Similarity

SERIALISED = "size of the index written out, vectors included"


def load() -> ModuleType:
    """The package faiss.

    Raises:
        MissingExtra: if it is not installed.
    """
    try:
        import faiss  # optional, and slow to load
    except ModuleNotFoundError as error:
        raise MissingExtra("a faiss index", "ann") from error
    return faiss


def metric_of(faiss: ModuleType, similarity: Similarity) -> int:
    """What faiss calls the similarity; cosine is the inner product of directions."""
    metric: int = faiss.METRIC_L2 if similarity is Similarity.L2 else faiss.METRIC_INNER_PRODUCT
    return metric


@contextmanager
def threads_of(faiss: ModuleType, threads: int) -> Iterator[None]:
    """Lets faiss use so many threads inside the block; the setting is one for the whole process."""
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(threads)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)


class FaissIndex:
    """A faiss index that has been built."""

    def __init__(self, faiss: ModuleType, index: Any, similarity: Similarity, threads: int) -> None:
        self.faiss, self.index = faiss, index
        self._similarity, self._threads = similarity, threads
        self._selectors: dict[int, tuple[Any, Any]] = {}

    def found(self, queries: Vectors, k: int, parameters: Any, admitted: Admitted | None) -> Rows:
        """Searches with the parameters, which also carry the filter."""
        if admitted is not None:
            parameters.sel = self._selector(admitted)
        with threads_of(self.faiss, self._threads):
            _, rows = self.index.search(queries, k, params=parameters)
        return np.asarray(rows, dtype=np.int64)

    def _selector(self, admitted: Admitted) -> Any:
        """A bitmap over all rows, made once for each filter."""
        if admitted.number not in self._selectors:
            flags = np.zeros(self.index.ntotal, dtype=np.bool_)
            flags[admitted.rows] = True
            bits = np.packbits(flags, bitorder="little")
            # faiss keeps a pointer to the bits only.
            self._selectors[admitted.number] = (self.faiss.IDSelectorBitmap(bits), bits)
        return self._selectors[admitted.number][0]

    def memory(self) -> MemoryReading:
        """The bytes that the index would take in a file, counted without keeping them."""
        counted = 0

        def count(data: bytes) -> int:
            nonlocal counted
            counted += len(data)
            return len(data)

        writer = self.faiss.PyCallbackIOWriter(count)
        self.faiss.write_index(self.index, writer)
        return MemoryReading(bytes=counted, how=SERIALISED)

    def close(self) -> None:
        """Releases the index."""
        self._selectors.clear()
        self.index = None
