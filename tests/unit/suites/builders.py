"""Small suites for the tests of this folder, and strategies that draw them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from beleg.core.case import Case, ExpectedBehaviour, Principal, RiskTier
from beleg.core.suite import Suite, SuiteHeader


def make_case(case_id: str, **fields: Any) -> Case:
    if "user_input" not in fields and "turns" not in fields:
        fields["user_input"] = f"Question {case_id}?"
    return Case(case_id=case_id, **fields)


def make_suite(*cases: Case, **header: Any) -> Suite:
    return Suite(header=SuiteHeader(**{"name": "shop", **header}), cases=cases)


def numbered(n: int, **fields: Any) -> list[Case]:
    return [make_case(f"q{index:03}", **fields) for index in range(n)]


_groups = st.none() | st.sampled_from(["A", "B", "C", "D", "E"])

drawn_cases = st.builds(
    make_case,
    case_id=st.text("abcdefg0123", min_size=1, max_size=4),
    user_input=st.text(min_size=1, max_size=12),
    source_group=_groups,
    session_group=_groups,
    language=st.sampled_from(["de", "en"]) | st.none(),
    risk_tier=st.sampled_from(RiskTier) | st.none(),
    expected_behaviour=st.sampled_from(ExpectedBehaviour),
    principal=st.builds(Principal, tenant=st.sampled_from(["acme"]) | st.none()),
    guided_tuning=st.booleans(),
    segments=st.dictionaries(st.sampled_from(["intent", "channel"]), st.sampled_from(["x", "y"]), max_size=2),
)


def drawn_suites(*, min_size: int = 0, max_size: int = 25) -> st.SearchStrategy[Suite]:
    lists = st.lists(drawn_cases, min_size=min_size, max_size=max_size, unique_by=lambda case: case.case_id)
    return lists.map(lambda cases: make_suite(*cases))
