"""The whole sweep: reads, plans, searches exactly, measures point after point, and stores each at once."""

from __future__ import annotations

import hashlib
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from beleg.adapters.formats.vectors import digest_of_vectors, read_vectors
from beleg.adapters.indexes.catalogue import builder_named, require_usable
from beleg.adapters.indexes.qdrant_index import QdrantServer
from beleg.app.ir.ann.filters import FilteredQueries, Filters, filters_by_share, filters_by_tag, read_tags
from beleg.app.ir.ann.grid import PlannedIndex
from beleg.app.ir.ann.measuring import Questions, measure, measure_filtered
from beleg.app.ir.ann.points import Journal, Memory, Point, SweepSetting, point_key
from beleg.app.ir.ann.truth import VectorPair, kept_or_searched, searched, supplied
from beleg.core.digest import digest_of_bytes
from beleg.core.errors import UsageError
from beleg.core.nearest import BuildRequest, MemoryReading, Similarity
from beleg.metrics.neighbours.exact import Neighbours, exact_neighbours
from beleg.metrics.neighbours.scoring import single
from beleg.run.folder import make_folder

ROUNDS = 3
THREADS_PER_CORE = 4
"""More threads than this on a core measure nothing but their own switching, and packages die of far more."""
LINKS = ("M", "m", "connectivity")
"""Settings that say how many neighbours a row of a graph has; twice as many on its lowest layer, four bytes each."""
PACKAGES = {
    "faiss-hnsw": "faiss-cpu",
    "faiss-ivf": "faiss-cpu",
    "hnswlib": "hnswlib",
    "usearch": "usearch",
    "qdrant-edge": "qdrant-edge-py",
    "qdrant-local": "qdrant-client",
    "qdrant": "qdrant-client",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRequest:
    """What is measured, and how.

    Attributes:
        corpus: file of the vectors that are searched.
        queries: file of the query vectors.
        out: folder for points, exact neighbours and reports.
        k: how many neighbours are asked for.
        similarity: how vectors are compared.
        seed: of the indexes that draw, and of random filters.
        threads: of builds and searches.
        rounds: how often each query is asked alone; its quickest call counts.
        exact: file of exact neighbours: kept ones (.npz), or supplied ones (.npy, .ivecs).
        tags: files with a tag for each vector of the corpus and of the queries.
        shares: shares of the corpus that random filters admit.
        server: where a Qdrant server is.
    """

    corpus: Path
    queries: Path
    out: Path
    k: int = 10
    similarity: Similarity = Similarity.COSINE
    seed: int = 0
    threads: int = 1
    rounds: int = ROUNDS
    exact: Path | None = None
    tags: tuple[Path, Path] | None = None
    shares: tuple[float, ...] = ()
    server: QdrantServer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How far a sweep is."""

    doing: str
    done: int
    total: int
    unit: str


Report = Callable[[Step], None]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Prepared:
    """Everything that is known before the first search: vectors, filters, and what will be done."""

    request: SweepRequest
    pair: VectorPair
    filters: Filters
    setting: SweepSetting
    indexes: Sequence[PlannedIndex]

    @property
    def points(self) -> int:
        """How many points there are to measure."""
        return sum(len(each.searches) for each in self.indexes)

    @property
    def calls(self) -> int:
        """How many searches of a single query that takes."""
        return sum(len(each.searches) * self.calls_of(each) for each in self.indexes)

    def calls_of(self, planned: PlannedIndex) -> int:
        """How many searches of a single query one point of an index takes."""
        filtered = sum(len(each.queries) for each in self.filters.each) if planned.kind.filters else 0
        return self.setting.rounds * (len(self.pair.queries) + filtered)

    @property
    def largest_bytes(self) -> int:
        """About what the largest index takes beside the corpus: its vectors and its links."""
        total, width = self.pair.corpus.shape
        links = [max((each.build.get(name, 0) for name in LINKS), default=0) for each in self.indexes]
        return int(total * (4 * width + 8 + 8 * max(links, default=0)))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Swept:
    """The points of a sweep, in the order of the plan."""

    setting: SweepSetting
    points: tuple[Point, ...]
    measured: int
    """How many were measured now; the others were stored before."""
    exact_s: float | None
    """What the exact search took; None where its answer was kept or supplied."""
    without_rows: int
    unfiltered_kinds: tuple[str, ...]
    """Kinds that have no filters and were left out of the filtered part."""


def prepare(request: SweepRequest, indexes: Callable[[int], Sequence[PlannedIndex]]) -> Prepared:
    """Reads vectors and filters and checks them; nothing is searched yet.

    Args:
        request: what is measured.
        indexes: makes the plan, given the number of rows.

    Raises:
        UsageError: if a file is not there, an option makes no sense or a package is not installed.
        DataError: if vectors or tags cannot be used.
    """
    if request.k < 1 or request.threads < 1 or request.rounds < 1:
        raise UsageError("k, threads and rounds must be at least 1")
    most = THREADS_PER_CORE * (os.cpu_count() or 1)
    if request.threads > most:
        raise UsageError(f"this machine takes at most {most} threads (found {request.threads:,})")
    corpus, queries = read_vectors(request.corpus), read_vectors(request.queries)
    if request.k > len(corpus):
        raise UsageError(f"k must be at most the number of rows, {len(corpus):,} (found {request.k:,})")
    planned = indexes(len(corpus))
    for name in dict.fromkeys(each.kind.name for each in planned):
        require_usable(name, server=request.server)
    pair = VectorPair(
        corpus_name=str(request.corpus), corpus=corpus, corpus_digest=digest_of_vectors(corpus),
        queries_name=str(request.queries), queries=queries, queries_digest=digest_of_vectors(queries),
        similarity=request.similarity,
    )  # fmt: skip
    pair.require_comparable()
    filters = _filters(request, len(corpus), len(queries))
    setting = SweepSetting(
        corpus=pair.corpus_digest, rows=len(corpus), width=corpus.shape[1],
        queries=pair.queries_digest, query_count=len(queries), similarity=request.similarity.value,
        k=request.k, seed=request.seed, threads=request.threads,
        rounds=request.rounds, filters=_filters_digest(filters), machine=_machine(),
    )  # fmt: skip
    return Prepared(request=request, pair=pair, filters=filters, setting=setting, indexes=planned)


def carry_out(prepared: Prepared, report: Report | None = None) -> Swept:
    """Searches exactly, then builds and searches every index of the plan that is not stored yet.

    Raises:
        EvidenceError: if the folder holds something else.
        UsageError: if the folder holds a sweep of another setting, or a package is not installed.
        CandidateError: if a server fails.
    """
    request = prepared.request
    make_folder(request.out)
    journal = Journal(request.out, prepared.setting)
    tell = report or (lambda step: None)
    questions, exact_s = _questions(prepared, tell)
    journal.settle(digest_of_bytes(np.ascontiguousarray(questions.exact.rows, dtype=np.int64).tobytes()))
    builds = [_Build(planned, _version(planned.kind.name)) for planned in prepared.indexes]
    calls = _Calls(sum(len(build.missing(journal)) * prepared.calls_of(build.planned) for build in builds), tell)
    questions = replace(questions, tick=calls.made)
    measured = 0
    for build in builds:
        if build.missing(journal):
            calls.begin(build.planned)
            measured += _measure(build, prepared, questions, journal)
    return Swept(
        setting=journal.setting,
        points=tuple(point for build in builds for point in build.stored(journal)),
        measured=measured,
        exact_s=exact_s,
        without_rows=prepared.filters.without_rows,
        unfiltered_kinds=_without_filters(prepared),
    )


@dataclass(frozen=True, slots=True)
class _Build:
    """An index of the plan, with the version of the package behind it."""

    planned: PlannedIndex
    version: str

    def key(self, search: Mapping[str, int]) -> str:
        return point_key(self.planned.kind.name, self.version, dict(self.planned.build), dict(search))

    def missing(self, journal: Journal) -> list[Mapping[str, int]]:
        return [search for search in self.planned.searches if journal.get(self.key(search)) is None]

    def stored(self, journal: Journal) -> Iterator[Point]:
        return (point for search in self.planned.searches if (point := journal.get(self.key(search))) is not None)


class _Calls:
    """Counts calls for whoever watches."""

    def __init__(self, total: int, tell: Report) -> None:
        self._total, self._tell, self._done, self._doing = total, tell, 0, ""

    def begin(self, planned: PlannedIndex) -> None:
        """Names the index that is built and searched from here on."""
        settings = " ".join(f"{name}={value}" for name, value in planned.build.items())
        self._doing = f"{planned.kind.name} {settings}".strip()
        self.made(0)

    def made(self, calls: int) -> None:
        """Adds calls that were made."""
        self._done += calls
        self._tell(Step(doing=self._doing, done=self._done, total=self._total, unit="calls"))


def _measure(build: _Build, prepared: Prepared, questions: Questions, journal: Journal) -> int:
    """Builds an index and stores every point of it that is missing; says how many."""
    missing = build.missing(journal)
    request, planned = prepared.request, build.planned
    builder = builder_named(planned.kind.name, server=request.server)
    asked = BuildRequest(
        vectors=single(prepared.pair.corpus), similarity=request.similarity, parameters=planned.build,
        filters=prepared.filters.admitted(), seed=request.seed, threads=request.threads,
    )  # fmt: skip
    wall, cpu = time.perf_counter(), time.process_time()
    index = builder.build(asked)
    build_s, build_cpu_s = time.perf_counter() - wall, time.process_time() - cpu
    del asked
    try:
        memory = _memory(index.memory())
        for search in missing:
            found, rate = measure(index, questions, search)
            journal.add(
                Point(
                    kind=planned.kind.name, version=build.version, build=dict(planned.build), search=dict(search),
                    build_s=round(build_s, 3), build_cpu_s=round(build_cpu_s, 3), memory=memory, found=found,
                    queries_per_s=round(rate, 1),
                    filtered=measure_filtered(index, questions, search) if planned.kind.filters else (),
                )
            )  # fmt: skip
    finally:
        index.close()
    return len(missing)


def _questions(prepared: Prepared, tell: Report) -> tuple[Questions, float | None]:
    """The exact answers, without and with filters."""
    request, pair = prepared.request, prepared.pair
    began = time.perf_counter()
    total = len(pair.corpus)
    done = 0

    def advance(rows: int) -> None:
        nonlocal done
        done += rows
        tell(Step(doing="exact search", done=done, total=total, unit="rows"))

    file, was_kept = request.exact, True
    if file is not None and file.suffix != ".npz":
        exact = supplied(file, pair, request.k)
    else:
        answers, was_kept = kept_or_searched(
            file or request.out / "exact.npz", pair.key(request.k, "all"),
            lambda: {"all": searched(pair, request.k, advance)},
        )  # fmt: skip
        exact = answers["all"]
    spent = None if was_kept else time.perf_counter() - began
    questions = Questions(
        pair=pair, k=request.k, rounds=prepared.setting.rounds, exact=exact, filtered=_filtered(prepared)
    )
    return questions, spent


def _filtered(prepared: Prepared) -> tuple[tuple[FilteredQueries, Neighbours], ...]:
    each, pair, k = prepared.filters.each, prepared.pair, prepared.request.k
    if not each:
        return ()
    answers, _ = kept_or_searched(
        prepared.request.out / "exact-filtered.npz", pair.key(k, prepared.setting.filters),
        lambda: {
            str(filtered.admitted.number): exact_neighbours(
                pair.corpus, pair.queries[filtered.queries], k, pair.similarity, admitted=filtered.admitted.rows
            )
            for filtered in each
        },
    )  # fmt: skip
    return tuple((filtered, answers[str(filtered.admitted.number)]) for filtered in each)


def _filters(request: SweepRequest, total: int, queries: int) -> Filters:
    if request.tags is not None and request.shares:
        raise UsageError("filters by tag and by random share are not measured together", hint="Take two folders")
    if request.tags is not None:
        corpus, asked = request.tags
        return filters_by_tag(
            read_tags(corpus, total, str(request.corpus)), read_tags(asked, queries, str(request.queries))
        )
    return filters_by_share(request.shares, total, queries, np.random.default_rng(request.seed))


def _filters_digest(filters: Filters) -> str:
    whole = hashlib.sha256()
    for filtered in filters.each:
        whole.update(filtered.admitted.name.encode() + b"\0")
        whole.update(filtered.admitted.rows.tobytes() + b"\0" + filtered.queries.tobytes())
    return f"sha256:{whole.hexdigest()}"


def _without_filters(prepared: Prepared) -> tuple[str, ...]:
    if not prepared.filters.each:
        return ()
    return tuple(dict.fromkeys(each.kind.name for each in prepared.indexes if not each.kind.filters))


def _memory(told: MemoryReading | None) -> Memory | None:
    return None if told is None else Memory(bytes=told.bytes, how=told.how)


def _version(kind: str) -> str:
    try:
        return version(PACKAGES[kind])
    except PackageNotFoundError:
        return "not installed"


def _machine() -> str:
    """What latencies depend on and another machine does not share."""
    return f"{platform.machine()}, {len(os.sched_getaffinity(0))} cores"
