"""A project with two judged runs of the same cases, for the pages of runs and cases; strangers wrote every text."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from beleg.adapters.stores.sqlite_calls import SqliteCallStore
from beleg.app.workbench.services import Workbench
from beleg.core.case import Case, ExpectedPassage, Role, Turn
from beleg.core.findings import Finding
from beleg.core.judging import Attempt, Call, JudgeSpec, TaskReference
from beleg.core.run import RunSettings
from beleg.core.suite import Suite
from beleg.core.trace import Citation, Output, Passage, Trace, TraceError, TraceStatus, Usage
from beleg.run import journal
from beleg.run.findings import FINDINGS
from beleg.run.folder import RunFolder
from support.builders import header

QUOTE = "Returns are free for 30 days."
ODD_ID = "a/b?c=100%&d#e ../ü 🙂"
RUN, OLDER = "run-1", "older-1"
CASES = 60
JUDGE = JudgeSpec(provider="openai", model="judge-model")
TASK = TaskReference(task="claim_verification", version="1", language="en", prompt_digest="p", schema_digest="s")


def cases(payload: str) -> tuple[Case, ...]:
    """Sixty cases; the first few hold a payload wherever a stranger may write."""
    evidence = ExpectedPassage(document_id="doc", quote=QUOTE)
    first = Case(
        case_id=payload,
        turns=(Turn(role=Role.USER, content=payload), Turn(role=Role.ASSISTANT, content=payload),
               Turn(role=Role.USER, content=f"Question: {payload}")),
        expected_passages=(evidence, ExpectedPassage(document_id=payload, required=False, any_of=payload)),
        reference_answer=payload, rubric=payload, required_clauses=((payload, "x"),), forbidden_sources=("banned",),
        language="de", segments={"topic": payload},
    )  # fmt: skip
    odd = Case(case_id=ODD_ID, user_input="An odd name", expected_passages=(evidence,), language="en")
    rest = (
        Case(case_id=f"c{n:02d}", user_input=f"What about item {n}?", expected_passages=(evidence,),
             language="de" if n % 2 else "en")
        for n in range(CASES - 2)
    )  # fmt: skip
    return (first, odd, *rest)


def trace(case: Case, number: int, repeat: int, payload: str) -> Trace:
    """An attempt: one in ten fails, one in five loses its evidence on the way to the prompt."""
    if number % 10 == 3:
        error = TraceError(kind="http", message=payload)
        return Trace(case_id=case.case_id, repeat=repeat, status=TraceStatus.TIMEOUT, error=error, total_ms=9.0)
    gold = Passage(passage_id="p-gold", document_id="doc", score=0.5, text=f"{payload} {QUOTE} {payload}",
                   metadata={"note": payload}, version="v1")  # fmt: skip
    others = tuple(
        Passage(passage_id=f"p-{n}", document_id="other", score=0.4 - n / 10, text=f"Filler {n} {payload}")
        for n in range(3)
    )
    banned = Passage(passage_id="p-banned", document_id="banned", text=None)
    retrieved = (others[0], gold, *others[1:], banned)
    delivered = others[:2] if number % 5 == 4 else (gold, others[0])
    output = Output(
        query_rewrites=(payload,), filters=(), retrieved=retrieved, delivered=delivered,
        prompt=f"Use this: {QUOTE} {payload}", answer=f"{QUOTE} [1] {payload} [2]",
        citations=(Citation(marker="1", passage_id=delivered[0].passage_id), Citation(marker="2", passage_id="gone")),
        stage_ms={"retrieve": 3.0, payload[:80]: 4.0}, first_token_ms=5.0,
        usage=Usage(prompt_tokens=12, completion_tokens=3, cost_usd=0.0012), model_answered="model",
    )  # fmt: skip
    return Trace(case_id=case.case_id, repeat=repeat, status=TraceStatus.OK, output=output, total_ms=10.0 + number)


def project(folder: Path, payload: str = "plain") -> Path:
    """Two runs; the newer one asked every case twice and was judged."""
    given = cases(payload)
    _write(folder / "older", given, "older", payload, repeats=1)
    run = _write(folder / "run", given, "run", payload, repeats=2)
    claim = {
        "claim_id": "1", "claim": f"Returns are free. {payload}", "support": "supported", "rationale": payload,
        "quotes": [{"passage_id": "p-gold", "text": QUOTE, "match": "exact"}], "flags": [payload],
    }  # fmt: skip
    found = Finding(
        case_id=payload, measure="claim_support", measure_version="1", evidence={"claims": [claim], "more": payload},
        subject_digest="sha256:x", judge=JUDGE, tasks=(TASK,), calls=("key-1",),
    )  # fmt: skip
    run.findings_file.write_bytes(FINDINGS.encode(found))
    attempt = Attempt(number=1, reply=f'{{"raw": "{payload}"}}', model_answered="judge-model", latency_ms=20.0)
    with SqliteCallStore.open(run.calls_file) as store:
        store.put(Call(key="key-1", judge=JUDGE, task=TASK, messages=(("user", "?"),), attempts=(attempt,), reply={}))
    return folder


def _write(path: Path, given: tuple[Case, ...], name: str, payload: str, *, repeats: int) -> RunFolder:
    suite, folder = Suite.of(given, name="s"), RunFolder(path)
    day = 30 if name == "run" else 1
    head = header(
        given, name, suite_digest=suite.digest, settings=RunSettings(repeats=repeats),
        created_at=datetime(2026, 11, day, tzinfo=UTC),
    )  # fmt: skip
    folder.create(head, suite)
    folder.journal_file.write_bytes(
        b"".join(
            journal.encode(trace(case, number, repeat, payload))
            for number, case in enumerate(given)
            for repeat in range(repeats)
        )
    )
    return folder


def indexed(folder: Path) -> None:
    """Puts every run of a project into its index, so that pages need not wait."""
    workbench = Workbench.open(folder)
    for run in workbench.holdings().runs:
        workbench.indexer.standing(run)
    workbench.close()
