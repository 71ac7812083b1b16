"""Writes the pages of docs/reference that are made from the source.

usage: python tools/generate_reference.py [--check] [--out FOLDER]

With --check nothing is written, and the exit code is 1 when a page does not say what the source says.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

import typer
from api_tables import api_page
from ir_tables import ir_measures_page
from schema_tables import files_page, page, prose, table

import beleg
from beleg.app.schemas import schema_of
from beleg.cli import main as cli
from beleg.core.decision import EXIT_CODES, EXIT_UNDECIDED, STATE_ORDER, CheckKind, CheckState, Verdict
from beleg.core.errors import Error, UsageError
from beleg.core.score import FAILED_STATUSES, OUTSIDE_STATUSES, ScoreStatus
from beleg.core.trace import RANKED_STAGES, STAGES, TraceStatus
from beleg.metrics.catalogue import CATALOGUE
from beleg.metrics.spec import Metric, MetricSpec
from beleg.reference.settings import ReferenceSettings

REFERENCE = Path(__file__).resolve().parent.parent / "docs" / "reference"
HELP_WIDTH = 100

AREAS = {
    "retrieval": "Retrieval",
    "context": "Context",
    "generation": "Answers and citations",
    "operations": "Operations",
}
BETTER = {"higher": "higher", "lower": "lower", "neutral": "neither"}
UNITS = {"milliseconds": " ms", "usd": " USD", "tokens": " tokens", "count": "", "binary": "", "graded": ""}

SCORE_WORDS = {
    ScoreStatus.SCORED: "There is a value.",
    ScoreStatus.NOT_APPLICABLE: "The question of the metric does not arise for this case.",
    ScoreStatus.NO_CLAIMS: "The answer makes no claim that could be supported.",
    ScoreStatus.MISSING: "What the metric reads was not recorded, or there is no trace.",
    ScoreStatus.TIMEOUT: "The attempt did not end in time.",
    ScoreStatus.INVALID: "What was returned cannot be used, or contradicts itself.",
    ScoreStatus.JUDGE_ERROR: "The judge failed or gave no usable verdict.",
    ScoreStatus.INFRA_ERROR: "The system under test could not be reached or reported a fault.",
}
TRACE_WORDS = {
    TraceStatus.OK: "The attempt ended well and holds an output.",
    TraceStatus.TIMEOUT: "There was no answer within the time a case may take.",
    TraceStatus.ERROR: "The candidate could not be reached or reported a fault.",
    TraceStatus.INVALID: "The candidate answered with something that is no valid output.",
}
STATE_WORDS = {
    CheckState.FAIL: "A limit is broken: a figure beyond `block_at`, a certain worsening beyond the margin, or an "
    "event that must not happen at all.",
    CheckState.ERROR: "Candidate and baseline cannot be compared.",
    CheckState.NOT_EVALUATED: "There is nothing to decide on: no score, too few of those that are due, or no baseline "
    "where the policy requires one.",
    CheckState.INCONCLUSIVE: "Not proven: too few cases, an interval across a limit, a figure between the two levels, "
    "or rows without a score that could turn the result.",
    CheckState.PASS: "What must hold is proven to hold.",
}
KIND_WORDS = {
    CheckKind.BAND: "A figure against two levels, `pass_at` and `block_at`.",
    CheckKind.NO_REGRESSION: "Candidate minus baseline, paired by case, against a margin.",
    CheckKind.ZERO_TOLERANCE: "A count that must be 0 in every single case.",
    CheckKind.COVERAGE: "The share of due cases that have a score.",
    CheckKind.COMPARABILITY: "Whether both runs were made under the same conditions.",
    CheckKind.COMPLETENESS: "Whether the run covers the whole suite, or a subset that the policy allows.",
    CheckKind.REPRODUCIBILITY: "Whether every manifest field is resolved.",
    CheckKind.CALIBRATION: "Whether one judge, calibrated against people, stands behind a judged metric.",
    CheckKind.SEQUENTIAL: "Whether the looks that the policy fixed have settled the judged checks.",
    CheckKind.CRITICAL_CLAIMS: "Whether a critical case holds an unsupported claim: confirmed by people, or suspected.",
    CheckKind.EVALUATOR: "How many rows an evaluator failed on; that is no fault of the candidate.",
    CheckKind.RECORD: "Whether the traces record every place that the policy names.",
    CheckKind.ERROR_BUDGET: "How much of the budget of failed releases and incidents is used up.",
    CheckKind.REVIEW_DATES: "Whether every threshold has an owner, a rationale and a review date to come.",
    CheckKind.REGISTRATION: "Whether the policy stood before the run did.",
}
VERDICT_WORDS = {
    Verdict.PASS: "The candidate may ship.",
    Verdict.REVIEW: "A person decides.",
    Verdict.BLOCK: "The candidate may not ship.",
}


def exit_words() -> dict[int, str]:
    """What each exit code says; 0, 10 and 20 belong to decisions alone."""
    return {
        **{code: f"{verdict.value}: {VERDICT_WORDS[verdict].lower()}" for verdict, code in EXIT_CODES.items()},
        UsageError.exit_code: "The command or the call was wrong, or an optional part is not installed.",
        EXIT_UNDECIDED: "It could not be decided: an input, a policy or a run is wrong, missing or not comparable.",
        cli.EXIT_OWN_FAULT: "A fault of Beleg itself; run again with `BELEG_TRACEBACK=1` to see where.",
        cli.EXIT_INTERRUPTED: "Interrupted by the keyboard; finished cases are kept.",
    }


def undefined(spec: MetricSpec) -> str | None:
    """When a metric has no value, from the docstring of its function and of the function that one names."""
    module, _, name = spec.function.partition(":")
    found = dict.fromkeys(_undefined(importlib.import_module(module), name, frozenset()))
    return "; ".join(found) or None


def _undefined(module: Any, name: str, seen: frozenset[str]) -> Iterator[str]:
    function = getattr(module, name, None)
    if name in seen or not callable(function):
        return
    text = " ".join(inspect.cleandoc(function.__doc__ or "").split())
    said = re.search(r"\b[Uu]ndefined\b:?\s*(.+?)\.(?=\s|$)", text)
    elsewhere = re.search(r"\bas (?:for|in) `(\w+)`", said[1]) if said else None
    if said and not elsewhere:
        yield said[1]
    for named in (elsewhere, re.match(r"`(\w+)`", text)):
        if named:
            yield from _undefined(module, named[1], seen | {name})


def metrics_page() -> str:
    """The catalogue, area by area."""
    head = ("Metric", "What it measures", "Better", "Range", "Parameters", "Aggregate", "Undefined", "Version")
    parts = [
        "A metric is written as `name`, `name@k` or `name(parameter=value)`, for example `ndcg@10` or "
        "`recall@5(stage=retrieved)`. Without a stage the last ranked list of a trace counts: delivered, else "
        "reranked, else retrieved.",
        "A score is a value or a reason, never a stand-in. For every metric but `failed`, a row without a trace is "
        "`missing`, and an attempt that ended badly keeps that reason: `timeout`, `infra_error` or `invalid`. The "
        "column *Undefined* says when else there is no value; see [statuses](statuses.md).",
    ]
    for area, title in AREAS.items():
        specs = [spec for spec in CATALOGUE.values() if spec.area == area]
        parts += [f"## {title}", table(head, map(_metric_row, specs))]
    return page("Metrics", *parts)


def _metric_row(spec: MetricSpec) -> tuple[str, ...]:
    form = str(Metric(spec, tuple((name, "k" if name == "k" else "…") for name in spec.parameters)))
    return (
        f"`{form}`",
        spec.description_en,
        BETTER[spec.direction],
        _range(spec),
        "; ".join(_parameter(spec, name) for name in spec.parameters) or "none",
        spec.aggregate,
        undefined(spec) or "not stated",
        spec.version,
    )


def _range(spec: MetricSpec) -> str:
    if spec.kind == "binary":
        return "0 or 1"
    low = "any" if spec.low is None else f"{spec.low:g}"
    high = " or more" if spec.high is None else f" to {spec.high:g}"
    return f"{low}{high}{UNITS[spec.kind]}"


def _parameter(spec: MetricSpec, name: str) -> str:
    allowed = dict(spec.choices).get(name)
    values = f": {', '.join(allowed)}" if allowed else (": any name" if name != "k" else "")
    return f"`{name}`{' (required)' if name in spec.required else ''}{values}"


def cli_page() -> str:
    """The help text of every command, as the command prints it."""
    parts = ["What `--help` prints, command by command. Exit codes are explained at [errors](errors.md)."]
    for path, text in _helps(typer.main.get_command(cli.app), ("beleg",), None):
        parts += [f"{'#' * min(len(path) + 1, 3)} {' '.join(path)}", f"```text\n{text.rstrip()}\n```"]
    return page("Command line", *parts)


def _helps(command: Any, path: tuple[str, ...], parent: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    context = command.context_class(
        command, info_name=path[-1], parent=parent, terminal_width=HELP_WIDTH, max_content_width=HELP_WIDTH
    )
    yield path, re.sub(r"[ \t]+$", "", command.get_help(context), flags=re.MULTILINE)
    if hasattr(command, "list_commands"):
        for name in command.list_commands(context):
            yield from _helps(command.get_command(context, name), (*path, name), context)


def errors_page() -> str:
    """The tree of errors and the exit codes."""
    for found in pkgutil.walk_packages(beleg.__path__, "beleg."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    tree = list(_error_tree(Error, 0))
    rows = (
        (f"`{kind.__name__}`", str(kind.exit_code), f"`{kind.__module__}`", prose(kind.__doc__)) for kind, _ in tree
    )
    return page(
        "Errors and exit codes",
        "Everything that Beleg raises on purpose descends from `beleg.Error`. A message names the place, the field and "
        "the value, and what to do. The command line prints it and ends with the exit code of its class.",
        "## Exit codes",
        table(("Code", "Meaning"), ((str(code), words) for code, words in sorted(exit_words().items()))),
        "## The tree",
        "```text\n" + "\n".join(f"{'    ' * depth}{kind.__name__}" for kind, depth in tree) + "\n```",
        table(("Class", "Exit code", "Module", "What happened"), rows),
    )


def _error_tree(kind: type[Error], depth: int) -> Iterator[tuple[type[Error], int]]:
    yield kind, depth
    children = (child for child in kind.__subclasses__() if child.__module__.split(".")[0] == "beleg")
    for child in sorted(children, key=lambda child: (child.__module__, child.__name__)):
        yield from _error_tree(child, depth + 1)


def statuses_page() -> str:
    """Every word by which a score, an attempt, a check or a decision says how it ended."""
    order = " > ".join(state.value for state in STATE_ORDER)
    return page(
        "Statuses",
        "## Scores",
        "A score has a value exactly when its status is `scored`. For every figure, the expected rows are the scored "
        "rows and those of every reason, counted separately.",
        table(
            ("Status", "Meaning", "In the denominator"),
            ((f"`{each.value}`", SCORE_WORDS[each], _denominator(each)) for each in ScoreStatus),
        ),
        "## Attempts",
        _enumerated("Status", TRACE_WORDS, TraceStatus),
        "## Checks",
        f"Checks are reduced by a fixed order, the first one present decides: {order}. No check at all is "
        "`NOT_EVALUATED`. Nothing compensates for anything.",
        _enumerated("State", STATE_WORDS, STATE_ORDER),
        _enumerated("Kind", KIND_WORDS, CheckKind),
        "## Decisions",
        "`FAIL` blocks, `PASS` passes, and every other state goes to a person.",
        table(
            ("Verdict", "Meaning", "Exit code"),
            ((f"`{each.value}`", VERDICT_WORDS[each], str(EXIT_CODES[each])) for each in Verdict),
        ),
        "## Stages",
        f"Evidence passes these stages: {', '.join(f'`{stage.value}`' for stage in STAGES)}. A trace lists passages at "
        f"{', '.join(f'`{stage.value}`' for stage in RANKED_STAGES)}; the others follow from inventory, filters, "
        "citations and answer. The first stage at which required evidence is gone names the part to look at.",
    )


def _enumerated(head: str, words: Mapping[Any, str], members: Iterable[StrEnum]) -> str:
    return table((head, "Meaning"), ((f"`{each.value}`", words[each]) for each in members))


def _denominator(status: ScoreStatus) -> str:
    if status in OUTSIDE_STATUSES:
        return "no: counted, and left out"
    return "yes: bounded from both sides" if status in FAILED_STATUSES else "yes"


def pages() -> dict[str, str]:
    """Every generated page by its file name."""
    return {
        "metrics.md": metrics_page(),
        "cli.md": cli_page(),
        "policy.md": files_page(
            "Policy file", "`policy.yaml` says what must hold before a candidate may ship.", schema_of("policy")
        ),
        "case.md": files_page(
            "Suites and cases",
            "`suite.yaml` holds the header of a suite and names the files of its cases; each line of such a file is "
            "one case.",
            schema_of("suite"),
            schema_of("case"),
        ),
        "trace.md": files_page(
            "Queries, outputs and traces",
            "A candidate is given a query and returns an output; the journal of a run keeps it in a trace.",
            schema_of("trace"),
            schema_of("query"),
        ),
        "candidate.md": files_page(
            "Candidate file",
            "A candidate file says what a system is made of and how it is reached. The block `reference` is described "
            "at [the embedded RAG](reference-rag.md).",
            schema_of("candidate"),
        ),
        "reference-rag.md": files_page(
            "The embedded RAG",
            "Every setting of the block `reference` of a [candidate file](candidate.md).",
            ReferenceSettings.model_json_schema(),
        ),
        "ir-measure-list.md": ir_measures_page(),
        "api.md": api_page(),
        "errors.md": errors_page(),
        "statuses.md": statuses_page(),
    }


def stale(folder: Path, made: Mapping[str, str]) -> list[Path]:
    """The pages in a folder that are missing or do not say what the source says."""
    places = {folder / name: text for name, text in made.items()}
    return [path for path, text in places.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes or checks the pages."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 when a page is stale")
    parser.add_argument("--out", type=Path, default=REFERENCE, metavar="FOLDER", help="where the pages are")
    chosen = parser.parse_args(arguments)
    made = pages()
    old = stale(chosen.out, made)
    if chosen.check:
        for path in old:
            print(f"{path} is stale; run: python tools/generate_reference.py", file=sys.stderr)
        return 1 if old else 0
    chosen.out.mkdir(parents=True, exist_ok=True)
    for path in old:
        path.write_text(made[path.name], encoding="utf-8", newline="\n")
    print(f"{len(old)} of {len(made)} pages were stale and are written anew")
    return 0


if __name__ == "__main__":
    sys.exit(main())
