"""All judged measures by name; adding one takes a line here and its module."""

from __future__ import annotations

from beleg.judges.measures.answer_questions import ANSWER_QUESTIONS_OF_ROW
from beleg.judges.measures.citation_entailment import CITATION_ENTAILMENT
from beleg.judges.measures.citation_support import CITATION_SUPPORT_MEASURE
from beleg.judges.measures.claim_relations import CLAIM_RELATIONS
from beleg.judges.measures.claim_support import CLAIM_SUPPORT
from beleg.judges.measures.claim_support_by_verifier import CLAIM_SUPPORT_BY_VERIFIER
from beleg.judges.measures.claims_by_passage import CLAIMS_BY_PASSAGE
from beleg.judges.measures.context_entities import CONTEXT_ENTITIES
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.nugget_assignment import NUGGET_ASSIGNMENT_MEASURE
from beleg.judges.measures.passage_grades import PASSAGE_GRADES
from beleg.judges.measures.passage_usefulness import PASSAGE_USEFULNESS_FOR_ANSWER, PASSAGE_USEFULNESS_FOR_REFERENCE
from beleg.judges.measures.preference import REFERENCE_PREFERENCE
from beleg.judges.measures.qualified_claims import QUALIFIED_CLAIMS
from beleg.judges.measures.reference_attribution import REFERENCE_ATTRIBUTION_OF_CONTEXT
from beleg.judges.measures.refusal import REFUSAL_OF_ROW
from beleg.judges.measures.rubric import RUBRIC
from beleg.judges.measures.similarity import ANSWER_SIMILARITY, BERT_SCORE
from beleg.judges.measures.statement_matching import ANSWER_CORRECTNESS, STATEMENTS_MATCHED

_ALL: tuple[JudgedMeasure, ...] = (
    ANSWER_QUESTIONS_OF_ROW,
    CITATION_ENTAILMENT,
    CITATION_SUPPORT_MEASURE,
    CLAIM_RELATIONS,
    CLAIM_SUPPORT,
    CLAIM_SUPPORT_BY_VERIFIER,
    CLAIMS_BY_PASSAGE,
    CONTEXT_ENTITIES,
    NUGGET_ASSIGNMENT_MEASURE,
    PASSAGE_GRADES,
    PASSAGE_USEFULNESS_FOR_REFERENCE,
    PASSAGE_USEFULNESS_FOR_ANSWER,
    REFERENCE_PREFERENCE,
    QUALIFIED_CLAIMS,
    REFERENCE_ATTRIBUTION_OF_CONTEXT,
    REFUSAL_OF_ROW,
    RUBRIC,
    ANSWER_SIMILARITY,
    BERT_SCORE,
    STATEMENTS_MATCHED,
    ANSWER_CORRECTNESS,
)

MEASURES: dict[str, JudgedMeasure] = {measure.name: measure for measure in _ALL}
"""Every judged measure by name."""
