from __future__ import annotations

from beleg.core.errors import CandidateError, DataError, InvalidOutput, MissingExtra, Problem, UsageError, shown


def test_a_problem_says_file_line_field_what_value_and_remedy() -> None:
    problem = Problem(
        message="is no number", file="p.yaml", line=3, field="checks[0].margin", value="'2 %'", remedy="Write 0.02"
    )
    assert str(problem) == "p.yaml:3: field 'checks[0].margin': is no number (found '2 %'). Write 0.02"


def test_many_problems_are_listed_up_to_a_limit_and_counted() -> None:
    error = DataError(Problem(message=f"wrong {i}", line=i) for i in range(1, 31))
    assert error.message.count("\n") == 20
    assert error.message.endswith("… and 10 more")
    assert len(error.problems) == 30


def test_long_and_hostile_values_are_quoted_and_cut() -> None:
    assert shown("a\x1b[31m\n") == r"'a\x1b[31m\n'"
    assert len(shown("x" * 10_000)) == 120


def test_exit_codes_tell_usage_from_what_could_not_be_decided() -> None:
    assert (UsageError("x").exit_code, DataError(Problem(message="x")).exit_code) == (2, 30)


def test_a_missing_extra_names_the_command_that_installs_it() -> None:
    assert "pip install 'beleg[report]'" in MissingExtra("drawing", "report").diagnostics()


def test_a_fault_of_a_candidate_says_whether_asking_again_may_help() -> None:
    busy = CandidateError("busy", kind="http_429", retryable=True, retry_after_s=2.0)
    assert (busy.kind, busy.retryable, busy.retry_after_s) == ("http_429", True, 2.0)
    assert InvalidOutput("html").retryable is False
