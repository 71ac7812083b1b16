"""A server on loopback that speaks as much of Qdrant's REST protocol as an index needs; it compares every vector."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

DONE = {"operation_id": 0, "status": "completed"}


class FakeQdrant:
    """Collections in memory, and what was asked of them."""

    def __init__(self, polls_until_indexed: int = 0) -> None:
        self.collections: dict[str, dict[int, tuple[np.ndarray, list[int]]]] = {}
        self.settings: dict[str, dict[str, Any]] = {}
        self.changes: list[Any] = []
        self.polls = 0
        self.last_query: dict[str, Any] = {}
        self.url = ""
        self._polls_until_indexed = polls_until_indexed

    def reply(self, method: str, path: str, body: Any) -> Any:
        """The ``result`` of one request."""
        _, _, name, *rest = path.partition("?")[0].split("/")
        if not rest:
            acts = {"PUT": self._create, "PATCH": self._change, "GET": self._state, "DELETE": self._drop}
            return acts[method](name, body)
        if rest == ["index"]:
            return self._index_payload(name, body)
        if rest == ["points"]:
            return self._store(name, body)
        self.last_query = body["searches"][-1]
        return [{"points": self._nearest(name, query)} for query in body["searches"]]

    def _create(self, name: str, body: Any) -> bool:
        self.collections[name], self.settings[name] = {}, body
        return True

    def _change(self, name: str, body: Any) -> bool:
        self.changes.append(body)
        return True

    def _index_payload(self, name: str, body: Any) -> dict[str, Any]:
        return DONE

    def _indexed(self, name: str) -> int:
        return len(self.collections[name]) if self.polls > self._polls_until_indexed else 0

    def _drop(self, name: str, body: Any) -> bool:
        del self.collections[name]
        return True

    def _state(self, name: str, body: Any) -> dict[str, Any]:
        self.polls += 1
        done = self.polls > self._polls_until_indexed
        graph = {"m": 16, "ef_construct": 100, "full_scan_threshold": 10}
        optimizers = {"deleted_threshold": 0.2, "vacuum_min_vector_number": 1_000, "default_segment_number": 0}
        return {
            "status": "green" if done else "yellow",
            "optimizer_status": "ok",
            "indexed_vectors_count": self._indexed(name),
            "segments_count": 1,
            "payload_schema": {},
            "config": {
                "params": {},
                "hnsw_config": graph,
                "optimizer_config": {**optimizers, "flush_interval_sec": 5},
            },
        }

    def _store(self, name: str, body: Any) -> dict[str, Any]:
        for point in body["points"]:
            self.collections[name][point["id"]] = (np.array(point["vector"]), point["payload"]["filter"])
        return DONE

    def _nearest(self, name: str, query: Any) -> list[dict[str, Any]]:
        held = self.collections[name]
        if query.get("filter"):
            wanted = query["filter"]["must"][0]["match"]["value"]
            held = {at: point for at, point in held.items() if wanted in point[1]}
        vector, distance = np.array(query["query"]["nearest"]), self.settings[name]["vectors"]["distance"]
        numbers = np.array(list(held))
        table = np.stack([point[0] for point in held.values()])
        scores = {
            "Cosine": lambda: table @ vector / np.linalg.norm(table, axis=1) / np.linalg.norm(vector),
            "Dot": lambda: table @ vector,
            "Euclid": lambda: -np.linalg.norm(table - vector, axis=1),
        }[distance]()
        best = np.lexsort((numbers, -scores))[: query["limit"]]
        return [{"id": int(numbers[at]), "version": 0, "score": float(scores[at])} for at in best]


@contextlib.contextmanager
def fake_qdrant(*, polls_until_indexed: int = 0, server: FakeQdrant | None = None) -> Iterator[FakeQdrant]:
    """A server that runs inside the block."""
    server = server or FakeQdrant(polls_until_indexed)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            data = self.rfile.read(int(self.headers.get("content-length") or 0))
            body = json.loads(data) if data else None
            told = {"status": "ok", "time": 0, "result": server.reply(self.command, self.path, body)}
            text = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_PUT = do_PATCH = do_POST = do_DELETE = answer

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.daemon_threads = True
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        server.url = f"http://127.0.0.1:{http.server_port}"
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
