"""The seam for chunkers takes anything that has its shape."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.chunks import Chunker, TextChunk


class Halves:
    name = "halves"

    def chunks(self, text: str) -> Sequence[TextChunk]:
        middle = len(text) // 2
        return [
            TextChunk(text=text[:middle], start=0, end=middle),
            TextChunk(text=text[middle:], start=middle, end=len(text)),
        ]


def test_a_class_of_that_shape_is_a_chunker() -> None:
    assert isinstance(Halves(), Chunker)
    assert not isinstance("halves", Chunker)
    assert "".join(chunk.text for chunk in Halves().chunks("abcd")) == "abcd"
