"""JSON that says two things, or nothing that can be used, is refused."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.adapters.formats.strict_json import parse_json, parse_json_bytes, parse_json_list
from beleg.core.errors import DataError

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON_VALUES)
def test_sound_json_reads_as_the_standard_reader_reads_it(value: object) -> None:
    text = json.dumps(value)
    assert parse_json(text) == json.loads(text)


@given(st.lists(JSON_VALUES, max_size=5), st.sampled_from([None, 1]))
def test_a_list_reads_item_by_item_as_it_reads_whole(values: list[object], indent: int | None) -> None:
    text = json.dumps(values, indent=indent)
    assert [value for _, value in parse_json_list(text)] == json.loads(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": {"b": 1, "c": {}, "b": 2}}', r"column 24.*|field 'b'.*twice"),
        ('{"a": 1, "\\u0061": 2}', "field 'a': the key stands twice"),
        ("[NaN]", r"finite.*column 2.*NaN"),
        ('{"s": "NaN", "a": -Infinity}', r"column 19"),
        ("[1e400]", "finite"),
        ("[-1e400]", "finite"),
        ("1" * 401, "ordinary length"),
        ("[" * 65 + "]" * 65, "deeper than 64 levels.*column 65"),
        ("[" * 100_000, "deeper than 64 levels"),
        ('{"a":' * 100_000, "deeper than 64 levels"),
        ('{"a": ["x", "\\ud800"]}', r"field 'a\[1\]': the text holds half a surrogate pair"),
        ('{"\\udc00": 1}', "surrogate"),
        ("", "valid JSON"),
        ("nothing", "valid JSON"),
        ('{"a": 1}\n{"a": 2}', ":2: there is more text|line 2"),
        ("{'a': 1}", "valid JSON"),
        ("[1,]", "valid JSON"),
        ('"a\nb"', "valid JSON"),
    ],
)
def test_unsound_json_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(DataError, match=words):
        parse_json(text)


def test_sixty_four_levels_are_read() -> None:
    parse_json("[" * 64 + "]" * 64)


def test_brackets_within_text_do_not_nest() -> None:
    assert parse_json(json.dumps(["[" * 1000, '\\"{' * 100]))


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert parse_json('"\\ud83d\\ude00"') == "😀"


def test_text_that_never_ends_takes_no_quadratic_time() -> None:
    text = '["' + '\\"[' * 500_000
    started = time.process_time()
    with pytest.raises(DataError):
        parse_json(text)
    assert time.process_time() - started < 5


def test_the_line_of_a_row_is_kept() -> None:
    with pytest.raises(DataError) as raised:
        parse_json_bytes(b'{"a": \xfe}', file="f.jsonl", line=7)
    assert str(raised.value) == "f.jsonl:7: byte 6 of the line is not valid UTF-8 (found 0xfe). Save the file as UTF-8"


@pytest.mark.parametrize("text", ["", "{}", "[1 2]", "[1", "[1] 2", "[1,", '[1, {"a": 1, "a": 2}]'])
def test_what_is_no_whole_list_is_refused(text: str) -> None:
    with pytest.raises(DataError):
        list(parse_json_list(text))
