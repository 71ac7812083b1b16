"""Writing at once or not at all, bounded reading, Parquet in a locked room, and CSV cells."""

from __future__ import annotations

import gzip
import json
import os
import random
import stat
from pathlib import Path

import duckdb
import numpy as np
import pytest

from beleg.adapters.formats.atomic import replacing, write_bytes, write_text
from beleg.adapters.formats.jsonl import read_jsonl
from beleg.adapters.formats.limits import MAX_PROBLEMS
from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.parquet import locked_connection, read_parquet, write_parquet
from beleg.adapters.formats.rows import read_rows
from beleg.core.case import Case
from beleg.core.errors import DataError, UsageError


class TestAtomicWriting:
    def test_puts_the_whole_text_in_place(self, tmp_path: Path) -> None:
        path = tmp_path / "a.txt"
        write_text(path, "für\n")
        write_text(path, "anders\r\n")
        assert path.read_bytes() == b"anders\r\n"
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
        assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]

    def test_keeps_the_old_file_when_writing_fails(self, tmp_path: Path) -> None:
        path = tmp_path / "a.txt"
        write_text(path, "old")

        def fail() -> None:
            with replacing(path) as temporary:
                temporary.write_text("half")
                assert stat.S_IMODE(temporary.stat().st_mode) == 0o600
                raise RuntimeError

        with pytest.raises(RuntimeError):
            fail()
        assert path.read_text() == "old"
        assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]

    def test_can_keep_a_file_to_its_owner(self, tmp_path: Path) -> None:
        write_bytes(tmp_path / "key", b"k", mode=0o600)
        assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600

    @pytest.mark.parametrize("target_exists", [True, False])
    def test_does_not_write_through_a_link(self, tmp_path: Path, target_exists: bool) -> None:
        target = tmp_path / "target"
        if target_exists:
            target.write_text("safe")
        (tmp_path / "link").symlink_to(target)
        with pytest.raises(UsageError, match="symbolic link"):
            write_text(tmp_path / "link", "x")
        assert not target_exists or target.read_text() == "safe"

    def test_says_when_the_folder_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="cannot write"):
            write_text(tmp_path / "none" / "a", "x")
        with pytest.raises(UsageError, match="no regular file"):
            write_text(tmp_path, "x")


class TestReading:
    def test_a_gzip_bomb_is_stopped_at_the_cap(self, tmp_path: Path) -> None:
        path = tmp_path / "bomb.jsonl.gz"
        path.write_bytes(gzip.compress(b"{}\n" * 1_000_000, mtime=0))
        assert path.stat().st_size < 20_000
        with pytest.raises(DataError, match="unfolds to more than 100,000 bytes"):
            list(read_jsonl(path, max_decompressed_bytes=100_000))

    def test_a_gzip_bomb_in_one_line_is_stopped_at_the_line_cap(self, tmp_path: Path) -> None:
        path = tmp_path / "bomb.jsonl.gz"
        path.write_bytes(gzip.compress(b" " * 50_000_000, mtime=0))
        with pytest.raises(DataError, match="the line has more than"):
            list(read_jsonl(path))

    def test_a_file_that_only_claims_to_be_gzip_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl.gz"
        path.write_text("{}")
        with pytest.raises(DataError, match="gzip"):
            list(read_jsonl(path))

    def test_a_pipe_or_folder_is_no_input(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "a.jsonl")
        (tmp_path / "b.jsonl").mkdir()
        for name in ("a.jsonl", "b.jsonl"):
            with pytest.raises(UsageError, match="not a regular file"):
                list(read_rows(tmp_path / name))

    def test_too_many_rows_are_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("beleg.adapters.formats.rows.MAX_ROWS", 2)
        path = tmp_path / "a.jsonl"
        path.write_text("{}\n{}\n")
        assert len(list(read_rows(path))) == 2
        path.write_text("{}\n{}\n{}\n")
        with pytest.raises(DataError, match="more than 2 rows"):
            list(read_rows(path))

    def test_no_more_than_a_thousand_faults_are_collected(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl"
        path.write_text("x\n" * (MAX_PROBLEMS + 500))
        with pytest.raises(DataError, match="and 980 more") as raised:
            build_all(Case, read_rows(path))
        assert len(raised.value.problems) == MAX_PROBLEMS


class TestParquet:
    def test_columns_come_back_as_rows(self, tmp_path: Path) -> None:
        path = tmp_path / "it's [1].parquet"
        write_parquet(
            path,
            {
                "id": ["a", None, "ü"],
                "n": np.array([1, 2, 3]),
                "score": np.ma.masked_array([0.5, 9.0, 1.0], mask=[False, True, False]),
                "flag": [True, None, False],
                "mixed": [1, 2.5, None],
            },
        )
        assert [row.data for row in read_parquet(path)] == [
            {"id": "a", "n": 1, "score": 0.5, "flag": True, "mixed": 1.0},
            {"n": 2, "mixed": 2.5},
            {"id": "ü", "n": 3, "score": 1.0, "flag": False},
        ]

    def test_a_column_without_a_single_value_is_a_column_of_gaps(self, tmp_path: Path) -> None:
        path = tmp_path / "a.parquet"
        write_parquet(path, {"id": ["a", "b"], "score": np.ma.masked_array([0.0, 0.0], mask=[True, True])})
        assert [row.data for row in read_parquet(path)] == [{"id": "a"}, {"id": "b"}]

    def test_the_same_columns_give_the_same_bytes(self, tmp_path: Path) -> None:
        columns = {"a": np.arange(50_000), "b": [str(n % 7) for n in range(50_000)]}
        for name in ("x.parquet", "y.parquet"):
            write_parquet(tmp_path / name, columns)
        assert (tmp_path / "x.parquet").read_bytes() == (tmp_path / "y.parquet").read_bytes()
        assert sorted(entry.name for entry in tmp_path.iterdir()) == ["x.parquet", "y.parquet"]

    @pytest.mark.parametrize(
        "columns",
        [
            {},
            {"a": [1], "b": [1, 2]},
            {"a": np.array([np.nan])},
            {"a": [float("inf")]},
            {"a": [1, "b"]},
            {"a": [b"x"]},
            {"a": np.array([[1]])},
        ],
    )
    def test_columns_that_are_no_table_are_refused(self, tmp_path: Path, columns: dict[str, object]) -> None:
        with pytest.raises(DataError):
            write_parquet(tmp_path / "x.parquet", columns)
        assert list(tmp_path.iterdir()) == []

    def test_nested_and_dated_cells_are_plain_data(self, tmp_path: Path) -> None:
        path = tmp_path / "x.parquet"
        duckdb.connect(":memory:").execute(
            "COPY (SELECT [{'a': 1, 'b': NULL}] AS l, MAP{'k': 2.5::DOUBLE} AS m, DATE '2027-06-30' AS d, "
            f"1.50::DECIMAL(5,2) AS q, 7::DECIMAL(5,0) AS i) TO '{path}' (FORMAT parquet)"
        )
        assert [row.data for row in read_parquet(path)] == [
            {"l": [{"a": 1}], "m": {"k": 2.5}, "d": "2027-06-30", "q": 1.5, "i": 7}
        ]

    def test_the_connection_reaches_nothing_but_the_file(self, tmp_path: Path) -> None:
        (tmp_path / "secret.csv").write_text("a\n1\n")
        with locked_connection(allowed_paths=[str(tmp_path / "x.parquet")]) as connection:
            for query in (
                f"SELECT * FROM read_text('{tmp_path / 'secret.csv'}')",  # noqa: S608 - what an attacker would try
                f"SELECT * FROM '{tmp_path}/*.csv'",  # noqa: S608
                f"ATTACH '{tmp_path / 'db'}'",
                f"COPY (SELECT 1) TO '{tmp_path / 'out.csv'}'",
                "INSTALL httpfs",
                "SET enable_external_access = true",
                "SET allowed_paths = ['/']",
            ):
                with pytest.raises(duckdb.Error):
                    connection.execute(query)


class TestCsv:
    def _cases(self, path: Path, text: str) -> list[Case]:
        path.write_text(text)
        return build_all(Case, read_rows(path), key="case_id")

    def test_cells_take_the_type_of_their_field(self, tmp_path: Path) -> None:
        text = (
            "case_id,user_input,synthetic,review_by,risk_tier,principal.tenant,principal.entitlements,"
            "segments.device,expected_passages,notes\n"
            '007,"[sic] ""what""\nnow?",true,2027-06-30,high,3,"[""a"", ""b""]",1,'
            '"[{""document_id"": ""d"", ""grade"": 2}]",\n'
        )
        expected = {
            "case_id": "007",
            "user_input": '[sic] "what"\nnow?',
            "synthetic": True,
            "review_by": "2027-06-30",
            "risk_tier": "high",
            "principal": {"tenant": "3", "entitlements": ["a", "b"]},
            "segments": {"device": "1"},
            "expected_passages": [{"document_id": "d", "grade": 2}],
        }
        assert self._cases(tmp_path / "c.csv", text) == [Case.model_validate_json(json.dumps(expected))]

    def test_lines_are_counted_over_cells_with_line_ends(self, tmp_path: Path) -> None:
        with pytest.raises(DataError) as raised:
            self._cases(tmp_path / "c.csv", 'case_id,user_input\r\na,"x\r\ny"\r\n\r\nb\r\n')
        assert [problem.line for problem in raised.value.problems] == [5]

    @pytest.mark.parametrize("header", ["case_id,,user_input", "case_id,principal,principal.tenant", "case_id,a..b"])
    def test_a_header_that_is_not_clear_is_refused(self, tmp_path: Path, header: str) -> None:
        with pytest.raises(DataError, match=r":1: "):
            self._cases(tmp_path / "c.csv", f"{header}\n1,2,3\n")


def test_random_bytes_never_give_rows_nor_a_crash(tmp_path: Path) -> None:
    rng = random.Random(7)
    for suffix in (".jsonl", ".jsonl.gz", ".json", ".yaml", ".csv", ".parquet"):
        for size in (1, 10, 1000):
            path = tmp_path / f"x{size}{suffix}"
            path.write_bytes(b"\xff" + rng.randbytes(size))
            with pytest.raises(DataError):
                build_all(Case, read_rows(path))
