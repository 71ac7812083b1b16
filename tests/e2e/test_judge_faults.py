"""A judge that fails in every way, over real connections: no row is lost, and none is judged that was not."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from beleg.adapters.stores.sqlite_calls import SqliteCallStore
from beleg.core.judge_settings import JudgeBudget
from beleg.core.score import ScoreStatus
from beleg.judges.engine import JudgeEngine
from beleg.judges.measures.answer_parts import answer_parts
from beleg.judges.panel import Outcome
from beleg.judges.store import MemoryStore
from beleg.metrics.batch import Row
from beleg.metrics.generation.claims import ClaimSupport, faithfulness
from support.judged_rows import engine_at, judge_all, row, rows
from support.mock_judge import MockJudge, served, served_apart, stats_of


def judged(asked: list[Row], behaviour: dict[str, Any], **chosen: Any) -> tuple[list[Outcome], JudgeEngine, MockJudge]:
    async def work() -> tuple[list[Outcome], JudgeEngine, MockJudge]:
        async with served(**behaviour) as (mock, url), engine_at(url, **chosen) as engine:
            return await judge_all(engine, asked), engine, mock

    return asyncio.run(work())


def scores(outcomes: list[Outcome]) -> list[float | None]:
    found = []
    for outcome in outcomes:
        evidence = outcome.evidence
        found.append(
            None if evidence is None else faithfulness(ClaimSupport.model_validate(evidence, strict=False)).value
        )
    return found


def statuses(outcomes: list[Outcome]) -> Counter[ScoreStatus]:
    return Counter(ScoreStatus.SCORED if outcome.without is None else outcome.without.status for outcome in outcomes)


def test_a_tenth_of_faults_and_a_twentieth_of_broken_replies_lose_no_row() -> None:
    faults = {"p429": 0.05, "p500": 0.05, "p_prose": 0.03, "p_truncated": 0.02, "retry_after_s": 0.01, "seed": 11}
    outcomes, engine, mock = judged(list(rows(300)), faults)
    assert scores(outcomes) == [1.0] * 300
    assert {"p429", "p500", "p_prose", "p_truncated"} <= mock.stats.faults.keys()
    assert sum(engine.tally.repeats.values()) == sum(mock.stats.faults.values())
    assert mock.stats.requests == 600 + sum(mock.stats.faults.values())


@pytest.mark.parametrize("fault", ["p_missing", "p_duplicate", "p_twice", "p_html", "p_prose"])
def test_every_kind_of_broken_reply_is_asked_again(fault: str) -> None:
    outcomes, engine, mock = judged(list(rows(60)), {fault: 0.2, "seed": 5})
    assert scores(outcomes) == [1.0] * 60
    assert mock.stats.faults[fault] > 0
    # A reply that holds no verdicts cannot lack one.
    assert 0 < sum(engine.tally.repeats.values()) <= mock.stats.faults[fault]


def test_a_judge_that_hangs_now_and_then_is_left_and_asked_again() -> None:
    outcomes, _, mock = judged(list(rows(40)), {"p_hang": 0.1, "seed": 5}, call_timeout_s=0.2)
    assert scores(outcomes) == [1.0] * 40
    assert mock.stats.faults["p_hang"] > 0


def test_verdicts_in_another_order_are_the_same_verdicts() -> None:
    assert scores(judged(list(rows(20)), {"is_reversed": True})[0]) == [1.0] * 20


@pytest.mark.parametrize("fault", ["p_duplicate", "p_missing", "p_twice"])
def test_a_judge_that_always_breaks_the_count_gives_no_score(fault: str) -> None:
    outcomes, _, _ = judged(list(rows(5)), {fault: 1.0}, attempts=2)
    assert statuses(outcomes) == {ScoreStatus.INVALID: 5}


@pytest.mark.parametrize("is_listening", [True, False])
def test_when_the_judge_is_gone_every_row_is_an_error_of_the_judge_and_it_is_not_asked_for_ever(
    *, is_listening: bool
) -> None:
    async def work() -> tuple[list[Outcome], JudgeEngine, int]:
        async with served(is_down=True) as (mock, url):
            address = url if is_listening else "http://127.0.0.1:9/v1"
            async with engine_at(address, outage_s=0.3, sleep=lambda _seconds: asyncio.sleep(0.005)) as engine:
                outcomes = await judge_all(engine, rows(2_000))
                return outcomes, engine, mock.stats.requests

    outcomes, engine, requests = asyncio.run(work())
    assert statuses(outcomes) == {ScoreStatus.JUDGE_ERROR: 2_000}
    assert engine.stopped is not None
    assert engine.spending.calls < 1_500
    assert not is_listening or requests == engine.spending.calls
    last = outcomes[-1].without
    assert last is not None
    assert "not asked" in (last.detail or "")


def test_an_account_that_is_used_up_ends_the_run_with_what_was_judged() -> None:
    outcomes, engine, mock = judged(list(rows(200)), {"quota_after": 101, "latency_ms": 1})
    counted = statuses(outcomes)
    assert counted[ScoreStatus.SCORED] > 0
    assert counted[ScoreStatus.SCORED] + counted[ScoreStatus.JUDGE_ERROR] == 200
    assert mock.stats.requests <= 101 + 32
    assert engine.stopped is not None


def test_a_budget_is_a_hard_stop_and_the_rest_can_be_judged_later() -> None:
    store = MemoryStore()

    async def work() -> tuple[list[Outcome], int, list[Outcome], int]:
        async with served() as (mock, url):
            async with engine_at(url, store, budget=JudgeBudget(max_calls=60)) as engine:
                first, asked = await judge_all(engine, rows(100)), mock.stats.requests
            async with engine_at(url, store) as engine:
                return first, asked, await judge_all(engine, rows(100)), mock.stats.requests

    first, asked, again, asked_in_all = asyncio.run(work())
    counted = statuses(first)
    assert asked == 60
    assert counted[ScoreStatus.SCORED] > 0
    assert counted[ScoreStatus.SCORED] + counted[ScoreStatus.MISSING] == 100
    assert scores(again) == [1.0] * 100
    assert asked_in_all == 200


def test_large_rows_are_judged_whole() -> None:
    sentences = [f"Parcel {number} has arrived." for number in range(500)]
    long_answer = "and so on " * 16_667  # 50,000 words
    passages = [" ".join(sentences), *("x" * 99_999 for _ in range(21))]  # 2 MB
    asked = [
        row(1, answer=" ".join(sentences), passages=passages),
        row(2, answer=long_answer, passages=passages),
        row(3, answer=""),
    ]
    assert len(long_answer.split()) >= 50_000
    outcomes, _, mock = judged(asked, {}, store=MemoryStore())
    found = sorted((outcome.evidence or {}).get("claims", []).__len__() for outcome in outcomes)  # type: ignore[attr-defined]
    # The long answer has no full stop: it is read in parts, and the judge takes each for one claim.
    parts = len(answer_parts(long_answer))
    assert found == [0, parts, 500]
    assert statuses(outcomes) == {ScoreStatus.SCORED: 2, ScoreStatus.INVALID: 1}
    assert mock.stats.bytes_in > 4_000_000


def test_the_key_is_in_no_file_no_output_and_no_error(tmp_path: Path) -> None:
    """A server that repeats the key in every fault and reply, and a program that prints all it knows."""
    secret = "sk-canary-5f2a9c71d3"
    script = tmp_path / "judge.py"
    script.write_text(KILLED.replace("None  # key", "os.environ['JUDGE_KEY']"))
    behaviours = [{"is_down": True}, {"p_prose": 0.5}, {"quota_after": 3}, {"refuses": ("model",)}]
    said = ""
    for at, behaviour in enumerate(behaviours):
        with served_apart(echoes_key=True, **{k: v for k, v in behaviour.items() if k != "refuses"}) as url:
            ended = subprocess.run(
                [sys.executable, str(script), url, str(tmp_path / f"calls{at}.sqlite"), "3"],
                capture_output=True,
                text=True,
                check=False,
                env={**os.environ, "JUDGE_KEY": secret, "PYTHONASYNCIODEBUG": "1"},
            )
        said += ended.stdout + ended.stderr
    assert "***" in said
    assert secret not in said
    for file in tmp_path.iterdir():
        assert secret.encode() not in file.read_bytes(), file


KILLED = """
import asyncio, os, sys
from pathlib import Path
sys.path.insert(0, TESTS)
from beleg.adapters.stores.sqlite_calls import SqliteCallStore
from support.judged_rows import engine_at, judge_all, rows

async def main():
    with SqliteCallStore.open(Path(sys.argv[2])) as store:
        async with engine_at(sys.argv[1], store, api_key=None  # key
                             , in_flight=4, sleep=lambda seconds: asyncio.sleep(min(seconds, 0.02))) as engine:
            for outcome in await judge_all(engine, rows(int(sys.argv[3])), workers=4):
                print(outcome)

asyncio.run(main())
""".replace("TESTS", repr(str(Path(__file__).parents[1])))

ROWS, KILLS = 120, 6


@pytest.mark.slow
def test_a_judge_run_that_is_killed_again_and_again_repeats_only_what_was_under_way(tmp_path: Path) -> None:
    script, file = tmp_path / "judge.py", tmp_path / "calls.sqlite"
    script.write_text(KILLED)
    moments = random.Random(20261130)
    with served_apart(latency_ms=10) as url:
        killed = 0
        while killed < KILLS:
            before = stats_of(url)["requests"]
            process = subprocess.Popen(
                [sys.executable, str(script), url, str(file), str(ROWS)], stdout=subprocess.DEVNULL
            )
            while stats_of(url)["requests"] == before and process.poll() is None:
                time.sleep(0.005)
            time.sleep(moments.uniform(0.01, 0.12))
            process.send_signal(signal.SIGKILL)
            if process.wait() == 0:
                break
            killed += 1
            with SqliteCallStore.open(file, is_read_only=True) as store:
                answered = store.count()
            # Whatever was answered and is not stored was under way: four at most each time.
            assert stats_of(url)["requests"] - answered <= 4 * killed
        subprocess.run([sys.executable, str(script), url, str(file), str(ROWS)], check=True, capture_output=True)
        asked = stats_of(url)
    assert killed >= 3
    with SqliteCallStore.open(file, is_read_only=True) as store:
        assert store.count() == 2 * ROWS
    assert 2 * ROWS <= asked["requests"] <= 2 * ROWS + 4 * killed
    assert max(asked["digests"].values()) <= 1 + killed
