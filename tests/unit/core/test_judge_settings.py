from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.judge_settings import JudgeSettings

GIVEN = {"name": "judge", "base_url": "http://localhost:1/v1", "model": "m"}


def test_a_limit_of_money_needs_a_price() -> None:
    with pytest.raises(ValidationError, match="needs a price"):
        JudgeSettings.model_validate(GIVEN | {"budget": {"max_usd": 1.0}})


def test_a_key_can_only_be_named() -> None:
    with pytest.raises(ValidationError, match="api_key"):
        JudgeSettings.model_validate(GIVEN | {"api_key": "secret"})
