from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.case import Case, ExpectedPassage
from beleg.core.errors import DataError, UsageError
from beleg.core.suite import Suite, SuiteKind
from beleg.suites.split import components, part_suites, split
from unit.suites.builders import drawn_suites, make_case, make_suite, numbered

THREE = {"development": 0.5, "release": 0.3, "holdout": 0.2}


def part_of(parts: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {case_id: part for part, case_ids in parts.items() for case_id in case_ids}


def test_cases_hang_together_over_a_chain_of_sources_and_sessions() -> None:
    cases = [
        make_case("1", source_group="A"),
        make_case("2", source_group="B"),
        make_case("3", session_group="S", source_group="B"),
        make_case("4", session_group="S", source_group="A"),
        make_case("5"),
    ]
    assert [[case.case_id for case in group] for group in components(cases)] == [["1", "2", "3", "4"], ["5"]]


def test_a_source_and_a_session_of_one_name_are_two_things() -> None:
    cases = [make_case("1", source_group="A"), make_case("2", session_group="A")]
    assert len(components(cases)) == 2


def test_a_shared_document_ties_cases_together_on_request() -> None:
    evidence = (ExpectedPassage(document_id="returns"),)
    cases = [make_case("1", expected_passages=evidence), make_case("2", expected_passages=evidence)]
    assert (len(components(cases)), len(components(cases, by_document=True))) == (2, 1)


def test_independent_cases_reach_the_shares_exactly() -> None:
    result = split(make_suite(*numbered(100)), THREE, seed=1)
    assert {share.part: share.cases for share in result.shares} == {"development": 50, "release": 30, "holdout": 20}
    assert [share.achieved for share in result.shares] == [0.5, 0.3, 0.2]


def test_labels_are_spread_evenly() -> None:
    cases = [make_case(f"{n}{label}", language=label) for label in ("de", "en") for n in range(40)]
    cases += [make_case(f"{n}fr", language="fr") for n in range(20)]
    result = split(make_suite(*cases), {"a": 0.5, "b": 0.5}, seed=3, dimensions=["language"])
    assert [share.labels for share in result.shares] == [{"language=de": 20, "language=en": 20, "language=fr": 10}] * 2


def test_what_groups_do_not_allow_is_reported() -> None:
    cases = [*numbered(9, source_group="A"), make_case("alone")]
    result = split(make_suite(*cases), {"a": 0.5, "b": 0.5}, seed=0)
    assert sorted((share.asked, share.achieved, share.components) for share in result.shares) == [
        (0.5, 0.1, 1),
        (0.5, 0.9, 1),
    ]


def test_a_case_that_guided_tuning_takes_its_whole_group_to_development() -> None:
    cases = [*numbered(8, source_group="A"), make_case("tuned", source_group="A", guided_tuning=True), make_case("z")]
    result = split(make_suite(*cases), {"development": 0.1, "holdout": 0.9}, seed=0)
    assert part_of(result.parts)["q000"] == "development"
    assert result.parts["holdout"] == ("z",)


def test_without_a_development_part_cases_that_guided_tuning_have_no_place() -> None:
    with pytest.raises(UsageError, match="no part 'development'"):
        split(make_suite(make_case("1", guided_tuning=True)), {"release": 1.0}, seed=0)


@pytest.mark.parametrize("kind", [SuiteKind.RELEASE, SuiteKind.HOLDOUT, SuiteKind.CALIBRATION, SuiteKind.MONITORING])
def test_a_suite_gives_no_cases_to_another_kind(kind: SuiteKind) -> None:
    other = "holdout" if kind is SuiteKind.RELEASE else "release"
    suite = make_suite(*numbered(4), kind=kind)
    with pytest.raises(UsageError, match="kinds are never mixed"):
        split(suite, {kind.value: 0.5, other: 0.5}, seed=0)
    split(suite, {kind.value: 0.5, "development": 0.25, "second half": 0.25}, seed=0)


@pytest.mark.parametrize(
    "shares",
    [{}, {"a": 0.5}, {"a": 0.7, "b": 0.7}, {"a": 1.5, "b": -0.5}, {"a": float("nan")}, {"a": 1.0, "b": 0.0}, {"": 1.0}],
)
def test_shares_that_are_none_are_refused(shares: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        split(make_suite(*numbered(4)), shares, seed=0)


def test_an_empty_suite_cannot_be_split() -> None:
    with pytest.raises(DataError, match="no cases"):
        split(make_suite(), {"a": 1.0}, seed=0)


def test_the_parts_become_suites_of_their_kind() -> None:
    suite = make_suite(*numbered(10), version=4, usage_budget=3)
    suites = part_suites(suite, split(suite, {"development": 0.5, "release": 0.5}, seed=0))
    header = suites["release"].header
    assert (header.name, header.kind, header.version, header.usage_budget) == ("shop-release", SuiteKind.RELEASE, 1, 3)
    assert sorted(case.case_id for part in suites.values() for case in part.cases) == [c.case_id for c in suite.cases]


def test_another_seed_gives_another_split() -> None:
    suite = make_suite(*numbered(40))
    assert split(suite, THREE, seed=1).parts != split(suite, THREE, seed=2).parts


@settings(max_examples=60, deadline=None)
@given(suite=drawn_suites(min_size=1), seed=st.integers(0, 5), by_document=st.booleans())
def test_every_case_is_in_one_part_and_no_group_is_cut(suite: Suite, seed: int, by_document: bool) -> None:
    result = split(suite, THREE, seed=seed, by_document=by_document)
    listed = [case_id for case_ids in result.parts.values() for case_id in case_ids]
    assert sorted(listed) == sorted(case.case_id for case in suite.cases)
    part = part_of(result.parts)

    def parts_by(label: str) -> dict[str, set[str]]:
        groups: dict[str, set[str]] = {}
        for case in suite.cases:
            if (name := getattr(case, label)) is not None:
                groups.setdefault(name, set()).add(part[case.case_id])
        return groups

    for label in ("source_group", "session_group"):
        assert all(len(parts) == 1 for parts in parts_by(label).values())
    assert all(part[case.case_id] == "development" for case in suite.cases if case.guided_tuning)


@settings(max_examples=40, deadline=None)
@given(suite=drawn_suites(min_size=1), data=st.data())
def test_the_split_depends_on_neither_order_nor_version(suite: Suite, data: st.DataObject) -> None:
    cases: list[Case] = data.draw(st.permutations(suite.cases))
    again = split(make_suite(*cases, version=9), THREE, seed=4)
    assert part_of(again.parts) == part_of(split(suite, THREE, seed=4).parts)
