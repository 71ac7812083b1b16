from __future__ import annotations

import time

import pytest

from beleg.core.judging import JudgeFault
from beleg.judges.replies import read_reply
from beleg.judges.task import Flaw
from beleg.judges.tasks.claims import CLAIM_EXTRACTION, AnswerToSplit, ClaimsReply

ASKED = AnswerToSplit(question="?", answer="Yes.")


def test_a_whole_reply_is_taken() -> None:
    assert read_reply(CLAIM_EXTRACTION, ASKED, '{"claims": ["a"]}') == ClaimsReply(claims=["a"])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", JudgeFault.EMPTY_REPLY),
        ("Sure! Here it is.", JudgeFault.NOT_JSON),
        ('Sure: {"claims": []}', JudgeFault.NOT_JSON),
        ('```json\n{"claims": []}\n```', JudgeFault.NOT_JSON),
        ('{"claims": ["a"', JudgeFault.NOT_JSON),
        ("[" * 100_000, JudgeFault.NOT_JSON),
        ('{"claims": [1]}', JudgeFault.SCHEMA),
        ('{"claims": ["a"], "score": 1}', JudgeFault.SCHEMA),
        ('{"claims": ["a"], "claims": []}', JudgeFault.SCHEMA),
        ("[]", JudgeFault.SCHEMA),
        ('{"claims": ["  "]}', JudgeFault.EMPTY_CLAIM),
    ],
)
def test_anything_else_is_a_fault_of_its_own_kind(text: str, fault: JudgeFault) -> None:
    found = read_reply(CLAIM_EXTRACTION, ASKED, text)
    assert isinstance(found, Flaw)
    assert found.fault is fault


def test_a_key_that_stands_twice_among_very_many_is_found_at_once() -> None:
    many = ",".join(f'"k{number}":1' for number in range(100_000))
    began = time.process_time()
    found = read_reply(CLAIM_EXTRACTION, ASKED, f'{{{many},"k99999":1}}')
    assert isinstance(found, Flaw)
    assert "'k99999' stands twice" in found.message
    assert time.process_time() - began < 5
