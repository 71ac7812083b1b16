"""Laws that hold for every measure of ranked runs: a new entry of the registry is under them at once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.metrics.ranking_runs.kernels import RunValues, evaluate_groups, evaluate_run
from beleg.metrics.ranking_runs.kinds import Kind, Measure, Option
from beleg.metrics.ranking_runs.measures import parse_measure
from beleg.metrics.ranking_runs.ranked_groups import GroupedJudgements, group_judgements
from beleg.metrics.ranking_runs.registry import KINDS
from beleg.metrics.ranking_runs.table import Names, table_from_mapping

Mapping = dict[str, dict[str, float]]
Row = tuple[str, str, str, float]
QUERIES = 60
HIGHEST = 4
LIST = 12
NAMES = [f"d{number}" if number % 3 else f"a-much-longer-name-{number}" for number in range(30)]
OF_JUDGEMENTS = {"NumQ", "NumRel", "PrefsPossible"}
"""Counts that an empty run does not make 0, for they say nothing of the run."""


def asked(kind: Kind, rel: int = 1) -> list[Measure]:
    """The measure with and without a cutoff, as far as it takes one."""
    parameters = [f"rel={rel}"] if kind.takes_rel and rel > 1 else []
    parameters += [f"max_rel={HIGHEST}"] if kind.parameter("max_rel") else []
    written = f"{kind.name}({','.join(parameters)})" if parameters else kind.name
    cuts = {"none": [""], "may": ["", "@5"], "must": ["@0.4" if kind.cut_is_level else "@5"]}[kind.cut]
    return [measure for cut in cuts for measure in parse_measure(written + cut)]


NUMERIC = [kind for kind in KINDS.values() if kind.aggregate != "text"]
PLAIN = [measure for kind in NUMERIC if kind.form == "qrels" for rel in (1, 2) for measure in asked(kind, rel)]
GROUPED = {
    form: [measure for kind in NUMERIC if kind.form == form for measure in asked(kind)]
    for form in ("groups", "subtopics", "preferences")
}


def random_case(seed: int, lowest: int = -1) -> tuple[Mapping, Mapping]:
    rng = np.random.default_rng(seed)
    judged: Mapping = {}
    run: Mapping = {}
    for number in range(QUERIES):
        pool = rng.permutation(len(NAMES))
        run[f"q{number}"] = {NAMES[each]: float(rng.integers(0, 6)) for each in pool[:LIST]}
        grades = rng.integers(lowest, HIGHEST + 1, 10)
        judged[f"q{number}"] = {
            NAMES[each]: float(grade) for each, grade in zip(rng.permutation(len(NAMES))[:10], grades, strict=True)
        }
    return judged, run


def random_groups(seed: int) -> list[Row]:
    rng = np.random.default_rng(seed)
    return [
        (f"q{query}", f"g{group}", NAMES[each], float(rng.integers(0, 4)))
        for query in range(QUERIES)
        for group in range(int(rng.integers(1, 4)))
        for each in rng.permutation(len(NAMES))[:6]
    ]


def groups_of(rows: list[Row]) -> GroupedJudgements:
    queries = sorted({row[0] for row in rows})
    query = np.array([queries.index(row[0]) for row in rows], dtype=np.int32)
    group = np.array([int(row[1][1:]) for row in rows], dtype=np.int32)
    subgroup = np.zeros(len(rows), dtype=np.int32)
    grade = np.array([row[3] for row in rows])
    return group_judgements(queries, query, (group, subgroup), Names.of(row[2] for row in rows), grade)


def evaluate(judged: Mapping, run: Mapping) -> RunValues:
    return evaluate_run(table_from_mapping(judged), table_from_mapping(run), PLAIN)


def shuffled(values: Mapping, seed: int) -> Mapping:
    rng = np.random.default_rng(seed)

    def turned(items: list[str]) -> list[str]:
        return [items[each] for each in rng.permutation(len(items))]

    return {query: {name: values[query][name] for name in turned([*values[query]])} for query in turned([*values])}


def require_range(found: RunValues) -> None:
    assert np.isfinite(found.values).all()
    for measure, values in zip(found.measures, found.values, strict=True):
        low, high = measure.kind.range
        assert values.min() >= low - 1e-12, str(measure)
        assert values.max() <= high + 1e-12, str(measure)


@pytest.mark.parametrize("seed", range(4))
def test_every_value_is_finite_and_in_its_range(seed: int) -> None:
    require_range(evaluate(*random_case(seed)))
    _, run = random_case(seed)
    for measures in GROUPED.values():
        require_range(evaluate_groups(groups_of(random_groups(seed)), table_from_mapping(run), measures))


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_lines_and_queries_changes_no_bit(seed: int) -> None:
    judged, run = random_case(seed)
    before, after = evaluate(judged, run), evaluate(shuffled(judged, seed + 50), shuffled(run, seed + 99))
    assert before.queries == after.queries
    assert before.values.tobytes() == after.values.tobytes()
    assert before.summary() == after.summary()
    rows = random_groups(seed)
    mixed = [rows[each] for each in np.random.default_rng(seed).permutation(len(rows))]
    for measures in GROUPED.values():
        first = evaluate_groups(groups_of(rows), table_from_mapping(run), measures)
        second = evaluate_groups(groups_of(mixed), table_from_mapping(shuffled(run, seed)), measures)
        assert np.allclose(first.values, second.values, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_documents_without_a_judgement_below_the_cutoff_change_no_measure_with_a_cutoff(seed: int) -> None:
    judged, run = random_case(seed)
    longer = {query: {**scores, **{f"tail{at}": -1.0 - at for at in range(9)}} for query, scores in run.items()}
    before, after = evaluate(judged, run), evaluate(judged, longer)
    for measure, one, two in zip(before.measures, before.values, after.values, strict=True):
        if measure.cut is not None and measure.cut <= LIST:
            assert one.tobytes() == two.tobytes(), str(measure)


def test_a_query_for_which_nothing_is_returned_is_zero_in_every_measure_of_the_run() -> None:
    judged, _ = random_case(7)
    other: Mapping = {"other": {"x": 1.0}}
    results = [evaluate(judged, other)]
    results += [
        evaluate_groups(groups_of(random_groups(7)), table_from_mapping(other), measures)
        for measures in GROUPED.values()
    ]
    for found in results:
        for measure, values in zip(found.measures, found.values, strict=True):
            if measure.name in OF_JUDGEMENTS:
                continue
            expected = math.log(1e-5) if measure.kind.aggregate == "geometric" else 0.0
            assert (values == expected).all(), str(measure)


@pytest.mark.parametrize("seed", range(3))
def test_a_list_cut_at_a_depth_is_the_shorter_list(seed: int) -> None:
    judged, run = random_case(seed)
    cut = {
        query: dict(sorted(scores.items(), key=lambda item: (item[1], item[0].encode()), reverse=True)[:4])
        for query, scores in run.items()
    }
    deep = evaluate_run(table_from_mapping(judged), table_from_mapping(run), PLAIN, depth=4)
    assert deep.values.tobytes() == evaluate(judged, cut).values.tobytes()


@pytest.mark.parametrize("seed", range(3))
def test_judged_only_is_the_run_without_the_other_documents(seed: int) -> None:
    judged, run = random_case(seed)
    known = {
        query: {name: score for name, score in scores.items() if judged[query].get(name, -1.0) >= 0}
        for query, scores in run.items()
    }
    only = evaluate_run(table_from_mapping(judged), table_from_mapping(run), PLAIN, judged_only=True)
    assert only.values.tobytes() == evaluate(judged, {q: s for q, s in known.items() if s}).values.tobytes()
    in_name = parse_measure("nDCG(judged_only=True)@5")
    alone = evaluate_run(table_from_mapping(judged), table_from_mapping(run), in_name)
    place = next(at for at, measure in enumerate(PLAIN) if str(measure) == "nDCG@5")
    assert alone.values[0].tobytes() == only.values[place].tobytes()


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_what_a_measure_prints_is_read_as_that_measure(kind: Kind) -> None:
    if kind.name == "RunId":
        return
    for measure in asked(kind, 3):
        assert parse_measure(str(measure)) == (measure,)
    for name in (kind.plain, kind.at_cut):
        for measure in parse_measure(name) if name else ():
            assert parse_measure(str(measure)) == (measure,)


NUMBERS = st.floats(0.000001, 0.999, allow_nan=False)
OPTIONS: dict[str, st.SearchStrategy[Option]] = {
    "p": NUMBERS, "alpha": NUMBERS, "beta": NUMBERS, "weight": NUMBERS, "T": NUMBERS.map(lambda value: value + 1),
    "dcg": st.sampled_from(["log2", "exp-log2"]), "gain": st.sampled_from(["binary", "grade"]),
    "normalize": st.booleans(), "relative": st.booleans(), "judged_only": st.booleans(),
    "max_rel": st.integers(5, 9), "min_rel": st.integers(0, 4), "max_grade": st.integers(1, 30),
    "collection": st.integers(1, 10**8),
    "weights": st.tuples(*[st.integers(-99, 99).map(lambda value: value / 4)] * 4),
    "levels": st.lists(NUMBERS, min_size=1, max_size=5).map(tuple),
    "gains": st.dictionaries(st.integers(0, 9).map(float), NUMBERS, min_size=1).map(lambda of: (*sorted(of.items()),)),
}  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_parameters_survive_being_printed_and_read(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from([each for each in KINDS.values() if each.parameters]))
    options = {each.name: data.draw(OPTIONS[each.name]) for each in kind.parameters}
    level = data.draw(NUMBERS) if kind.cut_is_level else None
    cut = (
        data.draw(st.integers(1, min(kind.highest_cut, 10**6)))
        if kind.cut != "none" and not kind.cut_is_level
        else None
    )
    rel = data.draw(st.integers(1, 9)) if kind.takes_rel else 1
    kept = tuple((each.name, options[each.name]) for each in kind.parameters if options[each.name] != each.default)
    measure = Measure(kind, cut, level, rel, kept)
    assert parse_measure(str(measure)) == (measure,)
