"""The rule against invented claims on atomic facts that were taken from real answers, and on those of other answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from beleg.judges.integrity import foreign_claim_flaw


@pytest.mark.shared_data
def test_no_fact_of_an_answer_is_foreign_to_it_and_most_facts_of_another_one_are(shared_data: Path) -> None:
    lines = (shared_data / "factscore/chatgpt_bios_60.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    facts = [[found["fact"] for found in row["facts"]] for row in rows]
    answers = [row["generation"] for row in rows]

    def foreign(shift: int) -> int:
        return sum(
            foreign_claim_flaw([fact], (answer, "")) is not None
            for place, answer in enumerate(answers)
            for fact in facts[(place + shift) % len(rows)]
        )

    assert sum(len(listed) for listed in facts) == 1598
    assert foreign(0) == 0
    assert foreign(7) > 0.5 * 1598
