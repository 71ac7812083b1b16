"""Laws that every metric of the catalogue keeps."""

from __future__ import annotations

import re

import numpy as np
import pytest

from beleg.core.case import Case, ExpectedBehaviour, ExpectedFilter, Principal
from beleg.core.score import STATUS_CODE, ScoreColumn, ScoreStatus
from beleg.core.suite import RelevanceUnit
from beleg.core.trace import Output, Trace, TraceStatus, Usage
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import CATALOGUE, compute, parse_metric
from beleg.metrics.spec import Metric, MetricSpec
from unit.metrics.building import broken, case, citation, entitlement, gold, inventory, passage, relevance, trace

SPECS = list(CATALOGUE.values())
UNJUDGED = [spec for spec in SPECS if spec.rests_on is None]
JUDGED = [spec for spec in SPECS if spec.rests_on is not None]
ROWS = 120


def written(spec: MetricSpec, **parameters: str) -> str:
    """A metric with its required parameters given, and any others."""
    choices = dict(spec.choices)
    given = {name: 5 if name == "k" else choices[name][0] for name in spec.required} | parameters
    return str(Metric(spec, tuple((name, given[name]) for name in spec.parameters if name in given)))


ids = [spec.name for spec in SPECS]
every_metric = pytest.mark.parametrize("spec", SPECS, ids=ids)
both_units = pytest.mark.parametrize("unit", list(RelevanceUnit))


def random_row(rng: np.random.Generator, number: int) -> tuple[Case, Trace | None]:
    """A row of any kind: gold or none, allowed or not, answered, refused, broken or absent."""
    name = f"c{number}"
    expected = [
        gold(f"d{rng.integers(8)}", "wort" if rng.random() < 0.5 else None, grade=int(rng.integers(1, 4)))
        for _ in range(rng.integers(0, 4))
    ]
    abstain = not expected and rng.random() < 0.5
    a_case = case(
        *expected,
        case_id=name,
        principal=Principal(tenant="acme" if rng.random() < 0.7 else None),
        expected_behaviour=ExpectedBehaviour.ABSTAIN if abstain else ExpectedBehaviour.ANSWER,
        accepted_answers=("5 Euro",) if rng.random() < 0.7 else (),
        required_clauses=(("Euro",),) if rng.random() < 0.5 else (),
        forbidden_sources=("d7",) if rng.random() < 0.5 else (),
        expected_filters=(ExpectedFilter(field="locale", value="de"),) if rng.random() < 0.6 else None,
    )
    if rng.random() < 0.15:
        return a_case, (None, *(broken(status, name) for status in TraceStatus if status is not TraceStatus.OK))[
            rng.integers(4)
        ]
    return a_case, trace(name, total_ms=float(rng.integers(0, 3)), **random_output(rng))


def random_output(rng: np.random.Generator) -> dict[str, object]:
    order = [f"d{number}" for number in rng.permutation(8)[: rng.integers(0, 8)]]
    score = sorted(rng.integers(0, 3, len(order)).tolist(), reverse=True) if rng.random() < 0.5 else None
    found = tuple(
        passage(
            name,
            ("ein wort " if rng.random() < 0.5 else "nichts ") + name,
            score=None if score is None else float(score[rank]),
            metadata={"tenant": str(rng.choice(["acme", "globex"])), "locale": str(rng.choice(["de", "en"]))},
        )
        for rank, name in enumerate(order)
    )
    cited = tuple(citation(str(number), document_id=f"d{rng.integers(8)}") for number in range(rng.integers(0, 3)))
    return {
        "retrieved": found,
        "delivered": found[:3] if rng.random() < 0.5 else None,
        "filters": (relevance("locale", "de"), entitlement("tenant", "acme"))[: rng.integers(0, 3)]
        if rng.random() < 0.8
        else None,
        "answer": str(rng.choice(["5 Euro.", "Das kann ich nicht beantworten.", "Der Preis ist 5 Euro [0].", ""])),
        "citations": cited if rng.random() < 0.8 else None,
        "usage": Usage(prompt_tokens=7, cost_usd=0.1) if rng.random() < 0.5 else Usage(),
        "stage_ms": {},
    }


def random_batch(seed: int, unit: RelevanceUnit) -> Batch:
    rng = np.random.default_rng(seed)
    rows = [random_row(rng, number) for number in range(ROWS)]
    return Batch.of([row[0] for row in rows], [row[1] for row in rows], unit=unit)


def computed(spec: MetricSpec, batch: Batch) -> ScoreColumn:
    return compute([written(spec)], batch)[written(spec)]


@every_metric
@both_units
def test_every_value_lies_in_the_range_of_the_catalogue(spec: MetricSpec, unit: RelevanceUnit) -> None:
    column = computed(spec, random_batch(1, unit))
    assert len(column) == ROWS == sum(column.counts().values())
    assert spec.low is None or (column.values >= spec.low).all()
    assert spec.high is None or (column.values <= spec.high).all()
    if spec.kind == "binary":
        assert set(column.values.tolist()) <= {0.0, 1.0}
    if spec.kind in {"count", "tokens"}:
        assert (column.values == np.round(column.values)).all()


@every_metric
@both_units
def test_a_row_scores_the_same_alone_and_in_any_order_of_rows(spec: MetricSpec, unit: RelevanceUnit) -> None:
    batch = random_batch(2, unit)
    column = computed(spec, batch)
    order = np.random.default_rng(3).permutation(ROWS)
    shuffled = Batch.of([batch.cases[row] for row in order], [batch.traces[row] for row in order], unit=unit)
    assert [computed(spec, shuffled).score_at(row) for row in range(ROWS)] == [
        column.score_at(int(row)) for row in order
    ]
    for row in range(ROWS):
        alone = Batch.of([batch.cases[row]], [batch.traces[row]], unit=unit)
        assert computed(spec, alone).score_at(0) == column.score_at(row)


@every_metric
def test_inputs_are_unchanged(spec: MetricSpec) -> None:
    batch = random_batch(4, RelevanceUnit.PASSAGE)
    before = [item.model_dump_json() for item in (*batch.cases, *batch.traces) if item is not None]
    computed(spec, batch)
    assert [item.model_dump_json() for item in (*batch.cases, *batch.traces) if item is not None] == before


@every_metric
def test_an_attempt_that_failed_has_no_value(spec: MetricSpec) -> None:
    if spec.name == "failed":
        return
    cases = [case(gold("d"), case_id=f"c{number}") for number in range(4)]
    traces = [
        None,
        broken(TraceStatus.TIMEOUT, "c1"),
        broken(TraceStatus.ERROR, "c2"),
        broken(TraceStatus.INVALID, "c3"),
    ]
    expected = [ScoreStatus.MISSING, ScoreStatus.TIMEOUT, ScoreStatus.INFRA_ERROR, ScoreStatus.INVALID]
    assert computed(spec, Batch.of(cases, traces)).status.tolist() == [STATUS_CODE[status] for status in expected]


@every_metric
def test_no_rows_give_an_empty_column(spec: MetricSpec) -> None:
    assert len(computed(spec, Batch.of([], []))) == 0


FEE = "Express kostet 12,90 €."
PERFECT_CASE = case(
    gold("fee", FEE),
    case_id="perfect",
    principal=Principal(tenant="acme", entitlements=("public",)),
    accepted_answers=(FEE,),
    required_clauses=(("12,90 €",),),
    expected_filters=(ExpectedFilter(field="locale", value="de"),),
    forbidden_sources=("secret",),
)
PERFECT = trace(
    "perfect",
    retrieved=(passage("fee", FEE),),
    filters=(entitlement("tenant", "acme"), relevance("locale", "de")),
    prompt=f"Antworte aus: {FEE}",
    answer=f"{FEE} [1]",
    citations=(citation("1", passage_id="fee#0"),),
)
REFUSAL_CASE = case(case_id="refusal", expected_behaviour=ExpectedBehaviour.ABSTAIN)
REFUSAL = trace("refusal", answer="Das kann ich nicht beantworten.", citations=())
INDEX = inventory(
    {"fee": FEE, "secret": "x"},
    {"fee#0": ("fee", FEE), "secret#0": ("secret", "Interner Hinweis")},
    metadata={"fee": {"tenant": "acme", "locale": "de", "entitlement": "public"}},
)


@pytest.mark.parametrize("spec", [spec for spec in UNJUDGED if spec.best is not None and spec.high is not None])
@both_units
def test_a_perfect_system_gets_the_best_value(spec: MetricSpec, unit: RelevanceUnit) -> None:
    run = Batch.of([PERFECT_CASE, REFUSAL_CASE], [PERFECT, REFUSAL], inventory=INDEX, unit=unit)
    # Precision at k counts ranks that a single relevant item cannot fill.
    metric = f"{spec.name}@1" if "k" in spec.required else spec.name
    values = compute([metric], run)[metric].values
    if spec.name == "empty_retrieval":
        values = values[:1]
    assert len(values) > 0
    assert set(values.tolist()) == {spec.best}


@pytest.mark.parametrize("spec", JUDGED)
def test_a_judged_metric_has_no_value_where_nobody_judged(spec: MetricSpec) -> None:
    run = Batch.of([PERFECT_CASE, REFUSAL_CASE], [PERFECT, REFUSAL], inventory=INDEX)
    assert computed(spec, run).values.tolist() == []


@pytest.mark.parametrize("spec", [spec for spec in UNJUDGED if spec.kind == "count" and spec.direction == "lower"])
def test_a_perfect_system_has_nothing_to_count(spec: MetricSpec) -> None:
    run = Batch.of([PERFECT_CASE, REFUSAL_CASE], [PERFECT, REFUSAL], inventory=INDEX)
    assert compute([spec.name], run)[spec.name].values.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec.direction == "higher"])
@both_units
def test_an_empty_output_has_a_reason_or_the_worst_value(spec: MetricSpec, unit: RelevanceUnit) -> None:
    empty = Trace(case_id="perfect", status=TraceStatus.OK, output=Output())
    score = computed(spec, Batch.of([PERFECT_CASE], [empty], inventory=INDEX, unit=unit)).score_at(0)
    assert score.value is None or score.value == spec.worst


@every_metric
def test_every_entry_says_what_it_is_in_both_languages(spec: MetricSpec) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]*", spec.name)
    for text in (spec.title_en, spec.title_de):
        assert text
        assert not text.endswith(".")
    for text in (spec.description_en, spec.description_de):
        assert text.endswith(".")
        assert text.count(".") == 1
    assert spec.description_en != spec.description_de
    assert set(spec.required) <= set(spec.parameters)
    assert {name for name, _ in spec.choices} <= set(spec.parameters)
    assert (spec.aggregate == "rate") == (spec.kind == "binary")


@every_metric
def test_every_form_of_a_metric_reads_back(spec: MetricSpec) -> None:
    forms = [written(spec)]
    forms += [written(spec, **{name: value}) for name, values in spec.choices for value in values]
    for form in forms:
        assert str(parse_metric(form)) == form
        assert len(compute([form], random_batch(5, RelevanceUnit.DOCUMENT))[form]) == ROWS
