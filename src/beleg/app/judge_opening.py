"""Opening the judge that a judge file describes: probed before anything is spent, closed when the work is done."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeVar

from beleg.adapters.formats.models import load_document
from beleg.adapters.models.judge_probe import Capabilities, open_judge
from beleg.adapters.models.openai_embeddings import EmbeddingSettings, OpenAiEmbeddings
from beleg.adapters.models.openai_judge import spec_of
from beleg.adapters.models.openai_server import ServerSettings
from beleg.adapters.stores.sqlite_calls import SqliteCallStore
from beleg.adapters.stores.sqlite_file import SqliteFile
from beleg.adapters.stores.sqlite_vectors import SqliteVectorStore
from beleg.app.models import MODEL_CACHE
from beleg.core.errors import ConfigError, Problem, UsageError
from beleg.core.inference import Embedder, JudgeModel, SupportModel
from beleg.core.judge_settings import EmbedderSettings, JudgeSettings
from beleg.core.judging import JudgeFault, JudgeSpec
from beleg.judges.embedding import RecordedEmbedder
from beleg.judges.engine import Judged, JudgeEngine
from beleg.judges.measures.measure import Need
from beleg.judges.panel import Panel
from beleg.judges.sending import Controls
from beleg.judges.store import (
    CallStore,
    LayeredStore,
    MemoryStore,
    MemoryVectors,
    ReplayEmbedder,
    ReplayModel,
    ReplayStore,
    VectorStore,
)
from beleg.judges.task import JudgeTask, Reply
from beleg.judges.weighting import grade_distribution_of

QuestionT = TypeVar("QuestionT")
ReplyT = TypeVar("ReplyT", bound=Reply)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPanel:
    """Whoever may be asked, and what the judge was found to do."""

    panel: Panel
    engine: JudgeEngine
    capabilities: Capabilities | None
    """``None`` in a replay, where nobody is asked."""

    @property
    def stopped(self) -> tuple[JudgeFault, str] | None:
        """Why nothing more is asked of the judge or of the embedding model."""
        embedder = self.panel.embedder
        return self.engine.stopped or (embedder.stopped if isinstance(embedder, RecordedEmbedder) else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How a judge is opened."""

    settings: JudgeSettings
    calls: Path | None = None
    """The file that keeps every call; ``None`` keeps them in memory."""
    replay: JudgeSpec | None = None
    """The judge whose recorded verdicts are used, without a network."""
    needs: frozenset[Need] | None = None
    """Whom the wanted measures need; a model that none of them needs is not opened. ``None`` opens every one."""


def load_judge_file(path: Path) -> JudgeSettings:
    """Reads a judge file.

    Raises:
        UsageError: if there is no such file.
        ConfigError: naming file, line, field, value and remedy for everything that is wrong.
    """
    return load_document(JudgeSettings, path)


@asynccontextmanager
async def open_panel(opening: Opening) -> AsyncIterator[OpenPanel]:
    """Opens judge, embedding model and verifier, and closes them when the block ends.

    Raises:
        UsageError: if an environment variable that should hold a key is not set.
        ConfigError: if an address or a folder is none.
        CandidateError: if the judge cannot be used; the message says what its server said.
        MissingExtra: if a model in process is named and its packages are not installed.
    """
    settings = _needed(opening.settings, opening.needs)
    given = _embedder(settings.embedder, is_asked=opening.replay is None)
    verifier = _verifier(settings)
    model, found = await _model(opening)
    try:
        with ExitStack() as files:
            store, vectors = _stores(opening, files)
            controls = Controls(
                limits=settings.limits, budget=settings.budget, price=settings.price, is_replay=found is None
            )
            engine = JudgeEngine(model, store, controls=controls, distribution=grade_distribution_of)
            embedder = (
                RecordedEmbedder(given, engine.gateway.beside(), vectors)
                if isinstance(given, OpenAiEmbeddings)
                else given
            )
            panel = Panel(judge=engine, embedder=embedder, verifier=verifier, verifier_threshold=_threshold(settings))
            yield OpenPanel(panel=panel, engine=engine, capabilities=found)
    finally:
        await model.close()
        if given is not None:
            await given.close()


async def _model(opening: Opening) -> tuple[JudgeModel, Capabilities | None]:
    if opening.replay is not None:
        return ReplayModel(opening.replay), None
    return await open_judge(opening.settings, api_key=key_from(opening.settings.api_key_env))


def _stores(opening: Opening, files: ExitStack) -> tuple[CallStore, tuple[VectorStore, ...]]:
    """Where calls are kept, and vectors: in the same files."""
    if opening.calls is None:
        return MemoryStore(), (MemoryVectors(),)
    is_replay = opening.replay is not None
    shared = None if opening.settings.cache is None else Path(opening.settings.cache)
    named = [path for path in (opening.calls, shared) if path is not None]
    paths = [path for path in named if path.exists()] if is_replay else named
    if not paths:
        raise UsageError(
            f"there is nothing to replay: {opening.calls} is not there",
            hint="Judge the run once without --replay, or name a cache with --cache",
        )
    opened = [files.enter_context(SqliteFile(path, is_read_only=is_replay)) for path in paths]
    calls = [SqliteCallStore(file) for file in opened]
    vectors = tuple(SqliteVectorStore(file) for file in opened)
    if is_replay:
        return ReplayStore(*calls), vectors
    return (calls[0] if len(calls) == 1 else LayeredStore(*calls)), vectors


def key_from(variable: str | None) -> str | None:
    """The key that an environment variable holds.

    Raises:
        UsageError: if the variable is named and not set.
    """
    if variable is None:
        return None
    key = os.environ.get(variable)
    if not key:
        raise UsageError(f"the environment variable {variable} is not set", hint="It should hold the API key")
    return key


def _embedder(settings: EmbedderSettings | None, *, is_asked: bool) -> Embedder | None:
    if settings is None:
        return None
    if settings.folder is not None:
        from beleg.adapters.models.onnx_embeddings import OnnxEmbeddings
        from beleg.adapters.models.onnx_folder import open_folder

        prefixes = (settings.query_prefix, settings.passage_prefix)
        folder = open_folder(Path(settings.folder))
        return OnnxEmbeddings.load(folder, max_tokens=settings.max_tokens, prefixes=prefixes)
    model = settings.model or ""
    if settings.kind == "fastembed":
        from beleg.adapters.models.fastembed_embeddings import FastEmbedEmbeddings

        return FastEmbedEmbeddings.load(model, cache_folder=MODEL_CACHE)
    if settings.base_url is None:
        raise ConfigError(
            Problem(message="an embedding server needs an address", field="embedder.base_url", remedy="Add base_url")
        )
    key = key_from(settings.api_key_env) if is_asked else None
    server = ServerSettings(base_url=settings.base_url, api_key=key)
    named = EmbeddingSettings(model=model, query_prefix=settings.query_prefix, passage_prefix=settings.passage_prefix)
    # Without a key it is never asked: a replay reads its vectors, and a plan wants its identity.
    return OpenAiEmbeddings(server, named)


def _verifier(settings: JudgeSettings) -> SupportModel | None:
    if settings.verifier is None:
        return None
    from beleg.app.verifiers import open_verifier

    return open_verifier(settings.verifier)


class _Unasked:
    """Stands for a judge of whom only the description is wanted."""

    def __init__(self, spec: JudgeSpec) -> None:
        self.spec = spec

    async def ask(
        self, task: JudgeTask[QuestionT, ReplyT], question: QuestionT, *, language: str | None = None, sample: int = 0
    ) -> Judged[ReplyT]:
        raise NotImplementedError("a plan asks nobody")


def planning_panel(settings: JudgeSettings, judge: JudgeSpec, *, needs: frozenset[Need] | None = None) -> Panel:
    """The panel as it would be opened, to see what is still to be judged; nobody can be asked."""
    settings = _needed(settings, needs)
    embedder = _embedder(settings.embedder, is_asked=False)
    if isinstance(embedder, OpenAiEmbeddings):
        embedder = ReplayEmbedder(embedder.identity)
    return Panel(
        judge=_Unasked(judge),
        embedder=embedder,
        verifier=_verifier(settings),
        verifier_threshold=_threshold(settings),
    )


def _threshold(settings: JudgeSettings) -> float | None:
    return None if settings.verifier is None else settings.verifier.threshold


def _needed(settings: JudgeSettings, needs: frozenset[Need] | None) -> JudgeSettings:
    """The settings without the models that nothing wanted needs."""
    if needs is None:
        return settings
    unneeded = {} if needs & {"embedder", "token_embedder"} else {"embedder": None}
    return settings.model_copy(update=unneeded if "verifier" in needs else {**unneeded, "verifier": None})


def spec_for_replay(settings: JudgeSettings, known: Iterable[JudgeSpec], calls: Iterable[Path] = ()) -> JudgeSpec:
    """The judge whose verdicts are replayed: the first recorded one that is the one that the file describes.

    How JSON was had stands in the records alone where the file leaves it to a probe.

    Args:
        settings: the judge file.
        known: the judges of the findings.
        calls: files of recorded calls, looked into where no finding names the judge.

    Raises:
        EvidenceError: if a file of calls is damaged.
    """
    if settings.mode != "probe":
        return spec_of(settings, settings.mode)
    for judge in chain(known, _judges_of(calls)):
        described = spec_of(settings, judge.mode)
        if judge == described:
            return described
    return spec_of(settings, "json_schema")


def _judges_of(files: Iterable[Path]) -> Iterator[JudgeSpec]:
    for path in files:
        if path.exists():
            with SqliteCallStore.open(path, is_read_only=True) as store:
                yield from store.judges()
