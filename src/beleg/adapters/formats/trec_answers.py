"""Answers in the form of the TREC RAG track: sentences whose citations are places in a list of references, from 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.models import validated
from beleg.adapters.formats.row import Row
from beleg.core.case import Identifier
from beleg.core.errors import DataError, Problem, shown
from beleg.core.trace import MAX_ANSWER_CHARS, MAX_PASSAGE_CHARS

MAX_CITATIONS_OF_A_SENTENCE = 3
MAX_WORDS = 1_024
MAX_REFERENCES = 1_000
BLOCK = "\n\n"
"""Stands between the sentences of a file, so that each begins anew, whatever ends the one before it."""


class _Lenient(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class _Sentence(_Lenient):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    text: Annotated[str, Field(min_length=1, max_length=MAX_ANSWER_CHARS)]
    citations: tuple[int, ...]


class _Metadata(_Lenient):
    narrative_id: Identifier | None = None
    topic_id: Identifier | None = None


class _TrecAnswer(_Lenient):
    metadata: _Metadata = _Metadata()
    topic_id: Identifier | None = None
    narrative_id: Identifier | None = None
    references: Annotated[tuple[Identifier, ...], Field(max_length=MAX_REFERENCES)]
    answer: Annotated[tuple[_Sentence, ...], Field(max_length=10_000)]
    texts: dict[Identifier, Annotated[str, Field(max_length=MAX_PASSAGE_CHARS)]] = Field(default_factory=dict)


def is_trec_answer(data: Mapping[str, Any]) -> bool:
    """Whether a row has the form of the track: ``references``, and an ``answer`` that is a list.

    Example:
        >>> is_trec_answer({"references": [], "answer": []}), is_trec_answer({"answer": "42"})
        (True, False)
    """
    return "references" in data and isinstance(data.get("answer"), list)


def trec_trace(row: Row) -> Row:
    """A row of the track's form as the row of a trace.

    The topic becomes the case, in the forms of 2024 (``topic_id``) and of 2025 and 2026 (``metadata.narrative_id``).
    The references become the delivered passages, each a document of its own; ``texts``, which the track does not know,
    may hold their words by reference, without which no judge can read them.

    Raises:
        DataError: for a field of the wrong form, a citation that is no place in the references, the same citation twice
            or more than three on a sentence, a reference that stands twice, and more than 1,024 words.
    """
    found = validated(_TrecAnswer, row.data, Place(row.file, row.line))
    case_id = found.metadata.narrative_id or found.metadata.topic_id or found.narrative_id or found.topic_id
    problems = [
        *_topic_problems(row, case_id),
        *_reference_problems(row, found),
        *(problem for place, one in enumerate(found.answer) for problem in _citation_problems(row, found, place, one)),
        *_length_problems(row, found),
    ]
    if problems:
        raise DataError(problems)
    return Row(row.file, row.line, {"case_id": case_id, "output": _output(found)})


def _output(found: _TrecAnswer) -> dict[str, Any]:
    return {
        "answer": BLOCK.join(sentence.text.strip() for sentence in found.answer),
        "delivered": [
            {"passage_id": name, "document_id": name, "text": found.texts.get(name)} for name in found.references
        ],
        "citations": [
            {
                "marker": str(place),
                "passage_id": found.references[place],
                "document_id": found.references[place],
                "sentence": sentence.text.strip(),
            }
            for sentence in found.answer
            for place in sentence.citations
        ],
    }


def _topic_problems(row: Row, case_id: str | None) -> list[Problem]:
    if case_id is not None:
        return []
    return [_problem(row, "metadata.narrative_id", "the answer names no topic", None, "Add metadata.narrative_id")]


def _reference_problems(row: Row, found: _TrecAnswer) -> list[Problem]:
    seen: set[str] = set()
    problems = []
    for place, name in enumerate(found.references):
        if name in seen:
            remedy = "List each reference once; a repeated one hides what was cited"
            problems.append(_problem(row, f"references[{place}]", "the reference stands twice", name, remedy))
        seen.add(name)
    unknown = [name for name in found.texts if name not in seen]
    remedy = "Remove it, or add the reference"
    return problems + [_problem(row, "texts", "the text is of no reference", name, remedy) for name in unknown[:1]]


def _citation_problems(row: Row, found: _TrecAnswer, place: int, sentence: _Sentence) -> list[Problem]:
    field = f"answer[{place}].citations"
    count = len(found.references)
    problems = [
        _problem(
            row,
            field,
            f"the citation is no place in the {count} references, which count from 0",
            cited,
            f"Write a number from 0 to {count - 1}" if count else "Add the references",
        )
        for cited in sentence.citations
        if not 0 <= cited < count
    ]
    if len(set(sentence.citations)) != len(sentence.citations):
        problems.append(_problem(row, field, "a citation stands twice", list(sentence.citations), "Write each once"))
    if len(sentence.citations) > MAX_CITATIONS_OF_A_SENTENCE:
        remedy = f"Keep the {MAX_CITATIONS_OF_A_SENTENCE} that support it best"
        problems.append(_problem(row, field, "too many citations", len(sentence.citations), remedy))
    return problems


def _length_problems(row: Row, found: _TrecAnswer) -> list[Problem]:
    words = sum(len(sentence.text.split()) for sentence in found.answer)
    if words <= MAX_WORDS:
        return []
    return [_problem(row, "answer", f"the answer has more than {MAX_WORDS:,} words", words, "Shorten it")]


def _problem(row: Row, field: str, message: str, value: object, remedy: str) -> Problem:
    said = None if value is None else shown(value)
    return Problem(file=row.file, line=row.line, field=field, message=message, value=said, remedy=remedy)
