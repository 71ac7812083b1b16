"""The JSON Schemas of every file that people write or read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from beleg.adapters.candidates.spec import CandidateFile
from beleg.adapters.formats.atomic import write_text
from beleg.app.human_labels import RunLabel
from beleg.app.suites import SuiteFile
from beleg.app.verdict_files import VerdictRow
from beleg.core.admission import Admission, ControllerState
from beleg.core.attestation import Envelope, ReleaseDecision, ReleaseOverride, Statement, TrustFile
from beleg.core.calibration import CalibrationRecord
from beleg.core.case import Case
from beleg.core.decision import Decision
from beleg.core.errors import UsageError
from beleg.core.evidence import EvidenceCase, SheetHeader
from beleg.core.feedback import Feedback
from beleg.core.filter_test import FilterRegistration
from beleg.core.findings import Finding
from beleg.core.governance import Incident, PolicyRegistration, QueueItem
from beleg.core.judge_settings import JudgeSettings
from beleg.core.judge_shift import JudgeShift
from beleg.core.judgements import JudgementsManifest, PoolLine
from beleg.core.judging import Call
from beleg.core.manifest import Manifest
from beleg.core.nugget_proposals import NuggetProposal
from beleg.core.packs import PackManifest, RedactionMap
from beleg.core.policy import Policy
from beleg.core.probes import ProbeRecord
from beleg.core.relevance_labels import RelevanceLabel
from beleg.core.rerank import RerankRecord
from beleg.core.run import RunHeader
from beleg.core.run_comparison import RunComparison
from beleg.core.score import Score
from beleg.core.sheet_export import ExportedCase, SheetExport
from beleg.core.trace import Output, Query, Trace
from beleg.core.workbench_settings import WorkbenchSettings
from beleg.run.folder import make_folder

DRAFT = "https://json-schema.org/draft/2020-12/schema"

SCHEMAS: dict[str, tuple[type[BaseModel], str]] = {
    "case": (Case, "one line of a file of cases"),
    "suite": (SuiteFile, "suite.yaml: header and the files of its cases"),
    "policy": (Policy, "policy.yaml: what must hold before a release"),
    "candidate": (CandidateFile, "a candidate file: manifest and how the system is reached"),
    "manifest": (Manifest, "what a candidate is made of"),
    "query": (Query, "what a candidate is given"),
    "output": (Output, "what a candidate returns"),
    "trace": (Trace, "one line of traces.jsonl, inside its checksum"),
    "score": (Score, "a value or a reason"),
    "run": (RunHeader, "run.json: what is fixed before the first case"),
    "judge": (JudgeSettings, "a judge file: who judges, how fast, at what price, within which budget"),
    "finding": (Finding, "one line of findings.jsonl, inside its checksum: what a judge found out about a row"),
    "call": (Call, "one call of a judge in calls.db: request, every attempt with its raw reply, the reply taken"),
    "workbench": (WorkbenchSettings, "workbench.yaml: how a workbench is served to a team"),
    "calibration": (CalibrationRecord, "a record of calibrations/: a judge's errors against people"),
    "probe": (ProbeRecord, "a record of evidence/probes/ of a run: what moved a judge, by probe"),
    "feedback": (Feedback, "one line of a file of feedback: beleg review feedback"),
    "verdict_row": (VerdictRow, "one line of a file of verdicts: beleg judge calibrate --verdicts"),
    "run_label": (RunLabel, "one line of the labels of a run: beleg gate --labels"),
    "relevance_label": (RelevanceLabel, "one line of the labels of unjudged evidence, inside its checksum"),
    "rerank": (RerankRecord, "beside a reranked run: model, mode, depth, batch size, hardware, latency and cost"),
    "filter_test": (FilterRegistration, "the terms of a filter test, registered before it: beleg ir filters"),
    "pool_line": (PoolLine, "one line of a file to label: beleg ir pool"),
    "judgements": (JudgementsManifest, "where a version of judgements comes from: beleg ir judgements merge"),
    "nugget_proposal": (NuggetProposal, "one line of a file of proposed nuggets, for a person to review"),
    "sheet": (SheetHeader, "evidence/header.json of a run: what all cases of its evidence sheet share"),
    "evidence": (EvidenceCase, "one line of evidence/cases.jsonl, inside its checksum: a case with its claim rows"),
    "sheet_export": (SheetExport, "beleg sheet export --format json: the sheet, what people decided, the filter"),
    "sheet_export_line": (ExportedCase, "one line of beleg sheet export --format jsonl"),
    "trust_file": (TrustFile, "a trust file before a root signs it: beleg trust new"),
    "admission": (Admission, "what beleg verify --json answers, beside headline and exit_code"),
    "controller_state": (ControllerState, "what a deployment controller remembers: beleg verify --state"),
    "release_decision": (ReleaseDecision, "the predicate release-decision/v1 in decision.dsse.json"),
    "release_override": (ReleaseOverride, "the predicate release-override/v1 in overrides/*.dsse.json"),
    "statement": (Statement, "the in-toto statement v1 in an envelope's payload"),
    "envelope": (Envelope, "a DSSE envelope"),
    "incident": (
        Incident,
        "one line of incidents.jsonl, beside the digest of the line before: what uses up the budget",
    ),
    "policy_registration": (PolicyRegistration, "one line of policies.jsonl: which policy stood when"),
    "queue_item": (QueueItem, "one line of queue.jsonl: a case that waits for a person"),
    "run_comparison": (
        RunComparison,
        "comparison.json of a run: another run beside it, claim by claim",
    ),
    "judge_shift": (JudgeShift, "rejudged.json of a run: what changed by the judge alone"),
    "decision": (Decision, "decision.json: verdict, checks and figures"),
    "pack": (PackManifest, "manifest.json of an audit pack: what it holds, and what it does not hold"),
    "redactions": (RedactionMap, "what was redacted of a pack, for its owner alone: beleg pack --redact"),
}

WRITTEN_BY_PEOPLE = ("suite", "policy", "candidate", "judge", "rerank", "filter_test")


def schema_of(name: str) -> dict[str, Any]:
    """One schema as JSON data.

    Raises:
        UsageError: naming the schemas there are.
    """
    if name not in SCHEMAS:
        raise UsageError(f"there is no schema {name!r}", hint=f"There are: {', '.join(SCHEMAS)}")
    model, description = SCHEMAS[name]
    schema = model.model_json_schema()
    if name in WRITTEN_BY_PEOPLE:
        schema["properties"]["$schema"] = {"type": "string", "description": "For editors; left out when read."}
    return {"$schema": DRAFT, "$comment": description, **schema}


def write_schemas(folder: Path) -> list[Path]:
    """Writes every schema as ``NAME.schema.json``."""
    make_folder(folder)
    written = []
    for name in SCHEMAS:
        path = folder / f"{name}.schema.json"
        write_text(path, json.dumps(schema_of(name), ensure_ascii=False, indent=2) + "\n")
        written.append(path)
    return written
