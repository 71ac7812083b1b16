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
    timeout_s: Annotated[float, Field(gt=0, le=3_600)] = 60.0
    retries: Annotated[int, Field(ge=0, le=20)] = 2
    repeats: Annotated[int, Field(ge=1, le=1_000)] = 1
    retrieve_only: bool = False


class RunHeader(StoredModel):
    """Everything that is fixed when a run begins; a resumed run must find it unchanged."""

    run_id: Identifier
    created_at: datetime
    manifest: Manifest
    manifest_digest: str
    suite_name: Identifier
    suite_version: int
    suite_digest: str
    case_ids: tuple[Identifier, ...]
    """The cases that are expected in the result, in suite order."""
    settings: RunSettings
    beleg_version: str
    python_version: str

    @property
    def expected_rows(self) -> int:
        """How many traces a complete run holds."""
        return len(self.case_ids) * self.settings.repeats
