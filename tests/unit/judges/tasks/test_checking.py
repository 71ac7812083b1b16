from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.judging import JudgeFault
from beleg.judges.tasks.checking import (
    QuoteCheck,
    first_flaw,
    list_flaw,
    numbered,
    pair_name,
    partition_flaw,
    parts_given,
    parts_of,
    require_ids,
)

NAMES = st.lists(st.sampled_from("abcdef"), max_size=8)


@given(NAMES.map(lambda names: list(dict.fromkeys(names))), NAMES)
def test_verdicts_are_whole_exactly_where_each_thing_asked_has_one(asked: list[str], answered: list[str]) -> None:
    assert (partition_flaw(asked, answered) is None) == (sorted(asked) == sorted(answered))


@given(st.tuples(st.text(), st.text()), st.tuples(st.text(), st.text()))
def test_different_pairs_have_different_names(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (pair_name(*one) == pair_name(*other)) == (one == other)


@pytest.mark.parametrize(
    ("source", "quote", "is_needed", "stands"),
    [
        ("1", "4,90 €", True, True),
        ("1", "Versand:\u00a04,90 €", True, True),
        ("1", "4,9", True, False),
        ("1", "versand", True, False),
        ("1", "Versand 4,90", True, False),
        ("2", "4,90 €", True, False),
        ("9", "4,90 €", True, False),
        (None, "4,90 €", True, False),
        ("1", None, True, False),
        ("1", "  ", True, False),
        ("1", ":", True, False),
        (None, None, False, True),
        ("1", "", False, True),
        ("1", "4,80 €", False, False),
        ("9", "4,90 €", False, False),
    ],
)
def test_a_quote_stands_word_for_word_in_the_text_named(
    source: str | None, quote: str | None, is_needed: bool, stands: bool
) -> None:
    check = QuoteCheck({"1": "Versand: 4,90 €", "2": "Rückgabe: 14 Tage"})
    flaw = check.flaw("claim 1", source, quote, is_needed=is_needed)
    assert (flaw is None) == stands
    assert flaw is None or flaw.fault is JudgeFault.QUOTE_ABSENT


def test_a_list_has_words_in_every_entry_and_no_end_without_reason() -> None:
    assert list_flaw(["a", "1"], what="claim", most=2) is None
    too_long, empty = list_flaw(["a"] * 3, what="claim", most=2), list_flaw(["a", "?"], what="claim", most=2)
    assert too_long is not None
    assert too_long.fault is JudgeFault.SCHEMA
    assert empty is not None
    assert empty.fault is JudgeFault.EMPTY_CLAIM


def test_ids_are_given_by_number_and_never_twice() -> None:
    assert numbered(["x", "x"]) == (("1", "x"), ("2", "x"))
    require_ids(numbered("ab"))
    with pytest.raises(ValueError, match="several texts"):
        require_ids(numbered("ab"), numbered("c"))


def test_parts_carry_the_id_or_the_name() -> None:
    assert [(part.name, part.label) for part in parts_of("claim", numbered("ab"))] == [("claim", "1"), ("claim", "2")]
    assert [part.name for part in parts_given(question="q", reference=None, answer="")] == ["question", "answer"]


def test_the_first_flaw_counts() -> None:
    flaw = list_flaw([""], what="claim", most=1)
    assert first_flaw([None, flaw, None]) is flaw
    assert first_flaw([None]) is None
