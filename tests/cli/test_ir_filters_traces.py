"""``beleg ir filters TERMS traces HARD SOFT``: the worked example out of two stored runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from beleg.core.case import Case, ExpectedFilter, ExpectedPassage, Principal
from beleg.core.inventory import Inventory, InventoryDocument
from beleg.core.trace import FilterKind, FilterPredicate, Output, Trace, TraceStatus
from beleg.run.folder import RunFolder
from beleg.run.journal import encode
from cli.projects import Done, beleg
from cli.test_ir_filters import APPLIED, DOCUMENTS, EXPECTED, GOLD, TERMS, passes
from support.builders import case, header, passage, suite

TENANT = FilterPredicate(kind=FilterKind.ENTITLEMENT, field="tenant", values=("acme",))
MAY_SEE = [name for name, (tenant, _) in DOCUMENTS.items() if tenant == "acme"]


def the_cases() -> list[Case]:
    return [
        case(
            query,
            expected_passages=(ExpectedPassage(document_id=document),),
            expected_filters=tuple(ExpectedFilter(field=k, value=v) for k, v in EXPECTED[query].items()),
            principal=Principal(tenant="acme"),
        )
        for query, document in GOLD.items()
    ]


def output(query: str, *, hard: bool, leak: bool = False) -> Output:
    """What one system shows for one query of the example."""
    predicates = [
        FilterPredicate(kind=FilterKind.RELEVANCE, field=field, values=(value,), hard=hard)
        for field, value in APPLIED[query].items()
    ]
    shown = [name for name in MAY_SEE if passes(query, name) or not hard] + (["d3"] if leak else [])
    return Output(retrieved=tuple(passage(name) for name in shown), answer="yes", filters=(TENANT, *predicates))


def store(folder: Path, outputs: dict[str, Output | None]) -> None:
    """A run with an inventory of the six documents; an attempt without output has failed."""
    cases = the_cases()
    run = RunFolder(folder)
    documents = tuple(
        InventoryDocument(
            document_id=name, text=f"text of {name}", metadata={"tenant": t, "locale": place, "entitlement": "public"}
        )
        for name, (t, place) in DOCUMENTS.items()
    )
    held = suite(cases)
    run.create(header(cases, folder.name, suite_digest=held.digest), held, Inventory(documents=documents, passages=()))
    traces = (
        Trace(case_id=name, status=TraceStatus.TIMEOUT, total_ms=1.0)
        if found is None
        else Trace(case_id=name, status=TraceStatus.OK, output=found, total_ms=1.0)
        for name, found in outputs.items()
    )
    run.journal_file.write_bytes(b"".join(encode(each) for each in traces))


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    (tmp_path / "locale.json").write_text(json.dumps(TERMS))
    store(tmp_path / "hard", {query: output(query, hard=True) for query in GOLD})
    store(tmp_path / "soft", {query: output(query, hard=False) for query in GOLD})
    return tmp_path


def filters(folder: Path, *words: str, hard: str = "hard", soft: str = "soft") -> Done:
    return beleg("ir", "filters", "locale.json", "traces", hard, soft, *words, cwd=folder)


def test_traces_give_the_figures_of_the_files(runs: Path) -> None:
    found = filters(runs, "--json").json
    assert found["choice"] == "soft"
    assert (found["conditions"][1]["estimate"], found["queries"]) == (0.5, 4)
    assert found["systems"]["hard"]["recall"] == 0.5
    assert found["systems"]["soft"]["recall"] == 1.0
    assert found["INVALID_recall_over_gold_rebuilt_after_filtering"] == 1.0
    assert (found["predicate"]["precision"]["events"], found["predicate"]["precision"]["n"]) == (1, 3)
    assert (found["predicate"]["recall"]["events"], found["predicate"]["recall"]["n"]) == (1, 3)
    assert found["entitlement"]["state"] == "held"


def test_traces_and_metrics_say_the_same(runs: Path) -> None:
    words = ("--metric", "false_exclusion", "--metric", "eligible_recall@10", "--json")
    scored = beleg("score", "hard", *words, cwd=runs).json["figures"]
    found = filters(runs, "--json").json
    assert scored["false_exclusion"]["figure"]["estimate"] == found["conditions"][1]["estimate"]
    assert scored["eligible_recall@10"]["figure"]["estimate"] == found["systems"]["hard"]["recall"]


def test_the_next_step_leads_to_the_runs(runs: Path) -> None:
    assert filters(runs).lines[-1] == (
        "Next: beleg compare hard soft --metric precision@10 --metric eligible_recall@10 --metric false_exclusion"
    )


def test_a_document_of_another_tenant_breaks_the_proof(runs: Path) -> None:
    store(runs / "leaky", {query: output(query, hard=False, leak=query == "q2") for query in GOLD})
    done = filters(runs, "--json", soft="leaky")
    assert (done.code, done.json["entitlement"]["runs"]["soft"]["unauthorised"]) == (20, 1)


def test_a_failed_attempt_counts_for_neither_side(runs: Path) -> None:
    store(runs / "failed", {query: None if query == "q3" else output(query, hard=False) for query in GOLD})
    done = filters(runs, soft="failed")
    assert (done.code, done.out) == (30, "")
    assert "case 'q3' has no result: timeout" in done.err


@pytest.mark.parametrize(
    ("hard", "soft", "words", "code", "said"),
    [
        ("soft", "hard", (), 30, "the first run never filters hard by locale"),
        ("hard", "hard", (), 30, "the same run"),
        ("hard", "hard2", (), 30, "the second run filters hard too by locale"),
        ("hard", "absent", (), 2, "holds no run"),
        ("hard", "soft", ("--eligible", "locale.json"), 2, "traces hold the evidence themselves"),
    ],
)
def test_runs_that_do_not_answer_the_question_are_refused(
    runs: Path, hard: str, soft: str, words: tuple[str, ...], code: int, said: str
) -> None:
    store(runs / "hard2", {query: output(query, hard=True, leak=True) for query in GOLD})
    done = filters(runs, *words, hard=hard, soft=soft)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
