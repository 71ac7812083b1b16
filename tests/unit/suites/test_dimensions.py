from __future__ import annotations

import pytest

from beleg.core.errors import UsageError
from beleg.suites.dimensions import known_dimensions, labels_of, require_dimensions
from unit.suites.builders import make_case

CASE = make_case("1", language="de", segments={"intent": "price", "language": "gsw"}, ontology=("b", "a", "b"))


def test_a_segment_can_be_named_apart_from_a_field() -> None:
    assert labels_of(CASE, "intent") == ("price",)
    assert labels_of(CASE, "segments.intent") == ("price",)
    assert labels_of(CASE, "segments.language") == ("gsw",)


def test_ontology_gives_every_label_once() -> None:
    assert labels_of(CASE, "ontology") == ("a", "b")


def test_a_missing_label_is_no_label() -> None:
    assert labels_of(CASE, "document_class") == ()


def test_known_dimensions_lists_what_is_in_use() -> None:
    assert known_dimensions([CASE]) == ("expected_behaviour", "intent", "language", "ontology")


def test_a_misspelt_dimension_is_refused_with_the_ones_in_use() -> None:
    with pytest.raises(UsageError, match="'langauge'") as caught:
        require_dimensions([CASE], ["langauge"])
    assert "language" in str(caught.value.hint)


def test_a_repeated_dimension_is_refused() -> None:
    with pytest.raises(UsageError, match="named twice"):
        require_dimensions([CASE], ["language", "language"])
