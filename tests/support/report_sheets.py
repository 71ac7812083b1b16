"""The evidence sheet of the report's run, judged, and reviewed by people who differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from beleg.core.case import Case
from beleg.core.evidence import EvidenceCase, SupportVerdict
from beleg.core.findings import ClaimFinding, Quote, Support
from beleg.core.review import ReviewEvent
from beleg.core.sheet_export import ExportedCase
from beleg.core.trace import Trace
from beleg.evidence.naming import SheetNames
from beleg.evidence.passages import Sources
from beleg.evidence.review_fold import claim_reviews
from beleg.evidence.sheet import RunMaterial, case_of
from beleg.evidence.sheet_filter import exported_case
from beleg.report.view import ReportInput, ReportSheet
from support.q017 import judged
from support.reviews import verdicts
from support.sheet_data import RUN_ID, header_of

COMMAND = "beleg sheet show runs/new"
REVIEWED_CLAIM = 0
PEOPLE = (("A. Kurz", SupportVerdict.SUPPORTED), ("B. Lang", SupportVerdict.PARTIALLY_SUPPORTED))


BUILT = 1_500
"""So many answers are built as a run's are; beyond them an answer is one of these under its own ids, which is quick."""


def with_sheet(report: ReportInput) -> ReportInput:
    """The report with the sheet of its candidate's run; people looked at the first claim of every tenth case."""
    cases = list(_exported(report))
    claims = sum(len(each.case.claims) for each in cases)
    sheet = ReportSheet(command=COMMAND, header=header_of(len(cases), claims), cases=cases)
    return replace(report, sheet=sheet)


def _exported(report: ReportInput) -> Iterator[ExportedCase]:
    material = RunMaterial(
        names=SheetNames.of(tuple(case.case_id for case in report.candidate.cases), repeats=2),
        collection="shop-2026-11",
        sources=Sources(None),
    )
    built: list[EvidenceCase] = []
    for number, case in enumerate(report.candidate.cases):
        for trace in report.candidate_traces[case.case_id]:
            if len(built) < BUILT:
                built.append(_evidence(case, trace, material))
                made = built[-1]
            else:
                made = _renamed(built[number % BUILT], case.case_id)
            reviews = claim_reviews(RUN_ID, _reviewed(made)) if number % 10 == 0 and made.claims else {}
            yield exported_case(made, range(len(made.claims)), reviews, RUN_ID)


def _evidence(case: Case, trace: Trace, material: RunMaterial) -> EvidenceCase:
    found = {}
    if trace.output is not None:
        found = {"claim_support": judged(case, trace, _findings(case, trace))}
    return case_of(case, trace, found, material, repeat=trace.repeat)


def _renamed(made: EvidenceCase, case_id: str) -> EvidenceCase:
    claims = []
    for place, row in enumerate(made.claims, start=1):
        told = row.support and row.support.model_copy(update={"rationale": f"Case {case_id}: {row.support.rationale}"})
        named = {"case_id": case_id, "claim_id": f"C-{case_id}-{place}", "support": told}
        claims.append(row.model_copy(update=named))
    return made.model_copy(update={"case_id": case_id, "claims": tuple(claims)})


def _findings(case: Case, trace: Trace) -> list[ClaimFinding]:
    quote = str(case.expected_passages[0].quote)
    assert trace.output is not None
    holding = [passage.passage_id for passage in trace.output.final_passages() if quote in (passage.text or "")]
    carried = ClaimFinding(
        claim_id="1",
        claim=quote,
        support=Support.SUPPORTED if holding else Support.NOT_IN_CONTEXT,
        quotes=tuple(Quote(passage_id=name, text=quote, match="exact") for name in holding),
        rationale=f"Case {case.case_id}: " + ("the passage says so." if holding else "no passage speaks of it."),
    )
    other = ClaimFinding(claim_id="2", claim="Siehe auch", support=Support.NOT_IN_CONTEXT, rationale="It states none.")
    return [carried, other]


def _reviewed(case: EvidenceCase) -> tuple[ReviewEvent, ...]:
    return tuple(verdicts(*PEOPLE, about=case.claims[REVIEWED_CLAIM], case=case))
