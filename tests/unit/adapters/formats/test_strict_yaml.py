"""YAML means what it says."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.adapters.formats.strict_yaml import parse_yaml
from beleg.core.errors import DataError

STAYS_TEXT = (
    *("yes", "no", "on", "off", "Yes", "NO", "True", "FALSE", "Null", "~"),
    *("12:30", "1_000", "0x1f", "0o17", "007", "2027-06-30", "1.2.3", "e3", "."),
)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("", None),
        ("3", 3),
        ("-3", -3),
        ("+3", 3),
        ("0.9", 0.9),
        ("-.5", -0.5),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("1.5E-3", 0.0015),
        *((text, text) for text in STAYS_TEXT),
        ('"3"', "3"),
        ("'true'", "true"),
        ("'<<'", "<<"),
        ("2027-06-30T10:00:00Z", "2027-06-30T10:00:00Z"),
    ],
)
def test_only_plain_words_and_numbers_are_more_than_text(written: str, value: object) -> None:
    read = parse_yaml(f"key: {written}\n").value["key"]
    assert (read, type(read)) == (value, type(value))


def test_block_text_is_text() -> None:
    assert parse_yaml("a: |\n  3\nb: >-\n  true\n").value == {"a": "3\n", "b": "true"}


def test_keys_are_text() -> None:
    assert parse_yaml("1: a\nno: b\nnull: c\n").value == {"1": "a", "no": "b", "null": "c"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("threshold: 0.9\nthreshold: 0.1\n", r"2: field 'threshold': the key stands twice \(column 1\)"),
        ("a:\n  - b: 1\n    b: 2\n", r"3: field 'a\[0\].b': the key stands twice"),
        ("a: 1\n'a': 2\n", "twice"),
        ("a: &x 1\n", r"1: anchors are not read \(&x\)"),
        ("a: *x\n", r"aliases are not read \(\*x\)"),
        ("a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "anchors"),
        ("a: !!int '3'\n", "tags are not read"),
        ("!!python/object/apply:os.system ['true']\n", "tags are not read"),
        ("a: !env X\n", "tags are not read"),
        ("<<: {a: 1}\n", "merge keys"),
        ("? [a]\n: 1\n", "a key must be text"),
        ("? {a: 1}\n: 1\n", "a key must be text"),
        ("--- 1\n--- 2\n", "second document"),
        ("# nothing\n", "no data"),
        ("a: [1, 2\n", "valid YAML"),
        ("a: b: c\n", "1: this is no valid YAML"),
        ("a: 1\n\tb: 2\n", "2: this is no valid YAML"),
        ("a: 1\nb: \x07\n", "2: this is no valid YAML"),
        ("a: .inf\n", "finite"),
        ("a: -.Inf\n", "finite"),
        ("a: .NaN\n", "finite"),
        ("a: 1e999\n", "finite"),
        (f"a: {'1' * 401}\n", "ordinary length"),
        ("[" * 65 + "]" * 65, "deeper than 64 levels"),
        ("[" * 100_000, "deeper than 64 levels"),
        ("- " * 65 + "a", "deeper than 64 levels"),
        ("".join(f"{'  ' * depth}a:\n" for depth in range(100)), "65: .*deeper than 64 levels"),
    ],
)
def test_what_surprises_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(DataError, match=words):
        parse_yaml(text, file="p.yaml")


def test_sixty_four_levels_are_read() -> None:
    parse_yaml("[" * 64 + "]" * 64)


def test_every_value_knows_its_line() -> None:
    document = parse_yaml("a:\n  - b: 1\n    c:\n      d: 2\n")
    assert document.line_of(("a", 0, "c", "d")) == 4
    assert document.line_of(("a", 0, "missing", "e")) == 2
    assert document.line_of(()) == 1


PRINTABLE = st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=20)


@given(
    st.recursive(
        PRINTABLE | st.integers(-(10**9), 10**9) | st.booleans() | st.none(),
        lambda v: st.lists(v, max_size=3) | st.dictionaries(PRINTABLE, v, max_size=3),
        max_leaves=8,
    )
)
def test_json_reads_as_json(value: object) -> None:
    assert parse_yaml(json.dumps(value, ensure_ascii=False)).value == value
