"""Rows for probes."""

from __future__ import annotations

from typing import Any

from beleg.metrics.batch import Row
from unit.metrics.building import case, one, passage

RETURNS = "Returns are free within 14 days. Shipping costs 4,90 €."


def row_of(
    answer: str | None = "Returns are free within 14 days. Returns are made by drone.",
    *passages: str,
    **fields: Any,
) -> Row:
    delivered = tuple(passage(f"d{number}", text) for number, text in enumerate(passages or (RETURNS,)))
    (row,) = one(case(**{"reference_answer": "14 days", **fields}), answer=answer, delivered=delivered).rows
    assert isinstance(row, Row)
    return row
