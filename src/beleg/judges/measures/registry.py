"""All judged measures by name; adding one takes a line here and its module."""

from __future__ import annotations

from beleg.judges.measures.answer_questions import ANSWER_QUESTIONS_OF_ROW
from beleg.judges.measures.claim_relations import CLAIM_RELATIONS
from beleg.judges.measures.claim_support import CLAIM_SUPPORT
from beleg.judges.measures.claims_by_passage import CLAIMS_BY_PASSAGE
from beleg.judges.measures.context_entities import CONTEXT_ENTITIES
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.passage_usefulness import PASSAGE_USEFULNESS_FOR_ANSWER, PASSAGE_USEFULNESS_FOR_REFERENCE
from beleg.judges.measures.qualified_claims import QUALIFIED_CLAIMS
from beleg.judges.measures.reference_attribution import REFERENCE_ATTRIBUTION_OF_CONTEXT
from beleg.judges.measures.statement_matching import ANSWER_CORRECTNESS, ANSWER_SIMILARITY, STATEMENTS_MATCHED

MEASURES: dict[str, JudgedMeasure] = {
    measure.name: measure
    for measure in (
        CLAIM_SUPPORT,
        PASSAGE_USEFULNESS_FOR_REFERENCE,
        PASSAGE_USEFULNESS_FOR_ANSWER,
        REFERENCE_ATTRIBUTION_OF_CONTEXT,
        ANSWER_QUESTIONS_OF_ROW,
        CLAIMS_BY_PASSAGE,
        STATEMENTS_MATCHED,
        ANSWER_CORRECTNESS,
        ANSWER_SIMILARITY,
        CONTEXT_ENTITIES,
        QUALIFIED_CLAIMS,
        CLAIM_RELATIONS,
    )
}
"""Every judged measure by name."""
