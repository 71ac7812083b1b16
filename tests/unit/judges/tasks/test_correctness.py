from __future__ import annotations

from typing import Any

import pytest

from beleg.core.judging import JudgeFault
from beleg.judges.tasks.correctness import STATEMENT_MATCHING, StatementsToMatch
from unit.judges.tasks.replying import fault_of

ASKED = StatementsToMatch(
    question="?", answer_statements=(("a1", "x"), ("a2", "y")), reference_statements=(("r1", "x"), ("r2", "z"))
)


def reply(**labels: str) -> Any:
    return {"verdicts": [{"statement_id": name, "reason": "so", "label": label} for name, label in labels.items()]}


@pytest.mark.parametrize(
    ("labels", "fault"),
    [
        ({"a1": "tp", "a2": "fp", "r1": "tp", "r2": "fn"}, None),
        ({"a1": "tp", "a2": "fn", "r1": "tp", "r2": "fn"}, JudgeFault.SCHEMA),
        ({"a1": "tp", "a2": "fp", "r1": "fp", "r2": "fn"}, JudgeFault.SCHEMA),
        ({"a1": "tp", "a2": "fp", "r1": "tp"}, JudgeFault.MISSING_VERDICTS),
        ({"a1": "tp", "a2": "fp", "r1": "tp", "r2": "fn", "r3": "fn"}, JudgeFault.EXTRA_VERDICTS),
    ],
)
def test_each_statement_of_either_side_gets_a_label_of_its_side(
    labels: dict[str, str], fault: JudgeFault | None
) -> None:
    assert fault_of(STATEMENT_MATCHING, ASKED, reply(**labels)) is fault


def test_no_id_stands_on_both_sides() -> None:
    with pytest.raises(ValueError, match="several texts"):
        StatementsToMatch(question="?", answer_statements=(("1", "x"),), reference_statements=(("1", "x"),))
