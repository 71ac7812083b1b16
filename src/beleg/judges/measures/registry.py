"""All judged measures by name; adding one takes a line here and its module."""

from __future__ import annotations

from beleg.judges.measures.claim_support import CLAIM_SUPPORT
from beleg.judges.measures.measure import JudgedMeasure

MEASURES: dict[str, JudgedMeasure] = {measure.name: measure for measure in (CLAIM_SUPPORT,)}
"""Every judged measure by name."""
