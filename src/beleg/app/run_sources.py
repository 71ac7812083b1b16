"""Where a stored run is taken from: its folder, or a pack that holds it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beleg.core.errors import UsageError
from beleg.core.run import RunLink
from beleg.run.findings import read_findings
from beleg.run.folder import RunFolder


@contextmanager
def opened_run(source: Path) -> Iterator[RunFolder]:
    """The folder of a stored run, for as long as the block lasts.

    Whatever reads a stored run goes through here, so that a pack is opened in one place: verified first, then unpacked
    into a private folder that is gone when the block ends.

    Raises:
        UsageError: if there is no run at this place.
    """
    if source.is_file():
        raise UsageError(
            f"{source} is a file, and a run is a folder",
            hint="Unpack it and name the folder that holds run.json",
        )
    folder = RunFolder(source)
    folder.header()
    yield folder


def link_to(folder: RunFolder, kind: str) -> RunLink:
    """What another run notes of this one: its name, and the content address of everything that it holds.

    Args:
        folder: the stored run.
        kind: ``replay`` or ``rejudge``.

    Raises:
        UsageError: if there is no run.
        EvidenceError: if it was changed after it began.
    """
    header = folder.header()
    folder.suite()
    folder.inventory()
    return RunLink.model_validate(
        {
            "kind": kind,
            "run_id": header.run_id,
            "manifest_digest": header.manifest_digest,
            "suite_digest": header.suite_digest,
            "traces_digest": folder.traces_digest(),
            "findings_digest": read_findings(folder.findings_file).digest,
            "inventory_digest": header.inventory_digest,
        }
    )
