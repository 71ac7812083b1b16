"""Records of probes on disk: named by content, never overwritten, refused where they were changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.probe_records import read_probes, store_probes
from beleg.core.errors import EvidenceError, UsageError
from support.judge_models import spec
from support.probe_records import probed


def test_it_is_named_by_judge_time_and_content(tmp_path: Path) -> None:
    record = probed()
    path = store_probes(record, tmp_path / "evidence" / "probes")
    assert path.name == f"judge-1-20261130T120000Z-{record.digest[7:19]}.probe.json"
    assert read_probes(path) == record
    assert store_probes(record, path.parent) == path


@pytest.mark.parametrize("name", ["../../outside", "org/model:7b", "a b\u202e", "…"])
def test_the_name_of_a_model_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    path = store_probes(probed(spec(model=name)), tmp_path / "probes")
    assert path.parent == tmp_path / "probes"
    assert read_probes(path).judge_name == name


def test_a_record_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = store_probes(probed(), tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace('"events": 2', '"events": 0'), encoding="utf-8")
    with pytest.raises(EvidenceError, match="not the one that its name tells of"):
        read_probes(path)


def test_a_broken_file_is_told_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "x.probe.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(EvidenceError, match=r"x\.probe\.json"):
        read_probes(path)


def test_another_record_is_never_overwritten(tmp_path: Path) -> None:
    store_probes(probed(), tmp_path / "one.json")
    with pytest.raises(UsageError, match="never overwritten"):
        store_probes(probed(events=3), tmp_path / "one.json")
    assert read_probes(tmp_path / "one.json") == probed()
