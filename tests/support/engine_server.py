"""A server on loopback that answers from Qdrant's own engine, as far as an index speaks to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import qdrant_edge as engine

from support.qdrant_server import DONE, FakeQdrant


class EngineQdrant(FakeQdrant):
    """Collections as shards of the engine; after every change it optimizes, which a server does in the background."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._shards: dict[str, engine.EdgeShard] = {}

    def _create(self, name: str, body: Any) -> bool:
        self._shards[name] = engine.EdgeShard.create(str(self._folder / name), _config(body))
        return super()._create(name, body)

    def _change(self, name: str, body: Any) -> bool:
        self.settings[name] |= body
        self._shards[name].close()
        self._shards[name] = engine.EdgeShard.load(str(self._folder / name), _config(self.settings[name]))
        self._shards[name].optimize()
        return super()._change(name, body)

    def _index_payload(self, name: str, body: Any) -> dict[str, Any]:
        assert body["field_schema"] == "integer"
        change = engine.UpdateOperation.create_field_index(body["field_name"], engine.PayloadSchemaType.Integer)
        self._shards[name].update(change)
        return DONE

    def _indexed(self, name: str) -> int:
        return self._shards[name].info().indexed_vectors_count

    def _store(self, name: str, body: Any) -> dict[str, Any]:
        points = [engine.Point(each["id"], each["vector"], each["payload"]) for each in body["points"]]
        self._shards[name].update(engine.UpdateOperation.upsert_points(points))
        self._shards[name].optimize()
        return DONE

    def _drop(self, name: str, body: Any) -> bool:
        self._shards.pop(name).close()
        return super()._drop(name, body)

    def _nearest(self, name: str, query: Any) -> list[dict[str, Any]]:
        asked = engine.QueryRequest(
            limit=query["limit"],
            query=engine.Query.Nearest(query["query"]["nearest"]),
            params=engine.SearchParams(**query["params"]),
            filter=_filter(query.get("filter")),
        )
        found = self._shards[name].query(asked)
        return [{"id": point.id, "version": point.version, "score": point.score} for point in found]


def _config(body: Any) -> engine.EdgeConfig:
    vectors, graph, optimizers = body["vectors"], body["hnsw_config"], body["optimizers_config"]
    return engine.EdgeConfig(
        vectors=engine.EdgeVectorParams(vectors["size"], getattr(engine.Distance, vectors["distance"])),
        hnsw_config=engine.HnswIndexConfig(**graph, max_indexing_threads=1),
        optimizers=engine.EdgeOptimizersConfig(**optimizers),
        wal_enabled=False,
    )


def _filter(asked: Any) -> engine.Filter | None:
    if asked is None:
        return None
    must = [
        engine.FieldCondition(each["key"], match=engine.MatchValue(each["match"]["value"])) for each in asked["must"]
    ]
    return engine.Filter(must=must)
