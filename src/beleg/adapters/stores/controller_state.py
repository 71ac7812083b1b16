"""The memory of a deployment controller in one small file, changed by one controller after the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from beleg.adapters.formats.atomic import write_bytes
from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.files import require_file
from beleg.adapters.formats.limits import MAX_DOCUMENT_BYTES
from beleg.adapters.formats.locking import locked_folder
from beleg.adapters.formats.models import validated
from beleg.adapters.formats.strict_json import parse_json_bytes
from beleg.core.admission import ControllerState
from beleg.core.digest import canonical_json
from beleg.core.errors import DataError, EvidenceError, UsageError

Result = TypeVar("Result")

REMEDY = "Restore it, or begin anew with another file: older decisions that are still in date could then come back"


def read_state(path: Path) -> ControllerState:
    """What was seen before.

    Raises:
        EvidenceError: if there is no such file or it is damaged: nobody may gain by taking the memory away.
    """
    try:
        require_file(path, MAX_DOCUMENT_BYTES)
        value = parse_json_bytes(path.read_bytes(), file=str(path))
        if not isinstance(value, dict):
            raise EvidenceError(f"{path} is no memory of a controller", hint=REMEDY)
        return validated(ControllerState, value, Place(str(path)))
    except (UsageError, DataError) as error:
        raise EvidenceError(f"the memory of the controller cannot be read: {error.message}", hint=REMEDY) from error


def update_state(path: Path, step: Callable[[ControllerState], tuple[Result, ControllerState]]) -> Result:
    """Makes one step from what was seen to what is seen now; of many controllers one after the other.

    Killed at any instant, the file is the old one or the new one. Where there is none yet, the memory begins empty.

    Raises:
        EvidenceError: if the file is damaged.
        UsageError: if it cannot be written.
    """
    with locked_folder(path.parent):
        before = read_state(path) if path.exists() or path.is_symlink() else ControllerState()
        result, after = step(before)
        if after != before:
            write_bytes(path, canonical_json(after.to_json_dict()) + b"\n")
    return result
