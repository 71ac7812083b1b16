from __future__ import annotations

import pytest

from beleg.core.findings import ClaimFinding, Quote, Support
from beleg.core.score import ScoreStatus
from beleg.metrics.generation.claims import ClaimSupport, faithfulness
from beleg.metrics.generation.relations import (
    RelationFinding,
    RelationSupport,
    claim_order_agreement,
    relation_support,
    unseen_reordering,
)

TEXTS = {"p": "First A happened. Then B happened. Last C happened.", "q": "D is blue. E is red."}


def claims(*quoted: tuple[str, str], support: Support = Support.SUPPORTED) -> ClaimSupport:
    return ClaimSupport(
        claims=tuple(
            ClaimFinding(
                claim_id=str(number),
                claim=words,
                support=support,
                quotes=(Quote(passage_id=name, text=words, match="exact"),),
            )
            for number, (name, words) in enumerate(quoted)
        )
    )


A, B, C, D = ("p", "A happened"), ("p", "B happened"), ("p", "C happened"), ("q", "D is blue")


@pytest.mark.parametrize(
    ("told", "expected"), [((A, B, C), 1.0), ((C, B, A), 0.0), ((B, A, C), 2 / 3), ((C, D, A), 0.0), ((A, A, B), 1.0)]
)
def test_agreement_counts_pairs_of_one_passage(told: tuple[tuple[str, str], ...], expected: float) -> None:
    assert claim_order_agreement(claims(*told), TEXTS).value == pytest.approx(expected)


@pytest.mark.parametrize("told", [(), (A,), (A, D), (A, A)])
def test_without_a_pair_there_is_no_order(told: tuple[tuple[str, str], ...]) -> None:
    assert claim_order_agreement(claims(*told), TEXTS).status is ScoreStatus.NOT_APPLICABLE
    assert unseen_reordering(claims(*told), TEXTS).status is ScoreStatus.NOT_APPLICABLE


def test_the_same_facts_in_another_order_score_the_same_claim_by_claim_and_are_flagged() -> None:
    true, false = claims(A, B, C), claims(C, A, B)
    assert faithfulness(true).value == faithfulness(false).value == 1.0
    assert unseen_reordering(true, TEXTS).value == 0.0
    assert unseen_reordering(false, TEXTS).value == 1.0


def test_an_answer_with_an_unsupported_claim_is_seen_anyway() -> None:
    partly = ClaimSupport(claims=(*claims(C, A).claims, *claims(B, support=Support.CONTRADICTED).claims))
    assert unseen_reordering(partly, TEXTS).value == 0.0
    assert claim_order_agreement(partly, TEXTS).value == 0.0


def test_relations_count_only_in_full() -> None:
    found = RelationSupport(
        relations=tuple(
            RelationFinding(
                kind="order", words="then", finding=ClaimFinding(claim_id="1", claim="A before B", support=support)
            )
            for support in Support
        )
    )
    assert relation_support(found).value == 0.25
    assert relation_support(RelationSupport(relations=())).status is ScoreStatus.NO_CLAIMS


def test_five_hundred_claims_are_compared_at_once() -> None:
    text = " ".join(f"word{number:04d} happened." for number in range(500))
    told = claims(*(("p", f"word{number:04d} happened") for number in range(500)))
    assert claim_order_agreement(told, {"p": text}).value == 1.0
