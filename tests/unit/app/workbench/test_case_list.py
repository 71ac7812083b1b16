from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.app.workbench.case_list import MAX_SHOWN, Listing
from beleg.core.errors import UsageError

WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), max_size=20)
LISTINGS = st.builds(
    Listing,
    segment=WORDS, status=WORDS, lost=WORDS, reason=st.sampled_from(["", "timeout"]), of=WORDS, q=WORDS, sort=WORDS,
    order=st.sampled_from(["", "down"]),
    show=st.lists(WORDS.filter(bool), unique=True, max_size=MAX_SHOWN).map(tuple), page=st.integers(1, 10_000),
)  # fmt: skip


@given(LISTINGS)
def test_an_address_says_all_of_it(listing: Listing) -> None:
    address = listing.address()
    assert Listing.read(parse_qsl(address.removeprefix("?"))) == listing
    assert address.isascii()


def test_a_metric_is_sorted_up_then_down_and_from_the_first_page() -> None:
    up = Listing(page=7, q="x").sorted_by("mrr")
    assert (up.sort, up.order, up.page, up.q) == ("mrr", "", 1, "x")
    assert up.sorted_by("mrr").order == "down"
    assert up.sorted_by("mrr").sorted_by("mrr").order == ""
    assert up.sorted_by("map").order == ""


@pytest.mark.parametrize("page", ["0", "-1", "x", "1.5", "²", "9" * 30])
def test_what_is_no_page_is_refused(page: str) -> None:
    with pytest.raises(UsageError, match="is no page"):
        Listing.read([("page", page)])


def test_only_so_many_metrics_are_shown_and_strange_names_are_passed_over() -> None:
    read = Listing.read([("show", f"m{n}") for n in range(40)] + [("lang", "de"), ("nothing", "x")])
    assert len(read.show) == MAX_SHOWN
