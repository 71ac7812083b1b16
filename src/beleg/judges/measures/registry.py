"""All judged measures by name; adding one takes a line here and its module."""

from __future__ import annotations

from beleg.judges.measures.citation_entailment import CITATION_ENTAILMENT
from beleg.judges.measures.citation_support import CITATION_SUPPORT_MEASURE
from beleg.judges.measures.claim_support import CLAIM_SUPPORT
from beleg.judges.measures.claim_support_by_verifier import CLAIM_SUPPORT_BY_VERIFIER
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.nugget_assignment import NUGGET_ASSIGNMENT_MEASURE
from beleg.judges.measures.passage_grades import PASSAGE_GRADES
from beleg.judges.measures.preference import REFERENCE_PREFERENCE
from beleg.judges.measures.refusal import REFUSAL_OF_ROW
from beleg.judges.measures.rubric import RUBRIC
from beleg.judges.measures.similarity import BERT_SCORE, EMBEDDING_SIMILARITY

_ALL: tuple[JudgedMeasure, ...] = (
    CITATION_ENTAILMENT,
    CITATION_SUPPORT_MEASURE,
    CLAIM_SUPPORT,
    CLAIM_SUPPORT_BY_VERIFIER,
    PASSAGE_GRADES,
    NUGGET_ASSIGNMENT_MEASURE,
    REFERENCE_PREFERENCE,
    REFUSAL_OF_ROW,
    RUBRIC,
    BERT_SCORE,
    EMBEDDING_SIMILARITY,
)

MEASURES: dict[str, JudgedMeasure] = {measure.name: measure for measure in _ALL}
"""Every judged measure by name."""
