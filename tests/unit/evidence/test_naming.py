from __future__ import annotations

from itertools import product

import pytest

from beleg.evidence.naming import SheetNames


def test_the_names_of_the_article() -> None:
    names = SheetNames.of(["Q-017"], repeats=1)
    assert (names.answer("Q-017", 0), names.claim("Q-017", 0, 4)) == ("A-017", "C-017-4")


@pytest.mark.parametrize(
    "case_ids",
    [
        ["Q-1", "1"],
        ["Q-", "Q-Q-", ""],
        ["a", "a.r1", "a.r1.r1"],
        ["1", "1-1", "1-1-1"],
        ["x" * 512, "x" * 511 + "y", "Q-" + "x" * 510],
    ],
)
def test_no_two_claims_of_a_run_share_a_name(case_ids: list[str]) -> None:
    names = SheetNames.of(case_ids, repeats=3)
    claims = [names.claim(case_id, repeat, number) for case_id, repeat, number in product(case_ids, range(3), (1, 11))]
    assert len(set(claims)) == len(claims)
    assert all(len(claim) <= 300 for claim in claims)
