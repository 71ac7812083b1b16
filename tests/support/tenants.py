"""A project in which everything that a page can name holds the name of its tenant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import BaseModel

from beleg.app.calibration_records import store_record
from beleg.app.gating import gate_runs, store_decision
from beleg.app.sheets import build_sheet
from beleg.app.workbench.accounts import create_account
from beleg.app.workbench.indexing import index_run
from beleg.app.workbench.judges import calibrations
from beleg.app.workbench.tokens import create_token
from beleg.core.access import Principal, Role
from beleg.core.case import Case, ExpectedPassage
from beleg.core.suite import Suite
from beleg.core.trace import Citation, Output, Passage, Trace, TraceStatus
from beleg.core.workbench_state import AuditAction, AuditEvent
from beleg.run import journal
from beleg.run.folder import RunFolder
from support.builders import header
from support.calibrations import record
from support.packs import POLICY
from support.workbench import workbench_of

CASES = 12


@dataclass(frozen=True, slots=True)
class Ids:
    """Everything by which something of a tenant can be asked for."""

    run: str
    old_run: str
    case: str
    claim: str
    decision: str
    suite: str
    token: str
    account: str
    calibration: str
    passage: str
    """The key of a passage that nobody judged."""

    def every(self) -> tuple[str, ...]:
        """All of them."""
        return (
            self.run,
            self.old_run,
            self.case,
            self.claim,
            self.decision,
            self.suite,
            self.token,
            self.account,
            self.calibration,
            self.passage,
        )

    def by_parameter(self, route: APIRoute) -> Mapping[str, str]:
        """What each parameter of a route names, as far as its name says so."""
        is_suite = "suite" in route.path
        key = self.calibration if "judges" in route.path else self.decision
        return {
            "run": self.run, "run_id": self.run, "case": self.case, "case_id": self.case, "claim_id": self.claim,
            "key": self.suite if is_suite else key, "item": self.passage, "decision": self.decision,
            "place": self.suite,
            "suite": self.suite, "token_id": self.token, "name": "decision.json",
            "new": self.suite if is_suite else self.run, "old": self.suite if is_suite else self.old_run,
        }  # fmt: skip


def parameters_of(route: APIRoute) -> list[str]:
    """The names of everything that is asked for by a query, those of a model one by one."""
    found: list[str] = []
    for field in route.dependant.query_params:
        kind = field.field_info.annotation
        is_model = isinstance(kind, type) and issubclass(kind, BaseModel)
        found += [*kind.model_fields] if is_model else [field.alias]  # type: ignore[union-attr]
    return found


def stock(project: Path, tenant: str) -> None:
    """Two runs with sheets, a decision, a suite and a calibration record; each holds the name of the tenant."""
    cases = tuple(_cases(tenant))
    for name, wrong in (("new", -1), ("old", 0)):
        suite = Suite.of(cases, name=f"{tenant}-suite")
        run = RunFolder(project / f"{tenant}-{name}")
        run.create(header(cases, f"{tenant}-{name}", suite_digest=suite.digest, suite_name=suite.header.name), suite)
        traces = (_trace(case, tenant, is_wrong=number == wrong) for number, case in enumerate(cases))
        run.journal_file.write_bytes(b"".join(journal.encode(trace) for trace in traces))
        build_sheet(run.path)
    policy = project / "policy.yaml"
    policy.write_text(json.dumps(POLICY | {"policy": f"{tenant}-policy", "checks": POLICY["checks"][:1]}), "utf-8")
    new = project / f"{tenant}-new"
    outcome = gate_runs(new, project / f"{tenant}-old", policy)
    store_decision(outcome, new / "decision" / "decision.json")
    folder = project / f"{tenant}-suite"
    folder.mkdir()
    rows = [json.dumps(case.to_json_dict(), ensure_ascii=False) for case in cases]
    (folder / "cases.jsonl").write_text("\n".join(rows), "utf-8")
    (folder / "suite.yaml").write_text(json.dumps({"name": f"{tenant}-suite", "cases": ["cases.jsonl"]}), "utf-8")
    store_record(record(labels_source=f"labels of {tenant}"), project / f"{tenant}-calibrations")
    broken = project / f"{tenant}-broken"
    broken.mkdir()
    (broken / "run.json").write_text("{", "utf-8")


def remember(app: FastAPI, tenant: str) -> Ids:
    """Indexes the runs of a tenant, makes a token, an account and a line of the audit log, and tells all ids."""
    bench, state, at = workbench_of(app, tenant), app.state.installation.state, datetime.now(UTC)
    for run in bench.holdings().runs:
        index_run(run.path, bench.index)
    admin = Principal(name=f"{tenant}-admin", tenant=tenant, roles=frozenset(Role))
    label = f"{tenant}-program"
    token, _ = create_token(state, admin, label=label, roles=frozenset({Role.OWNER}), days=9, at=at)
    create_account(state, tenant, f"{tenant}-account", [Role.REVIEWER], at)
    state.note(tenant, AuditEvent(at=at, actor=admin.name, action=AuditAction.PACK_READ, target=f"{tenant}-pack"))
    run_id, suite = f"{tenant}-new-1", f"{tenant}-suite/suite.yaml"
    review = bench.reviews.open(bench.workspace.run(run_id))
    return Ids(
        run=run_id,
        old_run=f"{tenant}-old-1",
        case=f"{tenant}-c1",
        claim=next(iter(review.reviews)),
        decision=bench.holdings().decisions[0].key,
        suite=suite,
        token=token.token_id,
        account=f"{tenant}-account",
        calibration=calibrations(bench.workspace.root)[0][0].key,
        passage=bench.unjudged.of(bench.suites.suite(suite), bench.holdings().runs, depth=10).items[0].key,
    )


def _cases(tenant: str) -> Iterator[Case]:
    for number in range(CASES):
        yield Case(
            case_id=f"{tenant}-c{number}",
            user_input=f"What does {tenant} pay for item {number}?",
            expected_passages=(ExpectedPassage(document_id=f"{tenant}-document"),),
            language="de" if number % 2 else "en",
            owner=f"{tenant}-owner",
            review_by=date.today() - timedelta(days=1),  # noqa: DTZ011 - any day that is over
        )


def _trace(case: Case, tenant: str, *, is_wrong: bool) -> Trace:
    name = f"{tenant}-document" if not is_wrong else f"{tenant}-other"
    passage = Passage(passage_id=f"{name}#1", document_id=name, score=0.5, text=f"{tenant} pays 12 € a year.")
    output = Output(
        retrieved=(passage,),
        delivered=(passage,),
        prompt=f"Answer from: {passage.text}",
        answer=f"{tenant} pays 12 € a year [1].",
        citations=(Citation(marker="1", passage_id=passage.passage_id),),
    )
    return Trace(case_id=case.case_id, status=TraceStatus.OK, output=output, total_ms=12.5)
