from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.errors import ConfigError
from beleg.metrics.catalogue import compute
from beleg.metrics.generation.similarity import (
    AnswerSimilarity,
    MatchedTo,
    SimilarTo,
    TokenSimilarity,
    bert_score_of,
    semantic_similarity,
)
from beleg.metrics.generation.surface_facts import reference_facts
from unit.metrics.building import case, one

# Cosines that three small models gave to a statement and its denial, as measured on their own vectors.
SIMILARITY_OF_A_DENIAL = {"wordllama 0.4.0": 0.98, "all-MiniLM-L6-v2 int8": 0.86, "multilingual-e5-small q4": 0.96}


def test_the_most_similar_reference_counts_and_brings_its_flags() -> None:
    found = AnswerSimilarity(
        embedder="m",
        references=(
            SimilarTo(reference="a", similarity=0.4),
            SimilarTo(reference="b", similarity=0.9, flags=("number: 5 is not in the evidence",)),
        ),
    )
    assert semantic_similarity(found).value == 0.9
    assert semantic_similarity(found).detail == "number: 5 is not in the evidence"


def test_a_cosine_beyond_1_is_refused() -> None:
    with pytest.raises(ValidationError):
        SimilarTo(reference="r", similarity=1.2)


@pytest.mark.parametrize("model", SIMILARITY_OF_A_DENIAL)
@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("The drug was not approved in Germany in 1994.", "The drug was approved in Germany in 1994."),
        ("Opened items are returned within 60 days.", "Opened items are returned within 30 days."),
        ("Die Rückgabe geöffneter Ware ist nicht möglich.", "Die Rückgabe geöffneter Ware ist möglich."),
    ],
)
def test_a_wrong_number_or_a_denial_keeps_its_similarity_and_is_told_beside_it(
    model: str, answer: str, reference: str
) -> None:
    flags = reference_facts(answer, reference)
    similar = SimilarTo(reference=reference, similarity=SIMILARITY_OF_A_DENIAL[model], flags=flags)
    score = semantic_similarity(AnswerSimilarity(embedder=model, references=(similar,)))
    assert score.value is not None
    assert score.value >= 0.86
    assert score.detail


def test_bert_score_takes_the_best_reference_and_stretches_from_a_baseline() -> None:
    found = TokenSimilarity(
        embedder="m",
        references=(
            MatchedTo(reference="a", precision=0.99, recall=0.5),
            MatchedTo(reference="b", precision=0.9, recall=0.8, flags=("negation: x",)),
        ),
    )
    assert bert_score_of(found).value == pytest.approx(2 * 0.9 * 0.8 / 1.7)
    assert bert_score_of(found, part="precision").value == 0.9
    assert bert_score_of(found, part="recall", baseline=0.5).value == pytest.approx(0.6)
    assert bert_score_of(found).detail == "negation: x"


@pytest.mark.parametrize("baseline", ["1", "1.5", "-2", "nan", "high"])
def test_a_baseline_that_cannot_be_is_refused(baseline: str) -> None:
    with pytest.raises(ConfigError, match="baseline"):
        compute([f"bert_score(baseline={baseline})"], one(case(), answer="x"))
