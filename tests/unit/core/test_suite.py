from __future__ import annotations

import random

from beleg.core.suite import Suite
from support.builders import case, suite


def test_the_digest_does_not_depend_on_the_order_of_the_cases() -> None:
    listed = [case(f"c{i}") for i in range(20)]
    shuffled = random.Random(1).sample(listed, k=20)
    assert suite(listed).digest == suite(shuffled).digest


def test_any_edit_of_header_or_case_changes_the_digest() -> None:
    base = suite([case("a")])
    others = [suite([case("a")], version=2), suite([case("b")]), suite([case("a", reference_answer="r")]), suite([])]
    assert len({base.digest, *(other.digest for other in others)}) == 5


def test_a_case_that_stands_twice_changes_the_digest() -> None:
    assert suite([case("a")]).digest != suite([case("a"), case("a")]).digest


def test_a_changed_copy_has_its_own_digest() -> None:
    base = suite([case("a")])
    assert base.digest
    copied = base.model_copy(update={"cases": (case("b"),)})
    assert copied.digest == suite([case("b")]).digest
    assert set(copied.case_digests) == {"b"}


def test_a_suite_made_in_python_is_like_one_that_was_read() -> None:
    made = Suite.of([case("a")], name="s")
    assert made == suite([case("a")])
