"""BEIR folders: ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/*.tsv``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import Field

from beleg.adapters.formats.files import decode_utf8, require_file
from beleg.adapters.formats.jsonl import read_jsonl, read_lines
from beleg.adapters.formats.limits import MAX_ROW_FILE_BYTES
from beleg.adapters.formats.models import build, build_all
from beleg.adapters.formats.row import Faults
from beleg.core.case import Case, ExpectedPassage, Identifier, LongText
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.core.inventory import InventoryDocument
from beleg.core.model import StoredModel

MAX_GRADE = 10

Qrels = dict[str, dict[str, int]]


class _CorpusRow(StoredModel):
    id: Identifier = Field(alias="_id")
    title: str = ""
    text: str
    metadata: dict[str, Any] = Field(default_factory=dict)


class _QueryRow(StoredModel):
    id: Identifier = Field(alias="_id")
    text: LongText
    metadata: dict[str, Any] = Field(default_factory=dict)


def read_beir_corpus(folder: Path) -> Iterator[InventoryDocument]:
    """The documents of ``corpus.jsonl`` or ``corpus.jsonl.gz``.

    The text is the title, a blank line and the body. The title is also kept as metadata; metadata that is no single
    value is left out, for nothing can filter on it.

    Raises:
        UsageError: if the folder holds no corpus.
        DataError: naming file, line and field for every row that is wrong, and for a repeated ``_id``.
    """
    path = _file_of(folder, "corpus")
    faults = Faults()
    first_lines: dict[str, int] = {}
    for row in read_jsonl(path):
        try:
            document = build(_CorpusRow, row)
            first = first_lines.setdefault(document.id, row.line)
            if first != row.line:
                raise _repeated(path, row.line, "_id", document.id, first)
        except DataError as error:
            faults.add(error)
            continue
        yield _document(document)
    faults.raise_if_any()


def read_beir_cases(
    folder: Path, *, split: str | None = None, language: str | None = None, with_unjudged: bool = False
) -> list[Case]:
    """The queries as cases that expect their relevant documents.

    Args:
        folder: the BEIR folder.
        split: the name of one file in ``qrels``, without suffix; may be left out when there is only one.
        language: the language of the queries.
        with_unjudged: also take queries without a relevant document; their cases name no evidence.

    Raises:
        UsageError: if a file is not there or the split is not clear.
        DataError: naming file, line and field for everything that is wrong, also for judged queries and documents
            that do not exist as queries.
    """
    path = _file_of(folder, "queries")
    queries = build_all(_QueryRow, read_jsonl(path), key="id")
    judged = read_qrels(_qrels_file(folder, split))
    known = {query.id for query in queries}
    faults = Faults()
    for query_id in judged:
        if query_id not in known:
            faults.add(_unknown_query(folder, query_id))
    faults.raise_if_any()
    cases = (_case(query, judged.get(query.id, {}), language) for query in queries)
    return [case for case in cases if case.expected_passages or with_unjudged]


def read_qrels(path: Path) -> Qrels:
    """Grades by query and document from a TSV file with the header ``query-id, corpus-id, score``.

    Raises:
        UsageError: if there is no such file.
        DataError: naming the line of a missing header, a ragged line, a grade that is no whole number from 0 to
            `MAX_GRADE`, and of a pair that is judged twice.
    """
    require_file(path, MAX_ROW_FILE_BYTES)
    judged: Qrels = {}
    faults = Faults()
    first_lines: dict[tuple[str, str], int] = {}
    for line, data in read_lines(path):
        text = decode_utf8(data, file=str(path), line=line).rstrip("\r\n")
        if line == 1:
            _require_header(path, text)
            continue
        if not text:
            continue
        try:
            query, document, grade = _judgement(path, line, text)
            first = first_lines.setdefault((query, document), line)
            if first != line:
                raise _repeated(path, line, "corpus-id", document, first)
        except DataError as error:
            faults.add(error)
            continue
        judged.setdefault(query, {})[document] = grade
    faults.raise_if_any()
    return judged


def _document(row: _CorpusRow) -> InventoryDocument:
    metadata = {
        name: value for name, value in row.metadata.items() if value is None or isinstance(value, (str, int, float))
    }
    title = row.title.strip()
    if title:
        metadata.setdefault("title", title)
    text = f"{title}\n\n{row.text}" if title else row.text
    return InventoryDocument(document_id=row.id, text=text, metadata=metadata)


def _case(query: _QueryRow, grades: dict[str, int], language: str | None) -> Case:
    return Case(
        case_id=query.id,
        user_input=query.text,
        language=language,
        expected_passages=tuple(
            ExpectedPassage(document_id=document, grade=grade) for document, grade in grades.items() if grade > 0
        ),
    )


def _judgement(path: Path, line: int, text: str) -> tuple[str, str, int]:
    cells = text.split("\t")
    if len(cells) != 3:
        raise _bad_line(path, line, f"the line has {len(cells)} cells, 3 are expected", text, "Separate them by tabs")
    query, document, written = (cell.strip() for cell in cells)
    if not query or not document:
        raise _bad_line(path, line, "an id is empty", text, "Write query id, document id and grade")
    if not written.isascii() or not written.isdigit() or len(written) > 2 or int(written) > MAX_GRADE:
        raise _bad_line(
            path, line, "the grade is no whole number that can be used", written, f"Write 0 to {MAX_GRADE}", "score"
        )
    return query, document, int(written)


def _require_header(path: Path, text: str) -> None:
    cells = text.split("\t")
    if len(cells) != 3 or cells[2].strip().lstrip("-").isdigit():
        raise _bad_line(path, 1, "the header is missing", text, "Begin the file with query-id, corpus-id, score")


def _qrels_file(folder: Path, split: str | None) -> Path:
    if split is not None:
        return folder / "qrels" / f"{split}.tsv"
    found = sorted((folder / "qrels").glob("*.tsv"))
    if len(found) != 1:
        names = ", ".join(path.stem for path in found) or "none"
        raise UsageError(f"{folder}: the qrels to read are not clear, found {names}", hint="Name the split")
    return found[0]


def _file_of(folder: Path, name: str) -> Path:
    for suffix in (".jsonl", ".jsonl.gz"):
        path = folder / f"{name}{suffix}"
        if path.exists():
            return path
    raise UsageError(f"{folder} holds no {name}.jsonl", hint="Name the folder of a BEIR data set")


def _unknown_query(folder: Path, query_id: str) -> DataError:
    return DataError(
        Problem(
            file=str(folder / "qrels"),
            field="query-id",
            message="a judged query is not among the queries",
            value=shown(query_id),
            remedy="Add the query, or remove its judgements",
        )
    )


def _repeated(path: Path, line: int, field: str, value: str, first: int) -> DataError:
    return DataError(
        Problem(
            file=str(path),
            line=line,
            field=field,
            message=f"the row repeats the one on line {first}",
            value=shown(value),
            remedy="Keep one of them",
        )
    )


def _bad_line(path: Path, line: int, message: str, value: str, remedy: str, field: str | None = None) -> DataError:
    return DataError(
        Problem(file=str(path), line=line, field=field, message=message, value=shown(value), remedy=remedy)
    )
