from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from beleg.core.calibration import JudgeStanding
from beleg.core.decision import CheckKind, MetricComparability
from beleg.core.evaluation import Evaluation
from beleg.core.judging import JudgeSpec, TaskReference
from beleg.core.manifest import Manifest
from beleg.core.policy import Policy
from beleg.core.run import RunSettings
from beleg.gating.comparability import compare_runs
from beleg.gating.metric_comparability import (
    comparability_of,
    metrics_checks,
    treatment_problems,
    withheld_from,
)
from beleg.metrics.catalogue import CATALOGUE, parse_metric
from beleg.metrics.spec import INPUT_DIMENSIONS, JUDGE_DIMENSION, SYSTEM_DIMENSIONS, Metric
from support.builders import case, evaluation, header

CASES = [case("a"), case("b")]
RESOLVED: dict[str, Any] = {
    "corpus_snapshot": "2026-08",
    "chunker": "words-200",
    "embedding_model": "e5",
    "index_build": "7",
    "retriever": {"k": 60},
    "reranker": "none",
    "top_k": 5,
    "prompt": "v1",
    "generator": "writer-1",
    "temperature": 0.0,
    "seed": 1,
    "application_revision": "abc",
}


def run(stage: str = "delivered", answered: tuple[str, ...] = ("writer-1-0815",), **fields: Any) -> Evaluation:
    given: dict[str, Any] = {"manifest": Manifest(name="m", **RESOLVED), "packages": {"numpy": "2.3"}}
    made = header(CASES, **given | fields)
    return replace(evaluation(CASES, {}), header=made, final_stage=stage, models_answered=answered, normalisation="n/1")


def changed(**fields: Any) -> Evaluation:
    return run(manifest=Manifest(name="m", **(RESOLVED | fields)))


def status(metric: str, new: Evaluation, old: Evaluation, **policy: Any) -> MetricComparability:
    made = Policy(policy="p", **policy)
    (found,) = comparability_of([metric], (new, old), compare_runs(new, old), made)
    return found


def test_a_metric_of_two_like_runs_is_comparable_and_everything_is_known() -> None:
    for metric in ("recall@5", "token_f1", "latency_ms"):
        found = status(metric, run(), run(), require_comparable="strict", treatment=())
        assert (found.comparable, found.treatment, found.different, found.unknown) == (True, (), (), ())
        assert (found.reason.en, found.reason.de) == ("comparable", "vergleichbar")


def test_without_a_list_whatever_differs_in_the_system_is_the_treatment() -> None:
    found = status("token_f1", changed(prompt="v2", top_k=8), run())
    assert found.comparable
    assert found.treatment == ("top_k", "prompt")
    assert found.reason.en == "comparable; treatment: top_k, prompt"


def test_with_a_list_only_what_it_names_may_differ() -> None:
    found = status("token_f1", changed(prompt="v2", top_k=8), run(), treatment=("prompt",))
    assert (found.comparable, found.treatment, found.different) == (False, ("prompt",), ("top_k",))
    assert found.reason.en == "not comparable; differs and is not the treatment: top_k"
    assert found.reason.de == "nicht vergleichbar; verschieden und nicht das Treatment: top_k"


def test_a_metric_is_kept_apart_only_by_what_it_depends_on() -> None:
    """A prompt changes no ranking: retrieval stays comparable where answers are not."""
    new = changed(prompt="v2")
    assert status("recall@5", new, run(), treatment=()).comparable
    assert not status("token_f1", new, run(), treatment=()).comparable


def test_the_model_that_answered_is_looked_at_and_not_the_one_that_was_asked_for() -> None:
    swapped = run(answered=("writer-1-0901",))
    assert status("token_f1", swapped, run(), treatment=("prompt",)).different == ("model answered",)
    assert status("recall@5", swapped, run(), treatment=("prompt",)).comparable
    found = status("token_f1", swapped, run())
    assert (found.comparable, found.treatment) == (True, ("model answered",))


def test_what_follows_from_the_treatment_belongs_to_it() -> None:
    new = replace(changed(generator="writer-2"), models_answered=("writer-2-1",))
    found = status("token_f1", new, run(), treatment=("generator",))
    assert (found.comparable, found.treatment) == (True, ("generator", "model answered"))


@pytest.mark.parametrize(
    ("new", "named"),
    [
        (changed(reranker=None), "reranker"),
        (run(answered=()), "model answered"),
        (run(packages=None), "lock"),
        (replace(run(), answers_without_model=1), "model answered"),
    ],
)
def test_what_is_not_known_is_told_and_strictly_keeps_a_metric_apart(new: Evaluation, named: str) -> None:
    told = status("token_f1", new, run())
    assert (told.comparable, told.unknown) == (True, (named,))
    assert named in told.reason.en
    assert not status("token_f1", new, run(), require_comparable="strict").comparable
    declared = status("token_f1", new, run(), require_comparable="strict", treatment=(named,))
    assert declared.comparable


def test_what_neither_run_tells_is_not_known_unless_both_do_not_have_it() -> None:
    silent = changed(reranker=None)
    assert status("recall@5", silent, silent, require_comparable="strict").unknown == ("reranker",)
    without = changed(reranker=None, not_used=("reranker",))
    assert status("recall@5", without, without, require_comparable="strict").comparable


def test_a_system_that_lists_no_documents_is_known_by_its_index_build() -> None:
    unnamed = changed(index_build=None)
    assert status("recall@5", unnamed, unnamed).unknown == ("index_build", "inventory")
    with_documents = run(inventory_digest="sha256:1")
    other = run(inventory_digest="sha256:2")
    assert status("recall@5", with_documents, other, treatment=()).different == ("inventory",)
    assert status("recall@5", with_documents, run(), require_comparable="strict").unknown == ("inventory",)


def standing(model: str = "judge-1", prompt: str = "sha256:p") -> JudgeStanding:
    task = TaskReference(
        task="claim_verification", version="1", language="en", prompt_digest=prompt, schema_digest="sha256:s"
    )
    spec = JudgeSpec(provider="openai", model=model)
    return JudgeStanding(measure="claim_support", versions=("1",), judges=(spec,), tasks=(task,))


def judged(by: JudgeStanding | None) -> Evaluation:
    return replace(run(), judges={} if by is None else {"faithfulness": by})


@pytest.mark.parametrize("other", [standing("judge-2"), standing(prompt="sha256:q")])
def test_another_judge_or_another_prompt_of_the_judge_is_never_a_treatment(other: JudgeStanding) -> None:
    found = status("faithfulness", judged(other), judged(standing()))
    assert (found.comparable, found.different) == (False, ("judge",))
    (dimension,) = [
        item for item in compare_runs(judged(other), judged(standing())) if item.name == "judge of claim_support"
    ]
    assert dimension.status == "DIFFERENT"
    assert status("recall@5", judged(other), judged(standing())).comparable


def test_a_run_that_was_not_judged_has_no_known_judge() -> None:
    assert status("faithfulness", judged(standing()), judged(None)).unknown == ("judge",)
    assert status("faithfulness", judged(standing()), judged(standing())).comparable


def test_inputs_are_never_a_treatment() -> None:
    for metric in ("recall@5", "token_f1"):
        other = run(settings=RunSettings(repeats=2))
        assert status(metric, run(), other).different == ("repeats",)


@pytest.mark.parametrize("name", ["suite", "cases", "judge", "metric versions", "top-k", "x\u202ey", ""])
def test_a_treatment_that_cannot_be_one_is_refused_with_those_that_can(name: str) -> None:
    policy = Policy.model_construct(policy="p", treatment=(name,))
    (problem,) = treatment_problems(policy)
    assert problem.field == "treatment[0]"
    assert problem.remedy is not None
    assert problem.remedy.startswith("Use one of: ")


def test_every_system_dimension_may_be_declared() -> None:
    assert treatment_problems(Policy(policy="p", treatment=SYSTEM_DIMENSIONS)) == []


@dataclass(frozen=True)
class Checked:
    kind: CheckKind
    metric: Metric


def test_only_metrics_that_are_compared_make_the_check() -> None:
    found = (status("token_f1", changed(top_k=8), run(), treatment=()),)
    assert set(withheld_from(found)) == {"token_f1"}
    regression, band = CheckKind.NO_REGRESSION, CheckKind.BAND
    assert metrics_checks(found, [Checked(regression, parse_metric("recall@5"))]) == []
    assert metrics_checks(found, [Checked(band, parse_metric("token_f1"))]) == []
    (check,) = metrics_checks(found, [Checked(regression, parse_metric("token_f1"))])
    assert check.state.value == "ERROR"
    assert check.reason.en == "token_f1: not comparable; differs and is not the treatment: top_k"


def test_metrics_that_are_kept_apart_for_one_reason_are_named_together() -> None:
    new = changed(top_k=8)
    found = tuple(status(name, new, run(), treatment=()) for name in ("token_f1", "recall@5"))
    planned = [Checked(CheckKind.NO_REGRESSION, parse_metric(each.metric)) for each in found]
    (check,) = metrics_checks(found, planned)
    assert check.reason.en == "token_f1, recall@5: not comparable; differs and is not the treatment: top_k"


def test_what_is_not_known_is_a_reason_only_where_the_policy_is_strict() -> None:
    new = changed(top_k=8, reranker=None)
    assert "reranker" not in status("recall@5", new, run(), treatment=()).reason.en
    strict = status("recall@5", new, run(), treatment=(), require_comparable="strict")
    assert strict.reason.en.endswith("top_k; not known whether it is the same: reranker")


def test_every_metric_of_the_catalogue_depends_on_its_inputs_and_a_judged_one_on_its_judge() -> None:
    known = {*INPUT_DIMENSIONS, *SYSTEM_DIMENSIONS, JUDGE_DIMENSION}
    for spec in CATALOGUE.values():
        assert set(INPUT_DIMENSIONS) <= set(spec.dependencies) <= known
        assert (JUDGE_DIMENSION in spec.dependencies) == (spec.rests_on is not None or spec.proxy)
