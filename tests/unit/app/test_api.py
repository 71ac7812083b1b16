from __future__ import annotations

import asyncio
import runpy
from pathlib import Path
from typing import Any

import pytest

import beleg

EXAMPLE = Path(beleg.__file__).parents[2] / "examples" / "python_api.py"


def suite(n: int) -> beleg.Suite:
    page = beleg.ExpectedPassage(document_id="d1")
    cases = [beleg.Case(case_id=f"c{i}", user_input=f"q{i}", expected_passages=(page,)) for i in range(n)]
    return beleg.Suite.of(cases, name="small")


def answer(query: beleg.Query) -> dict[str, Any]:
    return {"retrieved": [{"passage_id": "p", "document_id": "d1", "text": query.text}], "answer": "yes"}


async def answer_async(query: beleg.Query) -> dict[str, Any]:
    await asyncio.sleep(0)
    return answer(query)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_example_file_is_short_and_decides(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(EXAMPLE.read_text("utf-8").splitlines()) < 20
    runpy.run_path(str(EXAMPLE))
    assert capsys.readouterr().out.startswith("PASS All ")


@pytest.mark.parametrize("candidate", [answer, answer_async])
def test_a_callable_is_run_and_scored(candidate: Any) -> None:
    run = beleg.evaluate(candidate, suite(3), name="mine")
    assert run.mean("hit@5") == 1.0
    assert run.folder.parent == Path("runs")


@pytest.mark.parametrize("candidate", [answer, answer_async])
def test_a_notebook_with_its_own_event_loop_may_evaluate_too(candidate: Any) -> None:
    async def cell() -> beleg.EvaluatedRun:
        return beleg.evaluate(candidate, suite(3), name="mine")

    assert asyncio.run(cell()).mean("hit@5") == 1.0


def test_what_goes_wrong_in_the_run_is_raised_in_the_notebook() -> None:
    async def cell() -> None:
        beleg.evaluate(answer, suite(3), out="there")
        beleg.evaluate(answer, suite(3), out="there")

    with pytest.raises(beleg.Error, match="already holds a run"):
        asyncio.run(cell())


def test_a_policy_may_be_a_mapping_and_a_run_is_never_its_own_baseline() -> None:
    policy = {"policy": "p", "checks": [{"metric": "hit@1", "margin": 0.05}]}
    run = beleg.evaluate(answer, suite(80), name="mine")
    other = beleg.evaluate(answer, suite(80), name="other")
    assert beleg.gate(run, other, policy).verdict == beleg.Verdict.PASS
    assert beleg.gate(run, run, policy).verdict == beleg.Verdict.REVIEW


def test_every_public_name_can_be_imported() -> None:
    assert all(getattr(beleg, name) is not None for name in beleg.__all__)
