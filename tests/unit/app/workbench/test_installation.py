"""One project for each tenant, opened when somebody asks, and closed together."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from beleg.app.workbench.installation import Installation, TenantPlace
from beleg.app.workbench.services import Workbench
from beleg.app.workbench.state_opening import open_state
from beleg.core.errors import UsageError
from beleg.core.workbench_state import LOCAL_TENANT


def installation(folder: Path) -> Installation:
    for name in ("acme", "other"):
        (folder / name).mkdir()
    places = {name: TenantPlace(project=folder / name) for name in ("acme", "other")}
    return Installation(open_state(str(folder / "state.db")), places)


def test_a_project_is_opened_when_somebody_asks_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path] = []
    real = Workbench.open
    monkeypatch.setattr(Workbench, "open", lambda root, **given: (asked.append(root), real(root, **given))[1])
    made = installation(tmp_path)
    assert asked == []
    with ThreadPoolExecutor(8) as pool:
        found = set(map(id, pool.map(lambda _: made.workbench("acme"), range(40))))
    made.close()
    assert asked == [tmp_path / "acme"]
    assert len(found) == 1


def test_each_tenant_has_its_own(tmp_path: Path) -> None:
    made = installation(tmp_path)
    try:
        roots = {name: made.workbench(name).workspace.root for name in ("acme", "other")}
    finally:
        made.close()
    assert roots == {"acme": tmp_path / "acme", "other": tmp_path / "other"}


@pytest.mark.parametrize("name", ["nobody", "", "../acme", LOCAL_TENANT])
def test_a_tenant_that_is_not_served_has_none(tmp_path: Path, name: str) -> None:
    made = installation(tmp_path)
    try:
        with pytest.raises(UsageError, match="not served here"):
            made.workbench(name)
    finally:
        made.close()


def test_a_laptop_has_one_tenant_and_keeps_what_it_remembers_in_the_project(tmp_path: Path) -> None:
    made = Installation.local(tmp_path)
    try:
        assert list(made.tenants) == [LOCAL_TENANT]
        assert made.workbench(LOCAL_TENANT).workspace.root == tmp_path
        assert (tmp_path / ".beleg" / "workbench" / "state.db").is_file()
    finally:
        made.close()


def test_a_ledger_may_lie_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    made = Installation.local(tmp_path / "project", ledger=str(tmp_path / "reviews.db"))
    try:
        assert made.workbench(LOCAL_TENANT).reviews.ledger == str(tmp_path / "reviews.db")
    finally:
        made.close()
