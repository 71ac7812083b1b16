"""Error rates: the published example, every kind of whitespace, empty references, hostile text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.errors import UsageError
from beleg.core.score import ScoreStatus
from beleg.metrics.ingestion.error_rates import TextForm, edits, error_rates, pooled

AS_IS = TextForm(composed=False, spaces_folded=False)
MARS = ("Mars has two moons, Phobos and Deimos.", "Mars has two m00ns, Phobos and Deirnos.")
TEXTS = st.text(alphabet="ab \u00e4\u0308\u05d0\ud800", max_size=12)


def by_the_book(reference: str, hypothesis: str) -> int:
    """The Levenshtein distance by its whole table."""
    row = list(range(len(hypothesis) + 1))
    for number, letter in enumerate(reference, start=1):
        last, row[0] = row[0], number
        for at, other in enumerate(hypothesis, start=1):
            last, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, last + (letter != other))
    return row[-1]


def test_the_published_example_comes_out() -> None:
    characters, words = edits(*MARS, "characters"), edits(*MARS, "words")
    assert (characters.total, characters.reference_length) == (4, 38)
    assert round(characters.rate().value or 0, 3) == 0.105
    assert (words.substitutions, words.deletions, words.insertions, words.reference_length) == (2, 0, 0, 7)
    assert round(words.rate().value or 0, 3) == 0.286


@settings(max_examples=300)
@given(TEXTS, TEXTS)
def test_counts_are_a_shortest_alignment(reference: str, hypothesis: str) -> None:
    counted = edits(reference, hypothesis, "characters", AS_IS)
    assert counted.total == by_the_book(reference, hypothesis)
    assert (counted.reference_length, counted.hypothesis_length) == (len(reference), len(hypothesis))
    assert min(counted.hits, counted.substitutions, counted.deletions, counted.insertions) >= 0


@given(TEXTS, TEXTS, st.sampled_from(["characters", "words"]), st.booleans())
def test_many_at_once_give_the_figure_of_each(reference: str, hypothesis: str, unit: str, folded: bool) -> None:
    form = TextForm(case_folded=folded)
    column = error_rates([reference, MARS[0]], [hypothesis, MARS[1]], unit, form)  # type: ignore[arg-type]
    assert column.score_at(0) == edits(reference, hypothesis, unit, form).rate()  # type: ignore[arg-type]


@pytest.mark.parametrize("space", ["\t", "\n", "\u00a0", "\u2003", "\u2028", "\u202f", " \r\n "])
def test_any_whitespace_separates_words(space: str) -> None:
    assert edits(f"a{space}b", "a b", "words", AS_IS).rate().value == 0
    assert edits(f"a{space}b", "a b", "characters").rate().value == 0


def test_the_form_decides_what_is_equal() -> None:
    assert edits("cafe\u0301", "caf\u00e9", "characters").rate().value == 0
    assert edits("cafe\u0301", "caf\u00e9", "characters", AS_IS).rate().value == 0.4
    assert edits("Maß", "MASS", "characters", TextForm(case_folded=True)).rate().value == 0
    assert edits("  a  b ", "a b", "characters", AS_IS).total == 4


def test_invisible_characters_are_errors_until_they_are_taken_out() -> None:
    assert edits("ab\u200bc", "abc", "characters").rate().value == 0.25
    assert edits("Wert\u00adpapier", "Wertpapier", "characters").deletions == 1


@pytest.mark.parametrize(("hypothesis", "length"), [("", 0), ("abc", 3)])
def test_an_empty_reference_is_a_reason_and_no_figure(hypothesis: str, length: int) -> None:
    score = edits(" \n", hypothesis, "characters").rate()
    assert (score.status, score.value) == (ScoreStatus.NOT_APPLICABLE, None)
    assert score.detail == f"the reference is empty, and the hypothesis has a length of {length}"


def test_text_invented_for_an_empty_page_counts_in_the_pool() -> None:
    pages = [edits("abcd", "abcd", "characters"), edits("", "xy", "characters")]
    assert pooled(pages).rate().value == 0.5
    assert pooled([]).rate().status is ScoreStatus.NOT_APPLICABLE


def test_unpaired_documents_are_refused() -> None:
    with pytest.raises(UsageError, match="1 references and 2 hypotheses"):
        error_rates(["a"], ["a", "b"], "words")


def test_right_to_left_binary_and_lone_surrogates_are_text_like_any_other() -> None:
    assert edits("שלום עולם", "שלום", "words").deletions == 1
    assert edits("a\ud800b", "ab", "characters").deletions == 1
    assert edits("\x00\x01\x02", "\x00\x02", "characters", AS_IS).deletions == 1


def test_a_long_document_is_aligned_whole() -> None:
    rng = np.random.default_rng(5)
    reference = "".join(rng.choice(list("abcdefgh"), 200_000))
    hypothesis = reference[:50_000] + "x" + reference[50_001:150_000] + "yy" + reference[150_003:]
    counted = edits(reference, hypothesis, "characters")
    assert counted.total == 4
    assert counted.deletions - counted.insertions == 1


@given(st.text(alphabet="a \t\n\u00a0\u2028\u200b\u3000\x1c\x85", max_size=8))
def test_spaces_are_folded_as_everywhere_else(text: str) -> None:
    assert TextForm(composed=False).of(text) == " ".join(text.split())
