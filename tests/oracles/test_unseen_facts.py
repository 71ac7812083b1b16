"""The flag of unseen names and numbers on answers that people marked span by span (RAGTruth, QA)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from beleg.metrics.generation.surface_facts import unseen_facts

pytestmark = pytest.mark.shared_data


def test_the_flag_finds_some_hallucinations_and_is_no_verdict(shared_data: Path) -> None:
    lines = (shared_data / "ragtruth" / "ragtruth_qa_test_829.jsonl").read_text(encoding="utf-8").splitlines()
    found: Counter[tuple[bool, bool]] = Counter()
    for line in lines:
        row = json.loads(line)
        found[bool(row["labels"]), bool(unseen_facts(row["d2"], row["d1"], language="en"))] += 1
    assert sum(found.values()) == 829
    hallucinated, flagged = found[True, True] + found[True, False], found[True, True] + found[False, True]
    assert hallucinated == 160
    # Far better than chance, far from enough: what the guide says of it.
    assert 0.5 <= found[True, True] / flagged <= 0.65
    assert 0.25 <= found[True, True] / hallucinated <= 0.35
