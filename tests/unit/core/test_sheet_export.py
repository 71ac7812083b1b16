"""What an export holds is fixed, and an empty filter takes everything."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.evidence import SupportVerdict
from beleg.core.sheet_export import SheetFilter


def test_a_filter_of_nothing_is_empty() -> None:
    assert SheetFilter().is_empty
    assert not SheetFilter(text="x").is_empty


def test_a_filter_knows_the_four_verdicts_and_nobody() -> None:
    assert SheetFilter(machine=("nobody", SupportVerdict.SUPPORTED)).machine == ("nobody", "supported")
    with pytest.raises(ValidationError):
        SheetFilter.model_validate({"machine": ["good"]}, strict=False)
