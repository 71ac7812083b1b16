from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.app.workbench.addresses import as_segment, case_path, from_segment
from beleg.core.errors import UsageError

NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=80)


@given(NAMES)
def test_any_name_has_one_segment_that_leads_back(name: str) -> None:
    segment = as_segment(name)
    assert re.fullmatch(r"[A-Za-z0-9_.~-]+", segment)
    assert from_segment(segment) == name
    assert urljoin("http://h/runs/x", f"/runs/{segment}/cases") == f"http://h/runs/{segment}/cases"


@pytest.mark.parametrize("segment", ["", "~", "~2", "~2e", "~61", "~FF", "a b", "ü", "..", "a/b", "~C0~AF"])
def test_an_address_that_no_name_has_is_refused(segment: str) -> None:
    with pytest.raises(UsageError, match="names nothing"):
        from_segment(segment)


def test_a_case_stands_below_its_run() -> None:
    assert case_path("run-1", "a/b") == "/runs/run-1/cases/a~2Fb"
