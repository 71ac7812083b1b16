"""What every generator is given and hands back, and the context as it is delivered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from beleg.core.digest import digest_of
from beleg.core.trace import Citation, Usage
from beleg.reference.documents import Chunk
from beleg.reference.language import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A delivered passage; its marker in the answer is its position in the context."""

    number: int
    chunk: Chunk
    language: Language
    standing: float
    """How strongly the lanes hold the passage, from 0 to 1; see `beleg.reference.index.standing`."""

    @property
    def marker(self) -> str:
        """How the answer refers to the passage."""
        return f"[{self.number}]"

    def cited_for(self, sentence: str) -> Citation:
        """The citation of this passage behind a sentence."""
        return Citation(
            marker=self.marker,
            passage_id=self.chunk.passage_id,
            document_id=self.chunk.document_id,
            sentence=sentence,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A generated answer."""

    answer: str
    abstained: bool
    citations: tuple[Citation, ...] = ()
    usage: Usage = field(default_factory=Usage)
    model: str | None = None


class Generator(Protocol):
    """Writes an answer from the delivered passages."""

    async def write(self, question: str, language: Language, evidence: Sequence[Evidence]) -> Draft:
        """Answers in the language of the question, or abstains.

        Raises:
            CandidateError: if a model is needed and cannot be used.
        """
        ...

    async def close(self) -> None:
        """Releases connections."""
        ...


def render_context(evidence: Sequence[Evidence]) -> str:
    """The passages as a generator sees them, each between two fences.

    The fences carry a word that depends on all passages, so that no passage can hold the end of its own fence.
    """
    word = fence_word(evidence)
    return "\n".join(
        f"<<passage {each.number} {word}>>\n{each.chunk.text}\n<<end {each.number} {word}>>" for each in evidence
    )


def fence_word(evidence: Sequence[Evidence]) -> str:
    """A word that stands in none of the passages, the same for the same passages."""
    texts = [each.chunk.text for each in evidence]
    word = digest_of(texts)[-12:]
    while any(word in text for text in texts):
        word = digest_of([word, *texts])[-12:]
    return word
