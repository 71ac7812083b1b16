"""A document as the parser left it, and a passage cut from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from beleg.core.digest import digest_of
from beleg.core.errors import DataError, Problem, shown
from beleg.core.manifest import Setting
from beleg.core.trace import Passage
from beleg.reference.blocks import Block, BlockBuilder, joined
from beleg.reference.language import Language, language_of_locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document of the corpus."""

    document_id: str
    title: str
    blocks: tuple[Block, ...]
    metadata: dict[str, Setting] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All blocks as plain text, in reading order."""
        return joined(self.blocks)

    @property
    def language(self) -> Language:
        """The language that the locale names, else the one that the text looks like."""
        return language_of_locale(self.metadata.get("locale"), self.text)

    @property
    def version(self) -> str | None:
        """The version that the document states."""
        version = self.metadata.get("version")
        return None if version is None else str(version)

    @classmethod
    def of_text(cls, document_id: str, text: str, *, title: str = "", **metadata: Setting) -> Document:
        """A document of plain paragraphs, for corpora that have no structure.

        Example:
            >>> Document.of_text("d1", "One abstract.", tenant="shared").text
            'One abstract.'
        """
        builder = BlockBuilder()
        for paragraph in text.split("\n\n"):
            builder.paragraph(paragraph)
        return cls(document_id=document_id, title=title, blocks=tuple(builder.blocks), metadata=dict(metadata))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage of a document, with the headings above it."""

    passage_id: str
    document_id: str
    context: str
    """The heading path, empty where the chunker does not keep it."""
    body: str
    """Exact words of the document."""

    @property
    def text(self) -> str:
        """What is indexed and delivered: the heading path, then the words."""
        return f"{self.context}\n{self.body}" if self.context else self.body

    def as_passage(self, document: Document, score: float | None = None) -> Passage:
        """The passage as a trace records it."""
        return Passage(
            passage_id=self.passage_id,
            document_id=self.document_id,
            score=score,
            text=self.text,
            version=document.version,
            metadata=document.metadata,
        )


def corpus_digest(documents: Sequence[Document]) -> str:
    """The content address of a corpus, independent of the order of its documents."""
    return digest_of(
        sorted(
            digest_of(
                {
                    "id": document.document_id,
                    "title": document.title,
                    "metadata": document.metadata,
                    "blocks": [[block.kind.value, block.level, block.group, block.text] for block in document.blocks],
                }
            )
            for document in documents
        )
    )


def require_usable_corpus(documents: Sequence[Document]) -> None:
    """Refuses a corpus without documents or with an id that stands twice.

    Raises:
        DataError: naming what is wrong.
    """
    if not documents:
        raise DataError(Problem(message="the corpus holds no document", remedy="Name a folder or file with documents"))
    seen: set[str] = set()
    problems = []
    for document in documents:
        if document.document_id in seen:
            problems.append(
                Problem(
                    message="two documents have the same id",
                    field="document_id",
                    value=shown(document.document_id),
                    remedy="Give every document its own id",
                )
            )
        seen.add(document.document_id)
    if problems:
        raise DataError(problems)
