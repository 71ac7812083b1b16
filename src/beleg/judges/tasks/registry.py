"""All tasks by name; adding one takes a line here, its module and its prompt file."""

from __future__ import annotations

from typing import Any

from beleg.judges.task import JudgeTask
from beleg.judges.tasks.citations import CITATION_SUPPORT
from beleg.judges.tasks.claims import CLAIM_EXTRACTION, CLAIM_QUALIFICATION, CLAIM_VERIFICATION
from beleg.judges.tasks.context import PASSAGE_RELEVANCE, PASSAGE_USEFULNESS, REFERENCE_ATTRIBUTION
from beleg.judges.tasks.core_claims import CLAIM_WEIGHING
from beleg.judges.tasks.correctness import STATEMENT_MATCHING
from beleg.judges.tasks.entities import ENTITY_EXTRACTION
from beleg.judges.tasks.nuggets import NUGGET_ASSIGNMENT, NUGGET_CREATION
from beleg.judges.tasks.preference import PREFERENCE
from beleg.judges.tasks.refusal import REFUSAL
from beleg.judges.tasks.relations import RELATION_EXTRACTION
from beleg.judges.tasks.relevancy import ANSWER_QUESTIONS
from beleg.judges.tasks.rubric import RUBRIC_GRADE

_ALL: tuple[JudgeTask[Any, Any], ...] = (
    ANSWER_QUESTIONS,
    CITATION_SUPPORT,
    CLAIM_EXTRACTION,
    CLAIM_QUALIFICATION,
    CLAIM_VERIFICATION,
    CLAIM_WEIGHING,
    ENTITY_EXTRACTION,
    NUGGET_ASSIGNMENT,
    NUGGET_CREATION,
    PASSAGE_RELEVANCE,
    PASSAGE_USEFULNESS,
    PREFERENCE,
    REFERENCE_ATTRIBUTION,
    REFUSAL,
    RELATION_EXTRACTION,
    RUBRIC_GRADE,
    STATEMENT_MATCHING,
)

TASKS: dict[str, JudgeTask[Any, Any]] = {task.name: task for task in _ALL}
"""Every task by name."""
