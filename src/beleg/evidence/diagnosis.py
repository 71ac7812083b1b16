"""Bounded diagnosis: what the visible record shows, and what to look at next; never a cause (E4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from beleg.core.decision import Sentence
from beleg.core.evidence import (
    AttributionVerdict,
    ExpectedEvidence,
    Observation,
    ObservationCode,
    SupportVerdict,
)
from beleg.core.findings import Support


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The sentences of an observation."""

    record: Sentence
    """What stands in the visible record."""
    observation: Sentence
    """What follows from it, and no more."""
    next_check: Sentence
    """What a person may look at next; a possible check, no proven cause."""


DIAGNOSES: dict[ObservationCode, Diagnosis] = {
    ObservationCode.EXPECTED_PASSAGE_NOT_RETRIEVED: Diagnosis(
        record=Sentence(
            en="An expected passage is not among the retrieved ones.",
            de="Eine erwartete Passage fehlt in den Retrieval-Ergebnissen.",
        ),
        observation=Sentence(
            en="The evidence that is needed was not visible to the answer stage in this run.",
            de="Der nötige Nachweis war der Antwortstufe in diesem Lauf nicht sichtbar.",
        ),
        next_check=Sentence(
            en="Check membership in the collection, index version, query, filters and result depth.",
            de="Sammlungsmitgliedschaft, Indexversion, Anfrage, Filter und Ergebnistiefe prüfen.",
        ),
    ),
    ObservationCode.QUALIFICATION_OMITTED: Diagnosis(
        record=Sentence(
            en="An expected passage was retrieved, and the answer carries it only in part.",
            de="Eine erwartete Passage wurde abgerufen, die Antwort gibt sie nur zum Teil wieder.",
        ),
        observation=Sentence(
            en="The answer does not keep a limit that is visible.",
            de="Die Antwort bewahrt eine sichtbare Einschränkung nicht.",
        ),
        next_check=Sentence(
            en="Check the instructions of the generator and the stored trace of the answer.",
            de="Generierungsanweisungen und gespeicherten Antworttrace prüfen.",
        ),
    ),
    ObservationCode.CITATION_CONTRADICTS: Diagnosis(
        record=Sentence(
            en="A citation points to a passage that does not carry the claim.",
            de="Ein Zitat verweist auf eine Passage, die die Aussage nicht trägt.",
        ),
        observation=Sentence(
            en="That a citation is attached proves no support.",
            de="Die Zitatzuordnung belegt keine Unterstützung.",
        ),
        next_check=Sentence(
            en="Check the choice of citations and the assignment of claims to passages.",
            de="Zitatwahl und Aussage-Passage-Zuordnung prüfen.",
        ),
    ),
    ObservationCode.SUPPORT_WITHOUT_CITATION: Diagnosis(
        record=Sentence(
            en="A passage that carries the claim was retrieved, and no citation is shown.",
            de="Eine stützende Passage wurde abgerufen, aber kein Zitat erscheint.",
        ),
        observation=Sentence(
            en="Support is visible in the case; the display of its source is missing.",
            de="Im Fall liegt sichtbare Unterstützung vor, die Quellenanzeige fehlt.",
        ),
        next_check=Sentence(
            en="Check how citations are rendered and the stored citation data.",
            de="Zitatrendering und gespeicherte Zitatdaten prüfen.",
        ),
    ),
    ObservationCode.LOCATOR_DRIFT: Diagnosis(
        record=Sentence(
            en="The locator of a passage finds other text than was captured.",
            de="Der Locator einer Passage liefert anderen Text als erfasst.",
        ),
        observation=Sentence(
            en="The source has drifted; a like-for-like comparison is not possible.",
            de="Quellendrift verhindert einen gleichartigen Vergleich.",
        ),
        next_check=Sentence(
            en="Restore the captured version of the source, or mark the comparison as not comparable.",
            de="Erfasste Quellversion wiederherstellen oder den Vergleich als nicht vergleichbar markieren.",
        ),
    ),
    ObservationCode.FACT_NOT_IN_COLLECTION: Diagnosis(
        record=Sentence(
            en="The collection does not hold the fact that was asked for.",
            de="Die Sammlung enthält den angefragten Fakt nicht.",
        ),
        observation=Sentence(
            en="The bounded set of sources cannot carry an answer.",
            de="Der begrenzte Quellensatz kann keine Antwort stützen.",
        ),
        next_check=Sentence(
            en="Expect an honest failure or a clearly bounded answer.",
            de="Einen ehrlichen Fehlschlag oder eine klar begrenzte Antwort erwarten.",
        ),
    ),
}
"""The matrix, row by row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowRecord:
    """What the record shows of one claim."""

    attribution: AttributionVerdict
    support: SupportVerdict | None
    found: Support | None
    """The finer verdict of the judge."""
    cited: tuple[str, ...]
    quoted: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRecord:
    """What the record shows of a case as a whole."""

    lost: tuple[str, ...]
    """Names of required evidence that no returned passage holds."""
    returned: frozenset[str]
    """Returned passages that hold expected evidence."""
    has_gap: bool
    """Whether the collection is known not to answer something of the question."""


def observations_on_case(record: CaseRecord) -> tuple[Observation, ...]:
    """What is seen of the case as a whole, before any claim is looked at."""
    found = []
    if record.lost:
        found.append(Observation(code=ObservationCode.EXPECTED_PASSAGE_NOT_RETRIEVED, subjects=record.lost))
    if record.has_gap:
        found.append(Observation(code=ObservationCode.FACT_NOT_IN_COLLECTION))
    return tuple(found)


def observations_on_row(row: RowRecord, case: CaseRecord) -> tuple[Observation, ...]:
    """What is seen of one claim, by the rows of the matrix.

    Where nobody judged, only what needs no verdict is seen. No observation is a cause, and none follows from the
    absence of a record.

    Example:
        >>> row = RowRecord(
        ...     attribution=AttributionVerdict.MISSING, support=SupportVerdict.SUPPORTED, found=Support.SUPPORTED,
        ...     cited=(), quoted=("p1",),
        ... )
        >>> case = CaseRecord(lost=(), returned=frozenset(), has_gap=False)
        >>> [seen.code.value for seen in observations_on_row(row, case)]
        ['support_without_citation']
    """
    found: list[Observation] = []
    is_carried = row.support in (SupportVerdict.SUPPORTED, SupportVerdict.PARTIALLY_SUPPORTED)
    is_uncarried = row.support is SupportVerdict.NOT_SUPPORTED
    if is_uncarried and row.found is Support.NOT_IN_CONTEXT and case.lost:
        found.append(Observation(code=ObservationCode.EXPECTED_PASSAGE_NOT_RETRIEVED, subjects=case.lost))
    concerned = tuple(name for name in (*row.quoted, *row.cited) if name in case.returned)
    if row.support is SupportVerdict.PARTIALLY_SUPPORTED and concerned:
        subjects = tuple(dict.fromkeys(concerned))
        found.append(Observation(code=ObservationCode.QUALIFICATION_OMITTED, subjects=subjects))
    if is_uncarried and row.attribution is AttributionVerdict.ATTACHED:
        found.append(Observation(code=ObservationCode.CITATION_CONTRADICTS, subjects=row.cited))
    if is_carried and row.attribution is AttributionVerdict.MISSING:
        found.append(Observation(code=ObservationCode.SUPPORT_WITHOUT_CITATION, subjects=row.quoted))
    if is_uncarried and row.found is Support.NOT_IN_CONTEXT and case.has_gap:
        found.append(Observation(code=ObservationCode.FACT_NOT_IN_COLLECTION))
    return tuple(found)


def lost_evidence(expected: Sequence[ExpectedEvidence]) -> tuple[str, ...]:
    """The names of required evidence that no returned passage holds; alternatives of one label are one piece.

    What may have been returned in a text that was not recorded is not called lost.
    """
    groups: dict[tuple[str, str], list[ExpectedEvidence]] = {}
    for number, piece in enumerate(expected):
        key = ("any_of", piece.any_of) if piece.any_of is not None else ("single", str(number))
        groups.setdefault(key, []).append(piece)
    lost = (
        group
        for group in groups.values()
        if any(piece.required for piece in group) and all(piece.returned is False for piece in group)
    )
    return tuple(dict.fromkeys(name for group in lost for name in _names(group)))


def _names(group: Iterable[ExpectedEvidence]) -> list[str]:
    return [name for piece in group if (name := piece.passage_id or piece.document_id) is not None]
