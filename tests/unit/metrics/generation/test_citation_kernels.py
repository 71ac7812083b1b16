from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from beleg.metrics.generation.citation_kernels import FLAVOURS, FULL, NONE, CitationColumns, Flavour, support_counts


def columns(**changes: Any) -> CitationColumns:
    fields: dict[str, Any] = {
        "answers": 3,
        "answer": np.array([0, 0, 2]),
        "sentence": np.array([0, 0, 2]),
        "verdict": np.array([FULL, NONE, FULL], dtype=np.int8),
        "joint": np.array([True, False, True]),
        "necessary": np.array([False, False, False]),
    }
    return CitationColumns(**{**fields, **changes})


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_every_answer_has_its_own_counts_and_one_without_sentences_has_none(flavour: Flavour) -> None:
    counts = support_counts(columns(), flavour)
    assert counts.recall_of.tolist() == [2, 0, 1]
    assert counts.precision_of[1] == 0
    assert counts.recall_credit.tolist() == [1.0, 0.0, 1.0]


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_nothing_at_all_gives_empty_counts(flavour: Flavour) -> None:
    nothing = np.zeros(0, dtype=np.intp)
    empty = columns(
        answers=0,
        answer=nothing,
        sentence=nothing,
        verdict=np.zeros(0, dtype=np.int8),
        joint=np.zeros(0, dtype=np.bool_),
        necessary=np.zeros(0, dtype=np.bool_),
    )
    assert support_counts(empty, flavour).precision_credit.tolist() == []


def test_alce_refuses_credit_for_partial_support() -> None:
    with pytest.raises(ValueError, match="partial"):
        support_counts(columns(), "alce", partial=0.5)


@pytest.mark.parametrize("field", ["verdict", "necessary", "joint", "sentence"])
def test_columns_of_other_lengths_are_refused(field: str) -> None:
    whole = getattr(columns(), field)
    with pytest.raises(ValueError, match="one"):
        columns(**{field: whole[:-1]})
