from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.core.inference import JudgeReply, TokenChoice
from beleg.judges.tasks.claims import CLAIM_EXTRACTION
from beleg.judges.tasks.context import PASSAGE_RELEVANCE
from beleg.judges.weighting import (
    expected_grade,
    grade_distribution,
    grade_distribution_of,
    grades_of,
    read_grades,
)


def certain(*texts: str) -> list[TokenChoice]:
    return [TokenChoice(token=text, alternatives={text: 0.0}) for text in texts]


def graded(token: str, **shares: float) -> TokenChoice:
    return TokenChoice(token=token, alternatives={name: math.log(share) for name, share in shares.items()})


def rounded(found: dict[str, float] | None) -> dict[str, float] | None:
    return None if found is None else {grade: round(share, 6) for grade, share in found.items()}


def test_the_worked_example_of_a_grade_among_its_alternatives() -> None:
    tokens = [
        *certain('{"', "reason", '":"', "good", '","', "score", '":'),
        graded("4", **{"4": 0.6, "5": 0.3, "x": 0.1}),
    ]
    reading = read_grades([*tokens, *certain("}")], "score")
    assert rounded(reading.distribution) == {"4": 0.666667, "5": 0.333333}
    assert math.isclose(reading.mass, 0.9)
    assert reading.distribution is not None
    assert math.isclose(expected_grade(reading.distribution, range(1, 6)), 4 + 1 / 3)


@pytest.mark.parametrize("token", [" 4", "4}", " 4\n}", '"4"', " 4,"])
def test_the_grade_may_share_its_token_with_marks_and_spaces(token: str) -> None:
    choice = TokenChoice(token=token, alternatives={token: math.log(0.5), token.replace("4", "2"): math.log(0.5)})
    assert rounded(grade_distribution([*certain('{"score":'), choice, *certain("}")], "score")) == {"2": 0.5, "4": 0.5}


def test_tokens_that_spell_one_grade_are_added_up() -> None:
    choice = graded("4", **{"4": 0.25, " 4": 0.25, "3": 0.5})
    assert rounded(grade_distribution([*certain('{"score":'), choice, *certain("}")], "score")) == {"3": 0.5, "4": 0.5}


def test_words_of_the_reason_that_look_like_the_field_do_not_count() -> None:
    reason = certain('{"reason": "', 'they say \\"score\\": 5, ', '{\\"score\\": 5}', '", "score": ')
    assert grade_distribution([*reason, graded("1", **{"1": 1.0}), *certain("}")], "score") == {"1": 1.0}


def test_a_field_of_the_same_name_further_inside_does_not_count() -> None:
    inside = certain('{"inner": {"score": 5}, "list": [{"score": 4}], "score": ')
    assert grade_distribution([*inside, graded("2", **{"2": 1.0}), *certain("}")], "score") == {"2": 1.0}


def test_parts_of_characters_in_the_reason_do_not_hide_the_grade() -> None:
    tokens = certain('{"reason": "gr', "\\xc3", "\\xb6", '\\u00df"', ', "score": ')
    assert grade_distribution([*tokens, graded("2", **{"2": 1.0}), *certain("}")], "score") == {"2": 1.0}


TEN = tuple(str(grade) for grade in range(1, 11))


@pytest.mark.parametrize(
    ("tokens", "grades", "why"),
    [
        ([*certain('{"score": ', "1", "0", "}")], TEN, "spread over several tokens"),
        ([*certain('{"score": '), graded("7", **{"7": 0.9, "1": 0.1}), *certain("}")], TEN, "may begin several grades"),
        ([*certain('{"score": ', "9", "}")], ("1", "2"), "is no grade"),
        ([*certain('{"reason": "x"}')], ("1",), "0 times"),
        ([*certain('{"score": ', "1", ', "score": ', "2", "}")], ("1", "2"), "2 times"),
        ([*certain('{"score": '), graded("1", **{"2": 1.0}), *certain("}")], ("1", "2"), "no probability of its own"),
        ([TokenChoice(token='{"score": 1}', alternatives={'{"score": 1}': 0.0})], ("1",), "more than the grade"),
        ([*certain('{"score": '), TokenChoice(token="1", alternatives={"1": math.nan})], ("1",), "no log probability"),
        ([*certain('{"score": '), TokenChoice(token="1", alternatives={"1": 0.7})], ("1",), "no log probability"),
        ([], ("1",), "0 times"),
    ],
)
def test_where_the_tokens_do_not_tell_there_is_a_reason_and_no_number(
    tokens: list[TokenChoice], grades: tuple[str, ...], why: str
) -> None:
    reading = read_grades(tokens, "score", grades=grades)
    assert reading.distribution is None
    assert reading.reason is not None
    assert why in reading.reason


def test_ten_in_one_token_beside_other_grades_is_read() -> None:
    choice = graded("10", **{"10": 0.75, "9": 0.25})
    found = grade_distribution([*certain('{"score": '), choice, *certain("}")], "score", grades=TEN)
    assert rounded(found) == {"9": 0.25, "10": 0.75}


@given(st.dictionaries(st.sampled_from("12345"), st.floats(0.001, 1.0), min_size=1))
def test_a_distribution_sums_to_one_and_the_expectation_lies_on_the_scale(shares: dict[str, float]) -> None:
    total = sum(shares.values())
    logs = {grade: math.log(share / total) for grade, share in shares.items()}
    chosen = max(logs, key=lambda grade: logs[grade])
    found = grade_distribution(
        [*certain('{"score": '), TokenChoice(token=chosen, alternatives=logs), *certain("}")], "score"
    )
    assert found is not None
    assert math.isclose(sum(found.values()), 1.0)
    expected = sum(int(grade) * share for grade, share in shares.items()) / total
    assert math.isclose(expected_grade(found, range(1, 6)), expected, rel_tol=1e-9)


@given(st.text(alphabet='{}[]":,\\ 12score', max_size=60))
def test_no_text_breaks_the_reading(text: str) -> None:
    read_grades(certain(*text), "score")


@pytest.mark.parametrize("distribution", [{"6": 1.0}, {"1": 0.5}, {"1": 1.5, "2": -0.5}])
def test_an_expectation_is_refused_for_what_is_no_distribution_over_the_scale(distribution: dict[str, float]) -> None:
    with pytest.raises(DataError):
        expected_grade(distribution, range(1, 6))


def test_the_grades_of_a_task_come_from_its_schema() -> None:
    assert grades_of(PASSAGE_RELEVANCE) == ("0", "1", "2", "3")
    with pytest.raises(DataError, match="lists no grades"):
        grades_of(CLAIM_EXTRACTION)


# What llama.cpp's server told for the grade of a reply of SmolLM2-135M, the five likeliest tokens.
RECORDED = {
    "0": -0.254162460565567,
    "1": -2.0527045726776123,
    "2": -3.202709913253784,
    "3": -3.954025983810425,
    "4": -4.483231067657471,
}


def test_probabilities_that_a_real_server_told_are_read_and_what_the_task_does_not_allow_leaves_them() -> None:
    grade = TokenChoice(token="0", alternatives=RECORDED)
    tokens = (*certain('{\n  "reason": "', "free", '",\n  "', "grade", '": '), grade, *certain("\n", "}", ""))
    found = grade_distribution_of(JudgeReply(text="", tokens=tokens), PASSAGE_RELEVANCE)
    total = sum(math.exp(RECORDED[name]) for name in "0123")
    assert found is not None
    assert found == {name: pytest.approx(math.exp(RECORDED[name]) / total) for name in "0123"}
    assert found["0"] == pytest.approx(0.804711, abs=1e-6)


def test_without_tokens_or_grades_there_is_no_distribution() -> None:
    assert grade_distribution_of(JudgeReply(text="{}"), PASSAGE_RELEVANCE) is None
    assert grade_distribution_of(JudgeReply(text="{}", tokens=()), CLAIM_EXTRACTION) is None
