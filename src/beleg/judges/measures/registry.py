"""All judged measures by name; adding one takes a line here and its module."""

from __future__ import annotations

from beleg.judges.measures.answer_questions import ANSWER_QUESTIONS_OF_ROW
from beleg.judges.measures.claim_relations import CLAIM_RELATIONS
from beleg.judges.measures.claim_support import CLAIM_SUPPORT
from beleg.judges.measures.claims_by_passage import CLAIMS_BY_PASSAGE
from beleg.judges.measures.context_entities import CONTEXT_ENTITIES
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.passage_usefulness import PASSAGE_USEFULNESS_FOR_ANSWER, PASSAGE_USEFULNESS_FOR_REFERENCE
from beleg.judges.measures.preference import REFERENCE_PREFERENCE
from beleg.judges.measures.qualified_claims import QUALIFIED_CLAIMS
from beleg.judges.measures.reference_attribution import REFERENCE_ATTRIBUTION_OF_CONTEXT
from beleg.judges.measures.rubric import RUBRIC
from beleg.judges.measures.statement_matching import ANSWER_CORRECTNESS, ANSWER_SIMILARITY, STATEMENTS_MATCHED

_ALL: tuple[JudgedMeasure, ...] = (
    ANSWER_CORRECTNESS,
    ANSWER_QUESTIONS_OF_ROW,
    ANSWER_SIMILARITY,
    CLAIM_RELATIONS,
    CLAIM_SUPPORT,
    CLAIMS_BY_PASSAGE,
    CONTEXT_ENTITIES,
    PASSAGE_USEFULNESS_FOR_ANSWER,
    PASSAGE_USEFULNESS_FOR_REFERENCE,
    QUALIFIED_CLAIMS,
    REFERENCE_ATTRIBUTION_OF_CONTEXT,
    REFERENCE_PREFERENCE,
    RUBRIC,
    STATEMENTS_MATCHED,
)

MEASURES: dict[str, JudgedMeasure] = {measure.name: measure for measure in _ALL}
"""Every judged measure by name."""
