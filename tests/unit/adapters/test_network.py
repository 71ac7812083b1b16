"""What ``--offline`` forbids."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from beleg.adapters.network import allow_network, require_network
from beleg.app.offline import forbid_network
from beleg.core.errors import UsageError


@pytest.fixture
def forbidden() -> Iterator[None]:
    forbid_network()
    yield
    allow_network()


@pytest.mark.usefixtures("forbidden")
@pytest.mark.parametrize("url", ["https://api.example.org/v1", "http://10.0.0.5", "http://127.0.0.1.evil.org/", None])
def test_nothing_leaves_this_machine(url: str | None) -> None:
    with pytest.raises(UsageError, match="--offline forbids it"):
        require_network(url, "the judge")


@pytest.mark.usefixtures("forbidden")
@pytest.mark.parametrize("url", ["http://127.0.0.1:8080/v1", "http://localhost:11434", "http://[::1]:9/v1"])
def test_a_server_on_this_machine_is_no_network(url: str) -> None:
    require_network(url, "the judge")


def test_by_itself_nothing_is_forbidden() -> None:
    require_network("https://api.example.org", "the judge")
