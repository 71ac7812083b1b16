from __future__ import annotations

import re

import pytest

from beleg.text.word_runs import word_runs


def test_runs_are_whole_words_in_lower_case() -> None:
    assert word_runs("No-one ISN’T there, 4_b.") == {"no", "one", "isn", "t", "there", "4_b"}
    assert word_runs("") == set()


@pytest.mark.parametrize("spelled", ["KEİN", "keın", "nıcht", "\u212aein", "auſſer", "AUẞER", "NICHTS", "Ausgenommen"])
def test_what_a_pattern_without_regard_to_case_finds_is_a_run(spelled: str) -> None:
    pattern = re.compile(r"\b(?:kein|nicht|nichts|ausser|außer|ausgenommen)\b", re.IGNORECASE)
    found = pattern.search(f"({spelled})")
    assert found is not None
    assert word_runs(found.group()) & {"kein", "nicht", "nichts", "ausser", "außer", "ausgenommen"}
