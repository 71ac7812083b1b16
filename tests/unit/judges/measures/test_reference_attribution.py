from __future__ import annotations

from typing import Any

from unit.judges.measures.rows import judged, reason, row, scored
from unit.metrics.building import case


def verdict(sentence_id: str, quote: str | None) -> dict[str, Any]:
    held = quote is not None
    return {
        "sentence_id": sentence_id,
        "passage_id": "1" if held else None,
        "quote": quote,
        "reason": "so",
        "attributed": held,
    }


def test_recall_counts_the_sentences_of_the_reference() -> None:
    reply = {"verdicts": [verdict("2", "within 30 days"), verdict("1", None)]}
    outcome, docket = judged("reference_attribution", {"reference_attribution": reply}, row())
    assert scored("context_recall", "reference_attribution", outcome, row()).value == 0.5
    assert len(docket.keys) == 1
    assert outcome.evidence is not None
    assert outcome.evidence["sentences"][1]["quotes"] == [  # type: ignore[index]
        {"passage_id": "d1#0", "text": "within 30 days", "match": "exact"}
    ]


def test_an_empty_retrieval_gives_0_without_a_call() -> None:
    asked = row(delivered=())
    outcome, docket = judged("reference_attribution", {}, asked)
    assert scored("context_recall", "reference_attribution", outcome, asked).value == 0.0
    assert docket.keys == []


def test_sentences_are_split_in_any_script() -> None:
    asked = row(case(reference_answer="退货免费。运费五欧元。", language="zh"))
    reply = {"verdicts": [verdict("1", "Returns are free"), verdict("2", None)]}
    outcome, _ = judged("reference_attribution", {"reference_attribution": reply}, asked)
    assert scored("context_recall", "reference_attribution", outcome, asked).value == 0.5


def test_a_quote_that_stands_nowhere_is_no_attribution() -> None:
    reply = {"verdicts": [verdict("1", "Returns are never free"), verdict("2", None)]}
    outcome, _ = judged("reference_attribution", {"reference_attribution": reply}, row())
    assert reason(outcome)[0] == "invalid"
