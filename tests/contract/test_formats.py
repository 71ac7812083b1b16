"""Every reader refuses the same damaged inputs with an error that says where, what and how to mend it."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from beleg.adapters.formats.models import build_all, load_document
from beleg.adapters.formats.rows import read_rows
from beleg.core.case import Case
from beleg.core.errors import ConfigError, DataError, UsageError

GOOD = ("c1", "c2")


def _parquet(path: Path, query: str) -> None:
    duckdb.connect(":memory:").execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")


def _write_text(text: str | bytes) -> Callable[[Path], None]:
    data = text.encode() if isinstance(text, str) else text
    return lambda path: (
        (path.write_bytes(gzip.compress(data, mtime=0)) if path.suffix == ".gz" else path.write_bytes(data)) and None
    )


def _write_parquet(query: str) -> Callable[[Path], None]:
    return lambda path: _parquet(path, query)


def _rows(path: Path) -> list[Case]:
    return build_all(Case, read_rows(path), key="case_id")


WHOLE = {
    "cases.jsonl": _write_text('{"case_id": "c1", "user_input": "q"}\n\n{"case_id": "c2", "user_input": "q"}\n'),
    "cases.ndjson": _write_text('{"case_id": "c1", "user_input": "q"}\n{"case_id": "c2", "user_input": "q"}'),
    "cases.jsonl.gz": _write_text('{"case_id": "c1", "user_input": "q"}\n{"case_id": "c2", "user_input": "q"}\n'),
    "cases.json": _write_text('[{"case_id": "c1", "user_input": "q"},\n{"case_id": "c2", "user_input": "q"}]'),
    "cases.yaml": _write_text("- case_id: c1\n  user_input: q\n- case_id: c2\n  user_input: q\n"),
    "cases.yml": _write_text('- {case_id: c1, user_input: "q"}\n- {case_id: c2, user_input: q}\n'),
    "cases.csv": _write_text("case_id,user_input\nc1,q\nc2,q\n"),
    "cases.parquet": _write_parquet("SELECT * FROM (VALUES ('c1', 'q'), ('c2', 'q')) t(case_id, user_input)"),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_sound_file_gives_the_same_cases_in_every_format(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    WHOLE[name](path)
    assert _rows(path) == [Case(case_id=case_id, user_input="q") for case_id in GOOD]


@pytest.mark.parametrize("name", [name for name in WHOLE if not name.endswith((".parquet", ".gz"))])
def test_a_byte_order_mark_is_passed_over(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    WHOLE[name](path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert [case.case_id for case in _rows(path)] == list(GOOD)


# Damage, and per format: what is written, the line that must be named, and words that must be said.
Damage = dict[str, tuple[Callable[[Path], None], int | None, tuple[str, ...]]]

DAMAGED: dict[str, Damage] = {
    "key named twice": {
        "c.jsonl": (
            _write_text('{"case_id": "a", "user_input": "q"}\n{"case_id": "a", "case_id": "b"}'),
            2,
            ("twice",),
        ),
        "c.jsonl.gz": (_write_text('{"case_id": "a", "case_id": "b"}'), 1, ("case_id", "twice")),
        "c.json": (_write_text('[\n{"case_id": "a",\n "case_id": "b"}]'), 3, ("case_id", "twice")),
        "c.yaml": (_write_text("- case_id: a\n  case_id: b\n"), 2, ("case_id", "twice")),
        "c.csv": (_write_text("case_id,case_id\na,b\n"), 1, ("case_id", "twice")),
    },
    "alias bomb": {
        "c.yaml": (_write_text("- &a [x]\n- [*a, *a]\n"), 1, ("anchor",)),
    },
    "unknown field": {
        "c.jsonl": (_write_text('{"case_id": "a", "user_inptu": "q"}'), 1, ("user_inptu", "Did you mean 'user_input'")),
        "c.json": (_write_text('[\n{"case_id": "a", "user_inptu": "q"}]'), 2, ("user_inptu", "'user_input'")),
        "c.yaml": (_write_text("- case_id: a\n  user_inptu: q\n"), 1, ("user_inptu", "'user_input'")),
        "c.csv": (_write_text("case_id,user_inptu\na,q\n"), 2, ("user_inptu", "'user_input'")),
        "c.parquet": (_write_parquet("SELECT 'a' AS case_id, 'q' AS user_inptu"), 1, ("user_inptu", "'user_input'")),
    },
    "wrong type": {
        "c.jsonl": (_write_text('{"case_id": 3, "user_input": "q"}'), 1, ("case_id", 'Write "3" with quotes')),
        "c.json": (_write_text('[{"case_id": "a", "user_input": "q", "synthetic": "yes"}]'), 1, ("synthetic", "true")),
        "c.yaml": (_write_text("- case_id: a\n  user_input: q\n  synthetic: yes\n"), 1, ("synthetic", "true or false")),
        "c.csv": (_write_text("case_id,user_input,synthetic\na,q,yes\n"), 2, ("synthetic", "true or false")),
        "c.parquet": (_write_parquet("SELECT 3 AS case_id, 'q' AS user_input"), 1, ("case_id", "text is expected")),
    },
    "id in two rows": {
        "c.jsonl": (_write_text('{"case_id": "a", "user_input": "q"}\n' * 2), 2, ("line 1", "'a'")),
        "c.json": (
            _write_text('[{"case_id": "a", "user_input": "q"},\n{"case_id": "a", "user_input": "r"}]'),
            2,
            ("line 1",),
        ),
        "c.yaml": (_write_text("- {case_id: a, user_input: q}\n- {case_id: a, user_input: r}\n"), 2, ("line 1",)),
        "c.csv": (_write_text("case_id,user_input\na,q\na,r\n"), 3, ("line 2",)),
        "c.parquet": (
            _write_parquet("SELECT 'a' AS case_id, 'q' AS user_input UNION ALL SELECT 'a', 'r'"),
            2,
            ("line 1",),
        ),
    },
    "no number": {
        "c.jsonl": (_write_text('{"case_id": "a", "segments": NaN}'), 1, ("finite", "NaN")),
        "c.json": (_write_text('[\n{"case_id": "a", "segments": 1e999}]'), 2, ("finite", "1e999")),
        "c.yaml": (_write_text("- case_id: a\n  segments: .nan\n"), 2, ("finite", ".nan")),
        "c.csv": (_write_text("case_id,user_input,synthetic\na,q,NaN\n"), 2, ("synthetic", "finite")),
        "c.parquet": (
            _write_parquet("SELECT 'a' AS case_id, 'NaN'::DOUBLE AS user_input"),
            1,
            ("user_input", "finite"),
        ),
    },
    "too deep": {
        "c.jsonl": (_write_text("[" * 100_000), 1, ("deeper than 64",)),
        "c.jsonl.gz": (_write_text('{"a":' * 100_000), 1, ("deeper than 64",)),
        "c.json": (_write_text("[" * 100_000), 1, ("deeper than 64",)),
        "c.yaml": (_write_text("[" * 100_000), 1, ("deeper than 64",)),
        "c.csv": (_write_text("case_id,user_input,turns\na,q," + "[" * 100_000), 2, ("turns", "deeper than 64")),
    },
    "cut off": {
        "c.jsonl": (_write_text('{"case_id": "a", "user_input": "q"}\n{"case_id": "b", "user_i'), 2, ("valid JSON",)),
        "c.jsonl.gz": (
            lambda path: path.write_bytes(gzip.compress(b'{"case_id": "a"}', mtime=0)[:-12]) and None,
            1,
            ("cut off",),
        ),
        "c.json": (_write_text('[{"case_id": "a", "user_input": "q"}'), 1, ("comma or ]",)),
        "c.yaml": (_write_text("- case_id: a\n- {case_id: b,\n"), 3, ("valid YAML",)),
        "c.csv": (_write_text('case_id,user_input\na,q\nb,"open'), 3, ("valid CSV",)),
        "c.parquet": (_write_text(b"PAR1 and then nothing of use"), None, ("Parquet",)),
    },
    "not UTF-8": {
        "c.jsonl": (_write_text(b'{"case_id": "a", "user_input": "q"}\n{"case_id": "\xff"}'), 2, ("byte 13", "0xff")),
        "c.json": (_write_text(b'[\n{"case_id": "\xff"}]'), 2, ("byte 15", "0xff")),
        "c.yaml": (_write_text(b"- case_id: a\n- case_id: \xff\n"), 2, ("byte 24", "0xff")),
        "c.csv": (_write_text(b"case_id,user_input\na,\xff\n"), 2, ("byte 2", "0xff")),
    },
    "empty": {
        "c.jsonl": (_write_text(""), None, ("empty",)),
        "c.jsonl.gz": (_write_text(""), None, ("no rows",)),
        "c.json": (_write_text(""), None, ("empty",)),
        "c.yaml": (_write_text(""), None, ("empty",)),
        "c.csv": (_write_text(""), None, ("empty",)),
        "c.parquet": (_write_text(""), None, ("empty",)),
    },
    "no rows": {
        "c.jsonl": (_write_text("\n\n"), None, ("no rows",)),
        "c.json": (_write_text("[]"), None, ("no rows",)),
        "c.yaml": (_write_text("[]"), None, ("no rows",)),
        "c.csv": (_write_text("case_id,user_input\n"), None, ("no rows",)),
        "c.parquet": (_write_parquet("SELECT 'a' AS case_id WHERE false"), None, ("no rows",)),
    },
    "row that is no mapping": {
        "c.jsonl": (_write_text("[1]"), 1, ("mapping",)),
        "c.json": (_write_text('[\n\n"a"]'), 3, ("mapping",)),
        "c.yaml": (_write_text("- a\n"), 1, ("mapping",)),
    },
    "ragged row": {
        "c.csv": (_write_text("case_id,user_input\na,q\nb\n"), 3, ("1 cells", "2")),
    },
}

TABLE = [(damage, name) for damage, formats in DAMAGED.items() for name in formats]


@pytest.mark.parametrize(("damage", "name"), TABLE, ids=[f"{damage}-{name}" for damage, name in TABLE])
def test_damage_is_refused_with_place_and_remedy(tmp_path: Path, damage: str, name: str) -> None:
    write, line, words = DAMAGED[damage][name]
    path = tmp_path / name
    write(path)
    with pytest.raises(DataError) as raised:
        _rows(path)
    problem = raised.value.problems[0]
    assert problem.file == str(path)
    assert problem.line == line
    assert problem.remedy
    for word in words:
        assert word in str(problem)


@pytest.mark.parametrize("name", ["c.jsonl", "c.csv"])
def test_a_line_beyond_the_cap_is_refused(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beleg.adapters.formats.jsonl.MAX_LINE_BYTES", 50)
    path = tmp_path / name
    path.write_text("case_id,user_input\n" if name == "c.csv" else '{"case_id": "a", "user_input": "q"}\n')
    with path.open("a") as file:
        file.write("x" * 51 + "\n")
    with pytest.raises(DataError, match=r":2: the line has more than 50 bytes"):
        _rows(path)


@pytest.mark.parametrize("name", ["c.json", "c.yaml"])
def test_a_document_beyond_the_cap_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b" " * (8 * 1024 * 1024 + 1))
    with pytest.raises(DataError, match="Split it"):
        _rows(path)


def test_an_unknown_suffix_names_the_supported_ones(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        list(read_rows(tmp_path / "cases.xlsx"))
    assert ".jsonl.gz" in raised.value.diagnostics()
    assert ".parquet" in raised.value.diagnostics()


@pytest.mark.parametrize("name", WHOLE)
def test_a_file_that_is_not_there_is_a_wrong_call(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        list(read_rows(tmp_path / name))


def test_all_faults_of_a_file_are_reported_together(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"case_id": "a"}\nno json\n{"case_id": "b", "user_input": "q"}\n{"user_input": 3, "x": 1}\n')
    with pytest.raises(DataError) as raised:
        _rows(path)
    assert [problem.line for problem in raised.value.problems] == [1, 2, 4, 4, 4]


def test_a_document_names_the_line_of_the_field(tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    path.write_text("case_id: a\nuser_input: q\nexpected_passages:\n  - document_id: d\n    grade: '3'\n")
    with pytest.raises(ConfigError) as raised:
        load_document(Case, path)
    assert str(raised.value) == (
        f"{path}:5: field 'expected_passages[0].grade': a whole number is expected (found '3'). Write 3 instead of '3'"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.yaml", "$schema: x\ncase_id: a\nuser_input: q\nreview_by: 2027-06-30\n"),
        ("c.json", '{"$schema": "x", "case_id": "a", "user_input": "q", "review_by": "2027-06-30"}'),
    ],
)
def test_a_document_may_name_its_schema(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert load_document(Case, path).review_by is not None
