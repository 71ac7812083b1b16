from __future__ import annotations

import pytest

from beleg.core.score import ScoreStatus
from beleg.metrics.generation.entities import entity_recall


@pytest.mark.parametrize(
    ("reference", "context", "expected"),
    [
        (["Berlin", "1989"], ["berlin"], 0.5),
        (["Straße"], ["STRASSE"], 1.0),
        (["Москва"], ["МОСКВА"], 1.0),
        (["東京", "京都"], ["東京"], 0.5),
        (["القاهرة"], ["القاهرة", "مصر"], 1.0),
        (["दिल्ली", "मुंबई"], ["दिल्ली"], 0.5),
        (["서울"], ["부산"], 0.0),
        (["Αθήνα"], ["ΑΘΉΝΑ"], 1.0),
        (["Berlin", "berlin", "Berlin "], [], 0.0),
    ],
)
def test_names_of_any_script_are_compared_after_folding(
    reference: list[str], context: list[str], expected: float
) -> None:
    assert entity_recall(reference, context).value == expected


@pytest.mark.parametrize("reference", [[], [" "]])
def test_a_reference_without_entities_has_no_score_where_ragas_gives_0(reference: list[str]) -> None:
    assert entity_recall(reference, ["Berlin"]).status is ScoreStatus.NOT_APPLICABLE
