from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from beleg.core.decision import CheckState, Dimension
from beleg.core.evaluation import Evaluation
from beleg.core.manifest import Manifest
from beleg.core.run import RunSettings
from beleg.gating.comparability import MUST_MATCH, comparability_check, compare_runs, is_same_run
from support.builders import case, evaluation, header

CASES = [case("a"), case("b"), case("c")]


def run(
    manifest: Manifest | None = None, versions: dict[str, str] | None = None, stage: str = "delivered", **fields: Any
) -> Evaluation:
    made = header(CASES, **fields, **({"manifest": manifest} if manifest else {}))
    return replace(evaluation(CASES, {}), header=made, metric_versions=versions or {}, final_stage=stage)


def compared(new: Evaluation, old: Evaluation) -> dict[str, Dimension]:
    return {item.name: item for item in compare_runs(new, old)}


def state(new: Evaluation, old: Evaluation) -> CheckState:
    return comparability_check(compare_runs(new, old)).state


def test_a_run_is_the_same_as_itself_in_every_dimension() -> None:
    assert {item.status for item in compare_runs(run(), run())} == {"SAME"}
    assert comparability_check(compare_runs(run(), run())).reason.en.endswith("what differs: nothing")


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("suite", {"suite_digest": "sha256:1"}),
        ("repeats", {"settings": RunSettings(repeats=2)}),
        ("mode", {"settings": RunSettings(retrieve_only=True)}),
        ("cases", {"case_ids": ("a", "b")}),
        ("metric versions", {"versions": {"hit@5": "2"}}),
        ("measured stage", {"stage": "before delivery"}),
    ],
)
def test_what_must_be_the_same_is_an_error_where_it_is_not(name: str, fields: dict[str, Any]) -> None:
    new, old = run(), run(**fields)
    assert [item.name for item in compare_runs(new, old) if item.status == "DIFFERENT"] == [name]
    check = comparability_check(compare_runs(new, old))
    assert check.state is CheckState.ERROR
    assert f"they differ in: {name} (" in check.reason.en
    assert f"sie unterscheiden sich in: {name} (" in check.reason.de
    assert name in MUST_MATCH


def test_a_part_of_the_cases_is_compared_with_all_of_them_and_not_the_other_way_round() -> None:
    part = run(case_ids=("c", "a"))
    assert compared(part, run())["cases"].status == "SAME"
    assert compared(run(), part)["cases"].status == "DIFFERENT"


def test_how_fast_a_run_was_made_is_no_hindrance() -> None:
    other = run(settings=RunSettings(concurrency=1, timeout_s=5.0, retries=0))
    assert state(run(), other) is CheckState.PASS
    told = compared(run(), other)
    assert [told[name].status for name in ("timeout_s", "retries")] == ["DIFFERENT", "DIFFERENT"]


def test_a_run_is_recognised_by_its_name_or_by_its_traces() -> None:
    mine = replace(run(run_id="a"), traces_digest="sha256:1")
    assert is_same_run(mine, replace(run(run_id="a"), traces_digest="sha256:2"))
    assert is_same_run(mine, replace(run(run_id="b"), traces_digest="sha256:1"))
    assert not is_same_run(mine, replace(run(run_id="b"), traces_digest="sha256:2"))
    assert not is_same_run(run(run_id="a"), run(run_id="b"))


def test_another_version_of_beleg_is_told_and_no_hindrance() -> None:
    new, old = run(beleg_version="2"), run(beleg_version="1")
    told = compared(new, old)["beleg version"]
    assert (told.status, told.candidate, told.baseline) == ("DIFFERENT", "2", "1")
    assert state(new, old) is CheckState.PASS


@pytest.mark.parametrize(
    ("mine", "theirs", "status", "shown"),
    [
        ({"prompt": "v2"}, {"prompt": "v2"}, "SAME", ("v2", "v2")),
        ({"prompt": "v2"}, {"prompt": "v1"}, "DIFFERENT", ("v2", "v1")),
        ({"prompt": "v2"}, {}, "UNKNOWN", ("v2", None)),
        ({}, {"prompt": "v1"}, "UNKNOWN", (None, "v1")),
        ({"prompt": "v2"}, {"not_used": ("prompt",)}, "DIFFERENT", ("v2", "not used")),
        ({"not_used": ("prompt",)}, {"prompt": "v1"}, "DIFFERENT", ("not used", "v1")),
    ],
)
def test_a_field_of_the_manifests_is_the_same_different_or_not_known(
    mine: dict[str, Any], theirs: dict[str, Any], status: str, shown: tuple[str | None, str | None]
) -> None:
    """A field that is declared as not used is known: a system without a prompt differs from one with a prompt."""
    told = compared(run(Manifest(name="new", **mine)), run(Manifest(name="old", **theirs)))["prompt"]
    assert (told.status, told.candidate, told.baseline) == (status, *shown)


@pytest.mark.parametrize("fields", [{}, {"not_used": ("reranker",)}])
def test_a_field_that_neither_run_has_is_no_dimension(fields: dict[str, Any]) -> None:
    manifest = Manifest(name="m", **fields)
    assert "reranker" not in compared(run(manifest), run(manifest))
    assert "not_used" not in compared(run(manifest), run(manifest))


def test_what_the_manifests_name_is_the_treatment_and_is_listed() -> None:
    new = run(Manifest(name="new", top_k=5, retriever={"k": 60}, extra={"flag": True}))
    old = run(Manifest(name="old", top_k=8, retriever={"k": 60}))
    check = comparability_check(compare_runs(new, old))
    assert check.state is CheckState.PASS
    assert check.reason.en == "Both runs used the same inputs; what differs: extra, top_k"
    assert check.reason.de == "Beide Läufe nutzten dieselben Eingaben; Unterschiede: extra, top_k"


def test_the_name_of_a_candidate_is_no_difference() -> None:
    assert "name" not in compared(run(Manifest(name="new")), run(Manifest(name="old")))


def test_how_many_cases_both_runs_hold_is_told_and_never_silent() -> None:
    told = compared(run(case_ids=("a", "b")), run())["cases"]
    assert told.status == "SAME"
    assert told.detail is not None
    assert told.detail.en == "2 cases in both runs, 0 only in the candidate's, 1 only in the baseline's"
    assert told.detail.de == "2 Fälle in beiden Läufen, 0 nur beim Kandidaten, 1 nur bei der Baseline"
    assert compared(run(), run())["cases"].detail is None


@pytest.mark.parametrize(
    ("mine", "theirs", "status"),
    [
        ((("m-1",), 0), (("m-1",), 0), "SAME"),
        ((("m-2",), 0), (("m-1",), 0), "DIFFERENT"),
        ((("m-1", "m-2"), 0), (("m-1",), 0), "DIFFERENT"),
        ((("m-1",), 3), (("m-1",), 0), "UNKNOWN"),
        (((), 5), (("m-1",), 0), "UNKNOWN"),
    ],
)
def test_the_models_that_really_answered_are_compared(
    mine: tuple[tuple[str, ...], int], theirs: tuple[tuple[str, ...], int], status: str
) -> None:
    new, old = (replace(run(), models_answered=m, answers_without_model=n) for m, n in (mine, theirs))
    assert compared(new, old)["model answered"].status == status
    assert "model answered" not in compared(run(), run())


def test_the_packages_of_both_processes_are_compared_where_both_noted_them() -> None:
    new, old = run(packages={"numpy": "2.3"}), run(packages={"numpy": "2.2"})
    told = compared(new, old)["lock"]
    assert (told.status, told.candidate) == ("DIFFERENT", "python 3, numpy 2.3")
    assert compared(new, new)["lock"].status == "SAME"
    assert compared(new, run())["lock"].status == "UNKNOWN"
    assert "lock" not in compared(run(), run())


def test_another_inventory_or_normal_form_is_seen() -> None:
    assert compared(run(inventory_digest="sha256:1"), run(inventory_digest="sha256:2"))["inventory"].status == (
        "DIFFERENT"
    )
    other = replace(run(), normalisation="n/1")
    assert state(replace(run(), normalisation="n/2"), other) is CheckState.ERROR
