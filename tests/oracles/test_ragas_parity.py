"""Ragas and Beleg on the same judge replies: equal figures, or a difference that is listed with the reason.

Ragas runs live in an interpreter of its own, named by ``BELEG_RAGAS_PYTHON``, else ``.venv-peers/ragas/bin/python``.
"""

from __future__ import annotations

import json
import os
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from beleg.core.case import ExpectedPassage
from beleg.core.score import Score
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from oracles.ragas_rows import QUESTION, Twin, twins
from unit.judges.measures.rows import ScriptedEmbedder, judged, row, scored
from unit.metrics.building import case, passage, trace

HERE = Path(__file__).resolve().parent
PYTHON = Path(os.environ.get("BELEG_RAGAS_PYTHON", HERE.parents[1] / ".venv-peers" / "ragas" / "bin" / "python"))
ROWS_OF_EACH = 40

needs_ragas = pytest.mark.skipif(not PYTHON.exists(), reason="no environment with ragas; see benchmarks/README.md")


def of_ragas(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What Ragas says of rows, from one process."""
    ended = subprocess.run(
        [PYTHON, "-W", "ignore", HERE / "ragas_runner.py"],
        input=json.dumps(rows),
        capture_output=True,
        text=True,
        check=False,
        cwd=HERE,
        env={**os.environ, "RAGAS_DO_NOT_TRACK": "true"},
    )
    assert ended.returncode == 0, ended.stderr
    answers: list[dict[str, Any]] = json.loads(ended.stdout)
    return answers


def of_beleg(twin: Twin) -> Score:
    """What Beleg says of a row."""
    if twin.measure is None:
        return _without_a_judge(twin)
    asked = row(
        case(case_id="c1").model_copy(update={"user_input": QUESTION, "reference_answer": twin.reference}),
        answer=twin.answer,
        delivered=tuple(passage(f"d{number}", text) for number, text in enumerate(twin.contexts)),
    )
    outcome, _ = judged(twin.measure, twin.script, asked, embedder=ScriptedEmbedder(twin.vectors))
    return scored(twin.metric, twin.measure, outcome, asked)


def _without_a_judge(twin: Twin) -> Score:
    if twin.metric.startswith("id_"):
        expected = [ExpectedPassage(passage_id=name) for name in twin.expected]
        delivered = [passage(name, passage_id=name) for name in twin.contexts]
    else:
        expected = [ExpectedPassage(document_id="d", quote=text) for text in twin.expected]
        delivered = [passage("d", text, passage_id=f"p{number}") for number, text in enumerate(twin.contexts)]
    batch = Batch.of([case(*expected)], [trace(delivered=tuple(delivered))])
    return compute([twin.metric], batch)[twin.metric].score_at(0)


@needs_ragas
def test_the_same_replies_give_the_same_figures() -> None:
    rows = twins(ROWS_OF_EACH, seed=11)
    theirs = of_ragas([twin.for_ragas() for twin in rows])
    compared = set()
    for twin, their in zip(rows, theirs, strict=True):
        ours = of_beleg(twin)
        assert "value" in their, (twin, their)
        assert ours.value == pytest.approx(their["value"], abs=twin.tolerance), (twin, their, ours)
        compared.add(round(ours.value or 0.0, 6))
    assert len(compared) > 100


LISTED: list[dict[str, Any]] = tomllib.loads((HERE / "ragas_differences.toml").read_text("utf-8"))["difference"]


def _twin(entry: dict[str, Any]) -> Twin:
    given = {name: entry[name] for name in ("answer", "reference", "replies", "vectors", "script") if name in entry}
    return Twin(
        metric=entry["metric"],
        measure=entry.get("measure"),
        contexts=tuple(entry["contexts"]),
        expected=tuple(entry.get("expected", ())),
        inputs=entry.get("inputs"),
        **given,
    )


def _in_words(their: dict[str, Any]) -> float | str:
    return their["error"] if "error" in their else "nan" if their["value"] is None else float(their["value"])


@pytest.mark.parametrize("entry", LISTED, ids=[f"{entry['metric']}: {entry['what']}" for entry in LISTED])
def test_our_side_of_every_known_difference(entry: dict[str, Any]) -> None:
    ours = of_beleg(_twin(entry))
    found = ours.status.value if ours.value is None else ours.value
    assert found == (entry["ours"] if isinstance(entry["ours"], str) else pytest.approx(entry["ours"], abs=1e-9))


@needs_ragas
def test_their_side_of_every_known_difference() -> None:
    rows = [{**_twin(entry).for_ragas(), "metric": entry.get("peer_metric", entry["metric"])} for entry in LISTED]
    found = [_in_words(their) for their in of_ragas(rows)]
    expected = [entry["theirs"] for entry in LISTED]
    assert found == [each if isinstance(each, str) else pytest.approx(each, abs=1e-6) for each in expected]
