from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.case import Case, ExpectedBehaviour, Principal, RiskTier
from beleg.core.errors import DataError, UsageError
from beleg.core.suite import Suite
from beleg.suites.subset import AllocationReason, StratumAllocation, fast_subset
from unit.suites.builders import drawn_suites, make_case, make_suite, numbered


def in_languages(**counts: int) -> list[Case]:
    return [make_case(f"{name}{n:03}", language=name) for name, count in counts.items() for n in range(count)]


def by_language(strata: tuple[StratumAllocation, ...]) -> dict[str, tuple[int, AllocationReason]]:
    return {stratum.labels["language"]: (stratum.allocated, stratum.reason) for stratum in strata}


def test_a_suite_that_fits_is_taken_whole() -> None:
    result = fast_subset(make_suite(*numbered(50)), seed=0)
    assert result.case_ids == tuple(case.case_id for case in numbered(50))
    assert {stratum.reason for stratum in result.strata} == {AllocationReason.WHOLE}


def test_seats_go_by_largest_remainder() -> None:
    """Worked by hand: quotas of 100 seats over 1000 are 41.6, 33.8 and 24.6, so the middle one is rounded up first."""
    suite = make_suite(*in_languages(de=416, en=338, fr=246))
    result = fast_subset(suite, seed=0, size=100)
    assert [(s.labels["language"], s.quota, s.allocated) for s in result.strata] == [
        ("de", 41.6, 42),
        ("en", 33.8, 34),
        ("fr", 24.6, 24),
    ]
    assert len(result.case_ids) == 100
    assert Counter(case_id[:2] for case_id in result.case_ids) == {"de": 42, "en": 34, "fr": 24}


def test_small_strata_are_raised_to_one_at_the_cost_of_the_large_one() -> None:
    suite = make_suite(*in_languages(de=490, en=4, fr=3, it=3))
    result = fast_subset(suite, seed=0)
    assert by_language(result.strata) == {
        "de": (47, AllocationReason.LOWERED),
        "en": (1, AllocationReason.RAISED),
        "fr": (1, AllocationReason.RAISED),
        "it": (1, AllocationReason.RAISED),
    }


def test_with_more_strata_than_room_the_large_ones_are_represented() -> None:
    result = fast_subset(make_suite(*in_languages(de=9, en=8, fr=7, it=6)), seed=0, size=2)
    assert by_language(result.strata) == {
        "de": (1, AllocationReason.RAISED),
        "en": (1, AllocationReason.RAISED),
        "fr": (0, AllocationReason.NO_ROOM),
        "it": (0, AllocationReason.NO_ROOM),
    }


@pytest.mark.parametrize(
    ("fields", "critical"),
    [
        ({"risk_tier": RiskTier.HIGH}, "high_risk"),
        ({"principal": Principal(tenant="acme")}, "permission"),
        ({"principal": Principal(entitlements=("hr",))}, "permission"),
        ({"principal": Principal(jurisdiction="CH")}, "permission"),
        ({"forbidden_sources": ("salaries",)}, "permission"),
        ({"risk_tier": RiskTier.HIGH, "forbidden_sources": ("salaries",)}, "high_risk+permission"),
    ],
)
def test_one_critical_case_among_a_thousand_is_never_missed(fields: dict[str, object], critical: str) -> None:
    suite = make_suite(*in_languages(de=500, en=500), make_case("critical", language="de", **fields))
    for seed in range(3):
        result = fast_subset(suite, seed=seed, size=2, dimensions=["language"])
        assert "critical" in result.case_ids
        assert critical in [stratum.critical for stratum in result.strata if stratum.allocated]


def test_a_locale_alone_is_no_permission() -> None:
    suite = make_suite(make_case("1", principal=Principal(locale="de-CH")))
    assert fast_subset(suite, seed=0).strata[0].critical == ""


def test_more_critical_strata_than_the_size_are_all_represented() -> None:
    cases = [make_case(f"{n}-{i}", language=str(n), risk_tier=RiskTier.HIGH) for n in range(8) for i in range(5)]
    result = fast_subset(make_suite(*cases), seed=0, size=3)
    assert {case_id[0] for case_id in result.case_ids} == set("01234567")
    assert len(result.case_ids) == 8


def test_language_twins_stay_together() -> None:
    cases = [
        make_case(f"{n:03}-{name}", language=name, session_group=f"t{n}") for n in range(200) for name in ("de", "en")
    ]
    result = fast_subset(make_suite(*cases), seed=7)
    pairs = Counter(case_id[:3] for case_id in result.case_ids)
    assert set(pairs.values()) == {2}
    assert (len(result.case_ids), result.divided_groups) == (50, ())


def test_groups_chosen_in_part_are_completed_within_a_tenth_of_the_size() -> None:
    twins = [
        make_case(f"t{n:03}-{name}", language=name, session_group=f"t{n}") for n in range(40) for name in ("de", "en")
    ]
    result = fast_subset(make_suite(*twins, *in_languages(en=120)), seed=1)
    assert 50 <= len(result.case_ids) <= 55
    assert len(result.case_ids) == sum(stratum.allocated + stratum.completed for stratum in result.strata)
    counted = Counter(case_id[:4] for case_id in result.case_ids if case_id.startswith("t"))
    assert sum(n == 1 for n in counted.values()) == len(result.divided_groups)


def test_a_session_too_long_to_be_completed_is_reported_as_divided() -> None:
    result = fast_subset(make_suite(*numbered(30, session_group="long"), *in_languages(de=30)), seed=0, size=10)
    assert result.divided_groups == ("long",)
    assert len(result.case_ids) <= 11


def test_abstention_is_a_stratum_by_default() -> None:
    cases = [*numbered(300), make_case("abstain", expected_behaviour=ExpectedBehaviour.ABSTAIN)]
    assert "abstain" in fast_subset(make_suite(*cases), seed=0).case_ids


def test_another_seed_chooses_other_cases() -> None:
    suite = make_suite(*numbered(300))
    assert fast_subset(suite, seed=0).case_ids != fast_subset(suite, seed=1).case_ids


def test_what_cannot_be_meant_is_refused() -> None:
    with pytest.raises(UsageError, match="below 1"):
        fast_subset(make_suite(*numbered(3)), seed=0, size=0)
    with pytest.raises(UsageError, match="'intent'"):
        fast_subset(make_suite(*numbered(3)), seed=0, dimensions=["intent"])
    with pytest.raises(DataError, match="used by 2"):
        fast_subset(make_suite(make_case("1"), make_case("1")), seed=0)


# Laws of stability.


@settings(max_examples=40, deadline=None)
@given(suite=drawn_suites(min_size=1), size=st.integers(1, 12), data=st.data())
def test_neither_order_nor_version_nor_text_moves_a_case(suite: Suite, size: int, data: st.DataObject) -> None:
    cases: list[Case] = data.draw(st.permutations(suite.cases))
    edited = [case.model_copy(update={"user_input": "Reworded?", "owner": "New"}) for case in cases]
    again = fast_subset(make_suite(*edited, version=3), seed=2, size=size)
    first = fast_subset(suite, seed=2, size=size)
    assert set(again.case_ids) == set(first.case_ids)
    assert again.strata == first.strata


@settings(max_examples=60, deadline=None)
@given(
    counts=st.lists(st.integers(1, 60), min_size=1, max_size=5),
    added=st.integers(1, 30),
    size=st.integers(1, 50),
)
def test_added_cases_move_others_only_by_what_their_strata_get(counts: list[int], added: int, size: int) -> None:
    languages = {f"l{index}": count for index, count in enumerate(counts)}
    old = make_suite(*in_languages(**languages))
    new = make_suite(*old.cases, *in_languages(zz=added))
    before, after = (fast_subset(suite, seed=5, size=size, dimensions=["language"]) for suite in (old, new))
    seats = {s.labels["language"]: s.allocated for s in after.strata}
    for stratum in before.strata:
        language = stratum.labels["language"]
        was = {case_id for case_id in before.case_ids if case_id.startswith(language)}
        now = {case_id for case_id in after.case_ids if case_id.startswith(language)}
        assert was <= now or now <= was
        assert abs(len(was) - len(now)) == abs(stratum.allocated - seats[language])


@settings(max_examples=80, deadline=None)
@given(suite=drawn_suites(min_size=1, max_size=40), size=st.integers(1, 30))
def test_seats_are_within_the_strata_and_add_up(suite: Suite, size: int) -> None:
    result = fast_subset(suite, seed=0, size=size)
    n_critical = sum(stratum.critical != "" for stratum in result.strata)
    total = sum(stratum.allocated for stratum in result.strata)
    assert total == min(len(suite.cases), max(size, n_critical))
    assert all(0 <= stratum.allocated <= stratum.n for stratum in result.strata)
    assert all(stratum.allocated for stratum in result.strata if stratum.critical)
    if len(result.strata) <= size:
        assert all(stratum.allocated for stratum in result.strata)
    assert len(result.case_ids) == total + sum(stratum.completed for stratum in result.strata)
