from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.judgements import PoolLine


def test_a_line_without_a_grade_is_one_that_nobody_has_judged() -> None:
    assert PoolLine.model_validate_json('{"query_id": "q", "doc_id": "d", "grade": null}').grade is None
    assert PoolLine.model_validate_json('{"query_id": "q", "doc_id": "d", "grade": 2}').grade == 2.0


@pytest.mark.parametrize(
    "line",
    [
        '{"query_id": "q 1", "doc_id": "d"}',
        '{"query_id": "q", "doc_id": "d\\u00a01"}',
        '{"query_id": "q", "doc_id": "d\\n"}',
        '{"query_id": "", "doc_id": "d"}',
        '{"query_id": "q", "doc_id": "d", "grade": "2"}',
        '{"query_id": "q", "doc_id": "d", "grade": true}',
        '{"query_id": "q", "doc_id": "d", "grade": NaN}',
        '{"query_id": "q", "doc_id": "d", "graed": 1}',
    ],
)
def test_what_no_file_of_judgements_could_hold_is_refused(line: str) -> None:
    with pytest.raises(ValidationError):
        PoolLine.model_validate_json(line)
