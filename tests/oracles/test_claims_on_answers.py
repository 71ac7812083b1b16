"""Facts that people took from real answers go back to where they came from, in the order of the text."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from beleg.core.findings import ClaimFinding, Support
from beleg.core.trace import Output
from beleg.evidence.claims import wording
from beleg.evidence.placing import Placement, place_claims
from beleg.metrics.generation.cited_sentences import cited_answer
from beleg.text.tokens import words

pytestmark = pytest.mark.shared_data


@pytest.fixture(scope="module")
def placements(shared_data: Path) -> list[tuple[str, Placement]]:
    lines = (shared_data / "factscore" / "chatgpt_bios_60.jsonl").read_text(encoding="utf-8").splitlines()
    return list(_placements(lines))


def _placements(lines: Sequence[str]) -> Iterator[tuple[str, Placement]]:
    for row in map(json.loads, lines):
        answer = row["generation"]
        facts = [
            ClaimFinding(claim_id=str(number), claim=fact["fact"], support=Support.SUPPORTED)
            for number, fact in enumerate(row["facts"])
        ]
        yield answer, place_claims(answer, cited_answer(Output(answer=answer)), facts)


def longest_in_order(numbers: Sequence[int]) -> int:
    """The length of the longest part that never goes back."""
    tails: list[int] = []
    for number in numbers:
        at = bisect_right(tails, number)
        tails[at : at + 1] = [number]
    return len(tails)


def test_nearly_every_fact_finds_one_sentence_and_in_the_order_of_the_text(
    placements: list[tuple[str, Placement]],
) -> None:
    n_unplaced = sum(len(placed.unplaced) for _, placed in placements)
    single = [[claim.sentences[0] for claim in placed.claims if len(claim.sentences) == 1] for _, placed in placements]
    n_tied = sum(len(claim.sentences) > 1 for _, placed in placements for claim in placed.claims)
    n_single = sum(map(len, single))
    assert n_unplaced + n_tied + n_single == 1_598
    assert n_unplaced <= 10
    assert n_tied <= 40
    assert sum(map(longest_in_order, single)) >= 0.99 * n_single


def test_the_wording_of_every_fact_is_the_answers_own(placements: list[tuple[str, Placement]]) -> None:
    for answer, placed in placements:
        held = set(words(answer))
        for claim in placed.claims:
            assert set(words(wording(answer, claim.spans))) <= held
            assert len(claim.spans) <= max(2, len(claim.sentences))
