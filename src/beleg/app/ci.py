"""A decision for CI systems: JUnit, SARIF, annotations and the summary of a job (P8)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from beleg.adapters.formats.atomic import write_text
from beleg.adapters.formats.files import read_document_text
from beleg.adapters.formats.strict_yaml import parse_yaml
from beleg.app.gating import GateOutcome
from beleg.app.places import YAML_SUFFIXES
from beleg.core.decision import CheckResult
from beleg.core.errors import UsageError
from beleg.core.policy import Policy
from beleg.metrics.catalogue import parse_metric
from beleg.report.annotations import github_annotations, gitlab_code_quality
from beleg.report.junit import junit_xml
from beleg.report.markdown import markdown_report
from beleg.report.sarif import sarif_json
from beleg.run.folder import make_folder

CiSystem = Literal["github", "gitlab"]

CODE_QUALITY_FILE = "gl-code-quality-report.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class CiOutputs:
    """What a CI system is to be told, and where."""

    junit: Path | None = None
    sarif: Path | None = None
    system: CiSystem | None = None

    def files(self) -> tuple[Path, ...]:
        """Every file that is to be written."""
        code_quality = Path(CODE_QUALITY_FILE) if self.system == "gitlab" else None
        return tuple(path for path in (self.junit, self.sarif, code_quality) if path is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CiWritten:
    """What was written, and the lines that the CI system reads from the log."""

    paths: tuple[Path, ...]
    commands: tuple[str, ...]


def clear_for_ci(outputs: CiOutputs, *, inputs: Iterable[Path | None] = ()) -> None:
    """Takes away what an earlier gate wrote, so that a gate that cannot decide leaves no older verdict to be read.

    Args:
        outputs: what is wanted.
        inputs: the files that the decision is made of.

    Raises:
        UsageError: if a file cannot be taken away, or is one that the decision is made of.
    """
    read = {path.resolve() for path in inputs if path is not None}
    for path in outputs.files():
        if path.resolve() in read:
            raise UsageError(f"{path} is what the gate decides by, and no place for a report", hint="Name another file")
    for path in outputs.files():
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(
                f"{path} cannot be replaced: {error.strerror}", hint="Name a file that may be written"
            ) from error


def write_for_ci(
    outcome: GateOutcome,
    policy_file: Path,
    outputs: CiOutputs,
    *,
    language: str = "en",
    environment: Mapping[str, str] | None = None,
) -> CiWritten:
    """Writes a decision in the forms that CI systems read.

    Args:
        outcome: the decision.
        policy_file: the file that it was decided by; findings are shown at its lines.
        outputs: what is wanted.
        language: ``en`` or ``de``.
        environment: the variables of the CI system; by default those of this process.

    Raises:
        UsageError: if a file cannot be written.
    """
    decision, shown = outcome.decision, _relative(policy_file)
    lines = check_lines(outcome.policy, policy_file, decision.checks)
    texts: dict[Path, str] = {}
    if outputs.junit is not None:
        texts[outputs.junit] = junit_xml(decision, language=language)
    if outputs.sarif is not None:
        texts[outputs.sarif] = sarif_json(decision, policy_file=shown, language=language, lines=lines)
    if outputs.system == "gitlab":
        texts[Path(CODE_QUALITY_FILE)] = gitlab_code_quality(
            decision, policy_file=shown, language=language, lines=lines
        )
    for path, text in texts.items():
        make_folder(path.parent)
        write_text(path, text)
    commands: list[str] = []
    if outputs.system == "github":
        commands = github_annotations(decision, policy_file=shown, language=language, lines=lines)
        _append_summary(markdown_report(decision, language=language), environment or os.environ)
    return CiWritten(paths=tuple(texts), commands=tuple(commands))


def _append_summary(text: str, environment: Mapping[str, str]) -> None:
    """GitHub names the file of the job's summary; elsewhere there is none."""
    named = environment.get("GITHUB_STEP_SUMMARY")
    if not named:
        return
    try:
        with Path(named).open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(
            f"the summary of the job cannot be written to {named}: {error.strerror}", hint="Leave --ci away"
        ) from error


def _relative(path: Path) -> str:
    """The path as a repository names it, or the mere name of a file outside of the working folder."""
    absolute, here = path.resolve(), Path.cwd().resolve()
    return absolute.relative_to(here).as_posix() if absolute.is_relative_to(here) else path.name


def check_lines(policy: Policy, policy_file: Path, results: tuple[CheckResult, ...]) -> dict[str, int]:
    """For each check of a decision, the line of the policy that asks for it, where the file is YAML."""
    if policy_file.suffix.lower() not in YAML_SUFFIXES:
        return {}
    document = parse_yaml(read_document_text(policy_file), file=str(policy_file))
    asked = [(str(parse_metric(check.metric)), set(check.where.items())) for check in policy.checks]
    found: dict[str, int] = {}
    for result in results:
        labels = {tuple(part.split("=", 1)) for part in (result.segment or "").split(",") if "=" in part}
        fitting = [
            (len(where), -place)
            for place, (metric, where) in enumerate(asked)
            if metric == result.metric and where <= labels
        ]
        line = document.line_of(("checks", -max(fitting)[1])) if fitting else None
        if line is not None:
            found[result.check_id] = line
    return found
