from __future__ import annotations

import pytest

from beleg.core.score import ScoreStatus
from beleg.metrics.generation.context_recall import ReferenceAttribution, ReferenceSentence, context_recall


def attribution(*held: bool) -> ReferenceAttribution:
    return ReferenceAttribution(
        sentences=tuple(
            ReferenceSentence(sentence_id=str(number), sentence="s", attributed=each)
            for number, each in enumerate(held)
        )
    )


@pytest.mark.parametrize(
    ("held", "expected"), [((True, True, True, False), 0.75), ((False,), 0.0), ((True,), 1.0), ((True, False), 0.5)]
)
def test_worked_values(held: tuple[bool, ...], expected: float) -> None:
    assert context_recall(attribution(*held)).value == expected


def test_a_reference_without_a_sentence_has_no_score() -> None:
    assert context_recall(attribution()).status is ScoreStatus.NOT_APPLICABLE
