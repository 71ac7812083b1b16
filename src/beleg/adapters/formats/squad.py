"""SQuAD and XQuAD files: paragraphs with questions whose answers are spans of the paragraph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.files import decode_utf8, require_file
from beleg.adapters.formats.limits import GIB
from beleg.adapters.formats.models import validated
from beleg.adapters.formats.strict_json import parse_json
from beleg.core.case import Case, ExpectedBehaviour, ExpectedPassage, Identifier, LongText, ShortText
from beleg.core.errors import DataError, Problem, shown
from beleg.core.inventory import InventoryDocument
from beleg.core.model import StoredModel

MAX_FILE_BYTES = GIB // 4
"""SQuAD is one JSON document; the largest in use has about 50 MB."""


class _Answer(StoredModel):
    text: ShortText
    answer_start: Annotated[int, Field(ge=0)]


class _Question(StoredModel):
    id: Identifier
    question: LongText
    answers: tuple[_Answer, ...] = ()
    is_impossible: bool = False
    plausible_answers: tuple[_Answer, ...] = ()


class _Paragraph(StoredModel):
    context: LongText
    qas: tuple[_Question, ...]


class _Article(StoredModel):
    title: Identifier
    paragraphs: tuple[_Paragraph, ...]


class _File(StoredModel):
    version: Any = None
    data: tuple[_Article, ...]


class SquadSet(StoredModel):
    """The paragraphs as documents, and the questions as cases."""

    documents: tuple[InventoryDocument, ...]
    cases: tuple[Case, ...]


def read_squad(path: Path, *, language: str | None = None) -> SquadSet:
    """Reads a SQuAD, SQuAD 2 or XQuAD file.

    A paragraph becomes the document ``<title>#<position in the article>``, so that the same paragraph has the same id
    in every language of XQuAD. A question expects its paragraph, with the answer's own words as the quote that has to
    be delivered, and accepts each answer. A question without an answer (SQuAD 2) expects an abstention.

    Args:
        path: the JSON file.
        language: the language of the questions.

    Raises:
        UsageError: if there is no such file.
        DataError: naming the field for everything that is wrong, for an answer that does not stand in its paragraph
            where the file says, and for repeated ids.
    """
    require_file(path, MAX_FILE_BYTES)
    text = decode_utf8(path.read_bytes(), file=str(path))
    value = parse_json(text, file=str(path))
    if not isinstance(value, dict):
        raise DataError(
            Problem(file=str(path), message="a mapping with 'data' is expected", remedy="Give a SQuAD file")
        )
    content = validated(_File, value, Place(str(path)))
    problems: list[Problem] = []
    documents: dict[str, InventoryDocument] = {}
    cases: dict[str, Case] = {}
    for at_article, article in enumerate(content.data):
        for at_paragraph, paragraph in enumerate(article.paragraphs):
            document_id = f"{article.title}#{at_paragraph}"
            field = f"data[{at_article}].paragraphs[{at_paragraph}]"
            if document_id in documents:
                problems.append(_problem(path, f"data[{at_article}].title", "the title stands twice", article.title))
            documents[document_id] = InventoryDocument(
                document_id=document_id, text=paragraph.context, metadata={"title": article.title}
            )
            for at_question, question in enumerate(paragraph.qas):
                inner = f"{field}.qas[{at_question}]"
                if question.id in cases:
                    problems.append(_problem(path, f"{inner}.id", "the id stands twice", question.id))
                problems.extend(_misplaced(path, inner, question, paragraph.context))
                cases[question.id] = _case(question, document_id, article.title, language)
    if problems:
        raise DataError(problems)
    return SquadSet(documents=tuple(documents.values()), cases=tuple(cases.values()))


def _case(question: _Question, document_id: str, title: str, language: str | None) -> Case:
    accepted = tuple(dict.fromkeys(answer.text for answer in question.answers))
    return Case(
        case_id=question.id,
        user_input=question.question,
        accepted_answers=accepted,
        expected_behaviour=ExpectedBehaviour.ANSWER if accepted else ExpectedBehaviour.ABSTAIN,
        language=language,
        expected_passages=tuple(
            ExpectedPassage(document_id=document_id, quote=text, any_of="answer" if len(accepted) > 1 else None)
            for text in accepted
        ),
        source_group=title,
    )


def _misplaced(path: Path, field: str, question: _Question, context: str) -> list[Problem]:
    return [
        _problem(path, f"{field}.answers[{position}]", "the answer does not stand at its answer_start", answer.text)
        for position, answer in enumerate(question.answers)
        if not context.startswith(answer.text, answer.answer_start)
    ]


def _problem(path: Path, field: str, message: str, value: str) -> Problem:
    return Problem(file=str(path), field=field, message=message, value=shown(value), remedy="Mend the file")
