"""The dense lane: vectors in an in-process Qdrant collection, filtered by payload."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beleg.core.inference import Vectors
from beleg.core.manifest import Setting
from beleg.core.trace import FilterPredicate

COLLECTION = "passages"


class VectorLane:
    """Passages by the cosine of their vectors to the question's.

    Passages without a direction (all zeros) are not in the collection: no question is close to them.
    """

    def __init__(self, vectors: Vectors, payloads: Sequence[dict[str, Setting]]) -> None:
        # Imported where it is used: loading it opens a socket to see whether IPv6 is there.
        from qdrant_client import QdrantClient, models

        self.indexed = np.flatnonzero(np.linalg.norm(vectors, axis=1) > 0)
        self._client = QdrantClient(":memory:")
        if len(self.indexed):
            self._client.create_collection(
                COLLECTION,
                vectors_config=models.VectorParams(size=vectors.shape[1], distance=models.Distance.COSINE),
            )
            self._client.upload_collection(
                COLLECTION,
                vectors=vectors[self.indexed],
                payload=[payloads[int(position)] for position in self.indexed],
                ids=[int(position) for position in self.indexed],
            )

    def search(self, vector: Vectors, predicates: Sequence[FilterPredicate], depth: int) -> list[tuple[int, float]]:
        """Positions of the nearest passages that every hard predicate admits, with their cosines."""
        if not len(self.indexed) or not np.any(vector):
            return []
        from qdrant_client import models

        conditions: list[models.Condition] = [
            models.FieldCondition(key=each.field, match=models.MatchAny(any=[str(value) for value in each.values]))
            for each in predicates
            if each.hard
        ]
        found = self._client.query_points(
            COLLECTION, query=vector, query_filter=models.Filter(must=conditions), limit=depth, with_payload=False
        )
        return [(int(point.id), float(point.score)) for point in found.points]

    def close(self) -> None:
        """Drops the collection."""
        self._client.close()
