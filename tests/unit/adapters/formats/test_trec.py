"""Run files and judgement files: what is read, what is refused and with which words."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.adapters.formats import source, trec
from beleg.adapters.formats.trec import read_trec
from beleg.adapters.formats.trec_lines import Kind, TrecColumns
from beleg.core.errors import DataError, UsageError

RUN = b"q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 1.5 tag\nq2 Q0 d1 1 0.25 tag\n"
QRELS = b"q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 -1\n"
ROWS = [("q1", b"d1", 2.5), ("q1", b"d2", 1.5), ("q2", b"d1", 0.25)]


def rows(columns: TrecColumns) -> list[tuple[str, bytes, float]]:
    ends = columns.document_start + columns.document_length
    spans = zip(columns.document_start.tolist(), ends.tolist(), strict=True)
    names = [columns.buffer[low:high].tobytes() for low, high in spans]
    queries = [columns.queries[code] for code in columns.query.tolist()]
    return list(zip(queries, names, columns.value.tolist(), strict=True))


def read(tmp_path: Path, data: bytes, kind: Kind = "run", *, lenient: bool = False) -> TrecColumns:
    path = tmp_path / "file.txt"
    path.write_bytes(data)
    return read_trec(path, kind, lenient=lenient)


def refusal(tmp_path: Path, data: bytes, kind: Kind = "run") -> str:
    with pytest.raises(DataError) as caught:
        read(tmp_path, data, kind)
    return str(caught.value).replace(str(tmp_path / "file.txt"), "FILE")


def test_a_run_and_judgements_are_read(tmp_path: Path) -> None:
    run = read(tmp_path, RUN)
    assert rows(run) == ROWS
    assert run.tag == "tag"
    judged = read(tmp_path, QRELS, "qrels")
    assert rows(judged) == [("q1", b"d1", 1.0), ("q1", b"d2", 0.0), ("q2", b"d3", -1.0)]
    assert judged.tag is None


@pytest.mark.parametrize(
    "data",
    [
        RUN.replace(b" ", b"\t"),
        RUN.replace(b" ", b"  \t "),
        RUN.replace(b"\n", b"\r\n"),
        RUN.removesuffix(b"\n"),
        b"\xef\xbb\xbf" + RUN,
        b"\n \n" + RUN.replace(b"\n", b"\n\n") + b"  ",
        b"# one\n" + RUN.replace(b"\nq", b"\n# six fields are a comment too\nq", 1) + b"#",
        RUN.replace(b"q", b" q"),
        RUN.replace(b"tag", b"tag of two and more words"),
    ],
    ids=[
        "tabs",
        "many separators",
        "CR LF",
        "no last line break",
        "BOM",
        "blank lines",
        "comments",
        "indented",
        "spaces in the tag",
    ],
)
def test_the_same_rows_in_other_clothes(tmp_path: Path, data: bytes) -> None:
    assert rows(read(tmp_path, data)) == ROWS


def test_gzip_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = tmp_path / "run.gz"
    packed.write_bytes(gzip.compress(RUN))
    assert rows(read_trec(packed, "run")) == ROWS
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN)))
    assert rows(read_trec(Path("-"), "run")) == ROWS


def test_a_pipe_is_read_as_a_file_is() -> None:
    reader, writer = os.pipe()
    os.write(writer, RUN)
    os.close(writer)
    try:
        assert rows(read_trec(Path(f"/dev/fd/{reader}"), "run")) == ROWS
    finally:
        os.close(reader)


def test_chunks_split_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = [(f"q{number // 7}", f"document-{number}".encode(), number / 8) for number in range(300)]
    data = b"".join(f"{query} Q0 {name.decode()} 0 {score} tag\n".encode() for query, name, score in many)
    for size in (1, 40, 333):
        monkeypatch.setattr(trec, "CHUNK_BYTES", size)
        assert rows(read(tmp_path, data)) == many


def test_queries_that_come_back_have_one_code(tmp_path: Path) -> None:
    data = b"".join(
        f"{query} Q0 d{number} 1 1 t\n".encode() for number, query in enumerate(["aa", "ab", "aa", "b", "ab"])
    )
    found = read(tmp_path, data)
    assert found.queries == ("aa", "ab", "b")
    assert found.query.tolist() == [0, 1, 0, 2, 1]


def test_long_ids_of_queries_that_differ_in_one_byte(tmp_path: Path) -> None:
    names = ["x" * 30 + "1", "x" * 30 + "2", "y" + "x" * 29 + "2", "x" * 9 + "z" + "x" * 20 + "2"]
    data = b"".join(f"{name} Q0 d 1 1 t\n".encode() for name in names)
    assert read(tmp_path, data).queries == tuple(names)


def test_a_nul_is_a_byte_like_others(tmp_path: Path) -> None:
    data = RUN.replace(b"d1", b"a\0b").replace(b"d2", b"a\0c")
    assert [name for _, name, _ in rows(read(tmp_path, data))] == [b"a\0b", b"a\0c", b"a\0b"]


def test_a_no_break_space_belongs_to_the_id(tmp_path: Path) -> None:
    data = RUN.replace(b"d1", "d\u00a01".encode())
    assert rows(read(tmp_path, data))[0][1] == "d\u00a01".encode()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"q1 Q0 d3 3 1.0", "FILE:3: the line has 5 fields"),
        (b"#no comment", "FILE:3: the line has 2 fields"),
        (b"query-id\tcorpus-id\tscore", "FILE:3: the line has 3 fields"),
        (b"q1 0 d3 1", "judgements come first"),
        (b"q1 Q0 d3 3 abc t", "FILE:3: field 'score': a number is expected (found 'abc')"),
        (b"q1 Q0 d3 3 0,9 t", "(found '0,9')"),
        (b"q1 Q0 d3 3 0x10 t", "(found '0x10')"),
        (b"q1 Q0 d3 3 1_000 t", "(found '1_000')"),
        (b"q1 Q0 d3 3 nan t", "(found 'nan')"),
        (b"q1 Q0 d3 3 1 t\rq1 Q0 d4 4 1 t", "FILE:3: the line holds a carriage return before its end"),
        (b"# note\rq1 Q0 d4 4 1 t", "FILE:3: the line holds a carriage return before its end"),
        (b"\xff1 Q0 d3 3 1 t", "FILE:3: field 'query': the id of the query is not UTF-8"),
        (b"q1 Q0 " + b"d" * 70_000 + b" 3 1 t", "FILE:3: the line has more than 65,536 bytes"),
    ],
)
def test_a_faulty_line_is_named_with_its_number_and_the_remedy(tmp_path: Path, line: bytes, words: str) -> None:
    first, second, third = RUN.splitlines(keepends=True)
    data = first + second + line + b"\n" + third
    message = refusal(tmp_path, data)
    assert words in message
    assert ". " in message
    kept = read(tmp_path, data, lenient=True)
    assert rows(kept) == ROWS
    assert sum(kept.dropped.values()) == 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"q1 0 d9 yes", "field 'grade'"),
        (b"q1 0 d9 inf", "field 'grade'"),
        (b"q1 0 d9", "the line has 3 fields"),
        (b"q1 0 d 9 1", "the line has 5 fields"),
        (b"q1 Q0 d9 1 2.5 tag", "looks like one of a run"),
    ],
)
def test_faulty_judgements_are_named(tmp_path: Path, line: bytes, words: str) -> None:
    assert words in refusal(tmp_path, QRELS + line + b"\n", "qrels")


def test_the_first_faults_are_listed_in_order_of_their_lines(tmp_path: Path) -> None:
    message = refusal(tmp_path, b"q1 Q0 d1 1 x t\nq1 d\nq1 Q0 d2 1 y t\n" + b"bad\n" * 50)
    assert [line.split(": ")[0] for line in message.splitlines()[:3]] == ["FILE:1", "FILE:2", "FILE:3"]


def test_lenient_counts_by_reason(tmp_path: Path) -> None:
    found = read(tmp_path, b"bad\n" * 30 + RUN + b"q1 Q0 d9 1 x t\n", lenient=True)
    assert found.dropped == {"fields": 30, "number": 1}
    assert [found.line_of(row) for row in range(3)] == [31, 32, 33]


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"", "the file is empty"), (b"\xef\xbb\xbf", "the file is empty"), (b"\n \r\n", "holds no line")],
)
def test_an_empty_file_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    assert said in refusal(tmp_path, data)


def test_utf_16_is_refused(tmp_path: Path) -> None:
    assert "UTF-16" in refusal(tmp_path, RUN.decode().encode("utf-16"))


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.gz"
    for data in (gzip.compress(RUN)[:-12], gzip.compress(RUN)[:12], gzip.compress(RUN)[:-4] + b"\0\0\0\0"):
        path.write_bytes(data)
        with pytest.raises(DataError, match="damaged"):
            read_trec(path, "run")


def test_the_first_bytes_say_whether_a_file_is_packed_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "run.gz").write_bytes(RUN)
    (tmp_path / "run").write_bytes(gzip.compress(RUN))
    assert rows(read_trec(tmp_path / "run.gz", "run")) == rows(read_trec(tmp_path / "run", "run")) == ROWS


def test_an_archive_that_unfolds_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress(b"\n" * 5_000_000))
    monkeypatch.setattr(source, "MAX_DECOMPRESSED_BYTES", 1_000_000)
    with pytest.raises(DataError, match="more than the 1,000,000 bytes"):
        read_trec(path, "run")


def test_a_line_without_end_is_not_kept(tmp_path: Path) -> None:
    endless = b"q1 Q0 " + b"d" * 5_000_000 + b" 3 1 t\n"
    (tmp_path / "run.gz").write_bytes(
        gzip.compress(RUN[: RUN.index(b"\n") + 1] + endless + RUN[RUN.index(b"\n") + 1 :])
    )
    with pytest.raises(DataError, match=r":2: the line has more than 65,536 bytes"):
        read_trec(tmp_path / "run.gz", "run")
    found = read_trec(tmp_path / "run.gz", "run", lenient=True)
    assert (rows(found), found.dropped) == (ROWS, {"too long": 1})
    assert len(found.buffer) < 1_000_000


def test_a_missing_file_and_a_folder_are_usage_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(UsageError, match="cannot read"):
            read_trec(path, "run")


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(data)
    for lenient in (False, True):
        with contextlib.suppress(DataError):
            read_trec(path, "qrels", lenient=lenient)


TOKEN = st.text(st.characters(codec="utf-8", exclude_characters=" \t\n\r\v\f", exclude_categories=["Cs"]), min_size=1)


QUERY = TOKEN.filter(lambda text: text != "#")


@given(st.lists(st.tuples(QUERY, TOKEN, st.floats(allow_nan=False)), min_size=1, max_size=20), st.booleans())
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, given_rows: list[tuple[str, str, float]], spaced: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "written"
    gap = "  " if spaced else " "
    text = "".join(gap.join((query, "Q0", name, "1", repr(score), "t")) + "\n" for query, name, score in given_rows)
    path.write_bytes(b"\n" + text.encode())
    assert rows(read_trec(path, "run")) == [(query, name.encode(), score) for query, name, score in given_rows]
