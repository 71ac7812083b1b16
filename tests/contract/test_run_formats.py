"""Every format of runs and judgements gives the same rows, and refuses the same damage with file, line and remedy."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from backports import zstd

from beleg.adapters.formats import source
from beleg.adapters.formats.parquet import read_parquet
from beleg.adapters.formats.runs import parquet_columns
from beleg.adapters.formats.runs.catalogue import FORMATS
from beleg.app.ir.reading import Ranked, read_judgements, read_run
from beleg.core.errors import DataError, Error, UsageError

ROWS = [("q1", "d1", 2.5), ("q1", "dé", -1.0), ("q 2", "d1", 1e-05), ("q1", "d3", 2.0)]
TREC_ROWS = [(query.replace(" ", "_"), document, score) for query, document, score in ROWS]
Nested = dict[str, dict[str, float]]


def nested(rows: list[tuple[str, str, float]]) -> Nested:
    found: Nested = {}
    for query, document, score in rows:
        found.setdefault(query, {})[document] = score
    return found


def of_table(read: Ranked) -> Nested:
    table, query = read.table, read.table.query().tolist()
    rows = zip(query, table.documents.texts(), table.value.tolist(), strict=True)
    return nested([(table.queries[number], document, value) for number, document, value in rows])


def parquet(path: Path, query: str) -> None:
    duckdb.connect(":memory:").execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")


def values(rows: list[tuple[Any, ...]], names: str) -> str:
    return f"SELECT * FROM (VALUES {', '.join(map(repr, rows))}) t({names})"  # noqa: S608


def per_query(rows: list[tuple[str, str, float]], name: str) -> str:
    return "".join(
        json.dumps({"qid": query, "results": [{"docno": each, name: score} for each, score in held.items()]}) + "\n"
        for query, held in nested(rows).items()
    )


def text_forms(value: str) -> dict[str, str]:
    """The text of every format; ``value`` names the number."""
    header = ["query_id", "doc_id", value]
    return {
        "rows.jsonl": "".join(json.dumps(dict(zip(header, row, strict=True))) + "\n\n" for row in ROWS),
        "queries.jsonl": per_query(ROWS, value),
        "mappings.ndjson": "".join(json.dumps({"query_id": q, "results": d}) + "\n" for q, d in nested(ROWS).items()),
        "beir.json": json.dumps(nested(ROWS)),
        "indented.json": json.dumps(nested(ROWS), indent=1),
        "list.json": json.dumps([dict(zip(header, row, strict=True)) for row in ROWS]),
        "rows.csv": "".join(",".join(map(str, row)) + "\n" for row in [header, *ROWS]),
        "crlf.csv": "".join(",".join(map(str, row)) + "\r\n" for row in [header, *ROWS]),
        "quoted.csv": "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in [header, *ROWS]),
        "wide.csv": "".join(f"x,{b},,{a},{c}\n" for a, b, c in [header, *ROWS]).replace(",,", ",rank,", 1),
        "beir.tsv": "".join("\t".join(map(str, row)) + "\n" for row in [["query-id", "corpus-id", value], *ROWS]),
        "ends.tsv": "\n".join("\t".join(map(str, row)) for row in [header, *ROWS]),
    }


FORMS = sorted(text_forms("score"))


def read(path: Path, kind: str, **options: Any) -> Ranked:
    return read_run(path, **options) if kind == "run" else read_judgements(path, **options)


@pytest.mark.parametrize("kind", ["run", "qrels"])
@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("packed", ["", ".gz", ".zst", "mark"])
def test_a_sound_file_gives_the_same_rows_in_every_format(tmp_path: Path, name: str, kind: str, packed: str) -> None:
    data = text_forms("score" if kind == "run" else "relevance")[name].encode()
    if packed == "mark":
        data = b"\xef\xbb\xbf" + data
    pack = {".gz": gzip.compress, ".zst": zstd.compress}.get(packed, bytes)
    path = tmp_path / f"{name}{packed.removeprefix('mark')}"
    path.write_bytes(pack(data))
    assert of_table(read(path, kind)) == nested(ROWS)


@pytest.mark.parametrize("kind", ["run", "qrels"])
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst", ".trec", ".txt"])
def test_a_file_of_trec_may_be_packed(tmp_path: Path, suffix: str, kind: str) -> None:
    line = "{} Q0 {} 1 {} me\n" if kind == "run" else "{}\t0\t{}\t{}\n"
    data = "".join(line.format(*row) for row in TREC_ROWS).encode()
    path = tmp_path / f"file{suffix}"
    path.write_bytes({".gz": gzip.compress, ".zst": zstd.compress}.get(suffix, bytes)(data))
    assert of_table(read(path, kind)) == nested(TREC_ROWS)


@pytest.mark.parametrize(
    "types", ["VARCHAR, VARCHAR, DOUBLE", "VARCHAR, VARCHAR, FLOAT", "VARCHAR, VARCHAR, DECIMAL(9, 2)"]
)
def test_parquet(tmp_path: Path, types: str) -> None:
    query, document, value = types.split(", ", 2)
    rows = values([("q1", "d1", 2.5), ("q2", "dé", -1.0)], "q, d, s")
    parquet(tmp_path / "r.parquet", f"SELECT q::{query} q_id, d::{document} doc_id, s::{value} score FROM ({rows})")  # noqa: S608
    assert of_table(read_run(tmp_path / "r.parquet")) == {"q1": {"d1": 2.5}, "q2": {"dé": -1.0}}


@pytest.mark.parametrize("folder", ["label=7", "score=5", "query_id=5", "doc_id=d9"])
def test_a_folder_that_looks_like_a_column_gives_none(tmp_path: Path, folder: str) -> None:
    path = tmp_path / folder / "r.parquet"
    path.parent.mkdir()
    parquet(path, "SELECT 'q1' AS query_id, 'd1' AS doc_id, 2.5 AS score, 1.0 AS label")
    assert of_table(read_run(path)) == {"q1": {"d1": 2.5}}
    assert of_table(read_judgements(path)) == {"q1": {"d1": 1.0}}
    assert [row.data for row in read_parquet(path)] == [{"query_id": "q1", "doc_id": "d1", "score": 2.5, "label": 1.0}]


@pytest.mark.parametrize("name", ["a[1].parquet", "a*.parquet", "a?.parquet", "**", "[a]/a1.parquet"])
def test_the_path_of_a_parquet_file_is_no_pattern(tmp_path: Path, name: str) -> None:
    for other in (tmp_path / "a1.parquet", tmp_path / "a" / "a1.parquet"):
        other.parent.mkdir(exist_ok=True)
        parquet(other, "SELECT 'other' AS query_id, 'd2' AS doc_id, 1.0 AS score")
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    parquet(tmp_path / "written", "SELECT 'q1' AS query_id, 'd1' AS doc_id, 2.5 AS score")
    (tmp_path / "written").rename(path)
    columns = parquet_columns.read_parquet_columns(path, "run", lenient=False)
    assert (columns.query[0], columns.document[0], columns.value.tolist()) == ("q1", "d1", [2.5])
    assert [row.data["query_id"] for row in read_parquet(path)] == ["q1"]


def test_whole_numbers_are_ids_in_parquet_and_json(tmp_path: Path) -> None:
    parquet(tmp_path / "r.parquet", "SELECT 7 AS qid, 12 AS docno, 0.5::DOUBLE AS score")
    (tmp_path / "r.jsonl").write_text('{"qid": 7, "docno": 12, "score": 0.5}')
    for name in ("r.parquet", "r.jsonl"):
        assert of_table(read_run(tmp_path / name)) == {"7": {"12": 0.5}}


def test_a_quoted_cell_may_hold_the_separator_and_a_line_break(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text('qid,docno,score\nq1,plain,1\nq1,"a,""b""\nc",2\nq1,x,oops\n')
    with pytest.raises(DataError, match=r"r\.csv:5"):
        read_run(tmp_path / "r.csv")
    assert of_table(read_run(tmp_path / "r.csv", lenient=True)) == {"q1": {"plain": 1.0, 'a,"b"\nc': 2.0}}


def test_a_file_larger_than_a_chunk_keeps_its_lines(tmp_path: Path) -> None:
    lines = [f"q{row // 900}\tdocument-{row}\t{-row / 8}\n" for row in range(40_000)]
    lines[30_000] = "q1\tdocument\t0,9\n"
    lines[30_001] = "\n"
    (tmp_path / "r.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(lines))
    with pytest.raises(DataError, match=r"r\.tsv:30002: .*'0,9'"):
        read_run(tmp_path / "r.tsv")
    found = read_run(tmp_path / "r.tsv", lenient=True)
    assert found.dropped == {"number": 1}
    assert len(found.table.value) == 39_998
    assert of_table(found)["q44"]["document-39999"] == -39_999 / 8


HEADER = "query_id,doc_id,score\n"
ONE_ROW = "SELECT 'q1' AS query_id, 'd1' AS doc_id, 1.0::DOUBLE AS score"
Damage = dict[str, tuple[str | bytes, int | None, tuple[str, ...]]]
"""By file: what is written, the line that must be named, and words that must be said."""

DAMAGED: dict[str, Damage] = {
    "missing field": {
        "r.run": ("q1 Q0 d1 1 1.0\n", 1, ("5 fields",)),
        "r.jsonl": ('{"query_id": "q1", "doc_id": "d1", "score": 1}\n{"query_id": "q1", "score": 1}', 2, ("document",)),
        "q.jsonl": ('{"query_id": "q1", "results": [{"doc_id": "d1", "score": 1}, {"doc_id": "d2"}]}', 1, ("score",)),
        "n.jsonl": ('{"query_id": "q1", "results": 5}', 1, ("no list", "5")),
        "e.jsonl": ('{"query_id": "q1", "results": ["d1"]}', 1, ("no JSON object", "'d1'")),
        "i.jsonl": ('{"query_id": "", "doc_id": "d1", "score": 1}', 1, ("query", "empty")),
        "a.jsonl": ('{"query_id": ["q1"], "doc_id": "d1", "score": 1}', 1, ("list", "text or as whole numbers")),
        "r.json": ('{"q1": {"d1": 1}, "q2": 5}', None, ("'q2'", "no mapping")),
        "l.json": ('[{"query_id": "q1", "doc_id": "d1"}]', None, ("score", "missing")),
        "n.json": ('"q1"', None, ("no queries",)),
        "r.csv": (HEADER + "q1,d1\n", 2, ("2 cells, the header has 3",)),
        "e.csv": (HEADER + "q1,,1\n", 2, ("document", "empty")),
        "h.csv": ("q1,d1,1\n", 1, ("no column for the query and the document and the score",)),
        "h.tsv": ("query_id\tdoc_id\n", 1, ("score", "query_id, doc_id")),
        "r.parquet": ("SELECT 'q1' AS query_id, 1.0 AS score", None, ("document", "query_id, score")),
        "n.parquet": (ONE_ROW + " UNION ALL SELECT 'q1', NULL, 1", 2, ("document", "empty")),
    },
    "no number": {
        "r.run": ("q1 Q0 d1 1 0,9 x\n", 1, ("'0,9'", "decimal point")),
        "r.jsonl": ('{"query_id": "q1", "doc_id": "d1", "score": "1.5"}', 1, ("score", "'1.5'", "finite number")),
        "b.jsonl": ('{"query_id": "q1", "doc_id": "d1", "score": true}', 1, ("True",)),
        "r.json": ('{"q1": {"d1": null}}', None, ("'q1'", "'d1'", "None")),
        "r.csv": (HEADER + 'q1,d1,"0,9"\n', 2, ("'0,9'",)),
        "e.csv": (HEADER + "q1,d1,\n", 2, ("score", "number")),
        "r.tsv": ("qid\tdocno\tscore\nq1\td1\t0x10\n", 2, ("'0x10'",)),
        "r.parquet": ("SELECT 'q1' AS query_id, 'd1' AS doc_id, '1.5' AS score", None, ("score", "VARCHAR")),
    },
    "NaN": {
        "r.run": ("q1 Q0 d1 1 nan x\n", 1, ("'nan'",)),
        "r.jsonl": ('{"query_id": "q1", "doc_id": "d1", "score": NaN}', 1, ("score", "nan")),
        "i.jsonl": ('{"query_id": "q1", "doc_id": "d1", "score": 1e999}', 1, ("score", "inf")),
        "r.json": ('{"q1": {"d1": NaN}}', None, ("'q1'", "'d1'", "nan")),
        "r.csv": (HEADER + "q1,d1,NaN\n", 2, ("'NaN'",)),
        "r.parquet": ("SELECT 'q1' AS query_id, 'd1' AS doc_id, 'NaN'::DOUBLE AS score", 1, ("score", "finite")),
    },
    "duplicate": {
        "r.run": ("q1 Q0 d1 1 1 x\nq1 Q0 d1 2 0 x\n", 2, ("twice", "'q1'", "'d1'")),
        "r.jsonl": ('{"query_id": "q1", "doc_id": "d1", "score": 1}\n' * 2, 2, ("twice", "'q1'", "'d1'")),
        "q.jsonl": ('{"query_id": "q1", "results": {"d1": 1}}\n' * 2, 2, ("twice", "'q1'", "'d1'")),
        "k.jsonl": ('{"query_id": "q1", "query_id": "q2", "doc_id": "d1", "score": 1}', 1, ("query_id", "twice")),
        "r.json": ('{"q1": {"d1": 1, "d1": 2}}', 1, ("d1", "twice")),
        "q.json": ('{"q1": {"d1": 1},\n "q1": {"d1": 2}}', 2, ("q1", "twice")),
        "r.csv": (HEADER + "q1,d1,1\nq1,d2,1\nq1,d1,0\n", 4, ("twice", "'q1'", "'d1'")),
        "r.parquet": (values([("q1", "d1", 1.0), ("q1", "d1", 2.0)], "query_id, doc_id, score"), 2, ("twice", "'d1'")),
    },
    "empty": {
        **{f"r.{suffix}": (b"", None, ("empty",)) for suffix in ("run", "jsonl", "json", "csv", "tsv", "parquet")},
        "m.jsonl": (b"\xef\xbb\xbf", None, ("empty",)),
        "w.jsonl": ("\n \n", None, ("no row",)),
        "o.json": ("{}", None, ("no row",)),
        "h.csv": (HEADER, None, ("no row",)),
        "n.parquet": ("SELECT 'q1' AS query_id, 'd1' AS doc_id, 1.0 AS score LIMIT 0", None, ("no row",)),
    },
    "wrong encoding": {
        "r.run": (b"q\xff Q0 d1 1 1 x\n", 1, ("UTF-8",)),
        "r.jsonl": (b'{"query_id": "q1", "doc_id": "\xff", "score": 1}', 1, ("UTF-8", "0xff")),
        "r.json": (b'{"q1":\n {"\xff": 1}}', 2, ("UTF-8",)),
        "r.csv": (HEADER.encode() + b"q1,d1,1\nq1,\xff,1\n", 3, ("UTF-8",)),
        "quote.csv": (b'query_id,"doc_id,score\nq1,d1,1\n', 1, ("no valid CSV", "Close every quote")),
        "cr.csv": (b"query_id,doc_id,score\rq1,d1,1\r", 1, ("carriage return", "line feed")),
        "h.csv": (b"query_id,doc_id,score\xff\n", 1, ("UTF-8",)),
        **{f"u.{suffix}": ("q1".encode("utf-16"), 1, ("UTF-16",)) for suffix in ("run", "jsonl", "json", "csv")},
    },
    "half a character": {
        "r.jsonl": ('{"query_id": "q1", "doc_id": "\\ud800", "score": 1}', 1, ("surrogate",)),
        "r.json": ('{"q1": {"\\ud800": 1}}', 1, ("surrogate",)),
    },
    "too deep": {
        "r.jsonl": ('{"query_id": "q1", "results": ' + "[" * 100_000, 1, ("deeper than 64",)),
        "r.json": ('{"q1":' * 100_000, 1, ("deeper than 64",)),
    },
    "too long": {
        "r.run": (b"q1 Q0 d1 1 1 " + b"x" * 70_000, 1, ("65,536 bytes",)),
        "r.jsonl": (b'{"query_id": "' + b"q" * (9 << 20) + b'"}\n', 1, ("8,388,608 bytes",)),
        "r.csv": (HEADER.encode() + b"q1," + b"d" * (9 << 20) + b',"1"\n', 2, ("CSV", "field limit")),
        "h.csv": (b"x" * (9 << 20), 1, ("header is too long",)),
        "n.json": ('{"q1": {"d1": ' + "1" * 5_000 + "}}", 1, ("ordinary length",)),
        "w.csv": (",".join(f"c{number}" for number in range(2_001)) + "\n", 1, ("2,000 columns",)),
    },
    "cut off": {
        "r.jsonl": ('{"query_id": "q1", "doc_id": "d1", "score": 1}\n{"query_id": "q1", "do', 2, ("valid JSON",)),
        "r.json": ('{"q1": {"d1": 1', 1, ("valid JSON",)),
        "r.csv": (HEADER + 'q1,d1,1\nq1,"open', 3, ("valid CSV",)),
        "r.parquet": (b"PAR1 and then nothing of use", None, ("Parquet",)),
        "n.parquet": (b"no parquet", None, ("Parquet",)),
        "r.jsonl.gz": (gzip.compress(b'{"query_id": "q1"}' * 99)[:-9], None, ("damaged",)),
        "r.run.gz": (gzip.compress(b"q1 Q0 d1 1 1 x\n" * 99)[:-9], None, ("damaged",)),
        "r.csv.zst": (zstd.compress(HEADER.encode() * 99)[:-5], None, ("damaged",)),
        "r.run.zst": (zstd.compress(b"q1 Q0 d1 1 1 x\n" * 99)[:-5], None, ("damaged",)),
        "b.run.zst": (b"\x28\xb5\x2f\xfd and then nothing", None, ("damaged",)),
    },
    "not of this format": {
        "r.jsonl": ("[1]\n", 1, ("no JSON object",)),
        "t.jsonl": ("q1 Q0 d1 1 1 x\n", 1, ("valid JSON",)),
        "r.json": ("q1 Q0 d1 1 1 x\n", 1, ("valid JSON",)),
        "r.csv": ("q1 Q0 d1 1 1 x\n", 1, ("no column",)),
    },
}  # fmt: skip


@pytest.mark.parametrize(("damage", "name"), [(damage, name) for damage, files in DAMAGED.items() for name in files])
def test_damage_is_refused_with_file_line_and_remedy(tmp_path: Path, damage: str, name: str) -> None:
    content, line, words = DAMAGED[damage][name]
    path = tmp_path / name
    if name.endswith(".parquet") and isinstance(content, str):
        parquet(path, content)
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(DataError) as caught:
        read_run(path)
    problem = caught.value.problems[0]
    assert problem.file == str(path)
    assert problem.line == line, str(problem)
    assert problem.remedy or "CSV" in problem.message
    said = str(problem)
    assert all(word in said for word in words), said


def test_every_kind_of_damage_is_tried_on_every_format_that_can_have_it() -> None:
    for damage in ("missing field", "no number", "NaN", "duplicate", "empty"):
        assert {Path(name).suffix[1:] for name in DAMAGED[damage]} >= {"run", "jsonl", "json", "csv", "parquet"}, damage
    assert set(FORMATS) == {"trec", "jsonl", "json", "csv", "tsv", "parquet"}


SOME_FAULTY = {
    "r.run": (
        "q1 Q0 d1 1 2 x\nq1 Q0 d1 1 1 x\nq1 d2\nq1 Q0 d3 1 oops x\nq\xff Q0 d1 1 1 x\n",
        ("fields", "number", "encoding", "repeats"),
    ),
    "r.jsonl": (
        '{"query_id": "q1", "doc_id": "d1", "score": 2}\n{"query_id": "q1", "doc_id": "d1", "score": 1}\n'
        '{"query_id": "q1"}\n{"query_id": "q1", "doc_id": "d3", "score": NaN}\n{"query_id": "\xff"}\n{"a"\n',
        ("fields", "number", "encoding", "json", "repeats"),
    ),
    "q.jsonl": (
        '{"query_id": "q1", "results": [{"doc_id": "d1", "score": 2}, {"doc_id": "d2"}, 5]}\n',
        ("fields", "fields"),
    ),
    "r.json": ('{"q1": {"d1": 2, "d2": "x"}, "q2": []}', ("number", "fields")),
    "l.json": (
        '[{"query_id": "q1", "doc_id": "d1", "score": 2}, {"query_id": "q1", "doc_id": "d1", "score": 1}, 5]',
        ("fields", "repeats"),
    ),
    "r.csv": (HEADER + "q1,d1,2\nq1,d1,1\nq1\nq1,d3,oops\nq1,\xff,1\n", ("fields", "number", "encoding", "repeats")),
    "r.parquet": (values([("q1", "d1", 2.0), ("q1", "d1", 1.0), ("q1", "", 1.0)], "query_id, doc_id, score")
                  + " UNION ALL SELECT NULL, 'd1', 1 UNION ALL SELECT 'q1', 'd4', 'nan'::DOUBLE",
                  ("fields", "fields", "number", "repeats")),
}  # fmt: skip


@pytest.mark.parametrize("name", SOME_FAULTY)
def test_a_lenient_reading_keeps_the_sound_rows_and_counts_the_others_by_reason(tmp_path: Path, name: str) -> None:
    content, reasons = SOME_FAULTY[name]
    path = tmp_path / name
    if name.endswith(".parquet"):
        parquet(path, content)
    else:
        path.write_bytes(content.encode("latin-1"))
    found = read_run(path, lenient=True)
    assert of_table(found) == {"q1": {"d1": 2.0}}
    assert found.dropped == {reason: reasons.count(reason) for reason in reasons}


SNIFFED = {
    "trec": "q1 Q0 d1 1 2 x\n",
    "jsonl": '{"qid": "q1", "docno": "d1", "score": 2}\n{"qid": "q1", "docno": "d2", "score": 1}\n',
    "json": '{"q1": {"d1": 2}}',
    "csv": "rank,qid,docno,score\n1,q1,d1,2\n",
    "tsv": "query-id\tcorpus-id\tscore\nq1\td1\t2\n",
}


@pytest.mark.parametrize("name", SNIFFED)
@pytest.mark.parametrize("file", ["file", "file.txt", "file.v2.gz", "file.zst"])
def test_a_name_that_says_nothing_is_read_by_its_content(tmp_path: Path, name: str, file: str) -> None:
    path = tmp_path / file
    pack = {".gz": gzip.compress, ".zst": zstd.compress}.get(path.suffix, bytes)
    path.write_bytes(pack(SNIFFED[name].encode()))
    assert of_table(read_run(path))["q1"]["d1"] == 2.0


def test_judgements_with_tabs_and_without_header_in_a_tsv_file_are_those_of_trec(tmp_path: Path) -> None:
    (tmp_path / "qrels.dev.small.tsv").write_text("300674\t0\t7067032\t1\n")
    assert of_table(read_judgements(tmp_path / "qrels.dev.small.tsv")) == {"300674": {"7067032": 1.0}}


def test_the_format_can_be_said(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(SNIFFED["jsonl"])
    assert of_table(read_run(tmp_path / "run.json", format_name="jsonl")) == {"q1": {"d1": 2.0, "d2": 1.0}}
    with pytest.raises(UsageError, match="no format 'xml'") as caught:
        read_run(tmp_path / "run.json", format_name="xml")
    assert "parquet" in caught.value.diagnostics()


@pytest.mark.parametrize("name", SNIFFED)
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
def test_the_standard_input_is_read_by_its_content(
    monkeypatch: pytest.MonkeyPatch, name: str, pack: Callable[[bytes], bytes]
) -> None:
    stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(pack(SNIFFED[name].encode()))))
    monkeypatch.setattr(sys, "stdin", stdin)
    found = read_run(Path("-"))
    assert of_table(found)["q1"]["d1"] == 2.0
    assert found.file == "standard input"


@pytest.mark.parametrize("name", SNIFFED)
def test_a_pipe_is_read_once(tmp_path: Path, name: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(SNIFFED[name],))
    writer.start()
    try:
        assert of_table(read_run(pipe))["q1"]["d1"] == 2.0
    finally:
        writer.join()


def test_parquet_from_a_pipe_or_packed_is_refused(tmp_path: Path) -> None:
    parquet(tmp_path / "r.parquet", "SELECT 'q1' AS query_id, 'd1' AS doc_id, 1.0 AS score")
    (tmp_path / "r.parquet.gz").write_bytes(gzip.compress((tmp_path / "r.parquet").read_bytes()))
    with pytest.raises(UsageError, match="plain file"):
        read_run(tmp_path / "r.parquet.gz")


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress])
@pytest.mark.parametrize("name", ["r.run", "r.jsonl", "r.json", "r.csv"])
def test_an_archive_that_unfolds_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, pack: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(source, "MAX_DECOMPRESSED_BYTES", 100_000)
    rows = {
        "r.run": b"q1 Q0 d1 1 1 x\n",
        "r.csv": b"q1,d1,1\n",
        "r.jsonl": b'{"query_id": "q1", "doc_id": "d1", "score": 1}\n',
        "r.json": b" " * 9,
    }
    row = rows[name]
    path = tmp_path / (name + (".gz" if pack is gzip.compress else ".zst"))
    path.write_bytes(pack((HEADER.encode() if name == "r.csv" else b"") + row * 100_000))
    assert path.stat().st_size < 20_000
    with pytest.raises(DataError, match="more than the 100,000 bytes"):
        read_run(path)


def test_an_archive_that_asks_for_too_large_a_window_is_refused(tmp_path: Path) -> None:
    options = {zstd.CompressionParameter.window_log: 30, zstd.CompressionParameter.enable_long_distance_matching: 1}
    packer = zstd.ZstdCompressor(options=options)
    (tmp_path / "r.run.zst").write_bytes(packer.compress(b"q1 Q0 d1 1 1 x\n") + packer.flush())
    with pytest.raises(DataError, match="damaged"):
        read_run(tmp_path / "r.run.zst")


def test_a_small_parquet_file_that_stands_for_much_text_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_columns, "MAX_DECOMPRESSED_BYTES", 1_000_000)
    parquet(tmp_path / "r.parquet", "SELECT 'q' AS qid, repeat('x', 1000) AS docno, 1.0 AS score FROM range(2000)")
    assert (tmp_path / "r.parquet").stat().st_size < 50_000
    with pytest.raises(DataError, match="more than the 1,000,000 bytes"):
        read_run(tmp_path / "r.parquet")


def test_parquet_reaches_nothing_but_its_file(tmp_path: Path) -> None:
    hostile = tmp_path / "a'; ATTACH 'x.parquet"
    parquet(tmp_path / "sound.parquet", "SELECT 'q1' AS query_id, 'd1' AS doc_id, 1.0 AS score")
    (tmp_path / "sound.parquet").rename(hostile)
    assert of_table(read_run(hostile)) == {"q1": {"d1": 1.0}}


def beir(folder: Path, *splits: str) -> Path:
    (folder / "qrels").mkdir()
    for number, split in enumerate(splits, start=1):
        (folder / "qrels" / f"{split}.tsv").write_text(f"query-id\tcorpus-id\tscore\nq1\td1\t{number}\n")
    return folder


def test_a_folder_of_beir_is_read_by_its_split(tmp_path: Path) -> None:
    folder = beir(tmp_path, "dev", "test")
    assert of_table(read_judgements(folder)) == {"q1": {"d1": 2.0}}
    assert of_table(read_judgements(folder, split="dev")) == {"q1": {"d1": 1.0}}
    for call, said in (
        (lambda: read_judgements(folder, split="../test"), "found dev, test"),
        (lambda: read_run(folder), "is a folder"),
        (lambda: read_judgements(folder / "qrels" / "dev.tsv", split="dev"), "is a file"),
    ):
        with pytest.raises(UsageError, match=said):
            call()


def test_a_folder_with_several_splits_and_no_test_wants_one_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not clear, found dev, train") as caught:
        read_judgements(beir(tmp_path, "dev", "train"))
    assert "--split" in caught.value.diagnostics()


def test_what_is_not_there_is_an_error_of_use(tmp_path: Path) -> None:
    for name in ("absent.jsonl", "absent.parquet", "absent"):
        with pytest.raises(UsageError, match="cannot read"):
            read_run(tmp_path / name)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["r.run", *FORMS])
def test_random_damage_never_ends_in_anything_but_a_said_error(tmp_path: Path, name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = np.frombuffer(text_forms("score").get(name, "q1 Q0 d1 1 2 x\n" * 5).encode(), np.uint8)
    said: list[str] = []
    for _ in range(12):
        damaged = data.copy()
        damaged[rng.integers(0, len(data), int(rng.integers(1, 4)))] = rng.integers(0, 256)
        (tmp_path / name).write_bytes(damaged[: rng.integers(1, len(data) + 1)].tobytes())
        for lenient in (False, True):
            try:
                read_run(tmp_path / name, lenient=lenient)
            except Error as error:
                said.append(str(error))
    assert all(said)


@pytest.mark.shared_data
@pytest.mark.parametrize("suffix", ["json", "parquet", "trec", "trec.gz"])
def test_what_ranx_writes_is_read(shared_data: Path, suffix: str) -> None:
    folder = shared_data / "ir_vectors" / "ranx" / "test_data"
    for kind in ("run", "qrels"):
        assert of_table(read(folder / f"{kind}.{suffix}", kind)) == json.loads((folder / f"{kind}.json").read_text())


@pytest.mark.shared_data
def test_the_judgements_of_a_beir_folder_are_those_of_its_file(shared_data: Path) -> None:
    lines = (shared_data / "scifact" / "qrels" / "test.tsv").read_text().splitlines()[1:]
    expected = nested(
        [(query, document, float(grade)) for query, document, grade in (line.split("\t") for line in lines)]
    )
    assert of_table(read_judgements(shared_data / "scifact")) == expected
