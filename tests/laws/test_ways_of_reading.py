"""A run file gives the same figures, and the same refusals, whichever way it is read."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterator
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest

from beleg.adapters.formats import trec_lines, trec_stream
from beleg.adapters.native import library as native
from beleg.adapters.native import run_pass as compiled
from beleg.app.ir import passing
from beleg.app.ir.passing import Passed, pass_over_run
from beleg.app.ir.reading import read_judgements, read_run
from beleg.core.errors import DataError
from beleg.metrics.ranking_runs.kernels import evaluate_hits
from beleg.metrics.ranking_runs.matching import find_hits
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.metrics.ranking_runs.table import Table, table_from_mapping
from support.hostile_runs import DOCUMENTS, QUERIES, disorderly, orderly, orderly_judgements

ROUNDS = 600
REFUSED = "refused"
"""Which of several faults is named first may differ: a reader stops at the block that has one."""
MEASURES = parse_measures(["official", "nDCG", "nDCG@3", "Judged@3", "SetF"])


def judgements() -> Table:
    rng = random.Random(5)
    names = [name.decode() for name in DOCUMENTS]
    queries = [name.decode() for name in QUERIES[:-1]]
    return table_from_mapping(
        {query: {name: float(rng.randint(-1, 3)) for name in rng.sample(names, 6)} for query in queries}
    )


@pytest.fixture(params=["compiled", "in blocks"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    native.library.cache_clear()
    if request.param == "in blocks":
        monkeypatch.setenv(native.SWITCH, "0")
    elif native.library() is None:
        pytest.skip("the compiled part was not built; install a C compiler and run make")
    yield request.param
    native.library.cache_clear()


def outcome(judged: Table, path: Path, *, lenient: bool) -> object:
    try:
        passed = pass_over_run(judged, path, lenient=lenient)
    except DataError:
        return REFUSED
    return figures(judged, passed)


def figures(judged: Table, passed: Passed) -> object:
    values = evaluate_hits(judged, passed.hits, MEASURES)
    hits = (passed.hits.query.tolist(), passed.hits.rank.tolist(), passed.hits.grade.tolist())
    return (
        values.values.tobytes(), astuple(values.counts), hits, passed.hits.returned.tolist(), passed.tag,
        {reason: number for reason, number in passed.dropped.items() if number},
    )  # fmt: skip


def expected(judged: Table, path: Path, *, lenient: bool) -> object:
    """By reading the whole file at once."""
    try:
        run = read_run(path, lenient=lenient)
    except DataError:
        return REFUSED
    passed = Passed(run.file, run.tag, find_hits(judged, run.table), run.table.queries, run.dropped)
    return figures(judged, passed)


@pytest.mark.parametrize("make", [orderly, disorderly])
def test_every_way_gives_the_same_to_the_last_bit(
    way: str, make: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged, path = judgements(), tmp_path / "run"
    rng = random.Random(17)
    read = 0
    for number in range(ROUNDS):
        monkeypatch.setattr(trec_stream, "BLOCK_BYTES", rng.choice([64, 100, 300, 1 << 20]))
        monkeypatch.setattr(compiled, "BLOCK_BYTES", rng.choice([64, 100, 300, 1 << 20]))
        path.write_bytes(make(rng))  # type: ignore[operator]
        lenient = number % 3 == 0
        wanted = expected(judged, path, lenient=lenient)
        assert outcome(judged, path, lenient=lenient) == wanted, path.read_bytes()
        read += wanted != REFUSED
    assert read >= (ROUNDS if make is orderly else ROUNDS // 4)


def test_the_compiled_way_takes_orderly_files(tmp_path: Path) -> None:
    if native.library() is None:
        pytest.skip("the compiled part was not built; install a C compiler and run make")
    rng, judged = random.Random(3), judgements()
    for _ in range(50):
        (tmp_path / "run").write_bytes(orderly(rng))
        assert passing._compiled(judged, tmp_path / "run") is not None


def judgements_of(path: Path, *, lenient: bool) -> object:
    try:
        found = read_judgements(path, lenient=lenient)
    except DataError as error:
        return str(error)
    table = found.table
    documents = [table.documents[row] for row in range(len(table.documents))]
    return (
        table.queries, table.offsets.tolist(), documents, table.value.tobytes(), found.dropped,
        table.fingerprint.tolist(),
    )  # fmt: skip


@pytest.mark.parametrize("make", [orderly_judgements, lambda rng: disorderly(rng, orderly_judgements)])
def test_judgements_are_the_same_either_way(
    make: Callable[[random.Random], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    native.library.cache_clear()
    if native.library() is None:
        pytest.skip("the compiled part was not built; install a C compiler and run make")
    rng, path = random.Random(23), tmp_path / "qrels"
    read = 0
    for number in range(ROUNDS):
        path.write_bytes(make(rng))
        found = judgements_of(path, lenient=number % 3 == 0)
        with monkeypatch.context() as patched:
            patched.setattr(trec_lines, "judgement_lines", lambda *_: None)
            assert judgements_of(path, lenient=number % 3 == 0) == found, path.read_bytes()
        read += not isinstance(found, str)
    assert read > ROUNDS // 5


def test_archives_and_files_give_the_same(way: str, tmp_path: Path) -> None:
    judged, text = judgements(), orderly(random.Random(8))
    (tmp_path / "run").write_bytes(b"\xef\xbb\xbf" + text)
    (tmp_path / "run.gz").write_bytes(gzip.compress(text))
    first, second = (outcome(judged, tmp_path / name, lenient=False) for name in ("run", "run.gz"))
    assert first == second == expected(judged, tmp_path / "run", lenient=False)


def test_a_query_longer_than_a_block_is_read_whole(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_stream, "BLOCK_BYTES", 1_000)
    judged = table_from_mapping({"q1": {"d1": 1.0}, "q2": {"d900": 1.0}})
    lines = [f"{query} Q0 d{number} 0 {number} t\n" for query in ("q1", "q2") for number in range(1_000)]
    (tmp_path / "run").write_text("".join(lines))
    passed = pass_over_run(judged, tmp_path / "run")
    assert passed.hits.rank.tolist() == [999, 100]
    assert passed.hits.returned.tolist() == [1_000, 1_000]


def test_lines_are_counted_across_blocks(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_stream, "BLOCK_BYTES", 200)
    lines = [f"q{number // 3} Q0 d{number} 0 1 t\n" for number in range(300)]
    for place, fault in ((250, "bad\n"), (299, lines[298])):
        (tmp_path / "run").write_text("".join([*lines[:place], fault, *lines[place + 1 :]]))
        with pytest.raises(DataError, match=f":{place + 1}:"):
            pass_over_run(table_from_mapping({"q1": {"d3": 1.0}}), tmp_path / "run")


def test_a_line_without_end_costs_no_memory_and_hides_no_row(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trec_stream, "BLOCK_BYTES", 100_000)
    text = b"q1 Q0 d1 1 1 t\nq1 Q0 " + b"x" * 3_000_000 + b" 2 1 t\nq1 Q0 d2 1 2 t\n"
    (tmp_path / "run").write_bytes(text)
    table = table_from_mapping({"q1": {"d1": 1.0, "d2": 0.0}})
    assert outcome(table, tmp_path / "run", lenient=True) == expected(table, tmp_path / "run", lenient=True)
    with pytest.raises(DataError, match=r":2: the line has more than 65,536 bytes"):
        pass_over_run(table, tmp_path / "run")


def test_random_lists_of_doubles_rank_the_same(way: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    lines, judged = [], {}
    for query in range(40):
        scores = rng.normal(size=200) * 10.0 ** rng.integers(-20, 20)
        judged[f"q{query}"] = {f"d{number}": 1.0 for number in range(0, 200, 1 + query % 7)}
        lines += [f"q{query} Q0 d{number} 0 {score!r} t\n" for number, score in enumerate(scores.tolist())]
    (tmp_path / "run").write_text("".join(lines))
    table = table_from_mapping(judged)
    assert outcome(table, tmp_path / "run", lenient=False) == expected(table, tmp_path / "run", lenient=False)
