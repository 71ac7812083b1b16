from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.judge_settings import EmbedderSettings, JudgeSettings

GIVEN = {"name": "judge", "base_url": "http://localhost:1/v1", "model": "m"}


def test_a_limit_of_money_needs_a_price() -> None:
    with pytest.raises(ValidationError, match="needs a price"):
        JudgeSettings.model_validate(GIVEN | {"budget": {"max_usd": 1.0}})


def test_a_key_can_only_be_named() -> None:
    with pytest.raises(ValidationError, match="api_key"):
        JudgeSettings.model_validate(GIVEN | {"api_key": "secret"})


@pytest.mark.parametrize(
    ("embedder", "told"),
    [
        ({"kind": "onnx"}, "needs the folder"),
        ({"kind": "onnx", "folder": "f", "model": "m"}, "no model by name"),
        ({"kind": "fastembed", "folder": "f"}, "needs a model by name"),
        ({}, "openai needs a model"),
    ],
)
def test_an_embedding_model_has_one_place(embedder: dict[str, str], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        EmbedderSettings.model_validate(embedder)
