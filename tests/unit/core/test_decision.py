from __future__ import annotations

from itertools import product

import pytest

from beleg.core.decision import EXIT_CODES, CheckState, Sentence, Verdict, reduce_states, verdict_of


def test_states_reduce_by_the_fixed_order() -> None:
    order = ["FAIL", "ERROR", "NOT_EVALUATED", "INCONCLUSIVE", "PASS"]
    for first, second in product(order, repeat=2):
        expected = order[min(order.index(first), order.index(second))]
        assert reduce_states([CheckState(first), CheckState(second)]).value == expected


def test_silence_is_not_a_pass() -> None:
    assert verdict_of(reduce_states([])) is Verdict.REVIEW


@pytest.mark.parametrize(
    ("state", "verdict", "code"),
    [
        ("PASS", "PASS", 0),
        ("INCONCLUSIVE", "REVIEW", 10),
        ("NOT_EVALUATED", "REVIEW", 10),
        ("ERROR", "REVIEW", 10),
        ("FAIL", "BLOCK", 20),
    ],
)
def test_only_pass_passes_and_only_fail_blocks(state: str, verdict: str, code: int) -> None:
    found = verdict_of(CheckState(state))
    assert (found.value, EXIT_CODES[found]) == (verdict, code)


def test_a_sentence_is_there_in_both_languages() -> None:
    assert Sentence(en="yes", de="ja").in_language("de") == "ja"
    assert Sentence(en="yes", de="ja").in_language("fr") == "yes"
