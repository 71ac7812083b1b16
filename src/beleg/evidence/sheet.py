"""One case of the evidence sheet: from its trace, its golden case, the sources and what judges found (E1 to E6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from beleg.core.case import Case, ExpectedBehaviour
from beleg.core.decision import Sentence
from beleg.core.digest import digest_of_text
from beleg.core.evidence import ClaimRow, Decider, EvidenceCase, EvidencePassage, SupportDecision, SupportVerdict
from beleg.core.findings import ClaimFinding, Finding, Support
from beleg.core.score import Score, ScoreStatus
from beleg.core.trace import Output, Trace, TraceStatus
from beleg.evidence import words
from beleg.evidence.attribution import attribution_of
from beleg.evidence.citations import citations_of, cited_passages
from beleg.evidence.claims import AnswerClaim, claims_by_sentence, wording
from beleg.evidence.diagnosis import (
    CaseRecord,
    RowRecord,
    lost_evidence,
    observations_on_case,
    observations_on_row,
)
from beleg.evidence.honest_failure import honest_failure_of, names_a_gap
from beleg.evidence.judged import JudgedClaims, judged_claims
from beleg.evidence.naming import SheetNames
from beleg.evidence.passages import ReturnedPassages, Sources
from beleg.evidence.placing import place_claims
from beleg.evidence.support import Weighing, quoted_passages, support_of
from beleg.metrics.batch import Row
from beleg.metrics.findings import STALE
from beleg.metrics.generation.cited_sentences import CitedAnswer, cited_answer
from beleg.text.quotes import QuoteFinder

MAX_MISSING_CHARS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMaterial:
    """What all cases of a run share."""

    names: SheetNames
    collection: str | None
    """The version of the source collection, as the manifest names it."""
    sources: Sources


def case_of(
    case: Case, trace: Trace | None, findings: Mapping[str, Finding], run: RunMaterial, *, repeat: int = 0
) -> EvidenceCase:
    """The frozen case with one row per material claim.

    Args:
        case: the golden case.
        trace: what the candidate did; ``None`` where nothing was recorded.
        findings: what judges found out about this attempt, by measure.
        run: what all cases of the run share.
        repeat: which repetition of the case it is.

    Returns:
        A case in which whatever the record lacks is named under ``missing``.
    """
    output = trace.output if trace is not None else None
    if trace is None or output is None or trace.status is not TraceStatus.OK:
        return _without_output(case, trace, run, repeat)
    return _Builder(Row(case, trace, output), run, repeat).built(findings)


def _without_output(case: Case, trace: Trace | None, run: RunMaterial, repeat: int) -> EvidenceCase:
    language = words.language_of(case)
    why = None if trace is None or trace.error is None else f"{trace.error.kind}: {trace.error.message}".strip()
    missing = words.NO_TRACE if trace is None else words.NO_ANSWER
    return EvidenceCase(
        case_id=case.case_id,
        query_id=case.case_id,
        answer_id=run.names.answer(case.case_id, repeat),
        repeat=repeat,
        question=case.question,
        language=case.language,
        collection=run.collection,
        known_gaps=case.known_gaps or (),
        failure_note=why or (None if trace is None else trace.status.value),
        missing=(missing.in_language(language),),
    )


@dataclass(frozen=True, slots=True)
class _Proposed:
    """The claims of an answer, who proposes something on them, and what is missing of that."""

    claims: Sequence[AnswerClaim]
    decider: Decider | None
    missing: tuple[Sentence, ...] = ()
    unplaced: tuple[ClaimFinding, ...] = ()
    """What was found on claims that have no row, since their place in the answer is not known."""


class _Builder:
    """Builds one case whose attempt ended well."""

    def __init__(self, row: Row, run: RunMaterial, repeat: int) -> None:
        self.row, self.run, self.repeat = row, run, repeat
        self.case: Case = row.case
        self.output: Output = row.output
        self.language = words.language_of(row.case)
        self.finder = QuoteFinder()
        self.answer = row.output.answer or ""
        self.answer_digest = digest_of_text(self.answer)
        self.returned = ReturnedPassages(row.output, run.sources)
        self.passages = self.returned.evidence
        self.by_id: dict[str, EvidencePassage] = {each.passage_id: each for each in self.passages}
        self.final = tuple(dict.fromkeys(each.passage_id for each in row.output.final_passages()))

    def built(self, findings: Mapping[str, Finding]) -> EvidenceCase:
        case, output = self.case, self.output
        cited = cited_answer(output)
        proposed = self._proposed(cited, findings)
        expected = self.returned.expected(case)
        record = CaseRecord(
            lost=lost_evidence(expected),
            returned=self.returned.holding(case),
            has_gap=bool(case.known_gaps) or case.expected_behaviour is ExpectedBehaviour.ABSTAIN,
        )
        rows = tuple(self._rows(proposed, cited, record))
        has_answer = output.answer is not None
        return EvidenceCase(
            case_id=case.case_id,
            query_id=case.case_id,
            answer_id=self.run.names.answer(case.case_id, self.repeat),
            repeat=self.repeat,
            question=case.question,
            language=case.language,
            collection=self.run.collection,
            filters=output.filters,
            passages=self.passages,
            answer=output.answer,
            answer_digest=self.answer_digest if has_answer else None,
            expected=expected,
            known_gaps=case.known_gaps or (),
            honest_failure=honest_failure_of(case, output, self._verdicts(proposed)),
            claims=rows,
            observations=observations_on_case(record),
            missing=tuple(self._bounded(each) for each in (*self._missing(cited), *proposed.missing)),
        )

    def _proposed(self, cited: CitedAnswer, findings: Mapping[str, Finding]) -> _Proposed:
        if not self.answer.strip():
            return _Proposed((), None)
        judged = judged_claims(self.row, findings)
        if isinstance(judged, JudgedClaims):
            placed = place_claims(self.answer, cited, judged.claims)
            missing = tuple(words.not_placed(each.claim) for each in placed.unplaced)
            return _Proposed(placed.claims, judged.decider, missing, placed.unplaced)
        claims = claims_by_sentence(self.answer, cited)
        return _Proposed(claims, None, _why_nobody(judged) if claims else ())

    def _verdicts(self, proposed: _Proposed) -> list[Support]:
        found = [*(claim.finding for claim in proposed.claims), *proposed.unplaced]
        return [each.support for each in found if each is not None and not names_a_gap(each.claim)]

    def _rows(self, proposed: _Proposed, cited: CitedAnswer, record: CaseRecord) -> Iterator[ClaimRow]:
        for number, claim in enumerate(proposed.claims, start=1):
            citations = citations_of(claim, cited)
            attached = cited_passages(citations)
            attribution = attribution_of(
                claim,
                citations,
                cited,
                were_recorded=self.output.citations is not None,
                language=self.language,
            )
            weighing = Weighing(
                passages=self.by_id,
                concerned=attached or self.final,
                language=self.language,
                finder=self.finder,
            )
            support = support_of(claim.finding, proposed.decider, weighing)
            quoted = tuple(name for name in quoted_passages(claim.finding) if name in self.by_id)
            row = RowRecord(
                attribution=attribution.verdict,
                support=None if support is None else support.verdict,
                found=None if claim.finding is None or _is_void(support) else claim.finding.support,
                cited=attached,
                quoted=quoted,
            )
            text = wording(self.answer, claim.spans)
            yield ClaimRow(
                case_id=self.case.case_id,
                answer_id=self.run.names.answer(self.case.case_id, self.repeat),
                claim_id=self.run.names.claim(self.case.case_id, self.repeat, number),
                repeat=self.repeat,
                text=text,
                spans=claim.spans,
                restated=_restated(claim.finding, text),
                answer_digest=self.answer_digest,
                citations=citations,
                passages=tuple(dict.fromkeys((*attached, *quoted))),
                attribution=attribution,
                support=support,
                observations=observations_on_row(row, record),
            )

    def _missing(self, cited: CitedAnswer) -> Iterator[Sentence]:
        output = self.output
        untold = [each.passage_id for each in self.passages if each.text is None]
        unversioned = list(dict.fromkeys(each.document_id for each in self.passages if each.document_version is None))
        for lacks, sentence in (
            (output.answer is None, words.NO_ANSWER),
            (output.citations is None and not cited.marks and bool(self.answer), words.NO_CITATIONS),
            (output.filters is None, words.NO_FILTERS),
            (output.delivered is None, words.NO_DELIVERY),
            (self.run.collection is None, words.NO_COLLECTION),
            (not self.run.sources.are_known, words.NO_INVENTORY),
            (self._expects_nothing(), words.NO_EXPECTATION),
        ):
            if lacks:
                yield sentence
        if untold:
            yield words.texts_missing(untold)
        if unversioned:
            yield words.versions_missing(unversioned)

    def _expects_nothing(self) -> bool:
        case = self.case
        return (
            case.expected_behaviour is not ExpectedBehaviour.ABSTAIN
            and not case.expected_passages
            and not case.known_gaps
        )

    def _bounded(self, sentence: Sentence) -> str:
        return sentence.in_language(self.language)[:MAX_MISSING_CHARS]


def _why_nobody(reason: Score | None) -> tuple[Sentence, ...]:
    if reason is None:
        return (words.NOBODY_JUDGED,)
    if reason.detail == STALE:
        return (words.JUDGED_OTHER_WORDS,)
    if reason.status is ScoreStatus.NO_CLAIMS:
        return ()
    return (words.judge_gave_none(reason.detail or reason.status.value),)


def _is_void(support: SupportDecision | None) -> bool:
    return support is None or support.verdict is SupportVerdict.NOT_ASSESSABLE


def _restated(finding: ClaimFinding | None, text: str) -> str | None:
    """The judge's sentence, where it is not the wording itself."""
    if finding is None or not finding.claim.strip() or finding.claim.strip() == text:
        return None
    return finding.claim
