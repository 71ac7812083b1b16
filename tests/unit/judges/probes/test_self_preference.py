from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import ValidationError

from beleg.core.probes import ProbeReport
from beleg.core.score import Score, ScoreStatus
from beleg.judges.probes.self_preference import (
    LabelledPair,
    probe_self_preference,
    self_preference_item,
    self_preference_report,
)
from support.ruled_judges import Preferrer, ruled_panel


def pair(number: int, **fields: Any) -> LabelledPair:
    given = {"own": "as a model of mine", "other": "another answer", "own_label": 1, "other_label": 1}
    return LabelledPair(case_id=str(number), question="?", **{**given, **fields})


def probed(prefer: Preferrer, *pairs: LabelledPair) -> ProbeReport:
    panel = ruled_panel(prefer=prefer)
    assert panel.judge is not None
    return asyncio.run(probe_self_preference(panel.judge, pairs))


def vain(first: str, second: str) -> str:
    return "A" if "mine" in first else "B" if "mine" in second else "tie"


def test_a_judge_that_prefers_its_own_is_found_out() -> None:
    found = probed(vain, *(pair(number) for number in range(10)))
    assert (found.n, found.rate, found.figures["own_share"]) == (10, 1.0, 1.0)
    assert found.figures["own_share_lower"] > 0.5


def test_a_judge_that_prefers_nobody_or_a_place_shows_no_self_preference() -> None:
    for verdict, counted in (("tie", "tied"), ("A", "position_dependent")):
        found = probed(lambda _first, _second, verdict=verdict: verdict, pair(1), pair(2))  # type: ignore[misc]
        assert (found.events, found.counts, found.figures) == (0, {counted: 2}, {})


def test_pairs_that_people_find_unequal_are_not_asked() -> None:
    found = probed(vain, pair(1, own_label=0), pair(2))
    assert (found.n, found.missing) == (1, {"not_applicable": 1})


def test_a_pair_without_verdicts_keeps_its_reason() -> None:
    reason = Score.without(ScoreStatus.TIMEOUT)
    assert self_preference_report([self_preference_item(pair(1), reason)]).missing == {"timeout": 1}


@pytest.mark.parametrize("label", [float("nan"), float("inf"), "1"])
def test_a_label_is_a_finite_number(label: Any) -> None:
    with pytest.raises(ValidationError):
        pair(1, own_label=label)
