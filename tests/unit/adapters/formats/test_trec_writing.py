"""What is written is read again as the same lists, to the last bit, or it is not written at all."""

from __future__ import annotations

import gzip
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.adapters.formats import trec_writing
from beleg.adapters.formats.trec_writing import MAX_ID_BYTES, write_trec_qrels, write_trec_run
from beleg.app.ir.reading import Ranked, read_judgements, read_run
from beleg.core.errors import DataError, UsageError
from beleg.metrics.ranking_runs.order import best_first
from beleg.metrics.ranking_runs.table import Table, table_from_mapping

Run = dict[str, dict[str, float]]

RUN: Run = {"q1": {"d2": 0.1 + 0.2, "d1": 1e-7}, "q2": {"d9": 3.0}}
IDS = st.sampled_from(["q", "100%", "%d%s", "a\u00a0b", "\u00fc", "x" * 40, "#c", "\0"])
RUNS = st.dictionaries(IDS, st.dictionaries(IDS, st.floats(allow_nan=False), min_size=1), min_size=1, max_size=4)


def rows(found: Ranked) -> list[tuple[str, bytes, str]]:
    table = found.table
    return [
        (table.queries[number], table.documents[row], repr(float(table.value[row])))
        for row, number in enumerate(table.query().tolist())
    ]


def test_a_run_line_by_line(tmp_path: Path) -> None:
    write_trec_run(tmp_path / "out.run", best_first(table_from_mapping(RUN)), "fused")
    assert (tmp_path / "out.run").read_text() == (
        "q1 Q0 d2 1 0.30000000000000004 fused\nq1 Q0 d1 2 1e-07 fused\nq2 Q0 d9 1 3.0 fused\n"
    )


def test_judgements_line_by_line(tmp_path: Path) -> None:
    write_trec_qrels(tmp_path / "q", table_from_mapping({"q1": {"d1": 2.0, "d2": -1.0, "d3": 0.5}}))
    assert (tmp_path / "q").read_text() == "q1 0 d1 2\nq1 0 d2 -1\nq1 0 d3 0.5\n"


@given(RUNS)
def test_reading_gives_the_same_rows_and_scores_to_the_last_bit(
    tmp_path_factory: pytest.TempPathFactory, run: Run
) -> None:
    path = tmp_path_factory.mktemp("run") / "out.run"
    table = best_first(table_from_mapping(run))
    write_trec_run(path, table, "tag%d")
    found = read_run(path)
    assert found.tag == "tag%d"
    assert rows(found) == rows(Ranked("", "", table, {}))
    assert rows(Ranked("", "", best_first(found.table), {})) == rows(found)


@given(RUNS)
def test_judgements_come_back_too(tmp_path_factory: pytest.TempPathFactory, run: Run) -> None:
    path = tmp_path_factory.mktemp("qrels") / "qrels"
    table = table_from_mapping(run)
    if np.isfinite(table.value).all():
        write_trec_qrels(path, table)
        assert read_judgements(path).table.value.tolist() == table.value.tolist()
    else:
        with pytest.raises(DataError, match="grade is not finite"):
            write_trec_qrels(path, table)


def test_lists_of_several_blocks_come_back_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec_writing, "_ROWS_AT_ONCE", 8)
    run: Run = {f"q{n}": {f"d{d}": float(d) for d in range(1 + 5 * (n % 4))} for n in range(12)}
    table = best_first(table_from_mapping(run))
    write_trec_run(tmp_path / "out", table, "t")
    assert rows(read_run(tmp_path / "out")) == rows(Ranked("", "", table, {}))


def test_a_query_without_documents_has_no_line(tmp_path: Path) -> None:
    write_trec_run(tmp_path / "out", table_from_mapping({"q0": {}, "q1": {"d": 1.0}, "q2": {}}), "t")
    assert (tmp_path / "out").read_text() == "q1 Q0 d 1 1.0 t\n"


def test_a_packed_file_has_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("a.run.gz", "b.run.gz"):
        write_trec_run(tmp_path / name, best_first(table_from_mapping(RUN)), "t")
    assert (tmp_path / "a.run.gz").read_bytes() == (tmp_path / "b.run.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.run.gz").read_bytes()).startswith(b"q1 Q0 d2 1 ")
    assert len(rows(read_run(tmp_path / "a.run.gz"))) == 3


def test_standard_output_gets_the_lines() -> None:
    program = (
        "from pathlib import Path\n"
        "from beleg.adapters.formats.trec_writing import write_trec_run\n"
        "from beleg.metrics.ranking_runs.table import table_from_mapping\n"
        "write_trec_run(Path('-'), table_from_mapping({'q': {'d': 1.0}}), 't')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"q Q0 d 1 1.0 t\n"


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ({"q": {"d 1": 1.0}}, "document holds white space.*'d 1'"),
        ({"q": {"d1": 2.0, "d\n2": 1.0}}, "document holds white space"),
        ({"q": {"": 1.0}}, "document is empty"),
        ({"q": {"x" * (MAX_ID_BYTES + 1): 1.0}}, "document has more than 16 KiB"),
        ({"q 1": {"d": 1.0}}, "query holds white space"),
        ({"": {"d": 1.0}}, "query is empty"),
        ({"\ufeffq": {"d": 1.0}}, "query is no text"),
        ({"\ud800": {"d": 1.0}}, "query is no text"),
        ({"q0": {"d": 9.0}, "q": {"a": 1.0, "b": 2.0}}, "scores of query 'q' rise"),
    ],
)
def test_what_could_not_be_read_again_is_refused_and_the_old_file_stays(tmp_path: Path, run: Run, said: str) -> None:
    path = tmp_path / "out"
    path.write_text("before")
    with pytest.raises(DataError, match=said):
        write_trec_run(path, table_from_mapping(run), "t")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("tag", ["", "a b", "a\n", "a\u00a0b", "a\x1b[31m", "\ud800"])
def test_a_name_that_is_no_word_is_refused(tmp_path: Path, tag: str) -> None:
    with pytest.raises(UsageError, match="the name of a run is one word"):
        write_trec_run(tmp_path / "out", table_from_mapping(RUN), tag)


def test_a_score_that_falls_across_queries_may_rise_between_them(tmp_path: Path) -> None:
    run: Run = {"q1": {"a": 1.0}, "q2": {}, "q3": {"a": math.inf}, "q4": {"a": 5.0}, "q5": {}}
    write_trec_run(tmp_path / "out", table_from_mapping(run), "t")
    table: Table = read_run(tmp_path / "out").table
    assert table.value.tolist() == [1.0, math.inf, 5.0]


def test_the_longest_name_of_a_run_can_be_read_and_a_longer_one_is_refused(tmp_path: Path) -> None:
    table = table_from_mapping(RUN)
    longest = "ä" * (MAX_ID_BYTES // 2)
    write_trec_run(tmp_path / "out", table, longest)
    assert read_run(tmp_path / "out").tag == longest
    with pytest.raises(UsageError, match="has more than 16 KiB"):
        write_trec_run(tmp_path / "longer", table, f"{longest}x")
    assert not (tmp_path / "longer").exists()
