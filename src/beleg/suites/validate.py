"""What is wrong with a suite beyond the types of its fields (G1, G3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from beleg.core.case import Case, ExpectedBehaviour
from beleg.core.errors import DataError, Problem, shown
from beleg.core.policy import Segment
from beleg.core.suite import Suite, SuiteKind
from beleg.core.ties import number_of_groups
from beleg.suites.questions import question_fingerprint

PROTECTED_KINDS = frozenset({SuiteKind.RELEASE, SuiteKind.HOLDOUT})
"""Suites that decide releases: nothing that guided tuning may stand in them."""


class Severity(StrEnum):
    """How bad a finding is: an error keeps the suite from being released."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One weakness of a suite, the place where it stands and the way to mend it."""

    severity: Severity
    message: str
    remedy: str
    case_id: str | None = None
    field: str | None = None

    def to_problem(self) -> Problem:
        """The finding as a part of an error message."""
        place = "" if self.case_id is None else f"case {shown(self.case_id)}: "
        return Problem(message=f"{place}{self.message}", field=self.field, remedy=self.remedy)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setting:
    """What the single checks need to know beside the case."""

    kind: SuiteKind
    today: date
    reference_needed: bool


def validate(suite: Suite, *, today: date, reference_needed: bool = True) -> tuple[Finding, ...]:
    """Everything that is wrong or weak in a suite, errors first, then in suite order.

    Args:
        suite: The suite, whose fields have already been checked one by one.
        today: The day against which review dates are held.
        reference_needed: Whether the metrics to be run compare with a reference answer.

    Example:
        >>> from beleg.core.suite import SuiteHeader
        >>> empty = Suite(header=SuiteHeader(name="shop"), cases=())
        >>> [finding.message for finding in validate(empty, today=date(2026, 1, 1))]
        ['the suite has no cases']
    """
    setting = _Setting(kind=suite.header.kind, today=today, reference_needed=reference_needed)
    found = [*_suite_findings(suite)]
    for case in suite.cases:
        for check in _CASE_CHECKS:
            found.extend(check(case, setting))
    order = list(Severity)
    return tuple(sorted(found, key=lambda finding: order.index(finding.severity)))


def errors_in(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that keep a suite from being released."""
    return tuple(finding for finding in findings if finding.severity is Severity.ERROR)


def require_unique_ids(suite: Suite) -> None:
    """Refuses a suite in which two cases have one id: its digest would cover only one of them.

    Raises:
        DataError: naming every case id that is used more than once.
    """
    findings = tuple(_duplicate_ids(suite))
    if findings:
        raise DataError(finding.to_problem() for finding in findings)


def thin_segments(suite: Suite, segments: Sequence[Segment], *, minimum_n: int) -> tuple[Finding, ...]:
    """Protected segments that cannot carry a decision: empty (error) or with too few cases (warning).

    Args:
        suite: The suite that the policy will be applied to.
        segments: The protected segments of the policy.
        minimum_n: The cases that the policy's margin needs; a segment's own ``minimum_n`` takes its place.
    """
    labels = [case.segment_labels() for case in suite.cases]
    found = []
    for segment in segments:
        members = [
            case
            for case, own in zip(suite.cases, labels, strict=True)
            if all(own.get(dimension) == label for dimension, label in segment.where.items())
        ]
        needed = segment.minimum_n if segment.minimum_n is not None else minimum_n
        if len(members) >= needed:
            continue
        clusters = number_of_groups([case.ties() for case in members])
        found.append(
            Finding(
                severity=Severity.WARNING if members else Severity.ERROR,
                field="protected_segments",
                message=f"segment {segment.label} has {len(members)} cases in {clusters} clusters, needs {needed}",
                remedy=f"Add {needed - len(members)} cases to the segment or accept that it cannot PASS",
            )
        )
    return tuple(found)


def _suite_findings(suite: Suite) -> Iterator[Finding]:
    if not suite.cases:
        yield Finding(severity=Severity.ERROR, message="the suite has no cases", remedy="Add at least one case")
    yield from _duplicate_ids(suite)
    yield from _duplicate_questions(suite)


def _duplicate_ids(suite: Suite) -> Iterator[Finding]:
    counted = Counter(case.case_id for case in suite.cases)
    for case_id, count in counted.items():
        if count > 1:
            yield Finding(
                severity=Severity.ERROR,
                case_id=case_id,
                field="case_id",
                message=f"the id is used by {count} cases",
                remedy="Give each case an id of its own",
            )


def _duplicate_questions(suite: Suite) -> Iterator[Finding]:
    first_of: dict[str, Case] = {}
    for case in suite.cases:
        first = first_of.setdefault(question_fingerprint(case), case)
        if first is case or first.case_id == case.case_id:
            continue
        contradicts = first.expected_behaviour is not case.expected_behaviour
        yield Finding(
            severity=Severity.WARNING,
            case_id=case.case_id,
            field="user_input" if case.user_input is not None else "turns",
            message=f"asks the same as case {shown(first.case_id)}"
            + (" and expects other behaviour" if contradicts else ""),
            remedy="Remove one of the two, or make them differ",
        )


def _is_answerable(case: Case) -> bool:
    return case.expected_behaviour is not ExpectedBehaviour.ABSTAIN


def _evidence(case: Case, _: _Setting) -> Iterator[Finding]:
    if _is_answerable(case) and not case.expected_passages:
        yield Finding(
            severity=Severity.WARNING,
            case_id=case.case_id,
            field="expected_passages",
            message="an answer is expected and no evidence for it is named",
            remedy="Name the documents and quotes that the answer rests on",
        )


def _quotes(case: Case, _: _Setting) -> Iterator[Finding]:
    for index, expected in enumerate(case.expected_passages):
        if not expected.required or expected.quote is not None:
            continue
        by_passage = expected.passage_id is not None
        yield Finding(
            severity=Severity.WARNING if by_passage else Severity.INFO,
            case_id=case.case_id,
            field=f"expected_passages[{index}].quote",
            message="required evidence is named by its passage id only, which a new chunking changes"
            if by_passage
            else "required evidence has no quote, so any passage of the document counts as evidence",
            remedy="Add the exact words of the source as quote",
        )


def _forbidden(case: Case, _: _Setting) -> Iterator[Finding]:
    forbidden = set(case.forbidden_sources)
    for index, expected in enumerate(case.expected_passages):
        for name in ("document_id", "passage_id"):
            value = getattr(expected, name)
            if value in forbidden:
                yield Finding(
                    severity=Severity.ERROR,
                    case_id=case.case_id,
                    field=f"expected_passages[{index}].{name}",
                    message=f"{shown(value)} is expected and forbidden at once",
                    remedy="Remove it from expected_passages or from forbidden_sources",
                )


def _reference(case: Case, setting: _Setting) -> Iterator[Finding]:
    if setting.reference_needed and _is_answerable(case) and not (case.reference_answer or case.accepted_answers):
        yield Finding(
            severity=Severity.WARNING,
            case_id=case.case_id,
            field="reference_answer",
            message="there is no reference answer; metrics that compare with one do not apply to this case",
            remedy="Add reference_answer or accepted_answers",
        )


def _accountability(case: Case, setting: _Setting) -> Iterator[Finding]:
    if case.owner is None:
        yield Finding(
            severity=Severity.WARNING,
            case_id=case.case_id,
            field="owner",
            message="nobody owns the case",
            remedy="Name the person or team that keeps it right",
        )
    if case.review_by is not None and case.review_by < setting.today:
        yield Finding(
            severity=Severity.WARNING,
            case_id=case.case_id,
            field="review_by",
            message=f"the review was due on {case.review_by.isoformat()}",
            remedy="Check the case against its sources and set a new date",
        )


def _origin(case: Case, setting: _Setting) -> Iterator[Finding]:
    if setting.kind not in PROTECTED_KINDS:
        return
    if case.guided_tuning:
        yield Finding(
            severity=Severity.ERROR,
            case_id=case.case_id,
            field="guided_tuning",
            message=f"the case guided tuning and stands in a {setting.kind.value} suite",
            remedy="Move it to a development suite",
        )
    if case.synthetic:
        yield Finding(
            severity=Severity.INFO,
            case_id=case.case_id,
            field="synthetic",
            message=f"a synthetic case stands in a {setting.kind.value} suite",
            remedy="Have a person review it, or move it to a development suite",
        )


_CASE_CHECKS: tuple[Callable[[Case, _Setting], Iterator[Finding]], ...] = (
    _evidence,
    _quotes,
    _forbidden,
    _reference,
    _accountability,
    _origin,
)
