"""Position bias of real judges, on verdicts in both orders that others recorded."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from beleg.core.score import Score, ScoreStatus
from beleg.judges.probes.position import position_figures, position_item
from beleg.judges.probes.report import ProbeItem, probe_report
from beleg.metrics.generation.preference import BothOrders, Preferred, preference

LLMBAR = "llmbar/evaluator_verdicts_vanilla.jsonl"
REWARD_MODELS = {
    # Accuracy on the 350 pairs of GPT-4o as the paper of JudgeBench (Tan et al. 2024) gives it for reward models.
    "judgebench/judgments_Skywork_Skywork-Reward-Llama-3.1-8B.jsonl": (62.29, 1),
    "judgebench/judgments_internlm_internlm2-7b-reward.jsonl": (59.43, 0),
}


def rows_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def both_orders(row: dict[str, Any]) -> BothOrders | Score:
    """Verdicts of LLMBar by the identity of the output; the better one of the two by gold is the evaluated one."""
    if row["winner_ab"] is None or row["winner_ba"] is None:
        return Score.without(ScoreStatus.INVALID, "the evaluator named no winner")
    own = [Preferred.OWN if row[order] == row["gold"] else Preferred.OTHER for order in ("winner_ab", "winner_ba")]
    # In the order ab, output 1 stands first.
    first, second = own if row["gold"] == "1" else reversed(own)
    return BothOrders(own_first=first, own_second=second)


def name_of(row: dict[str, Any]) -> str:
    return f"{row['subset']}/{row['idx']}"


@pytest.fixture
def verdicts(shared_data: Path) -> dict[tuple[str, str], list[Any]]:
    found: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in rows_of(shared_data / LLMBAR):
        found[row["evaluator"], row["subset"]].append(row)
    return found


def counted(rows: list[Any]) -> Counter[str]:
    """The figures counted anew from the raw rows, without anything of ours."""
    found: Counter[str] = Counter()
    for row in rows:
        pair = (row["winner_ab"], row["winner_ba"])
        if None in pair:
            found["unknown"] += 1
        elif pair == ("1", "1") or pair == ("2", "2"):
            found["same"] += 1
            found["right"] += pair[0] == row["gold"]
        else:
            # 1 in the order ab and 2 in the order ba: whichever stood first won.
            found["first" if pair == ("1", "2") else "second"] += 1
    return found


@pytest.mark.shared_data
def test_changes_and_their_direction_are_those_of_the_raw_verdicts(verdicts: dict[tuple[str, str], list[Any]]) -> None:
    assert len(verdicts) == 15
    for (evaluator, subset), rows in verdicts.items():
        expected = counted(rows)
        items = [position_item(name_of(row), both_orders(row)) for row in rows]
        found = probe_report("position", subset, items, figures=position_figures(items))
        changed = expected["first"] + expected["second"]
        assert found.n + sum(found.missing.values()) == len(rows)
        assert (found.events, found.missing.get("invalid", 0)) == (changed, expected["unknown"])
        assert found.counts.get("first", 0) == expected["first"], (evaluator, subset)
        exact = stats.binomtest(changed, found.n).proportion_ci(method="exact")
        assert (found.lower, found.upper) == pytest.approx((exact.low, exact.high), abs=1e-9)
        if changed:
            lean = stats.binomtest(expected["first"], changed, 0.5)
            assert found.figures["p_value"] == pytest.approx(lean.pvalue, rel=1e-9)
            assert found.figures["first_share"] == expected["first"] / changed


@pytest.mark.shared_data
def test_a_win_in_both_orders_is_counted_as_in_the_raw_verdicts(verdicts: dict[tuple[str, str], list[Any]]) -> None:
    for rows in verdicts.values():
        expected = counted(rows)
        scores = [preference(found).value for row in rows if isinstance(found := both_orders(row), BothOrders)]
        assert scores.count(1.0) == expected["right"]
        assert scores.count(0.0) == expected["same"] - expected["right"]
        assert scores.count(0.5) == expected["first"] + expected["second"]


def whole(verdicts: dict[tuple[str, str], list[Any]], evaluator: str) -> list[ProbeItem]:
    rows = [row for (name, _), listed in verdicts.items() if name == evaluator for row in listed]
    return [position_item(name_of(row), both_orders(row)) for row in rows]


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("evaluator", "changed", "known", "leans"),
    [("GPT-4", 30, 419, False), ("ChatGPT", 143, 419, True), ("LLaMA2", 103, 417, True)],
)
def test_how_often_each_judge_lets_the_order_decide(
    verdicts: dict[tuple[str, str], list[Any]], evaluator: str, changed: int, known: int, leans: bool
) -> None:
    items = whole(verdicts, evaluator)
    found = probe_report("position", "pairs", items, figures=position_figures(items))
    assert (found.events, found.n) == (changed, known)
    assert (found.figures["p_value"] < 0.05) == leans


@pytest.mark.shared_data
@pytest.mark.parametrize("file", REWARD_MODELS)
def test_reward_models_score_each_answer_alone_and_are_as_right_as_published(shared_data: Path, file: str) -> None:
    published, changed = REWARD_MODELS[file]
    flipped = {"A>B": "B>A", "B>A": "A>B"}
    items, right = [], 0
    for row in rows_of(shared_data / file):
        first, second = (judgment["decision"] for judgment in row["judgments"])
        better = row["label"]
        found = BothOrders(
            own_first=Preferred.OWN if first == better else Preferred.OTHER,
            own_second=Preferred.OWN if flipped[second] == better else Preferred.OTHER,
        )
        items.append(position_item(row["pair_id"], found))
        right += preference(found).value == 1.0
    report = probe_report("position", "pairs", items)
    assert (report.n, report.events) == (350, changed)
    assert round(100 * right / 350, 2) == published
