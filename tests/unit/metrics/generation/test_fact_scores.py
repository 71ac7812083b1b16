from __future__ import annotations

import math

import pytest

from beleg.core.findings import ClaimFinding, Finding, Support
from beleg.core.score import ScoreStatus
from beleg.metrics.batch import Batch, Row
from beleg.metrics.catalogue import compute
from beleg.metrics.findings import subject_digest
from beleg.metrics.generation.fact_scores import (
    QualifiedClaim,
    QualifiedClaims,
    f1_at_k,
    fact_score,
    length_penalty,
    padding_effect,
)
from unit.metrics.building import case, trace


def facts(supported: int, unsupported: int = 0, first: int = 0) -> tuple[ClaimFinding, ...]:
    supports = [Support.SUPPORTED] * supported + [Support.NOT_IN_CONTEXT] * unsupported
    return tuple(
        ClaimFinding(claim_id=str(number), claim=f"claim {number}", support=support)
        for number, support in enumerate(supports, start=first)
    )


def qualified(
    claims: tuple[ClaimFinding, ...], *, informative: bool = True, verifiable: bool = True
) -> tuple[QualifiedClaim, ...]:
    return tuple(QualifiedClaim(finding=claim, verifiable=verifiable, informative=informative) for claim in claims)


@pytest.mark.parametrize(
    ("count", "expected"), [(1, math.exp(-9)), (5, math.exp(-1)), (9, math.exp(1 - 10 / 9)), (10, 1.0), (50, 1.0)]
)
def test_the_length_penalty_of_the_paper(count: int, expected: float) -> None:
    assert length_penalty(count) == expected


@pytest.mark.parametrize("gamma", [1, 5, 10, 30])
def test_the_penalty_never_falls_with_more_facts_and_is_whole_at_gamma(gamma: int) -> None:
    penalties = [length_penalty(count, gamma) for count in range(1, 60)]
    assert penalties == sorted(penalties)
    assert length_penalty(gamma, gamma) == 1.0


def test_fact_score_worked_values() -> None:
    assert fact_score(facts(3, 1), gamma=1).value == 0.75
    assert fact_score(facts(9, 3)).value == 0.75
    assert fact_score(facts(3, 1)).value == 0.75 * math.exp(1 - 10 / 4)
    assert fact_score(()).status is ScoreStatus.NO_CLAIMS


@pytest.mark.parametrize(
    ("supported", "claims", "k", "expected"),
    [(5, 10, 10, 0.5), (10, 10, 10, 1.0), (20, 20, 10, 1.0), (0, 7, 10, 0.0), (0, 0, 10, 0.0), (3, 4, 6, 0.6)],
)
def test_veriscore_worked_values(supported: int, claims: int, k: float, expected: float) -> None:
    assert f1_at_k(supported, claims, k).value == pytest.approx(expected)


def test_padding_raises_the_plain_figure_and_not_the_one_over_core_claims() -> None:
    plain = QualifiedClaims(claims=qualified(facts(2, 2)))
    trivial = qualified(facts(6, first=4), informative=False)
    vague = qualified(facts(6, first=10), verifiable=False)
    padded = QualifiedClaims(claims=(*plain.claims, *trivial, *vague))
    effect = padding_effect(plain, padded)
    assert effect.all_claims is not None
    assert effect.all_claims > 0.7
    assert effect.verifiable is not None
    assert effect.verifiable > 0.6
    assert effect.core == 0.0
    assert effect.is_resisted


def test_a_claim_repeated_word_for_word_counts_once_whatever_the_judge_says() -> None:
    claim = qualified(facts(1))[0]
    again = claim.model_copy(update={"finding": claim.finding.model_copy(update={"claim": "CLAIM  0"})})
    wrong = qualified(facts(0, 1, first=1))
    plain = QualifiedClaims(claims=(claim, *wrong))
    padded = QualifiedClaims(claims=(claim, *wrong, *[again] * 20))
    effect = padding_effect(plain, padded)
    assert effect.core == 0.0
    assert effect.all_claims is not None
    assert effect.all_claims > 0.4


def test_where_nothing_is_left_the_effect_is_unknown_and_not_resisted() -> None:
    vague = QualifiedClaims(claims=qualified(facts(2), verifiable=False))
    effect = padding_effect(vague, vague)
    assert (effect.core, effect.is_resisted) == (None, False)


def run(*numbers: int) -> Batch:
    """One row for each number: as many verifiable claims, all supported, and one that nobody could check."""
    cases = [case(case_id=f"c{place}") for place in range(len(numbers))]
    traces = [trace(a_case.case_id, answer="…", delivered=()) for a_case in cases]
    findings = {}
    for row, number in zip(Batch.of(cases, traces).rows, numbers, strict=True):
        assert isinstance(row, Row)
        evidence = QualifiedClaims(claims=(*qualified(facts(number)), *qualified(facts(1), verifiable=False)))
        findings[(row.case.case_id, 0, "qualified_claims")] = Finding(
            case_id=row.case.case_id,
            measure="qualified_claims",
            measure_version="1",
            subject_digest=subject_digest(row),
            evidence=evidence.to_json_dict(),
        )
    return Batch.of(cases, traces, findings=findings)


def test_k_is_the_median_of_the_run_unless_it_is_given() -> None:
    batch = run(2, 4, 9)
    found = compute(["veriscore", "veriscore@9"], batch)
    assert found["veriscore"].values.tolist() == pytest.approx([2 * 0.5 / 1.5, 1.0, 1.0])
    assert found["veriscore@9"].values.tolist() == pytest.approx([2 * (2 / 9) / (11 / 9), 2 * (4 / 9) / (13 / 9), 1.0])


def test_a_run_whose_claims_nobody_could_check_scores_0() -> None:
    found = compute(["veriscore", "verifiable_support"], run(0, 0))
    assert found["veriscore"].values.tolist() == [0.0, 0.0]
    assert found["verifiable_support"].score_at(0).status is ScoreStatus.NO_CLAIMS
