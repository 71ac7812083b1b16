from __future__ import annotations

import pytest

from beleg.core.errors import EvidenceError
from beleg.core.pack_faults import PackFault, PackProblem, PackRefused


@pytest.mark.parametrize("fault", PackFault)
def test_every_rule_has_a_sentence_in_both_languages(fault: PackFault) -> None:
    told = PackProblem(fault=fault, subject="decision/decision.json", found="7 bytes").sentence
    assert told.en != told.de
    assert "{" not in told.en + told.de
    assert "!" not in told.en + told.de


def test_a_refusal_says_what_where_and_by_which_rule() -> None:
    error = PackRefused(PackFault.WRONG_SIZE, "a.json", "3 bytes, and 2 in the manifest")
    assert isinstance(error, EvidenceError)
    assert (error.fault, error.exit_code) == (PackFault.WRONG_SIZE, 30)
    assert error.message == (
        "a.json: the entry is not as long as the manifest says: 3 bytes, and 2 in the manifest (wrong_size)"
    )


def test_hostile_names_are_quoted_and_braces_in_them_mean_nothing() -> None:
    error = PackRefused(PackFault.NUL_IN_PATH, "a\x00{found}\x1b[31m")
    assert "\x00" not in error.message
    assert "\x1b" not in error.message
    assert "{found}" in error.message
