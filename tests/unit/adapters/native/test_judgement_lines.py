"""Judgements taken at once: what the compiled part takes, and what it leaves to the portable reader."""

from __future__ import annotations

import numpy as np
import pytest

from beleg.adapters.native.judgement_lines import JudgementLines, judgement_lines
from beleg.adapters.native.library import SWITCH, library
from beleg.text.packed import PAD


def taken(text: bytes) -> JudgementLines | None:
    buffer = np.frombuffer(bytes(PAD) + text + bytes(PAD), dtype=np.uint8)
    return judgement_lines(buffer, PAD, PAD + len(text))


@pytest.fixture
def _needs_the_library() -> None:
    if library() is None:
        pytest.skip("the compiled part was not built; install a C compiler and run make")


@pytest.mark.usefixtures("_needs_the_library")
def test_columns_hold_spans_and_grades() -> None:
    found = taken(b"q1 0 d1 2\nq1\t0 d22 -0.5\nq2 0 d1 +1\nq1 0 d1 0\n")
    assert found is not None
    assert found.grade.tolist() == [2.0, -0.5, 1.0, 0.0]
    assert (found.document_start - PAD).tolist() == [5, 15, 29, 40]
    assert found.document_length.tolist() == [2, 3, 2, 2]
    assert found.change.tolist() == [0, 2, 3]
    assert (found.query_start - PAD).tolist() == [0, 24, 35]
    assert (found.query_end - found.query_start).tolist() == [2, 2, 2]


@pytest.mark.usefixtures("_needs_the_library")
@pytest.mark.parametrize("grade", ["0", "-0", "1.", ".5", "+2", "9007199254740992", "0.1", "3.141592653589793"])
def test_grades_are_those_of_python(grade: str) -> None:
    found = taken(f"q 0 d {grade}\n".encode())
    assert found is not None
    assert found.grade.tobytes() == np.array([float(grade)]).tobytes()


@pytest.mark.usefixtures("_needs_the_library")
@pytest.mark.parametrize(
    "line",
    [
        b"", b"\n", b"q 0 d\n", b"q 0 d 1 1\n", b"q  0 d 1\n", b" q 0 d 1\n", b"q 0 d 1 \n", b"q 0 d 1\r\n",
        b"q 0 d\v1\n", b"# 0 d 1\n", b"q 0 d x\n", b"q 0 d 1e0\n", b"q 0 d inf\n", b"q 0 d nan\n", b"q 0 d -\n",
        b"q 0 d .\n", b"q 0 d 9007199254740993\n", b"q 0 d 1.2.3\n", b"q 0 " + b"d" * 70_000 + b" 1\n",
    ],
)  # fmt: skip
def test_it_declines_what_is_not_plainly_in_order(line: bytes) -> None:
    assert taken(line) is None
    assert taken(b"q 0 d 1\n" + line) is None or not line


def test_it_is_left_aside_where_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    library.cache_clear()
    monkeypatch.setenv(SWITCH, "0")
    assert taken(b"q 0 d 1\n") is None
    library.cache_clear()
