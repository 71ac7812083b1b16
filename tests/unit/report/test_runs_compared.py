"""What a comparison says, in both languages."""

from __future__ import annotations

import pytest

from beleg.metrics.ranking_runs.paired_sample import IntervalRule, PairedTest
from beleg.report.runs_compared import (
    MOST_DRAWN,
    comparison_views,
    drawn_comparisons,
    headline,
    p_text,
    percent_text,
)
from support.run_data import compared

NAMES = ("old", "new", "same")


def test_a_shown_gain_and_an_identical_run_are_said_in_full() -> None:
    found = compared(0.08, 0.0)
    views = comparison_views(found, NAMES)
    assert views[0].sentence.en.startswith("new is better than old in AP, +0.0")
    assert "corrected for 2 comparisons p = 0.0002)." in views[0].sentence.en
    assert views[1].sentence.en == "same and old have the same AP in every one of the 60 queries."
    assert views[1].sentence.de == "same und old haben in allen 60 Anfragen dasselbe AP."
    assert (views[0].state, views[1].state) == ("pass", "none")
    assert headline(found, views, NAMES).en == (
        "Against old: 1 shown to be better, 0 shown to be worse, 0 not shown, 1 without any difference"
    )


def test_a_loss_is_called_worse() -> None:
    view = comparison_views(compared(-0.08), NAMES)[0]
    assert "new is worse than old in AP, −0.0" in view.sentence.en
    assert "new ist in AP schlechter als old, −0,0" in view.sentence.de
    assert view.shape == "▼"


def test_what_is_not_shown_says_what_could_have_been_shown() -> None:
    found = compared(0.004)
    view = comparison_views(found, NAMES)[0]
    assert view.sentence.en.startswith("No difference between new and old is shown in AP")
    assert view.aside is not None
    assert view.aside.en.startswith("These 60 queries show a true difference of 0.0")
    assert "would take about" in view.aside.en
    assert "nachgewiesen" in view.sentence.de
    assert headline(found, [view], NAMES) == view.sentence


def test_the_word_significant_is_never_used() -> None:
    for gain in (0.08, 0.004, 0.0, -0.08):
        view = comparison_views(compared(gain), NAMES)[0]
        assert "signifi" not in f"{view.sentence.en} {view.sentence.de} {view.aside}".lower()


def test_a_test_without_an_answer_is_said_to_have_none() -> None:
    found = compared(0.004, test=PairedTest.T, n=1)
    view = comparison_views(found, NAMES)[0]
    assert "t test not defined, because the differences do not vary" in view.sentence.en
    assert view.p.de == "nicht definiert"
    assert view.detectable.en == "not defined"


def test_a_rule_without_an_interval_says_so() -> None:
    view = comparison_views(compared(0.004, interval=IntervalRule.T, n=1), NAMES)[0]
    assert "(no interval by this rule)" in view.difference.en


def test_a_bound_that_is_not_0_is_not_shown_as_0() -> None:
    view = comparison_views(compared(0.004), NAMES)[0]
    assert "±" not in view.difference.en


def test_all_pairs_have_their_own_headline_and_a_tukey_p() -> None:
    found = compared(0.08, 0.0, all_pairs=True)
    views = comparison_views(found, NAMES)
    assert all(view.tukey is not None for view in views)
    assert headline(found, views, NAMES).de.startswith("Alle Paare: ")


@pytest.mark.parametrize(
    ("value", "text"), [(0.00001, "< 0.0001"), (0.0023, "0.0023"), (0.0312, "0.031"), (0.5, "0.50"), (1.0, "1.00")]
)
def test_a_p_value_has_the_digits_that_matter(value: float, text: str) -> None:
    assert p_text(value).en == text


def test_per_cent_have_a_decimal_only_where_they_need_one() -> None:
    assert percent_text(0.05).de == "5\u00a0%"
    assert percent_text(0.025).en == "2.5\u00a0%"


def test_the_largest_losses_and_gains_are_listed_ascending() -> None:
    drawn = drawn_comparisons(compared(0.02), NAMES, top=4)[0]
    assert len(drawn.rows) == 8
    assert [row.direction for row in drawn.rows] == ["worse"] * 4 + ["better"] * 4
    values = [float(row.difference.en.replace("−", "-")) for row in drawn.rows]
    assert values == sorted(values)


def test_only_so_many_comparisons_are_drawn() -> None:
    found = compared(*[0.01] * (MOST_DRAWN + 3), n=12)
    assert len(drawn_comparisons(found, tuple(f"r{i}" for i in range(30)), top=1)) == MOST_DRAWN


def test_what_the_correction_takes_back_and_what_the_interval_takes_back_is_said() -> None:
    many = comparison_views(compared(0.02, 0.001, 0.002, 0.003, 0.004), ("old", "a", "b", "c", "d", "e"))[0]
    assert many.aside is not None
    assert many.aside.en.startswith("Looked at alone it would be shown; among 5 comparisons")
    alone = comparison_views(compared(0.02), NAMES)[0]
    assert ": shown (" in alone.sentence.en
    careful = comparison_views(compared(0.02, interval=IntervalRule.ADJUSTED_T), NAMES)[0]
    assert careful.aside is not None
    assert careful.aside.en.startswith("The test speaks for a difference, the interval does not exclude 0")
