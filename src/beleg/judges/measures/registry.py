"""All judged measures by name; adding one takes a line here and its module."""

from __future__ import annotations

from beleg.judges.measures.claim_support import CLAIM_SUPPORT
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.passage_grades import PASSAGE_GRADES
from beleg.judges.measures.refusal import REFUSAL_OF_ROW
from beleg.judges.measures.similarity import BERT_SCORE, EMBEDDING_SIMILARITY

_ALL: tuple[JudgedMeasure, ...] = (
    CLAIM_SUPPORT,
    PASSAGE_GRADES,
    REFUSAL_OF_ROW,
    EMBEDDING_SIMILARITY,
    BERT_SCORE,
)

MEASURES: dict[str, JudgedMeasure] = {measure.name: measure for measure in _ALL}
"""Every judged measure by name."""
