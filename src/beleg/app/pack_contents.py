"""What goes into an audit pack: every file that a decision rests on, and the reasons for those that are not there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.pack_zip import PackSource
from beleg.adapters.formats.rows import read_rows
from beleg.adapters.stores.sqlite_calls import SqliteCallStore
from beleg.app.gating import records_for
from beleg.app.human_labels import RunLabel
from beleg.app.pack_schemas import packed_schemas
from beleg.app.pack_versions import versions
from beleg.app.policy_files import load_policy
from beleg.app.release_facts import FACTS_FILE
from beleg.core.decision import Decision
from beleg.core.digest import canonical_json, digest_of_bytes
from beleg.core.errors import EvidenceError, UsageError
from beleg.core.judging import Call
from beleg.core.packs import MissingPart, MissingReason, PackGap, PackRole
from beleg.core.policy import Policy
from beleg.core.review import ReviewEvent
from beleg.core.run import RunHeader
from beleg.core.trace import Trace
from beleg.evidence.pack_rules import BASELINE_ROLES, ROLE_RULES
from beleg.gating.decide import metrics_of
from beleg.gating.facts import Facts
from beleg.gating.trust import is_judged
from beleg.metrics.catalogue import parse_metric
from beleg.run.checked_lines import LineKind
from beleg.run.folder import RunFolder, read_model

CALLS: LineKind[Call] = LineKind(
    name="call",
    model=Call,
    told=lambda call: f"the call {call.key!r}",
    go_on="pack again",
    anew="pack again",
)
"""The calls of a judge in a pack, where they are lines: a database file is not the same bytes for the same content."""

DECISION_FOLDER = "decision"
SHEET_FOLDER = "evidence"
REPLAY_FILE = Path("comparison.json")
MAX_NAMED = 20

_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class PackInputs:
    """What is packed, and what the decision was made from beside the run."""

    run: Path
    baseline: Path | None = None
    policy: Path | None = None
    calibrations: tuple[Path, ...] = ()
    labels: Path | None = None
    reviews: Path | None = None
    """Review events as they were exported from a ledger, one a line."""
    checkpoint: Path | None = None
    """The signed head of that ledger."""


@dataclass(slots=True)
class PackContents:
    """The entries of a pack before they are written."""

    header: RunHeader
    decision: Decision
    sources: dict[str, tuple[PackRole, PackSource]] = field(default_factory=dict)
    """By path."""
    missing: list[MissingPart] = field(default_factory=list)
    gaps: list[PackGap] = field(default_factory=list)

    def put(self, role: PackRole, source: PackSource, *, name: str = "") -> None:
        """Adds an entry at the place of its role."""
        self.sources[ROLE_RULES[role].place.replace("*", name)] = (role, source)

    def put_file(self, role: PackRole, path: Path | None, reason: MissingReason) -> bool:
        """Adds a file as it is, or says why it is not there."""
        if path is not None and path.is_file() and not path.is_symlink():
            self.put(role, path)
            return True
        self.lack(role, reason)
        return False

    def lack(self, role: PackRole, reason: MissingReason, detail: str | None = None) -> None:
        """Says that there is no entry of a role, and why."""
        self.missing.append(MissingPart(role=role, reason=reason, detail=detail))

    def lack_number(self, role: PackRole, what: str, names: list[str]) -> None:
        """Says that an entry is there and not whole."""
        if names:
            self.gaps.append(PackGap(role=role, what=what, count=len(names), names=tuple(names[:MAX_NAMED])))


def collect(inputs: PackInputs, environment: Mapping[str, str]) -> PackContents:
    """Everything that goes into a pack, held against the digests that the decision names.

    Args:
        inputs: the run and what its decision was made from.
        environment: the variables of the process; of them only those that are listed by name are kept.

    Raises:
        UsageError: if a file that was named is not there, or the run was not decided on.
        EvidenceError: if something is not what the decision rests on.
    """
    folder = RunFolder(inputs.run)
    contents = PackContents(folder.header(), _decision(inputs.run))
    _put_run(contents, folder, _CANDIDATE)
    _require_named(contents.decision.candidate.traces_digest, contents, _CANDIDATE, inputs.run)
    _put_baseline(contents, inputs)
    _put_policy(contents, inputs)
    _put_decision_files(contents, inputs.run / DECISION_FOLDER)
    _put_evidence(contents, inputs)
    contents.put(PackRole.VERSIONS, canonical_json(versions(environment).to_json_dict()))
    for name, data in packed_schemas().items():
        contents.put(PackRole.SCHEMA, data, name=name)
    return contents


_CANDIDATE = (
    PackRole.RUN, PackRole.SUITE, PackRole.INVENTORY, PackRole.TRACES, PackRole.FINDINGS, PackRole.CALLS,
)  # fmt: skip


def _decision(run: Path) -> Decision:
    path = run / DECISION_FOLDER / "decision.json"
    if not path.exists():
        raise UsageError(
            f"{run} was not decided on", hint="Decide first: beleg gate RUN --baseline RUN --policy policy.yaml"
        )
    return read_model(Decision, path)


def _put_run(contents: PackContents, folder: RunFolder, roles: tuple[PackRole, ...]) -> None:
    run, suite, inventory, traces, findings, calls = roles
    header = folder.header()
    folder.suite()
    contents.put_file(run, folder.header_file, MissingReason.NOT_RECORDED)
    contents.put_file(suite, folder.suite_file, MissingReason.NOT_RECORDED)
    contents.put_file(inventory, folder.inventory_file, MissingReason.NOT_RECORDED)
    content = folder.traces()
    _put_lines(contents, traces, folder.journal_file, content.cut_bytes)
    _put_lines(contents, findings, folder.findings_file, 0)
    _put_calls(contents, calls, folder)
    _note_gaps(contents, traces, header, content.traces)


def _put_lines(contents: PackContents, role: PackRole, path: Path, cut_bytes: int) -> None:
    """Adds whole lines: a line that was cut by a kill was never reported as finished."""
    if not path.exists():
        contents.lack(role, MissingReason.NOT_RECORDED)
    elif cut_bytes or not _ends_whole(path):
        data = path.read_bytes()
        contents.put(role, data[: data.rfind(b"\n") + 1])
    else:
        contents.put(role, path)


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        return file.seek(0, 2) == 0 or (file.seek(-1, 2) >= 0 and file.read(1) == b"\n")


def _put_calls(contents: PackContents, role: PackRole, folder: RunFolder) -> None:
    if not folder.calls_file.exists():
        contents.lack(role, MissingReason.NOT_RECORDED)
        return
    with SqliteCallStore.open(folder.calls_file, is_read_only=True) as store:
        contents.put(role, b"".join(CALLS.encode(call) for call in store))


def _note_gaps(contents: PackContents, role: PackRole, header: RunHeader, traces: Iterable[Trace]) -> None:
    """Names the rows that lack something which an auditor would look for."""
    there, unprompted, uncited, undelivered = set(), [], [], []
    for trace in traces:
        there.add((trace.case_id, trace.repeat))
        if trace.output is None:
            continue
        unprompted += [trace.case_id] if trace.output.prompt is None else []
        uncited += [trace.case_id] if trace.output.citations is None else []
        undelivered += [trace.case_id] if trace.output.delivered is None else []
    expected = ((name, repeat) for repeat in range(header.settings.repeats) for name in header.case_ids)
    contents.lack_number(role, "rows_without_trace", [name for name, repeat in expected if (name, repeat) not in there])
    contents.lack_number(role, "rows_without_prompt", unprompted)
    contents.lack_number(role, "rows_without_citations", uncited)
    contents.lack_number(role, "rows_without_delivered_passages", undelivered)
    run = PackRole.RUN if role is PackRole.TRACES else PackRole.BASELINE_RUN
    contents.lack_number(run, "manifest_fields_unresolved", list(header.manifest.unresolved()))


def _require_named(digest: str | None, contents: PackContents, roles: tuple[PackRole, ...], run: Path) -> None:
    """Refuses traces that are not those that were decided on."""
    source = contents.sources.get(ROLE_RULES[roles[3]].place)
    data = b"" if source is None else source[1]
    found = RunFolder(run).traces_digest() if isinstance(data, Path) else digest_of_bytes(data)
    if digest is not None and found != digest:
        raise EvidenceError(
            f"{run}: the traces are not those that were decided on", hint="Decide again with: beleg gate, then pack"
        )


def _put_baseline(contents: PackContents, inputs: PackInputs) -> None:
    named = contents.decision.baseline
    if named is None and inputs.baseline is not None:
        raise UsageError(
            f"{inputs.run} was decided on without a baseline", hint="Leave --baseline out, or decide again with it"
        )
    if named is None or inputs.baseline is None:
        reason = MissingReason.NOT_NEEDED if named is None else MissingReason.NOT_GIVEN
        contents.lack(PackRole.BASELINE_RUN, reason, None if named is None else f"run {named.run_id}")
        return
    folder = RunFolder(inputs.baseline)
    if folder.header().run_id != named.run_id:
        raise UsageError(
            f"{inputs.baseline} is not the run that the decision compares with, which is {named.run_id}",
            hint="Name the folder of that run with --baseline",
        )
    _put_run(contents, folder, BASELINE_ROLES)
    _require_named(named.traces_digest, contents, BASELINE_ROLES, inputs.baseline)


def _put_policy(contents: PackContents, inputs: PackInputs) -> None:
    if inputs.policy is None:
        for role in (PackRole.POLICY, PackRole.POLICY_SOURCE, PackRole.CALIBRATION):
            contents.lack(role, MissingReason.NOT_GIVEN)
    else:
        policy = load_policy(inputs.policy)
        if policy.digest != contents.decision.policy_digest:
            raise EvidenceError(
                f"{inputs.policy} is not the policy that decided: its digest is another",
                hint="Name the policy as it was, or decide again with: beleg gate",
            )
        contents.put(PackRole.POLICY, canonical_json(policy.to_json_dict()))
        is_yaml = inputs.policy.suffix.lower() in (".yaml", ".yml")
        contents.put_file(PackRole.POLICY_SOURCE, inputs.policy if is_yaml else None, MissingReason.NOT_RECORDED)
        _put_calibrations(contents, inputs, policy)
    _put_labels(contents, inputs.labels)


def _put_calibrations(contents: PackContents, inputs: PackInputs, policy: Policy) -> None:
    records = records_for(policy, inputs.policy, inputs.calibrations)
    for record in records:
        short = record.digest.removeprefix("sha256:")[:16]
        name = f"{_NOT_IN_A_NAME.sub('-', record.measure).strip('-') or 'record'}-{short}"
        contents.put(PackRole.CALIBRATION, canonical_json(record.to_json_dict()), name=name)
    used = {told.calibration for told in contents.decision.judges or () if told.calibration}
    lost = sorted(used - {record.digest for record in records})
    if lost:
        raise EvidenceError(
            f"a calibration that the decision rests on is not there: {', '.join(lost)}",
            hint="Name its file or folder with --calibration",
        )
    if not records:
        needed = any(is_judged(parse_metric(name).spec) for name in metrics_of(policy))
        contents.lack(PackRole.CALIBRATION, MissingReason.NOT_RECORDED if needed else MissingReason.NOT_NEEDED)


def _put_labels(contents: PackContents, path: Path | None) -> None:
    used = any(check.figure is not None and check.figure.human_labels for check in contents.decision.checks)
    if path is None:
        contents.lack(PackRole.LABELS, MissingReason.NOT_GIVEN if used else MissingReason.NOT_NEEDED)
        return
    labels = build_all(RunLabel, read_rows(path), key=("case_id", "repeat", "metric"))
    contents.put(PackRole.LABELS, b"".join(canonical_json(label.to_json_dict()) + b"\n" for label in labels))


def _put_decision_files(contents: PackContents, folder: Path) -> None:
    contents.put_file(PackRole.DECISION, folder / "decision.json", MissingReason.NOT_RECORDED)
    needed = contents.decision.facts_digest
    if needed is None:
        contents.lack(PackRole.FACTS, MissingReason.NOT_NEEDED)
    elif _digest_of_facts(folder / FACTS_FILE) != needed:
        raise EvidenceError(
            f"{folder / FACTS_FILE} is not what the decision rests on", hint="Decide again with: beleg gate, then pack"
        )
    else:
        contents.put_file(PackRole.FACTS, folder / FACTS_FILE, MissingReason.NOT_RECORDED)
    contents.put_file(PackRole.STATEMENT, folder / "decision.dsse.json", MissingReason.NOT_RECORDED)
    contents.put_file(PackRole.VSA, folder / "vsa.dsse.json", MissingReason.NOT_RECORDED)
    overrides = sorted(path.read_bytes() for path in (folder / "overrides").glob("*.dsse.json") if path.is_file())
    for data in overrides:
        contents.put(PackRole.OVERRIDE, data, name=digest_of_bytes(data).removeprefix("sha256:")[:16])
    if not overrides:
        contents.lack(PackRole.OVERRIDE, MissingReason.NOT_RECORDED)


def _digest_of_facts(path: Path) -> str | None:
    return read_model(Facts, path).digest if path.is_file() else None


def _put_evidence(contents: PackContents, inputs: PackInputs) -> None:
    sheet = inputs.run / SHEET_FOLDER
    is_whole = (sheet / "header.json").exists() and (sheet / "cases.jsonl").exists()
    contents.put_file(PackRole.SHEET_HEADER, sheet / "header.json" if is_whole else None, MissingReason.NOT_RECORDED)
    contents.put_file(PackRole.SHEET_CASES, sheet / "cases.jsonl" if is_whole else None, MissingReason.NOT_RECORDED)
    if inputs.reviews is None:
        contents.lack(PackRole.REVIEW_EVENTS, MissingReason.NOT_GIVEN)
    else:
        events = build_all(ReviewEvent, read_rows(inputs.reviews), key="sequence")
        contents.put(PackRole.REVIEW_EVENTS, b"".join(canonical_json(event.to_json_dict()) + b"\n" for event in events))
    if inputs.checkpoint is not None and not inputs.checkpoint.is_file():
        raise UsageError(f"{inputs.checkpoint}: there is no such checkpoint")
    contents.put_file(PackRole.REVIEW_CHECKPOINT, inputs.checkpoint, MissingReason.NOT_GIVEN)
    contents.put_file(PackRole.REPLAY, inputs.run / REPLAY_FILE, MissingReason.NOT_RECORDED)
