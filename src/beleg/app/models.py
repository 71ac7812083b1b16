"""The models that the embedded RAG asks for, opened from its settings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from beleg.adapters.models.openai_chat import ChatSettings, OpenAiChat
from beleg.adapters.models.openai_embeddings import EmbeddingSettings, OpenAiEmbeddings
from beleg.adapters.models.openai_server import ServerSettings
from beleg.core.errors import UsageError
from beleg.core.inference import ChatModel, Embedder
from beleg.reference.settings import DenseSettings, GeneratorSettings, ReferenceSettings

if TYPE_CHECKING:
    from beleg.reference.system import Plugins

MODEL_CACHE = Path(".beleg") / "models"


def plugins_for(settings: ReferenceSettings) -> Plugins:
    """Opens the embedding and chat models that the settings name; none for the offline defaults.

    Raises:
        UsageError: if an environment variable that should hold a key is not set.
        MissingExtra: if a local embedding model is asked for and its package is not installed.
    """
    # Judging opens models too, and needs none of the packages of the embedded RAG.
    from beleg.reference.system import Plugins

    return Plugins(embedder=_embedder(settings.lanes.dense), chat_model=_chat_model(settings.generator))


def _embedder(dense: DenseSettings) -> Embedder | None:
    if not dense.enabled or dense.kind == "lsa" or dense.model is None:
        return None
    if dense.kind == "fastembed":
        from beleg.adapters.models.fastembed_embeddings import FastEmbedEmbeddings

        return FastEmbedEmbeddings.load(dense.model, cache_folder=MODEL_CACHE)
    return OpenAiEmbeddings(_server(dense.base_url, dense.api_key_env), EmbeddingSettings(model=dense.model))


def _chat_model(generator: GeneratorSettings) -> ChatModel | None:
    if generator.kind == "extractive" or generator.model is None:
        return None
    settings = ChatSettings(
        model=generator.model,
        temperature=generator.temperature,
        max_tokens=generator.max_tokens,
        seed=generator.seed,
    )
    return OpenAiChat(_server(generator.base_url, generator.api_key_env), settings)


def _server(base_url: str | None, api_key_env: str | None) -> ServerSettings:
    key = None
    if api_key_env is not None:
        key = os.environ.get(api_key_env)
        if not key:
            raise UsageError(f"the environment variable {api_key_env} is not set", hint="It should hold the API key")
    return ServerSettings(base_url=base_url or "", api_key=key)
