"""Agreement of reviewers: which verdicts count, and figures held against worked examples."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from beleg.core.evidence import Condition
from beleg.core.review import ReviewAction, ReviewEvent
from beleg.evidence.agreement import NotCounted, agreement_on, blind_first_verdicts
from support.review_events import action, attribution, chain, support

LABELS = {"s": "supported", "p": "partially_supported", "n": "not_supported", "?": "not_assessable"}


def verdict(by: str, label: str, stream: str = "r1/C-1", **fields: object) -> ReviewAction:
    condition = fields.pop("condition", Condition.BLIND)
    return action(by=by, stream=stream, support=support(LABELS[label], by, condition), **fields)  # type: ignore[arg-type]


def streams(*actions: ReviewAction) -> dict[str, list[ReviewEvent]]:
    found: dict[str, list[ReviewEvent]] = {}
    for event in chain(*actions):
        found.setdefault(event.action.stream, []).append(event)
    return found


def table(**ratings: str) -> dict[str, list[ReviewEvent]]:
    """One column of labels per reviewer; a dot is a claim that they did not judge."""
    return streams(
        *(
            verdict(by, label, stream=f"r1/C-{place}")
            for by, labels in ratings.items()
            for place, label in enumerate(labels)
            if label != "."
        )
    )


def counted(*actions: ReviewAction) -> list[tuple[str, str]]:
    names = {code: label for label, code in (("s", 5), ("p", 6), ("n", 7))}
    return [(one.rater, names[one.code]) for one in blind_first_verdicts(streams(*actions), "support")[0]]


def left_out(*actions: ReviewAction) -> dict[NotCounted, int]:
    return dict(blind_first_verdicts(streams(*actions), "support")[1])


def test_a_verdict_that_was_replaced_counts_as_it_was_first_given() -> None:
    new = action("verdict_superseded", "ada", support=support("not_supported", "ada"))
    assert counted(verdict("ada", "s"), new) == [("ada", "s")]


def test_a_verdict_that_was_withdrawn_does_not_count_and_none_stands_in_for_it() -> None:
    actions = (verdict("ada", "s"), action("withdrawn", "ada"), verdict("ada", "n", idempotency_key="again"))
    assert counted(*actions) == []
    assert left_out(*actions) == {NotCounted.WITHDRAWN: 1}


@pytest.mark.parametrize("condition", [Condition.SAW_MACHINE, Condition.SAW_HUMAN, None])
def test_a_verdict_that_is_not_blind_does_not_count(condition: Condition | None) -> None:
    assert left_out(verdict("ada", "s", condition=condition)) == {NotCounted.NOT_BLIND: 1}


def test_adjudication_keeps_the_originals_and_later_verdicts_do_not_count() -> None:
    actions = (verdict("ada", "s"), verdict("bob", "n"), action("adjudicated", "cleo"), verdict("dan", "n"))
    assert counted(*actions) == [("ada", "s"), ("bob", "n")]
    assert left_out(*actions) == {NotCounted.AFTER_ADJUDICATION: 1}


def test_verdicts_about_an_older_row_are_not_paired_with_those_about_the_new_one() -> None:
    actions = (
        verdict("ada", "s"),
        action("sheet_rebuilt", "tool", evidence_digest="sha256:new"),
        verdict("bob", "n", evidence_digest="sha256:new"),
    )
    assert len(counted(*actions)) == 2
    found = agreement_on("support", streams(*actions))
    assert (found.units, found.single) == (0, 2)


def test_attribution_and_support_are_counted_apart() -> None:
    only = action(by="ada", support=None, attribution=attribution(by="ada"))
    both = action(by="bob", support=support(by="bob"), attribution=attribution("missing", "bob"))
    found = {name: agreement_on(name, streams(only, both)) for name in ("attribution", "support")}  # type: ignore[arg-type]
    assert (found["attribution"].units, found["support"].units, found["support"].single) == (1, 0, 1)
    assert found["attribution"].raw.value == 0.0


def test_skewed_labels_show_why_kappa_is_not_read_alone() -> None:
    # 95 of 100 rows agree, nearly all of one label: the closed forms of the articles give these.
    found = agreement_on("support", table(ada="s" * 95 + "sssnn", bob="s" * 95 + "nnnss"))
    share = 0.975 * 0.975 + 0.025 * 0.025
    first, second = 0.98, 0.97
    by_chance = first * second + (1 - first) * (1 - second)
    assert found.raw.value == pytest.approx(0.95)
    assert found.kappa.value == pytest.approx((0.95 - by_chance) / (1 - by_chance))
    assert found.alpha.value == pytest.approx(1 - 0.05 / ((1 - share) * 200 / 199))
    chance_ac1 = 2 * 0.975 * 0.025
    assert found.ac1.value == pytest.approx((0.95 - chance_ac1) / (1 - chance_ac1))
    assert found.kappa.value is not None
    assert found.kappa.value < 0 < 0.9 < (found.ac1.value or 0)


def test_krippendorffs_own_example_comes_out() -> None:
    # Krippendorff 2011, section C: 12 units, 4 observers, missing ratings; nominal alpha 0.743. It has five
    # values, as many as attribution has.
    names = dict(zip("12345", ("attached", "missing", "wrong_target", "unresolvable", "not_assessable"), strict=True))
    given = {"A": "123321412...", "B": "1233224125.3", "C": ".3332342251.", "D": "12332441251."}
    actions = [
        action(by=by, stream=f"r1/C-{place}", support=None, attribution=attribution(names[label], by))
        for by, labels in given.items()
        for place, label in enumerate(labels)
        if label != "."
    ]
    found = agreement_on("attribution", streams(*actions))
    assert found.alpha.value == pytest.approx(0.743, abs=5e-4)
    assert found.kappa.reason == "kappa compares two reviewers, and there are 4"


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ({}, "no claim has verdicts of two reviewers"),
        ({"ada": "ssn"}, "no claim has verdicts of two reviewers"),
        ({"ada": "s.", "bob": ".n"}, "no claim has verdicts of two reviewers"),
        ({"ada": "sss", "bob": "sss"}, "one and the same"),
    ],
)
def test_what_is_undefined_says_why(ratings: dict[str, str], reason: str) -> None:
    found = agreement_on("support", table(**ratings))
    for figure in (found.kappa, found.alpha, found.ac1):
        assert figure.value is figure.lower is figure.upper is None
        assert figure.reason is not None
        assert reason in figure.reason


def test_full_agreement_of_few_rows_is_no_certainty() -> None:
    found = agreement_on("support", table(ada="ssnnp", bob="ssnnp"))
    assert found.raw.value == found.kappa.value == found.alpha.value == found.ac1.value == 1.0
    # Clopper and Pearson, 5 of 5: the fifth root of 0.025.
    assert found.raw.lower == pytest.approx(0.025 ** (1 / 5))
    assert found.kappa.lower is not None
    assert found.kappa.lower < 0.5
    assert found.alpha.lower is None


def test_claims_of_one_case_are_not_independent() -> None:
    ratings: dict[str, Sequence[str]] = {"ada": "snpsnpsnpsnp", "bob": "snpnnpsnppnp"}
    alone = agreement_on("support", table(**ratings))
    cases = {f"r1/C-{place}": f"case {place // 3}" for place in range(12)}
    grouped = agreement_on("support", table(**ratings), cases=cases)
    assert (alone.groups, grouped.groups) == (12, 4)
    assert alone.raw.value == grouped.raw.value
    assert (alone.raw.lower or 0) > (grouped.raw.lower or 0)


def test_rows_on_which_reviewers_differ_are_named_in_order() -> None:
    assert agreement_on("support", table(ada="snps", bob="sspn")).differing == ("r1/C-1", "r1/C-3")


def test_no_figure_depends_on_how_many_claims_are_supported() -> None:
    first = agreement_on("support", table(ada="ssnnsn", bob="ssnnns"))
    swapped = agreement_on("support", table(ada="nnssns", bob="nnsssn"))
    for name in ("raw", "kappa", "alpha", "ac1"):
        assert getattr(first, name).value == pytest.approx(getattr(swapped, name).value)
