"""What a chunker is: something that cuts a text and says where each piece stood."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

TokenCounter = Callable[[str], int]
"""How many tokens a text has; given by the caller, so that nothing has to be fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChunk:
    """A piece of a text.

    Attributes:
        text: the piece, word by word as it stands there.
        start: its first character.
        end: one behind its last character.
    """

    text: str
    start: int
    end: int


@runtime_checkable
class Chunker(Protocol):
    """Cuts texts into chunks, in the order of the text."""

    @property
    def name(self) -> str:
        """The chunker with its settings, such as ``recursive(size=256, overlap=32)``."""
        ...

    def chunks(self, text: str) -> Sequence[TextChunk]:
        """The chunks of one text; none for a text without a word."""
        ...
