from __future__ import annotations

from beleg.core.dimensions import known_dimension, manifest_dimensions
from beleg.core.manifest import Manifest


def test_what_one_side_does_not_tell_is_not_known() -> None:
    found = known_dimension("prompt", "v2", None)
    assert (found.status, found.candidate, found.baseline) == ("UNKNOWN", "v2", None)


def test_every_field_that_either_manifest_names_is_a_dimension_but_for_its_name() -> None:
    new = Manifest(name="new", prompt="v2", retriever={"k": 60, "bm25": True})
    old = Manifest(name="old", top_k=5, not_used=("prompt",), retriever={"k": 60, "bm25": True})
    told = {each.name: (each.status, each.candidate, each.baseline) for each in manifest_dimensions(new, old)}
    assert told == {
        "extra": ("SAME", "", ""),
        "prompt": ("DIFFERENT", "v2", "not used"),
        "retriever": ("SAME", "k 60, bm25 True", "k 60, bm25 True"),
        "top_k": ("UNKNOWN", None, "5"),
    }
