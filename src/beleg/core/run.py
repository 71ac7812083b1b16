"""What a run is: its header, fixed before the first case, and the folder names it is kept under (R4, R5)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from beleg.core.case import Identifier
from beleg.core.manifest import Manifest
from beleg.core.model import StoredModel


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
    settings: RunSettings
    """How the run is carried out."""
    beleg_version: str
    """The version of Beleg that began the run."""
    python_version: str
    """The version of Python that began the run."""

    @property
    def expected_rows(self) -> int:
        """How many traces a complete run holds."""
        return len(self.case_ids) * self.settings.repeats
