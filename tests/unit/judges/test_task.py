from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.judges.task import Reply
from beleg.judges.tasks.claims import CLAIM_EXTRACTION, CLAIM_VERIFICATION


class Small(Reply):
    n: int


@pytest.mark.parametrize("text", ['{"n": "1"}', '{"n": 1, "m": 2}', '{"n": 1.5}', "{}"])
def test_a_reply_has_its_shape_and_nothing_else(text: str) -> None:
    with pytest.raises(ValidationError):
        Small.model_validate_json(text)


def test_the_digest_of_a_schema_follows_the_schema() -> None:
    assert CLAIM_EXTRACTION.schema_digest != CLAIM_VERIFICATION.schema_digest
