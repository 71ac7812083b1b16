"""The candidate file: what a system is made of and how it is reached."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, StringConstraints, model_validator

from beleg.adapters.candidates.callable_candidate import CallableCandidate, load_callable
from beleg.adapters.candidates.http_candidate import HttpCandidate
from beleg.adapters.candidates.http_spec import HttpSpec
from beleg.adapters.candidates.recorded import load_traces
from beleg.core.case import ShortText
from beleg.core.errors import UsageError
from beleg.core.manifest import Manifest
from beleg.core.model import StoredModel
from beleg.core.protocols import Candidate

KINDS = ("callable", "http", "traces", "reference")


class CallableSpec(StoredModel):
    """A Python callable."""

    target: Annotated[str, StringConstraints(pattern=r"^[\w.]+:[\w.]+$", max_length=500)]
    """``package.module:function``."""


class TracesSpec(StoredModel):
    """A file of recorded traces."""

    path: ShortText
    """Counted from the folder of the candidate file."""


class CandidateFile(StoredModel):
    """A candidate file: the manifest, and the one block that its kind names."""

    model_config = ConfigDict(hide_input_in_errors=True)

    kind: Literal["callable", "http", "traces", "reference"]
    """How the system is reached; the block of the same name says the rest."""
    manifest: Manifest
    """What the system is made of."""
    callable: CallableSpec | None = None
    """The Python function to call."""
    http: HttpSpec | None = None
    """The endpoint to ask."""
    traces: TracesSpec | None = None
    """Where the recorded traces are."""
    reference: dict[str, Any] | None = None
    """The settings of the embedded RAG."""

    @model_validator(mode="after")
    def _has_the_block_of_its_kind(self) -> Self:
        present = [kind for kind in KINDS if getattr(self, kind) is not None]
        if present != [self.kind]:
            found = " and ".join(f"'{kind}'" for kind in present) or "none of them"
            raise ValueError(
                f"a candidate of kind '{self.kind}' has the block '{self.kind}' and no other; found {found}"
            )
        return self


def open_candidate(file: CandidateFile, *, base_dir: Path, concurrency: int) -> Candidate:
    """The candidate that a file describes.

    Args:
        file: the candidate file.
        base_dir: the folder that paths and modules are looked for in.
        concurrency: how many queries will be under way at a time.

    Raises:
        UsageError: if the callable or the file is not there, or the kind is wired elsewhere.
        DataError: if recorded traces are not usable.
    """
    if file.callable is not None:
        function = load_callable(file.callable.target, search_in=base_dir)
        return CallableCandidate(function, manifest=file.manifest, concurrency=concurrency)
    if file.http is not None:
        return HttpCandidate(file.http, manifest=file.manifest, concurrency=concurrency)
    if file.traces is not None:
        return load_traces(base_dir / file.traces.path, manifest=file.manifest)
    raise UsageError(f"candidates of kind {file.kind!r} are not opened here", hint="Use the reference system for it")
