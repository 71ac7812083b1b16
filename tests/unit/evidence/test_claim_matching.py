from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beleg.core.evidence import ClaimRow
from beleg.core.locators import Span
from beleg.evidence.claim_matching import MAX_RESEMBLANCE_CLAIMS, match_claims, resembling
from support import q017

PATTERN = q017.evidence().claims[0]


def rows(*texts: str, answer: str = "sha256:a", name: str = "C") -> tuple[ClaimRow, ...]:
    """Claims one behind the other in an answer."""
    made, at = [], 0
    for number, text in enumerate(texts, start=1):
        span = Span(start=at, end=at + len(text))
        update = {"text": text, "spans": (span,), "answer_digest": answer, "claim_id": f"{name}-{number}"}
        made.append(PATTERN.model_copy(update=update))
        at += len(text) + 1
    return tuple(made)


def told(
    old: tuple[ClaimRow, ...], new: tuple[ClaimRow, ...]
) -> tuple[list[tuple[str, str, str]], list[str], list[str]]:
    found = match_claims(old, new)
    pairs = [(pair.old.claim_id, pair.new.claim_id, pair.by) for pair in found.pairs]
    return pairs, [row.claim_id for row in found.only_old], [row.claim_id for row in found.only_new]


def test_the_same_place_of_the_same_answer_is_the_same_claim() -> None:
    old, new = rows("a", "b", name="O"), rows("a", "b", name="N")
    assert told(old, new) == ([("O-1", "N-1", "span"), ("O-2", "N-2", "span")], [], [])


def test_in_another_answer_only_the_same_words_are_the_same_claim() -> None:
    old, new = rows("a", "b", name="O"), rows("b", "A", "c", answer="sha256:b", name="N")
    assert told(old, new) == ([("O-2", "N-1", "wording")], ["O-1"], ["N-2", "N-3"])


def test_one_wording_that_stands_equally_often_is_taken_in_order_and_else_not_at_all() -> None:
    old = rows("x", "x", name="O")
    assert told(old, rows("x", "y", "x", answer="b", name="N"))[0] == [
        ("O-1", "N-1", "wording"),
        ("O-2", "N-3", "wording"),
    ]
    assert told(old, rows("x", answer="b", name="N")) == ([], ["O-1", "O-2"], ["N-1"])


def test_words_that_look_alike_are_never_taken_for_the_same() -> None:
    old, new = rows("Returns within 30 days.", name="O"), rows("Returns within 3O days.", answer="b", name="N")
    assert told(old, new) == ([], ["O-1"], ["N-1"])
    assert told(rows("caf\u00e9"), rows("cafe\u0301", answer="b")) == ([], ["C-1"], ["C-1"])
    assert told(rows("a\u00a0b"), rows("a b", answer="b"))[0] == []
    assert told(rows("a\u200bb"), rows("ab", answer="b"))[0] == []


def test_what_looks_alike_is_a_suggestion() -> None:
    (row,) = rows("Returns are free within 30 days.")
    others = rows("Shipping costs 5 euros.", "Returns are free within 14 days.", name="N")
    assert resembling(row, others) == "N-2"
    assert resembling(row, others[:1]) is None
    assert resembling(row, ()) is None
    assert resembling(row, others * MAX_RESEMBLANCE_CLAIMS) is None


def test_a_hostile_claim_is_looked_at_only_at_its_beginning() -> None:
    (row,) = rows("same beginning of some words " * 20 + "a" * 100_000)
    (other,) = rows("same beginning of some words " * 20 + "b" * 100_000, name="N")
    assert resembling(row, [other]) == "N-1"


@given(st.lists(st.sampled_from("abc"), max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
def test_every_claim_is_told_exactly_once_and_pairs_have_the_same_words(old: list[str], new: list[str]) -> None:
    mine, theirs = rows(*old, name="O"), rows(*new, answer="b", name="N")
    found = match_claims(mine, theirs)
    assert all(pair.old.text == pair.new.text for pair in found.pairs)
    assert sorted(r.claim_id for r in (*(p.old for p in found.pairs), *found.only_old)) == [r.claim_id for r in mine]
    assert sorted(r.claim_id for r in (*(p.new for p in found.pairs), *found.only_new)) == [r.claim_id for r in theirs]


def restated(rows: tuple[ClaimRow, ...], *stated: str | None) -> tuple[ClaimRow, ...]:
    return tuple(row.model_copy(update={"restated": words}) for row, words in zip(rows, stated, strict=True))


def test_claims_on_the_same_words_belong_together_by_what_they_state() -> None:
    """A judge may list the claims of one sentence in another order."""
    old = restated(rows("s", "s", name="O"), "A is free.", "B is slow.")
    new = restated(rows("s", "s", answer="b", name="N"), "B is slow.", "A is free.")
    assert told(old, new)[0] == [("O-2", "N-1", "wording"), ("O-1", "N-2", "wording")]


def test_claims_at_the_same_place_belong_together_by_what_they_state() -> None:
    (whole,) = rows("s")
    old = restated((whole, whole.model_copy(update={"claim_id": "C-2"})), "A is free.", "B is slow.")
    assert told(old, old[::-1])[0] == [("C-2", "C-2", "span"), ("C-1", "C-1", "span")]


def test_claims_on_the_same_words_that_state_other_things_are_not_paired_by_their_order() -> None:
    old = restated(rows("s", "s", name="O"), "A is free.", "B is slow.")
    new = restated(rows("s", "s", answer="b", name="N"), "C is red.", "D is loud.")
    assert told(old, new)[0] == []
