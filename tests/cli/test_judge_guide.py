"""The judge file that the guide shows is one that Beleg reads, with every block."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.judge_opening import load_judge_file
from beleg.core.judge_settings import JudgeSettings

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "judge-answers.md"


def test_the_judge_file_of_the_guide_is_read_and_shows_every_block(tmp_path: Path) -> None:
    shown = GUIDE.read_text("utf-8").split("```yaml\n")[1].split("```")[0]
    (tmp_path / "judge.yaml").write_text(shown, encoding="utf-8")
    settings = load_judge_file(tmp_path / "judge.yaml")
    left_out = {"kind", "top_p", "extra"}
    assert settings.model_fields_set == JudgeSettings.model_fields.keys() - left_out


@pytest.mark.parametrize("metric", ["semantic_similarity", "answer_relevancy", "answer_correctness", "bert_score"])
def test_the_guide_names_every_metric_that_needs_an_embedding_model(metric: str) -> None:
    line = next(line for line in GUIDE.read_text("utf-8").splitlines() if line.startswith("embedder:"))
    assert metric in line
