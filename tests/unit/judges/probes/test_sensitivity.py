from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from beleg.judges.probes.probe import run_probe
from beleg.judges.probes.sensitivity import SENSITIVITY, shared_numbers, with_other_numbers
from support.ruled_judges import ruled_panel, word_for_word
from unit.judges.probes.rows import row_of


def test_a_judge_that_reads_numbers_takes_its_support_back() -> None:
    found = asyncio.run(run_probe(SENSITIVITY, ruled_panel(), [row_of()], ["c"]))
    assert (found.n, found.events, found.counts) == (1, 0, {"claims": 1, "claims_still_supported": 0})


def test_a_judge_that_reads_only_words_is_found_out() -> None:
    found = asyncio.run(
        run_probe(
            SENSITIVITY, ruled_panel(lambda passage, claim: word_for_word(passage, claim) or True), [row_of()], ["c"]
        )
    )
    assert (found.events, found.counts["claims_still_supported"]) == (1, 1)


def test_an_answer_without_a_number_says_nothing() -> None:
    found = asyncio.run(run_probe(SENSITIVITY, ruled_panel(), [row_of("Shipping costs.")], ["c"]))
    assert found.missing == {"not_applicable": 1}


def test_numbers_are_shared_whole() -> None:
    assert shared_numbers("Es sind 14 Tage und 4,90 €, nicht 3.", ["14 Tage", "Preis: 14,90 €", "bis 30"]) == ("14",)
    assert with_other_numbers("14 Tage, 114 Tage, 1.14 x14 14.", ["14"]) == "25 Tage, 114 Tage, 1.14 x14 25."


@given(st.from_regex(r"[1-9][0-9]{0,5}([.,][0-9]{1,3})?", fullmatch=True))
def test_a_changed_number_is_another_number_of_the_same_form(number: str) -> None:
    changed = with_other_numbers(number, [number])
    assert len(changed) == len(number)
    assert all(new != old for new, old in zip(changed, number, strict=True) if old.isdigit())
    assert not changed.startswith("0")
