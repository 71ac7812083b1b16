"""All judged measures by name; adding one takes a line here and its module."""

from __future__ import annotations

from beleg.judges.measures.claim_support import CLAIM_SUPPORT
from beleg.judges.measures.claim_support_by_verifier import CLAIM_SUPPORT_BY_VERIFIER
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.preference import REFERENCE_PREFERENCE
from beleg.judges.measures.rubric import RUBRIC

_ALL: tuple[JudgedMeasure, ...] = (
    CLAIM_SUPPORT,
    CLAIM_SUPPORT_BY_VERIFIER,
    REFERENCE_PREFERENCE,
    RUBRIC,
)

MEASURES: dict[str, JudgedMeasure] = {measure.name: measure for measure in _ALL}
"""Every judged measure by name."""
