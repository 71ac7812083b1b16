from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.run import RunHeader, RunSettings
from support.builders import case, header

CASES = [case("a"), case("b"), case("c")]


@pytest.mark.parametrize(("repeats", "rows"), [(1, 3), (4, 12)])
def test_a_complete_run_holds_every_case_as_often_as_it_is_repeated(repeats: int, rows: int) -> None:
    assert header(CASES, settings=RunSettings(repeats=repeats)).expected_rows == rows


def test_a_run_on_no_case_expects_no_row() -> None:
    assert header([], settings=RunSettings(repeats=4)).expected_rows == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"concurrency": 0}, {"concurrency": 1_025}, {"timeout_s": 0.0}, {"timeout_s": 3_601.0}, {"retries": -1},
        {"retries": 21}, {"repeats": 0}, {"repeats": 1_001}, {"concurrency": "8"}, {"timeout_s": float("inf")},
    ],
)  # fmt: skip
def test_settings_that_could_not_be_carried_out_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        RunSettings(**fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"subset": "stratified"}, {"subset": "stratified", "subset_size": 50}, {"subset_size": 50, "subset_seed": 0},
        {"subset": "stratified", "subset_seed": 0}, {"subset": "named", "subset_seed": 0}, {"subset": "some"},
        {"subset": "stratified", "subset_size": 0, "subset_seed": 0},
    ],
)  # fmt: skip
def test_only_a_stratified_subset_has_a_size_and_a_seed(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        header(CASES, **fields)


def test_a_run_is_on_all_cases_unless_it_says_how_they_were_chosen() -> None:
    assert (header(CASES).subset, header(CASES).subset_size, header(CASES).subset_seed) == ("all", None, None)
    assert header(CASES, subset="stratified", subset_size=2, subset_seed=0).subset_size == 2
    assert header(CASES, subset="named").subset == "named"


def test_a_header_reads_back_as_it_was_written_with_its_cases_in_order() -> None:
    written = header(list(reversed(CASES)))
    read = RunHeader.model_validate_json(written.model_dump_json())
    assert read == written
    assert read.case_ids == ("c", "b", "a")
