"""Which sentences of the reference answer the delivered passages hold: the evidence of context recall (A2)."""

from __future__ import annotations

from beleg.judges.measures.hearing import Hearing, heard
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.tasks.checking import numbered
from beleg.judges.tasks.context import REFERENCE_ATTRIBUTION, ReferenceToAttribute
from beleg.metrics.generation.context_recall import ReferenceAttribution, ReferenceSentence
from beleg.text.sentences import sentences


async def _find(hearing: Hearing) -> ReferenceAttribution:
    split, passages = numbered(sentences(hearing.reference())), hearing.passages()
    if not split or not passages:
        return ReferenceAttribution(
            sentences=tuple(
                ReferenceSentence(sentence_id=name, sentence=text, attributed=False) for name, text in split
            )
        )
    asked = ReferenceToAttribute(question=hearing.question, sentences=split, passages=passages)
    by_id = {verdict.sentence_id: verdict for verdict in (await hearing.ask(REFERENCE_ATTRIBUTION, asked)).verdicts}
    return ReferenceAttribution(
        sentences=tuple(
            ReferenceSentence(
                sentence_id=name,
                sentence=text,
                attributed=by_id[name].attributed,
                quotes=hearing.quotes(by_id[name].passage_id, by_id[name].quote),
                reason=by_id[name].reason,
            )
            for name, text in split
        )
    )


REFERENCE_ATTRIBUTION_OF_CONTEXT = JudgedMeasure(
    name="reference_attribution",
    version="1",
    needs=frozenset({"judge"}),
    judge=heard(_find),
    calls=lambda row: 1,
)
