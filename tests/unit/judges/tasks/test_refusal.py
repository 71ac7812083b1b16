from __future__ import annotations

import pytest

from beleg.core.judging import JudgeFault
from beleg.judges.tasks.refusal import REFUSAL, AnswerToClassify
from unit.judges.tasks.replying import fault_of

ASKED = AnswerToClassify(question="?", answer="30 Tage. Zu Gebühren kann ich nichts sagen.")


@pytest.mark.parametrize(
    ("quote", "verdict", "fault"),
    [
        (None, "answered", None),
        ("kann ich nichts sagen", "partial", None),
        ("kann ich nichts sagen", "refused", None),
        (None, "refused", JudgeFault.QUOTE_ABSENT),
        ("I cannot say", "partial", JudgeFault.QUOTE_ABSENT),
        (None, "unsure", JudgeFault.SCHEMA),
    ],
)
def test_a_refusal_is_quoted_from_the_answer(quote: str | None, verdict: str, fault: JudgeFault | None) -> None:
    assert fault_of(REFUSAL, ASKED, {"quote": quote, "reason": "so", "verdict": verdict}) is fault
