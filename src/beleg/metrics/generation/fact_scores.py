"""Scores over atomic facts: with a length penalty, over claims that can be checked, and over those that say something.

Sources: FActScore (Min et al., 2023), VeriScore (Song et al., 2024), Core (Jiang et al., 2024).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from beleg.core.case import Identifier
from beleg.core.findings import ClaimFinding, Support
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column
from beleg.metrics.generation.claims import ClaimSupport
from beleg.text.normalise import fold_typography

GAMMA = 10
"""The number of facts below which FActScore's length penalty sets in."""


class QualifiedClaim(StoredModel):
    """One claim with its verdict, and whether it counts."""

    finding: ClaimFinding
    verifiable: bool
    """Whether a source could confirm or refute it (VeriScore)."""
    informative: bool
    """Whether it says something that the question asks for and that is no common knowledge."""
    repeats: Identifier | None = None
    """The earlier claim that says the same."""


class QualifiedClaims(StoredModel):
    """The evidence of the measure ``qualified_claims``: every claim of an answer."""

    claims: tuple[QualifiedClaim, ...]

    def everything(self) -> tuple[ClaimFinding, ...]:
        """All claims."""
        return tuple(claim.finding for claim in self.claims)

    def verifiable(self) -> tuple[ClaimFinding, ...]:
        """The claims that a source could confirm or refute."""
        return tuple(claim.finding for claim in self.claims if claim.verifiable)

    def core(self) -> tuple[ClaimFinding, ...]:
        """The claims that are verifiable and informative, each once; equal words count once whatever the judge said."""
        kept: dict[str, ClaimFinding] = {}
        for claim in self.claims:
            if claim.verifiable and claim.informative and claim.repeats is None:
                kept.setdefault(fold_typography(claim.finding.claim).casefold(), claim.finding)
        return tuple(kept.values())


def length_penalty(facts: int, gamma: int = GAMMA) -> float:
    """What FActScore multiplies the score of a short answer with.

    Formula: 1 from ``gamma`` facts on, else exp(1 − gamma / facts). Source: Min et al., 2023. Range: 0 to 1.

    Args:
        facts: how many facts the answer states, at least 1.
        gamma: from how many on there is no penalty; 1 switches it off.

    Example:
        >>> length_penalty(10), round(length_penalty(5), 6)
        (1.0, 0.367879)
    """
    return 1.0 if facts >= gamma else math.exp(1 - gamma / facts)


def fact_score(claims: Sequence[ClaimFinding], gamma: int = GAMMA) -> Score:
    """Supported facts over all facts, times the length penalty.

    Formula: supported / facts · `length_penalty`. FActScore looks its evidence up in an encyclopedia; here the evidence
    is what was delivered. True but trivial facts raise it: see `core_support`. Range: 0 to 1, higher is better.
    Undefined (``no_claims``) without a fact.

    Args:
        claims: the facts with their verdicts.
        gamma: from how many facts on there is no penalty; 1 switches it off.

    Example:
        >>> facts = [ClaimFinding(claim_id=str(i), claim="c", support=Support.SUPPORTED) for i in range(5)]
        >>> round(fact_score(facts).value, 6)
        0.367879
    """
    if not claims:
        return Score.without(ScoreStatus.NO_CLAIMS, "the answer states no such fact")
    return Score.of(_supported(claims) / len(claims) * length_penalty(len(claims), gamma))


def f1_at_k(supported: int, claims: int, k: float) -> Score:
    """VeriScore: harmonic mean of the precision of the claims and of their number against what is usual.

    Formula: with precision = supported / claims and recall = min(supported / k, 1): 2 · precision · recall / (precision
    + recall), and 0 where nothing is supported. Source: Song et al., 2024. Range: 0 to 1, higher is better.

    Args:
        supported: how many verifiable claims are supported.
        claims: how many verifiable claims there are.
        k: how many are usual: the median over the answers of a run.

    Example:
        >>> f1_at_k(5, 10, 10).value
        0.5
    """
    if supported == 0:
        return Score.of(0.0)
    precision, recall = supported / claims, min(supported / k, 1)
    return Score.of(2 * precision * recall / (precision + recall))


@dataclass(frozen=True, slots=True, kw_only=True)
class PaddingEffect:
    """By how much padding moved each figure; ``None`` where a side has none."""

    all_claims: float | None
    verifiable: float | None
    core: float | None

    @property
    def is_resisted(self) -> bool:
        """Whether the figure over core claims did not rise."""
        return self.core is not None and self.core <= 0


def padding_effect(plain: QualifiedClaims, padded: QualifiedClaims, gamma: int = GAMMA) -> PaddingEffect:
    """Compares `fact_score` of an answer before and after true but trivial facts were added to it.

    The figure over all claims rises with such facts, through the share and through the length penalty. The figure over
    core claims must not.

    Args:
        plain: the claims of the answer.
        padded: the claims of the same answer with trivial facts added.
        gamma: as in `fact_score`.
    """

    def gain(taken: Callable[[QualifiedClaims], Sequence[ClaimFinding]]) -> float | None:
        before, after = (fact_score(taken(side), gamma).value for side in (plain, padded))
        return None if before is None or after is None else after - before

    return PaddingEffect(
        all_claims=gain(QualifiedClaims.everything),
        verifiable=gain(QualifiedClaims.verifiable),
        core=gain(QualifiedClaims.core),
    )


def fact_score_column(batch: Batch, *, gamma: int = GAMMA) -> ScoreColumn:
    """`fact_score` of every row over all claims; missing where no judge was asked."""
    return finding_column(batch, "claim_support", ClaimSupport, lambda _row, found: fact_score(found.claims, gamma))


def verifiable_support_column(batch: Batch) -> ScoreColumn:
    """Supported verifiable claims over verifiable claims of every row; the precision of VeriScore.

    Undefined: ``no_claims`` for an answer without a verifiable claim; missing where no judge was asked.
    """
    return _qualified(batch, lambda found: fact_score(found.verifiable(), 1))


def core_support_column(batch: Batch) -> ScoreColumn:
    """Supported core claims over core claims of every row: padding with true, trivial or repeated facts moves nothing.

    Undefined: ``no_claims`` for an answer without a core claim; missing where no judge was asked.
    """
    return _qualified(batch, lambda found: fact_score(found.core(), 1))


def core_fact_score_column(batch: Batch, *, gamma: int = GAMMA) -> ScoreColumn:
    """`fact_score` of every row over core claims only, the length penalty counting core claims."""
    return _qualified(batch, lambda found: fact_score(found.core(), gamma))


def veriscore_column(batch: Batch, *, k: int | None = None) -> ScoreColumn:
    """`f1_at_k` of every row over its verifiable claims.

    Without ``k`` it is the median number of verifiable claims over the rows of this batch, as in the paper; the value
    of a row then depends on the other rows, so give ``k`` where two runs are compared. 0 where claims are made and none
    of them is verifiable. Undefined: ``no_claims`` for an answer without claims; missing where no judge was asked.
    """
    usual: float | None = k
    if usual is None:
        counts = _qualified(batch, lambda found: Score.of(len(found.verifiable()))).values
        usual = median(counts.tolist()) if len(counts) else 0.0
    expected = max(float(usual), 1.0)

    def score(found: QualifiedClaims) -> Score:
        claims = found.verifiable()
        return f1_at_k(_supported(claims), len(claims), expected)

    return _qualified(batch, score)


def _supported(claims: Sequence[ClaimFinding]) -> int:
    return sum(claim.support is Support.SUPPORTED for claim in claims)


def _qualified(batch: Batch, score: Callable[[QualifiedClaims], Score]) -> ScoreColumn:
    return finding_column(batch, "qualified_claims", QualifiedClaims, lambda _row, found: score(found))
