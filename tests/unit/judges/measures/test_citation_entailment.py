from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from beleg.core.inference import Vectors
from beleg.core.judging import JudgeSpec
from beleg.core.score import ScoreStatus
from beleg.judges.measures.citation_entailment import CITATION_ENTAILMENT, judge_citation_entailment
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.generation.citation_support import CitationSupport
from support.citation_rows import ROWS, figure_of, row_of
from support.judge_models import spec
from unit.judges.measures.test_citation_support import _NAME


class Verifier:
    """Gives the probability that a test lists for passages and a sentence."""

    def __init__(self, carries: dict[str, list[str]], **fields: Any) -> None:
        self._carries = carries
        self._spec = spec(**fields)

    @property
    def spec(self) -> JudgeSpec:
        return self._spec

    def support(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        return np.array([self._one(premise, claim) for premise, claim in pairs], dtype=np.float32)

    def _one(self, premise: str, claim: str) -> float:
        held = set(_NAME.findall(premise))
        return 0.75 if any(held >= set(needed.split("+")) for needed in self._carries.get(claim, ())) else 0.25


def judged(answer: str, docs: int, verifier: Verifier | None, threshold: float | None = None) -> Outcome:
    panel = Panel(verifier=verifier, verifier_threshold=threshold)
    return asyncio.run(judge_citation_entailment(panel, Docket(), row_of(answer, docs)))


@pytest.mark.parametrize(
    "entry",
    [entry for entry in ROWS["citations"] if any(flavour == "alce" for flavour, _, _ in entry["expected"])],
    ids=lambda entry: entry["what"],
)
def test_a_verifier_that_knows_the_truth_gives_every_worked_figure_of_alce(entry: dict[str, Any]) -> None:
    outcome = judged(entry["answer"], entry["docs"], Verifier(entry.get("carries", {})))
    found = CitationSupport.model_validate(outcome.evidence, strict=False)
    for flavour, figure, value in entry["expected"]:
        if flavour == "alce":
            assert figure_of(found, flavour, figure) == (value if value == "none" else pytest.approx(value))


@pytest.mark.parametrize(("threshold", "expected"), [(0.7, 1.0), (0.8, 0.0)])
def test_the_calibrated_threshold_decides(threshold: float, expected: float) -> None:
    outcome = judged("A so [1].", 1, Verifier({"A so.": ["1"]}), threshold)
    found = CitationSupport.model_validate(outcome.evidence, strict=False)
    assert figure_of(found, "alce", "recall") == expected
    assert found.sentences[0].citations[0].rationale == f"probability 0.7500, threshold {threshold:g}"


@pytest.mark.parametrize("given", [[], [0.5, 0.5], [float("nan")], [1.5]])
def test_what_is_no_probability_is_no_verdict(given: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    verifier = Verifier({})
    monkeypatch.setattr(verifier, "support", lambda _pairs: np.array(given))
    outcome = judged("A so [1].", 1, verifier)
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.INVALID


def test_without_a_verifier_it_is_missing_and_no_call_is_planned() -> None:
    outcome = judged("A so [1].", 1, None)
    assert outcome.without is not None
    assert outcome.without.status is ScoreStatus.MISSING
    assert CITATION_ENTAILMENT.calls(row_of("A so [1].", 1)) == 0
