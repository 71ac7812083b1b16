"""The compiled pass: what it finds, and what it leaves to the portable reader."""

from __future__ import annotations

import io

import numpy as np
import pytest

from beleg.adapters.native import run_pass as module
from beleg.adapters.native.library import library
from beleg.adapters.native.run_pass import JudgedIds, PassFound, pass_over
from beleg.metrics.ranking_runs.table import table_from_mapping

JUDGED = {"q1": {"d1": 1.0, "d2": 0.0, "a-name-of-more-than-eight-bytes": 1.0}, "q2": {"d1": 1.0}, "q3": {}}


@pytest.fixture(autouse=True)
def _needs_the_library() -> None:
    if library() is None:
        pytest.skip("the compiled part was not built; install a C compiler and run make")


def found(text: bytes) -> PassFound | None:
    table = table_from_mapping(JUDGED)
    names = table.documents
    return pass_over(io.BytesIO(text), JudgedIds(table.queries, table.offsets, names.buffer, names.start, names.length))


def ranks(text: bytes) -> list[tuple[int, int]]:
    passed = found(text)
    assert passed is not None
    return list(zip(passed.judgement.tolist(), passed.rank.tolist(), strict=True))


def test_ranks_are_by_score_and_then_by_id_descending() -> None:
    lines = b"q1 Q0 d1 1 1.0 t\nq1 Q0 d2 2 1.0 t\nq1 Q0 x 3 2.0 t\nq1 Q0 d11 4 1.0 t\n"
    assert ranks(lines) == [(1, 2), (0, 4)]


def test_many_hits_are_sorted_like_few() -> None:
    many = {f"d{number}": 1.0 for number in range(50)}
    table = table_from_mapping({"q": many})
    names = table.documents
    text = "".join(f"q Q0 d{number} 0 {number % 7} t\n" for number in range(100)).encode()
    passed = pass_over(
        io.BytesIO(text), JudgedIds(table.queries, table.offsets, names.buffer, names.start, names.length)
    )
    assert passed is not None
    order = sorted(range(100), key=lambda number: (number % 7, f"d{number}"), reverse=True)
    expected = [(number, rank) for rank, number in enumerate(order, start=1) if number < 50]
    assert list(zip(passed.judgement.tolist(), passed.rank.tolist(), strict=True)) == expected


def test_it_counts_what_each_query_returned_and_which_are_not_judged() -> None:
    passed = found(b"q2 Q0 a 1 2 mine\nq2 Q0 b 2 1 mine\nq9 Q0 a 1 1 mine\nq3 Q0 a 1 1 mine\n")
    assert passed is not None
    assert passed.returned.tolist() == [0, 2, 0]
    assert (passed.extra_queries, passed.lines, passed.tag) == (2, 4, "mine")


@pytest.mark.parametrize("block_bytes", [40, 41, 64, 97])
def test_blocks_split_nothing(monkeypatch: pytest.MonkeyPatch, block_bytes: int) -> None:
    text = b"q1 Q0 d1 1 1 t\nq1 Q0 d2 2 5e-1 t\n\nq2 Q0 x 1 3 t\nq2 Q0 d1 2 .25 t"
    whole = ranks(text)
    monkeypatch.setattr(module, "BLOCK_BYTES", block_bytes)
    assert ranks(text) == whole == [(0, 1), (1, 2), (3, 2)]


@pytest.mark.parametrize(
    "text",
    [
        b"q1 Q0 d1 1 1\n",
        b"q1\n",
        b"q1 Q0 d1 1 nan t\n",
        b"q1 Q0 d1 1 0,5 t\n",
        b"q1 Q0 d1 1 - t\n",
        b"q1 Q0 d1 1 1e t\n",
        b"q1 Q0 d1 1 1e1234567 t\n",
        b"q1 Q0 d1 1 0x10 t\n",
        b"q1 Q0 d1 1 " + b"1" * 401 + b" t\n",
        b"q1 Q0 d1 1 1 t\nq1 Q0 d1 2 0 t\n",
        b"q1 Q0 d1 1 1 t\nq2 Q0 d1 1 1 t\nq1 Q0 d2 1 1 t\n",
        b"q\xff Q0 d1 1 1 t\n",
        b"q\xed\xa0\x80 Q0 d1 1 1 t\n",
        b"q\xc0\x80 Q0 d1 1 1 t\n",
        b"q\xc3 Q0 d1 1 1 t\n\xa9 Q0 d1 1 1 t\n",
        b"q1 Q0 " + b"d" * 70_000 + b" 1 1 t\n",
        b"q1 Q0 d1 1 1 t" + b" " * 70_000 + b"\n",
    ],
)
def test_it_declines_what_is_not_plainly_in_order(text: bytes) -> None:
    assert found(text) is None


@pytest.mark.parametrize(
    "written",
    [
        "0", "-0", "1", "+1", "1.", ".5", "-.5", "12.625", "0.1", "0.30000000000000004", "1e-05", "1E5",
        "9007199254740993", "9007199254740992", "18446744073709551615", "99999999999999999999",
        "0.1234567890123456789", "123456789.0123456789", "5e-324", "2.2250738585072011e-308",
        "1.7976931348623157e308", "inf", "-Infinity", "1e-400", "1e400", "0.000000000000000000000001",
        "3.141592653589793238462643383279", "7450580596923828125e-27",
    ],
)  # fmt: skip
def test_numbers_are_those_of_python(written: str) -> None:
    # One row has the score written by Python, with an id on either side of that of the number that is tested: only if
    # both are the same double do the ids decide.
    exact = repr(float(written))
    for first, second in ((written, exact), (exact, written)):
        text = f"q1 Q0 d1 1 {first} t\nq1 Q0 d2 2 {second} t\n".encode()
        assert ranks(text) == [(1, 1), (0, 2)], (first, second)


def test_random_numbers_are_those_of_python() -> None:
    rng = np.random.default_rng(11)
    for _ in range(2_000):
        digits = int(rng.integers(1, 1 << 63, dtype=np.uint64)) >> int(rng.integers(0, 60))
        text = str(digits)
        at = int(rng.integers(0, len(text) + 1))
        test_numbers_are_those_of_python(text[:at] + "." + text[at:])


def test_a_decimal_comma_of_the_locale_changes_nothing() -> None:
    import locale

    before = locale.setlocale(locale.LC_NUMERIC)
    for name in ("de_DE.UTF-8", "de_DE.utf8", "C.UTF-8"):
        try:
            locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        try:
            test_numbers_are_those_of_python("1.5e-30")
        finally:
            locale.setlocale(locale.LC_NUMERIC, before)
