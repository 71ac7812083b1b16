from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.case import Case
from beleg.core.run_index import MAX_PAGE, MAX_SEARCH_CHARS, CaseDetail, CaseQuery, IndexedScore, StageTrail
from beleg.core.score import ScoreStatus


def test_a_page_has_bounds() -> None:
    assert CaseQuery().limit == 50
    for wrong in ({"limit": MAX_PAGE + 1}, {"limit": 0}, {"offset": -1}, {"text": "x" * (MAX_SEARCH_CHARS + 1)}):
        with pytest.raises(ValidationError):
            CaseQuery(**wrong)  # type: ignore[arg-type]


def test_what_is_kept_of_a_case_is_read_back_whole() -> None:
    detail = CaseDetail(
        case=Case(case_id="c", user_input="?"),
        trails=(StageTrail(repeat=0, states={"retrieved": "lost"}, lost_at="retrieved"),),
        notes={"mrr": "why"},
        by_repeat=((IndexedScore(metric="mrr", reason=ScoreStatus.TIMEOUT),),),
    )
    assert CaseDetail.model_validate_json(detail.model_dump_json(exclude_none=True)) == detail
