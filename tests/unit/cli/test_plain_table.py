from __future__ import annotations

import io
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.cli.output import print_table
from beleg.cli.plain_table import plain_table

CELL = st.text(st.sampled_from("ab1.[]:/ \\-äß中\t\n\u200b"), max_size=12)


def printed(head: list[str], rows: list[list[str]], numbers_from: int, *, by_rich: bool) -> str:
    with pytest.MonkeyPatch.context() as patch:
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        patch.setattr(sys, "stdout", out)
        if by_rich:
            patch.setattr("beleg.cli.plain_table.plain_table", lambda *_, **__: None)
        print_table(head, rows, numbers_from=numbers_from)
        return out.buffer.getvalue().decode()  # type: ignore[attr-defined]


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_plain_table_has_the_bytes_of_rich(data: st.DataObject) -> None:
    columns = data.draw(st.integers(1, 5))
    row = st.lists(CELL, min_size=columns, max_size=columns)
    head, rows = data.draw(row), data.draw(st.lists(row, max_size=4))
    numbers_from = data.draw(st.integers(0, 6))
    ours = printed(head, rows, numbers_from, by_rich=False)
    assert ours == printed(head, rows, numbers_from, by_rich=True)


@pytest.mark.parametrize("cell", ["ä", "中", " a", "a ", "a  b", "a\nb", "a\tb"])
def test_what_is_not_plain_is_left_to_rich(cell: str) -> None:
    assert plain_table(("x",), [(cell,)], numbers_from=1, width=80) is None


@pytest.mark.parametrize("name", ["[b]x", ":smile:", "[/]", "[link=x]"])
def test_a_heading_that_looks_like_markup_stays_as_it_is(name: str) -> None:
    for by_rich in (False, True):
        assert printed([name], [["1"]], 1, by_rich=by_rich).splitlines()[0].strip() == name


def test_what_does_not_fit_is_left_to_rich() -> None:
    assert plain_table(("x" * 41, "y" * 41), [], numbers_from=1, width=80) is None
    assert plain_table(("x" * 41, "y" * 36), [], numbers_from=1, width=80) is not None


def test_nothing_is_plain_where_colour_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert plain_table(("x",), [("1",)], numbers_from=1, width=80) is None
