from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.score import ScoreStatus
from beleg.metrics.generation.nuggets import (
    NUGGET_FLAVOURS,
    NuggetColumns,
    NuggetFlavour,
    nugget_columns,
    nugget_counts,
    nugget_score,
)
from support.citation_rows import nuggets_of

CODES = st.lists(st.sampled_from(["V:S", "V:P", "V:N", "O:S", "O:P", "O:N"]), max_size=6)


@given(st.lists(CODES, max_size=4), st.sampled_from(NUGGET_FLAVOURS))
def test_one_answer_and_a_whole_run_give_the_same_figures(run: list[list[str]], flavour: NuggetFlavour) -> None:
    evidence = [nuggets_of({"nuggets": codes}) for codes in run]
    credit, weight = nugget_counts(nugget_columns(evidence), flavour)
    for at, found in enumerate(evidence):
        assert nugget_score(found, flavour).value == (float(credit[at] / weight[at]) if weight[at] else None)


@given(CODES.filter(lambda codes: any(code.startswith("V") for code in codes)))
def test_strict_is_never_above_lenient(codes: list[str]) -> None:
    found = nuggets_of({"nuggets": codes})
    for strict, lenient in (("strict_vital", "vital"), ("strict_all", "all"), ("weighted_strict", "weighted")):
        below, above = nugget_score(found, strict).value, nugget_score(found, lenient).value  # type: ignore[arg-type]
        assert below is not None
        assert above is not None
        assert below <= above


def test_a_case_without_nuggets_or_without_vital_ones_has_a_reason_and_no_figure() -> None:
    assert nugget_score(nuggets_of({"nuggets": []}), "all").status is ScoreStatus.NOT_APPLICABLE
    score = nugget_score(nuggets_of({"nuggets": ["O:S"]}), "vital")
    assert (score.status, score.detail) == (ScoreStatus.NOT_APPLICABLE, "the case has no vital nugget")


def test_columns_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="per nugget"):
        NuggetColumns(
            answers=1, answer=np.zeros(2, dtype=np.intp), vital=np.ones(1, dtype=bool), held=np.ones(2, dtype=np.int8)
        )
