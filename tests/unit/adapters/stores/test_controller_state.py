"""The memory of a controller is changed by one after the other, and is never silently empty."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from beleg.adapters.stores.controller_state import read_state, update_state
from beleg.core.admission import ControllerState
from beleg.core.errors import EvidenceError, UsageError


def raised(state: ControllerState) -> tuple[int, ControllerState]:
    """One more than the version seen."""
    version = int(state.trust_version or 0) + 1
    return version, state.model_copy(update={"trust_version": str(version), "trust_payload": "a" * 64})


def raise_often(path: Path, times: int) -> None:
    for _ in range(times):
        update_state(path, raised)


def test_a_step_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    assert [update_state(path, raised), update_state(path, raised)] == [1, 2]
    assert read_state(path).trust_version == "2"


def test_a_step_that_changes_nothing_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    assert update_state(path, lambda state: ("asked", state)) == "asked"
    assert not path.exists()


def test_a_step_that_fails_leaves_what_was(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    update_state(path, raised)

    def broken(_: ControllerState) -> tuple[None, ControllerState]:
        raise UsageError("stopped")

    with pytest.raises(UsageError):
        update_state(path, broken)
    assert read_state(path).trust_version == "1"
    assert [item.name for item in tmp_path.iterdir()] == ["state.json"]


def test_of_many_controllers_none_overtakes_another(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=raise_often, args=(path, 15)) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 6
    assert read_state(path).trust_version == "90"


@pytest.mark.parametrize(
    "content",
    [b"", b"{}x", b"[]", b'{"environments":{},"environments":{}}', b'{"trust_version":7,"environments":{}}',
     b'{"environments":{},"more":1}', b'{"environments":{"p":{"held_back":{"a":{"sequence":"1","statement":"b"}}}}}'],
)  # fmt: skip
def test_a_damaged_memory_is_no_empty_one(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(content)
    with pytest.raises(EvidenceError, match="memory"):
        read_state(path)
    with pytest.raises(EvidenceError, match="memory"):
        update_state(path, raised)
    assert path.read_bytes() == content


def test_a_memory_that_is_only_read_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError) as caught:
        read_state(tmp_path / "gone.json")
    assert "older decisions that are still in date could then come back" in caught.value.diagnostics()


def test_a_dangling_link_is_no_empty_memory(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.symlink_to(tmp_path / "gone.json")
    with pytest.raises(EvidenceError):
        update_state(path, raised)
