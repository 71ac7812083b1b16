from __future__ import annotations

import asyncio
from typing import Any

import pytest

from beleg.core.score import Score, ScoreStatus
from beleg.judges.engine import JudgeEngine
from beleg.judges.panel import Panel
from beleg.judges.probes.drift import drift_figures, drift_item, drift_probe
from beleg.judges.probes.probe import run_probe
from beleg.judges.store import MemoryStore
from beleg.stats.changes import paired_changes
from support.judge_models import ScriptedModel
from support.ruled_judges import every_sentence, verifying, word_for_word
from unit.judges.probes.rows import row_of

SUPPORTED = row_of("Returns are free within 14 days.")


def panel_with(verification: Any, store: MemoryStore) -> tuple[Panel, ScriptedModel]:
    model = ScriptedModel({"claim_extraction": every_sentence, "claim_verification": verification})
    return Panel(judge=JudgeEngine(model, store)), model


def test_recorded_verdicts_are_compared_with_fresh_ones() -> None:
    store = MemoryStore()
    panel, _ = panel_with(verifying(word_for_word), store)
    same = asyncio.run(run_probe(drift_probe(1), panel, [SUPPORTED], ["c"]))
    assert (same.n, same.events, same.figures) == (1, 0, {})
    stricter, model = panel_with(verifying(lambda _passage, _claim: False), store)
    found = asyncio.run(run_probe(drift_probe(2), stricter, [SUPPORTED], ["c"]))
    assert (found.events, found.counts) == (1, {"to_fail": 1})
    assert len(model.requests) == 2


def test_a_round_that_was_asked_before_is_not_asked_again() -> None:
    store = MemoryStore()
    panel, _ = panel_with(verifying(word_for_word), store)
    asyncio.run(run_probe(drift_probe(1), panel, [SUPPORTED], ["c"]))
    stricter, model = panel_with(verifying(lambda _passage, _claim: False), store)
    assert asyncio.run(run_probe(drift_probe(1), stricter, [SUPPORTED], ["c"])).events == 0
    assert model.requests == []


@pytest.mark.parametrize(
    ("before", "after", "happened", "counts"),
    [
        (True, True, False, {}),
        (False, False, False, {}),
        (False, True, True, {"to_pass": 1}),
        (True, False, True, {"to_fail": 1}),
    ],
)
def test_a_change_has_a_direction(before: bool, after: bool, happened: bool, counts: dict[str, int]) -> None:
    found = drift_item("c", before=before, after=after)
    assert (found.happened, found.counts) == (happened, counts)


def test_a_verdict_that_is_not_there_is_no_change() -> None:
    reason = Score.without(ScoreStatus.TIMEOUT)
    assert drift_item("c", before=True, after=reason).without is reason
    assert drift_item("c", before=reason, after=True).without is reason


def test_a_lean_is_told_with_mcnemars_exact_test() -> None:
    items = [drift_item(str(n), before=n % 10 != 0, after=n % 10 == 0) for n in range(10)]
    expected = paired_changes(1, 9, 10)
    assert expected.gained_share is not None
    assert drift_figures(items) == {
        "to_pass_share": 0.1,
        "to_pass_share_lower": expected.gained_share.lower,
        "to_pass_share_upper": expected.gained_share.upper,
        "p_value": expected.p_value,
    }
