"""How far the passages that a sentence cites carry it, by a judge: the evidence behind citation figures (A5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from beleg.core.findings import Quote, Support
from beleg.core.score import Score, ScoreStatus
from beleg.judges.engine import Asker, Judged
from beleg.judges.integrity import flags_of
from beleg.judges.measures.cited_sources import Asked, CitedSources, Source, Verdict, cited_sources
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.tasks.citations import CITATION_SUPPORT, CitationsToCheck, CitationVerdict, CitationVerdicts
from beleg.judges.together import asked_together
from beleg.metrics.batch import Row
from beleg.metrics.generation.citation_support import Carries, CitationSupport
from beleg.text.quotes import QuoteMatch, match_quote

PAIRS_PER_CALL = 20
CHARS_PER_CALL = 60_000
"""How much is put into one call at most; a single pair is never split."""


async def judge_citation_support(panel: Panel, docket: Docket, row: Row) -> Outcome:
    """Has every sentence held against every source that it cites, then against several of them together.

    A citation that names nothing is not judged: it stands in the evidence without a passage. An answer in which no
    citation names anything costs no call.
    """
    if panel.judge is None:
        return Outcome(without=Score.without(ScoreStatus.MISSING, "no judge is configured"))
    sources = cited_sources(row)
    if isinstance(sources, Score):
        return Outcome(without=sources)
    for step in (sources.alone, sources.joint, sources.without_one):
        failed = await _ask(panel.judge, docket, row, sources, step())
        if failed is not None:
            return Outcome(without=failed)
    return Outcome(evidence=CitationSupport(sentences=sources.findings()).to_json_dict())


async def _ask(judge: Asker, docket: Docket, row: Row, sources: CitedSources, asked: Sequence[Asked]) -> Score | None:
    """Has pairs judged and keeps the verdicts; the reason where a call gave none."""
    batches = list(_batches(sources, asked))
    replies = await asked_together(
        judge.ask(CITATION_SUPPORT, _question(sources, batch), language=row.case.language) for batch in batches
    )
    failed: Score | None = None
    for batch, judged in zip(batches, replies, strict=True):
        docket.note(judged.call)
        failed = failed or _keep(row, sources, batch, judged)
    return failed


def _keep(row: Row, sources: CitedSources, batch: Sequence[Asked], judged: Judged[CitationVerdicts]) -> Score | None:
    if judged.reply is None:
        return judged.score_without()
    names = _names(batch)
    by_pair = {(verdict.sentence_id, verdict.passage_id): verdict for verdict in judged.reply.verdicts}
    for number, source in batch:
        found = by_pair[str(number + 1), names[source]]
        quote = _quote(sources, source, found)
        sources.verdicts[number, source] = Verdict(
            support=Carries(found.support),
            quote=quote,
            rationale=found.reason,
            flags=_flags(sources.answer.sentences[number].text, found, quote, row.case.language),
        )
    return None


def _flags(sentence: str, found: CitationVerdict, quote: Quote | None, language: str | None) -> tuple[str, ...]:
    """What speaks against full support; the verdict itself stays as it is."""
    if found.support != "full" or quote is None:
        return ()
    return flags_of(sentence, Support.SUPPORTED, [quote.text], language=language)


def _quote(sources: CitedSources, source: Source, found: CitationVerdict) -> Quote | None:
    """The quoted words with the passage of the source in which they stand."""
    if found.quote is None or not found.quote.strip():
        return None
    for name in source:
        match = match_quote(sources.passages[name].text or "", found.quote)
        if match is not QuoteMatch.ABSENT:
            return Quote(passage_id=name, text=found.quote, match=match.value)
    return None


def _batches(sources: CitedSources, asked: Sequence[Asked]) -> Iterator[list[Asked]]:
    batch: list[Asked] = []
    held: set[Source] = set()
    chars = 0
    for one in asked:
        number, source = one
        size = len(sources.answer.sentences[number].text) + (0 if source in held else len(sources.text(source)))
        if batch and (len(batch) == PAIRS_PER_CALL or chars + size > CHARS_PER_CALL):
            yield batch
            batch, held, chars = [], set(), 0
            size = len(sources.answer.sentences[number].text) + len(sources.text(source))
        batch.append(one)
        held.add(source)
        chars += size
    if batch:
        yield batch


def _names(batch: Sequence[Asked]) -> dict[Source, str]:
    """The name of each source of a batch; ids of strangers never reach a judge."""
    return {source: f"p{place}" for place, source in enumerate(dict.fromkeys(source for _, source in batch), start=1)}


def _question(sources: CitedSources, batch: Sequence[Asked]) -> CitationsToCheck:
    names = _names(batch)
    numbers = dict.fromkeys(number for number, _ in batch)
    return CitationsToCheck(
        sentences=tuple((str(number + 1), sources.answer.sentences[number].text) for number in numbers),
        passages=tuple((name, sources.text(source)) for source, name in names.items()),
        pairs=tuple((str(number + 1), names[source]) for number, source in batch),
    )


def most_calls(row: Row) -> int:
    """How many calls a row takes at most."""
    sources = cited_sources(row)
    if isinstance(sources, Score):
        return 0
    alone, joint = (sum(1 for _ in _batches(sources, asked)) for asked in (sources.alone(), sources.joint()))
    return alone + joint + sources.most_without_one()


CITATION_SUPPORT_MEASURE = JudgedMeasure(
    name="citation_support",
    version="1",
    needs=frozenset({"judge"}),
    judge=judge_citation_support,
    calls=most_calls,
)
