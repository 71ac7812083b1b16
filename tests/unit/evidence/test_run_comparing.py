from __future__ import annotations

from typing import Any

import pytest

from beleg.core.inventory import Inventory
from beleg.core.manifest import Manifest
from beleg.core.run import RunHeader, RunSettings
from beleg.core.run_comparison import Aspect, ComparedAspect, Likeness
from beleg.evidence.run_comparing import (
    configuration_aspect,
    configuration_of,
    documents_digest,
    snapshot_aspect,
    todays_sources,
)
from support import q017
from support.builders import case, header

KNOWN = q017.inventory()
FIELDS: dict[str, Any] = {
    "corpus_snapshot": "2026-08",
    "chunker": "words",
    "index_build": "7",
    "retriever": {"k": 60},
    "top_k": 5,
    "prompt": "v1",
    "generator": "writer",
    "application_revision": "abc",
    "not_used": ("embedding_model", "reranker", "temperature", "seed", "judge_model", "judge_prompt"),
}
SAME_SOURCES = ComparedAspect(aspect=Aspect.SOURCE_SNAPSHOT, likeness=Likeness.SAME)
OTHER_SOURCES = ComparedAspect(aspect=Aspect.SOURCE_SNAPSHOT, likeness=Likeness.CHANGED)


def made(settings: RunSettings | None = None, **fields: Any) -> RunHeader:
    manifest = Manifest(name="m", **(FIELDS | fields))
    return header([case()], manifest=manifest, packages={"numpy": "2"}, settings=settings or RunSettings())


def aspect(new: RunHeader, old: RunHeader | None = None, sources: ComparedAspect = SAME_SOURCES) -> ComparedAspect:
    return configuration_aspect(configuration_of(old or made(), new), sources)


def test_the_same_system_has_the_same_configuration() -> None:
    assert aspect(made()).likeness is Likeness.SAME


@pytest.mark.parametrize(
    ("new", "named"),
    [
        (made(prompt="v2"), "prompt"),
        (made(retriever={"k": 10}), "retriever"),
        (made(index_build="8"), "index_build"),
        (made(settings=RunSettings(retrieve_only=True)), "mode"),
        (made(settings=RunSettings(timeout_s=1)), "timeout_s"),
        (made().model_copy(update={"packages": {"numpy": "3"}}), "lock"),
        (made().model_copy(update={"beleg_version": "9"}), "beleg version"),
    ],
)
def test_a_change_of_the_configuration_is_named(new: RunHeader, named: str) -> None:
    found = aspect(new)
    assert found.likeness is Likeness.CHANGED
    assert found.detail is not None
    assert found.detail.en == f"differs in: {named}"


@pytest.mark.parametrize(
    ("new", "old", "named"),
    [
        (made(prompt=None), None, "prompt"),
        (made(prompt=None), made(prompt=None), "prompt"),
        (made().model_copy(update={"packages": None}), None, "lock"),
    ],
)
def test_what_nobody_recorded_is_not_the_same(new: RunHeader, old: RunHeader | None, named: str) -> None:
    found = aspect(new, old)
    assert found.likeness is Likeness.NOT_COMPARABLE
    assert found.detail is not None
    assert found.detail.en == f"not known in both runs: {named}"


def test_other_documents_and_the_index_built_on_them_are_no_change_of_the_configuration() -> None:
    moved = made(corpus_snapshot="2026-09", index_build="8")
    assert aspect(moved, sources=OTHER_SOURCES).likeness is Likeness.SAME


def test_how_fast_a_run_was_made_and_who_judged_it_are_no_configuration() -> None:
    assert aspect(made(settings=RunSettings(concurrency=1))).likeness is Likeness.SAME
    assert aspect(made(not_used=FIELDS["not_used"][:4])).likeness is Likeness.SAME


def snapshot(old: tuple[str | None, Inventory | None], new: tuple[str | None, Inventory | None]) -> Likeness:
    sides = [(Manifest(name="m", corpus_snapshot=name), inventory) for name, inventory in (old, new)]
    return snapshot_aspect(sides[0], sides[1]).likeness


def test_the_documents_themselves_decide_and_not_the_name_of_their_snapshot() -> None:
    edited = KNOWN.model_copy(update={"documents": KNOWN.documents[:1]})
    assert snapshot(("a", KNOWN), ("b", KNOWN)) is Likeness.SAME
    assert snapshot(("a", KNOWN), ("a", edited)) is Likeness.CHANGED
    assert snapshot(("a", None), ("a", KNOWN)) is Likeness.SAME
    assert snapshot(("a", None), ("b", None)) is Likeness.CHANGED
    assert snapshot((None, KNOWN), ("b", None)) is Likeness.NOT_COMPARABLE


def test_how_documents_are_cut_and_listed_is_no_matter_of_the_documents() -> None:
    turned = Inventory(documents=tuple(reversed(KNOWN.documents)), passages=())
    assert documents_digest(turned) == documents_digest(KNOWN)
    assert documents_digest(None) is None
    newer = KNOWN.documents[0].model_copy(update={"version": "returns-v5"})
    assert documents_digest(Inventory(documents=(newer, KNOWN.documents[1]), passages=())) != documents_digest(KNOWN)


def test_the_sources_of_today_are_those_of_the_inventory() -> None:
    today = todays_sources(KNOWN)
    assert today is not None
    assert set(today.documents) == {"D-01", "D-02"}
    assert set(today.passages) == {"p04", "p07"}
    assert todays_sources(None) is None
