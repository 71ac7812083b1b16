from __future__ import annotations

import inspect
from dataclasses import FrozenInstanceError

import pytest

from beleg.adapters.models.fastembed_embeddings import FastEmbedEmbeddings
from beleg.adapters.models.openai_chat import OpenAiChat
from beleg.adapters.models.openai_embeddings import OpenAiEmbeddings
from beleg.core.inference import ChatMessage, ChatModel, ChatReply, Embedder
from beleg.core.trace import Usage


def signatures(kind: type) -> dict[str, object]:
    """What can be asked of a kind of model: the parameters of each method, and whether it is awaited."""
    return {
        name: "property"
        if isinstance(member, property)
        else (inspect.iscoroutinefunction(member), list(inspect.signature(member).parameters))
        for name, member in vars(kind).items()
        if not name.startswith("_") and (isinstance(member, property) or inspect.isfunction(member))
    }


@pytest.mark.parametrize(
    ("seam", "shipped"),
    [(ChatModel, OpenAiChat), (Embedder, OpenAiEmbeddings), (Embedder, FastEmbedEmbeddings)],
)
def test_every_shipped_model_can_be_asked_as_the_seam_says(seam: type, shipped: type) -> None:
    asked = signatures(seam)
    assert "identity" in asked
    assert asked.items() <= signatures(shipped).items()


def test_what_a_reply_cost_is_unknown_until_it_is_told() -> None:
    assert ChatReply(text="yes").usage == Usage(prompt_tokens=None, completion_tokens=None, cost_usd=None)
    assert ChatReply(text="yes").model is None


def test_a_message_cannot_be_changed_on_its_way() -> None:
    message = ChatMessage(role="user", content="?")
    with pytest.raises(FrozenInstanceError):
        message.content = "!"  # type: ignore[misc]
