from __future__ import annotations

import pytest

from beleg.core.errors import UsageError
from beleg.core.nearest import Parameter, Similarity


def test_a_setting_keeps_to_its_limits() -> None:
    parameter = Parameter(name="M", default=32, least=2, most=256)
    parameter.require(2)
    parameter.require(256)
    for value in (1, 257):
        with pytest.raises(UsageError, match=r"M must lie between 2 and 256 \(found "):
            parameter.require(value)


def test_the_names_that_a_user_writes() -> None:
    assert [similarity.value for similarity in Similarity] == ["cosine", "ip", "l2"]
