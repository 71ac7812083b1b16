from __future__ import annotations

import json
from dataclasses import asdict
from math import sqrt
from statistics import NormalDist

import pytest
from hypothesis import given, settings

from beleg.core.errors import UsageError
from beleg.core.suite import Suite
from beleg.suites.cover import coverage, sample_sizes
from unit.suites.builders import drawn_suites, make_case, make_suite, numbered


def wilson_half_width(rate: float, n: int) -> float:
    """Wilson, 1927: z / (1 + z²/n) · √(p (1 − p) / n + z² / 4n²)."""
    z = NormalDist().inv_cdf(0.975)
    return z / (1 + z * z / n) * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))


GRID = make_suite(
    *[make_case(f"dp{n}", language="de", segments={"intent": "price"}, source_group="S") for n in range(4)],
    make_case("dr", language="de", segments={"intent": "return"}),
    make_case("ep", language="en", segments={"intent": "price"}),
    make_case("none", language="en"),
)


def test_every_combination_has_a_cell_and_empty_ones_are_listed() -> None:
    result = coverage(GRID, ["language", "intent"])
    assert {cell.labels: (cell.n, cell.clusters) for cell in result.cells} == {
        ("de", "price"): (4, 1),
        ("de", "return"): (1, 1),
        ("en", "price"): (1, 1),
        ("en", "return"): (0, 0),
    }
    assert [cell.labels for cell in result.empty] == [("en", "return")]


def test_cases_without_a_label_are_counted_apart() -> None:
    assert coverage(GRID, ["language", "intent"]).unlabelled == {"language": 0, "intent": 1}


def test_cells_below_the_minimum_say_what_they_lack() -> None:
    result = coverage(GRID, ["language", "intent"], minimum_n=4)
    assert [cell.labels for cell in result.too_small] == [("de", "return"), ("en", "price")]
    assert result.needed_for_minimum == {
        "language=de, intent=return": 3,
        "language=en, intent=price": 3,
        "language=en, intent=return": 4,
    }


def test_two_hundred_cases_at_80_percent_give_5_5_points() -> None:
    (cell,) = coverage(make_suite(*numbered(200, language="de")), ["language"]).cells
    assert cell.half_width == pytest.approx(wilson_half_width(0.8, 200), abs=1e-12)
    assert cell.half_width == pytest.approx(1.96 * sqrt(0.8 * 0.2 / 200), abs=5e-4)


def test_cases_of_one_cluster_may_count_as_one() -> None:
    cases = [make_case(f"{n}", language="de", session_group=str(n // 2)) for n in range(20)]
    (cell,) = coverage(make_suite(*cases), ["language"]).cells
    assert (cell.n, cell.clusters) == (20, 10)
    assert cell.half_width == pytest.approx(wilson_half_width(0.8, 20), abs=1e-12)
    assert cell.half_width_clustered == pytest.approx(wilson_half_width(0.8, 10), abs=1e-12)


def test_an_empty_cell_has_no_width() -> None:
    (cell,) = coverage(GRID, ["language", "intent"]).empty
    assert (cell.half_width, cell.half_width_clustered) == (None, None)


def test_five_points_need_about_246_cases() -> None:
    """The normal approximation gives 1.96² · 0.16 / 0.05² = 245.9; Wilson's interval, which decides, needs 245."""
    (answer,) = sample_sizes([0.05])
    assert answer.cases == 245
    assert wilson_half_width(0.8, 245) <= 0.05 < wilson_half_width(0.8, 244)


def test_the_matrix_carries_the_planning_table() -> None:
    planning = coverage(GRID, ["language"]).planning
    assert [answer.half_width for answer in planning] == [0.1, 0.05, 0.03, 0.02]
    assert [answer.cases for answer in planning] == sorted(answer.cases for answer in planning)


def test_a_case_counts_in_the_cell_of_each_of_its_ontology_labels() -> None:
    suite = make_suite(make_case("1", language="de", ontology=("shoes", "returns")), make_case("2", language="de"))
    result = coverage(suite, ["language", "ontology"])
    assert {cell.labels: cell.n for cell in result.cells} == {("de", "returns"): 1, ("de", "shoes"): 1}
    assert result.unlabelled["ontology"] == 1


def test_labels_that_must_be_covered_are_empty_cells_until_they_are() -> None:
    result = coverage(GRID, ["risk_tier"], expected_labels={"risk_tier": ["high", "low"]})
    assert [cell.labels for cell in result.empty] == [("high",), ("low",)]


@pytest.mark.parametrize("dimensions", [[], ["intnet"], ["language", "language"]])
def test_dimensions_that_cannot_be_meant_are_refused(dimensions: list[str]) -> None:
    with pytest.raises(UsageError):
        coverage(GRID, dimensions)


def test_a_repeated_dimension_is_refused_even_where_its_labels_are_given() -> None:
    with pytest.raises(UsageError, match="named twice"):
        coverage(GRID, ["risk_tier", "risk_tier"], expected_labels={"risk_tier": ["high"]})


def test_labels_expected_in_no_dimension_are_refused() -> None:
    with pytest.raises(UsageError, match="'intent'"):
        coverage(GRID, ["language"], expected_labels={"intent": ["price"]})


def test_a_matrix_too_large_to_be_read_is_refused() -> None:
    many = {name: [str(n) for n in range(400)] for name in ("language", "intent")}
    with pytest.raises(UsageError, match="cells"):
        coverage(GRID, ["language", "intent"], expected_labels=many)


@settings(max_examples=40, deadline=None)
@given(suite=drawn_suites(min_size=1))
def test_cells_and_unlabelled_cases_add_up_to_the_suite(suite: Suite) -> None:
    result = coverage(suite, ["expected_behaviour", "language"], expected_labels={"language": ["de"]})
    assert sum(cell.n for cell in result.cells) + result.unlabelled["language"] == len(suite.cases)
    assert json.loads(json.dumps(asdict(result)))["cases"] == len(suite.cases)
