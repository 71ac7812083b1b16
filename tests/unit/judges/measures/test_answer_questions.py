from __future__ import annotations

import pytest

from beleg.judges.engine import JudgeEngine
from beleg.judges.panel import Panel
from beleg.judges.store import MemoryStore
from support.judge_models import ScriptedModel
from unit.judges.measures.rows import ScriptedEmbedder, judged, judged_by, reason, row, scored
from unit.metrics.building import case

VECTORS = {"?": [1.0, 0.0], "q1": [1.0, 0.0], "q2": [0.6, 0.8], "q3": [0.0, 1.0]}


def reply(*questions: str, noncommittal: bool = False) -> dict[str, object]:
    return {"questions": list(questions), "noncommittal": noncommittal}


def test_relevancy_is_the_mean_cosine() -> None:
    script = {"answer_questions": reply("q1", "q2", "q3")}
    outcome, docket = judged("answer_questions", script, row(), embedder=ScriptedEmbedder(VECTORS))
    assert scored("answer_relevancy", "answer_questions", outcome, row()).value == pytest.approx((1 + 0.6 + 0) / 3)
    assert len(docket.keys) == 1


def test_an_answer_that_commits_itself_to_nothing_scores_0() -> None:
    script = {"answer_questions": reply("q1", "q1", "q1", noncommittal=True)}
    outcome, _ = judged("answer_questions", script, row(), embedder=ScriptedEmbedder(VECTORS))
    assert scored("answer_relevancy", "answer_questions", outcome, row()).value == 0.0


def test_questions_are_asked_for_in_the_language_of_the_row() -> None:
    model = ScriptedModel({"answer_questions": reply("q1", "q2", "q3")})
    panel = Panel(judge=JudgeEngine(model, MemoryStore()), embedder=ScriptedEmbedder(VECTORS))
    judged_by("answer_questions", panel, row(case(language="pl")))
    said = model.requests[0].messages[-1].content
    assert "pl" in said
    assert "Returns are free." in said


def test_too_few_questions_are_no_score() -> None:
    outcome, _ = judged(
        "answer_questions", {"answer_questions": reply("q1")}, row(), embedder=ScriptedEmbedder(VECTORS)
    )
    assert reason(outcome)[0] == "invalid"
