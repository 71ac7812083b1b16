from __future__ import annotations

from typing import Any

import pytest

from beleg.core.judging import JudgeFault
from beleg.judges.tasks.citations import CITATION_SUPPORT, CitationsToCheck
from unit.judges.tasks.replying import fault_of

ASKED = CitationsToCheck(
    sentences=(("1", "Returns are free [1][2]."), ("2", "They take 30 days [1].")),
    passages=(("1", "Returns are free within 30 days."), ("2", "Shipping costs 4,90 €.")),
    pairs=(("1", "1"), ("1", "2"), ("2", "1")),
)


def verdict(sentence: str, passage: str, support: str = "none", quote: str | None = None) -> Any:
    return {"sentence_id": sentence, "passage_id": passage, "quote": quote, "reason": "so", "support": support}


WHOLE = [
    verdict("2", "1", "partial", "within 30 days"),
    verdict("1", "2"),
    verdict("1", "1", "full", "Returns are free"),
]


def test_one_verdict_for_each_pair_is_whole() -> None:
    assert fault_of(CITATION_SUPPORT, ASKED, {"verdicts": WHOLE}) is None


@pytest.mark.parametrize(
    ("verdicts", "fault"),
    [
        (WHOLE[:2], JudgeFault.MISSING_VERDICTS),
        ([*WHOLE, verdict("2", "2")], JudgeFault.EXTRA_VERDICTS),
        ([*WHOLE, WHOLE[0]], JudgeFault.REPEATED_VERDICTS),
        ([*WHOLE[1:], verdict("2", "1", "full")], JudgeFault.QUOTE_ABSENT),
        ([*WHOLE[1:], verdict("2", "1", "partial", "within 60 days")], JudgeFault.QUOTE_ABSENT),
        ([*WHOLE[1:], verdict("2", "1", "none", "within 60 days")], JudgeFault.QUOTE_ABSENT),
        ([*WHOLE[1:], verdict("2", "1", "somewhat", "within 30 days")], JudgeFault.SCHEMA),
    ],
)
def test_everything_else_is_refused(verdicts: Any, fault: JudgeFault) -> None:
    assert fault_of(CITATION_SUPPORT, ASKED, {"verdicts": verdicts}) is fault


@pytest.mark.parametrize("pairs", [(("1", "9"),), (("9", "1"),), (("1", "1"), ("1", "1"))])
def test_pairs_name_what_is_shown_and_no_pair_twice(pairs: Any) -> None:
    with pytest.raises(ValueError, match="pairs name"):
        CitationsToCheck(sentences=ASKED.sentences, passages=ASKED.passages, pairs=pairs)
