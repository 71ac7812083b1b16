"""What a run is: its header, fixed before the first case, and the folder names it is kept under (R4, R5)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from beleg.core.case import Identifier
from beleg.core.manifest import Manifest
from beleg.core.model import StoredModel

SubsetKind = Literal["all", "stratified", "named"]
"""The whole suite, a stratified subset chosen by a seed, or cases that somebody picked by name."""


class RunSettings(StoredModel):
    """How a run is carried out. None of it changes what the candidate is asked."""

    concurrency: Annotated[int, Field(ge=1, le=1_024)] = 8
    """How many questions are under way at a time."""
    timeout_s: Annotated[float, Field(gt=0, le=3_600)] = 60.0
    """How many seconds one case may take, retries included."""
    retries: Annotated[int, Field(ge=0, le=20)] = 2
    """How often a question is asked again after a fault that may pass."""
    repeats: Annotated[int, Field(ge=1, le=1_000)] = 1
    """How often every case is asked."""
    retrieve_only: bool = False
    """Whether only retrieval is asked for."""


class RunLink(StoredModel):
    """The run that another one was made from, pinned by content addresses so that neither can be exchanged unseen."""

    kind: Literal["replay", "rejudge"]
    """``replay``: the same frozen cases were asked anew. ``rejudge``: its stored answers were judged anew."""
    run_id: Identifier
    """The name of that run."""
    manifest_digest: str
    """The content address of what was asked then."""
    suite_digest: str
    """The content address of the suite."""
    traces_digest: str
    """The content address of its traces."""
    findings_digest: str | None = None
    """The content address of what judges had found out about it; ``None`` where nobody had judged."""
    inventory_digest: str | None = None
    """The content address of its inventory; ``None`` where there was none."""


class RunHeader(StoredModel):
    """Everything that is fixed when a run begins; a resumed run must find it unchanged."""

    run_id: Identifier
    """The name of the run."""
    created_at: datetime
    """When the run began."""
    manifest: Manifest
    """What the candidate is made of."""
    manifest_digest: str
    """The content address of the manifest."""
    suite_name: Identifier
    """The suite that is asked."""
    suite_version: int
    """Its version."""
    suite_digest: str
    """Its content address."""
    case_ids: tuple[Identifier, ...]
    """The cases that are expected in the result, in suite order."""
    subset: SubsetKind = "all"
    """How these cases were chosen from the suite."""
    subset_size: Annotated[int, Field(ge=1)] | None = None
    """About how many cases the stratified subset was to hold; absent for the others."""
    subset_seed: int | None = None
    """The seed of the stratified subset; absent for the others."""
    inventory_digest: str | None = None
    """The content address of the stored inventory; absent where the candidate could give none."""
    settings: RunSettings
    """How the run is carried out."""
    beleg_version: str
    """The version of Beleg that began the run."""
    python_version: str
    """The version of Python that began the run."""
    packages: dict[Identifier, str] | None = None
    """The installed packages that can change what a candidate in this process answers, with their versions; ``None``
    for a run of before they were noted."""
    made_from: RunLink | None = None
    """The run that this one replays, or whose answers it judges anew; ``None`` for any other run."""

    @model_validator(mode="after")
    def _says_how_the_subset_was_made(self) -> Self:
        is_stratified = self.subset == "stratified"
        if (self.subset_size is not None, self.subset_seed is not None) != (is_stratified, is_stratified):
            raise ValueError("a stratified subset has a size and a seed, and no other has")
        return self

    @property
    def expected_rows(self) -> int:
        """How many traces a complete run holds."""
        return len(self.case_ids) * self.settings.repeats
