from __future__ import annotations

import pytest

from beleg.core.judging import JudgeFault
from beleg.judges.tasks.entities import ENTITY_EXTRACTION, TextWithEntities
from unit.judges.tasks.replying import fault_of

ASKED = TextWithEntities(text="Die Universität Wien wurde 1365 gegründet.")


@pytest.mark.parametrize(
    ("entities", "fault"),
    [
        ([], None),
        (["Universität Wien", "1365"], None),
        (["Universität  Wien"], None),
        (["University of Vienna"], JudgeFault.QUOTE_ABSENT),
        (["136"], JudgeFault.QUOTE_ABSENT),
        (["–"], JudgeFault.EMPTY_CLAIM),
    ],
)
def test_entities_stand_in_the_text(entities: list[str], fault: JudgeFault | None) -> None:
    assert fault_of(ENTITY_EXTRACTION, ASKED, {"entities": entities}) is fault
