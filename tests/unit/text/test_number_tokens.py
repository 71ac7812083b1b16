from __future__ import annotations

from beleg.text.number_tokens import NumberTokens, words_without_digits


def test_digits_and_words_come_in_order() -> None:
    found = [(match.lastgroup, match.group()) for match in NumberTokens("1.234,5 km, B12 and twenty-one", ())]
    assert found == [
        ("digits", "1.234,5"),
        ("word", "km"),
        ("word", "B"),
        ("digits", "12"),
        ("word", "and"),
        ("word", "twenty-one"),
    ]


def test_words_at_one_go_are_the_words_one_by_one() -> None:
    text = "Ten-day trips, isn’t it? _a_ ² über-all'"
    assert words_without_digits(text) == [match.group() for match in NumberTokens(text, ())]
    assert words_without_digits(f"{text} ٣") is None


def test_what_is_taken_is_passed_over() -> None:
    text = "On 4 March 2024 we paid 30 euros"
    start = text.index("4 March")
    found = [match.group() for match in NumberTokens(text, [(start, start + len("4 March 2024"))])]
    assert found == ["On", "we", "paid", "30", "euros"]


def test_a_run_that_was_read_is_not_read_again() -> None:
    text = "three hundred and five days"
    tokens = NumberTokens(text, ())
    found = []
    for match in tokens:
        found.append(match.group())
        if match.group() == "three":
            assert [following.group() for following in tokens.run_on(match.end())] == ["hundred", "five", "days"]
            tokens.resume(text.index(" days"))
    assert found == ["three", "days"]
