"""``--offline`` holds for the whole process."""

import pytest

from beleg.adapters.network import allow_network, require_network
from beleg.app.offline import forbid_network
from beleg.core.errors import UsageError


def test_it_holds_for_every_adapter() -> None:
    forbid_network()
    try:
        with pytest.raises(UsageError):
            require_network("https://example.org", "a model")
    finally:
        allow_network()
