from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.run_sources import link_to, opened_run
from beleg.core.errors import EvidenceError, UsageError
from beleg.run.folder import RunFolder
from support.builders import case, header, suite
from support.q017 import inventory


def stored(place: Path) -> RunFolder:
    asked = suite([case("a")])
    folder = RunFolder(place)
    folder.create(header(asked.cases, suite_digest=asked.digest), asked, inventory())
    return folder


def test_a_run_is_pinned_by_everything_that_it_holds(tmp_path: Path) -> None:
    folder = stored(tmp_path / "r")
    with opened_run(tmp_path / "r") as opened:
        link = link_to(opened, "replay")
    head = folder.header()
    assert (link.kind, link.run_id, link.manifest_digest) == ("replay", head.run_id, head.manifest_digest)
    assert (link.suite_digest, link.inventory_digest) == (head.suite_digest, head.inventory_digest)
    assert link.traces_digest == folder.traces_digest()
    assert link.findings_digest is None


def test_a_file_or_an_empty_folder_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"PK")
    for place, said in ((tmp_path / "x.txt", "is a file"), (tmp_path, "holds no run")):
        with pytest.raises(UsageError, match=said), opened_run(place):
            raise AssertionError("opened")


def test_a_pack_that_does_not_hold_gives_no_run(tmp_path: Path) -> None:
    (tmp_path / "x.pack.zip").write_bytes(b"PK")
    with pytest.raises(EvidenceError, match="no audit pack"), opened_run(tmp_path / "x.pack.zip"):
        raise AssertionError("opened")


def test_a_run_that_was_changed_is_not_pinned(tmp_path: Path) -> None:
    folder = stored(tmp_path / "r")
    folder.inventory_file.write_bytes(folder.inventory_file.read_bytes().replace(b"Erstattung", b"Erstattunk"))
    with opened_run(tmp_path / "r") as opened, pytest.raises(EvidenceError, match="changed after the run began"):
        link_to(opened, "replay")
