"""Where a stored run is taken from: its folder, or a pack that holds it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beleg.app.pack_opening import open_pack
from beleg.app.pack_verifying import verify_pack
from beleg.core.errors import EvidenceError, UsageError
from beleg.core.packs import PackRole
from beleg.core.run import RunLink
from beleg.run.findings import read_findings
from beleg.run.folder import RunFolder

PACK_SUFFIX = ".zip"


@contextmanager
def opened_run(source: Path) -> Iterator[RunFolder]:
    """The folder of a stored run, for as long as the block lasts.

    Whatever reads a stored run goes through here, so that a pack is opened in one place: verified first, then unpacked
    into a private folder that is gone when the block ends.

    Raises:
        UsageError: if there is no run at this place.
        EvidenceError: if a pack does not hold, or its questions are redacted.
    """
    if source.is_file():
        with _from_pack(source) as folder:
            yield folder
        return
    folder = RunFolder(source)
    folder.header()
    yield folder


@contextmanager
def _from_pack(path: Path) -> Iterator[RunFolder]:
    """The candidate's run of a pack that holds, in a private folder; whoever made it, its cases are asked anew."""
    if path.suffix.lower() != PACK_SUFFIX:
        raise UsageError(
            f"{path} is a file, and a run is a folder", hint="Name the folder that holds run.json, or a pack"
        )
    verdict = verify_pack(path)
    if not verdict.holds:
        raise EvidenceError("\n".join(verdict.lines()), hint="Ask for the pack again; nothing of it was used")
    with tempfile.TemporaryDirectory(prefix="beleg-pack-") as name:
        pack = open_pack(path, Path(name))
        if pack.is_redacted(PackRole.SUITE) or pack.is_redacted(PackRole.TRACES):
            raise EvidenceError(
                f"{path} is redacted, so that its rows are not those that were asked",
                hint="Ask its owner for the run, or for a pack without redactions",
            )
        yield RunFolder(pack.folder / "candidate")


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
