"""How far the passages that a sentence cites carry it, by a dedicated verifier, as ALCE measures it (A5)."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

from beleg.core.inference import SupportModel
from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.cited_sources import Asked, CitedSources, Verdict, cited_sources
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.batch import Row
from beleg.metrics.generation.citation_support import Carries, CitationSupport

DEFAULT_THRESHOLD = 0.5
"""From which probability on a sentence counts as carried, where no calibration set it."""


async def judge_citation_entailment(panel: Panel, _docket: Docket, row: Row) -> Outcome:
    """Has every sentence held against every source that it cites, and against the first three together.

    A verifier knows no partial support: from the threshold on a sentence is carried in full, below it not at all.
    """
    if panel.verifier is None:
        return Outcome(without=Score.without(ScoreStatus.MISSING, "no verifier is configured"))
    sources = cited_sources(row)
    if isinstance(sources, Score):
        return Outcome(without=sources)
    threshold = DEFAULT_THRESHOLD if panel.verifier_threshold is None else panel.verifier_threshold
    for step in (sources.alone, sources.joint, sources.without_one):
        failed = await _verify(panel.verifier, sources, step(), threshold)
        if failed is not None:
            return Outcome(without=failed)
    return Outcome(evidence=CitationSupport(sentences=sources.findings()).to_json_dict())


async def _verify(
    verifier: SupportModel, sources: CitedSources, asked: Sequence[Asked], threshold: float
) -> Score | None:
    """Keeps the verdicts on pairs; the reason where the verifier gave something that is no probability."""
    if not asked:
        return None
    pairs = [(sources.text(source), sources.answer.sentences[number].text) for number, source in asked]
    found = await asyncio.to_thread(verifier.support, pairs)
    probabilities = [float(value) for value in found]
    if len(probabilities) != len(asked) or not all(
        math.isfinite(value) and 0.0 <= value <= 1.0 for value in probabilities
    ):
        return Score.without(ScoreStatus.INVALID, "the verifier did not give one probability for each pair")
    for one, probability in zip(asked, probabilities, strict=True):
        sources.verdicts[one] = Verdict(
            support=Carries.FULL if probability >= threshold else Carries.NONE,
            rationale=f"probability {probability:.4f}, threshold {threshold:g}",
        )
    return None


CITATION_ENTAILMENT = JudgedMeasure(
    name="citation_entailment",
    version="1",
    needs=frozenset({"verifier"}),
    judge=judge_citation_entailment,
    calls=lambda row: 0,
)
