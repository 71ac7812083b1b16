"""A gate as a file beside the tests of a project: which runs, which policy (P8)."""

from __future__ import annotations

from typing import Literal

from beleg.core.case import ShortText
from beleg.core.model import StoredModel


class GateFile(StoredModel):
    """What is to be decided. Paths are relative to the file."""

    candidate: ShortText
    """Folder of the candidate's run."""
    policy: ShortText
    """The policy file."""
    baseline: ShortText | None = None
    """Folder of the run of what is released now."""
    calibrations: tuple[ShortText, ...] = ()
    """Records of judges, or folders of them."""
    labels: ShortText | None = None
    """Scores that people gave to a random sample of the cases."""
    cases: Literal["none", "named", "all"] = "named"
    """Which cases become test items: those that a check names which does not hold, all, or none."""
    language: Literal["en", "de"] = "en"
    """The language of the messages."""
