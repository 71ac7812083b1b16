"""FActScore on biographies whose facts people labelled: the figure from the labels, and what padding does to it."""

from __future__ import annotations

import ast
import json
import math
from pathlib import Path
from statistics import fmean

import pytest

from beleg.core.findings import ClaimFinding, Support
from beleg.metrics.generation.fact_scores import QualifiedClaim, QualifiedClaims, fact_score, padding_effect

pytestmark = pytest.mark.shared_data
PADDING = 10


def facts_of(line: str) -> list[dict[str, str]]:
    facts = json.loads(line)["facts"]
    return facts if isinstance(facts, list) else list(ast.literal_eval(facts))


@pytest.fixture(scope="module")
def biographies(shared_data: Path) -> list[list[dict[str, str]]]:
    path = shared_data / "factscore" / "chatgpt_bios_60.jsonl"
    return [facts for line in path.read_text("utf-8").splitlines() if (facts := facts_of(line))]


def finding(number: int, text: str, *, supported: bool) -> ClaimFinding:
    support = Support.SUPPORTED if supported else Support.NOT_IN_CONTEXT
    return ClaimFinding(claim_id=str(number), claim=text, support=support)


def claims(facts: list[dict[str, str]]) -> tuple[QualifiedClaim, ...]:
    return tuple(
        QualifiedClaim(
            finding=finding(number, f"{number}: {fact['fact']}", supported=fact["label"] == "entailment"),
            verifiable=True,
            informative=True,
        )
        for number, fact in enumerate(facts)
    )


TRIVIAL = tuple(
    QualifiedClaim(
        finding=finding(1_000 + number, f"Trivial fact {number}.", supported=True), verifiable=True, informative=False
    )
    for number in range(PADDING)
)


def test_the_score_is_the_share_of_the_labels_with_the_penalty(biographies: list[list[dict[str, str]]]) -> None:
    assert len(biographies) == 60
    assert sum(map(len, biographies)) == 1598
    for facts in biographies:
        share = sum(fact["label"] == "entailment" for fact in facts) / len(facts)
        expected = share * (math.exp(1 - 10 / len(facts)) if len(facts) < 10 else 1.0)
        assert fact_score(QualifiedClaims(claims=claims(facts)).everything()).value == pytest.approx(expected)


def test_trivial_facts_raise_the_plain_score_of_real_answers_and_not_that_of_core_claims(
    biographies: list[list[dict[str, str]]],
) -> None:
    before, after = [], []
    for facts in biographies:
        plain = QualifiedClaims(claims=claims(facts))
        padded = QualifiedClaims(claims=(*plain.claims, *TRIVIAL))
        effect = padding_effect(plain, padded)
        assert effect.is_resisted
        assert effect.core == 0.0
        assert effect.all_claims is not None
        assert effect.all_claims >= 0
        before.append(fact_score(plain.everything()).value or 0.0)
        after.append(fact_score(padded.everything()).value or 0.0)
    assert (round(fmean(before), 2), round(fmean(after), 2)) == (0.42, 0.60)
