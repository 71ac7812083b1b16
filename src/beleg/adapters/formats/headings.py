"""The names under which files and frames hold the query, the document, and the score or grade."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from beleg.core.errors import DataError, Problem, shown

Kind = Literal["qrels", "run"]

QUERY = ("query_id", "query-id", "qid", "q_id", "query", "topic")
DOCUMENT = (
    "doc_id", "doc-id", "docno", "docid", "document_id", "corpus_id", "corpus-id", "passage_id", "did", "pid",
    "document",
)  # fmt: skip
SCORE = ("score", "similarity", "sim")
GRADE = ("relevance", "grade", "rel", "label", "score")


def value_names(kind: Kind) -> tuple[str, ...]:
    """The names of the column that holds the number."""
    return GRADE if kind == "qrels" else SCORE


def value_word(kind: Kind) -> str:
    """What the number is called."""
    return "grade" if kind == "qrels" else "score"


def choose(
    names: Sequence[str], kind: Kind, *, file: str | None = None, line: int | None = None
) -> tuple[str, str, str]:
    """The columns of the query, the document and the number; where several fit, the first in the lists above.

    Capitals do not matter, other columns are passed over.

    Raises:
        DataError: naming what is missing and what is there.

    Example:
        >>> choose(["qid", "docno", "rank", "score"], "run")
        ('qid', 'docno', 'score')
    """
    written: dict[str, str] = {}
    for name in names:
        written.setdefault(name.strip().lower(), name)
    wanted = {"query": QUERY, "document": DOCUMENT, value_word(kind): value_names(kind)}
    found = {what: next((written[name] for name in known if name in written), None) for what, known in wanted.items()}
    missing = [what for what, name in found.items() if name is None]
    if missing:
        raise DataError(
            Problem(
                file=file,
                line=line,
                message=f"there is no column for the {' and the '.join(missing)}",
                value=shown(", ".join(names)),
                remedy=f"Name it {' and '.join(wanted[what][0] for what in missing)}",
            )
        )
    query, document, value = (name or "" for name in found.values())
    return query, document, value
