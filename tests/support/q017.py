"""The worked example Q-017: a shop of nobody, an answer that is wrong on purpose, and what a judge would find in it."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.case import Case, ExpectedBehaviour, ExpectedPassage
from beleg.core.evidence import EvidenceCase
from beleg.core.findings import ClaimFinding, Finding, Quote, Support
from beleg.core.inventory import Inventory, InventoryDocument, InventoryPassage
from beleg.core.judging import JudgeSpec
from beleg.core.trace import Output, Passage, Trace, TraceStatus
from beleg.evidence.naming import SheetNames
from beleg.evidence.passages import Sources
from beleg.evidence.sheet import RunMaterial, case_of
from beleg.metrics.batch import Row
from beleg.metrics.findings import subject_digest
from beleg.metrics.generation.claims import ClaimSupport

QUESTION = "Kann ich einen Final-Sale-Artikel nach 30 Tagen zurückgeben, und wann beginnt die Erstattungsbearbeitung?"
RETURNS = (
    "Direkt im Beispielshop gekaufte Artikel können innerhalb von 30 Kalendertagen nach Lieferung zurückgegeben "
    "werden. Final-Sale-Artikel sind ausgeschlossen."
)
REFUNDS = "Die Erstattungsbearbeitung beginnt, nachdem der zurückgegebene Artikel das Lager erreicht hat."
ANSWER = (
    "Sie können jeden Artikel innerhalb von 30 Tagen zurückgeben, einschließlich Final-Sale-Artikeln.[D-01] "
    "Ihre Erstattung beginnt mit dem Absenden des Antrags.[D-02] "
    "Sie ist normalerweise innerhalb von fünf Tagen abgeschlossen."
)
BOUNDED_ANSWER = (
    "Die verfügbaren Quellen sagen, dass die Bearbeitung nach Eingang des zurückgegebenen Artikels im Lager beginnt, "
    "nennen aber keine Abschlussdauer.[D-02]"
)
GAP = "Wie lange die Bearbeitung der Erstattung dauert."
JUDGE = JudgeSpec(provider="openai", model="judge-1")

PASSAGES = (
    Passage(
        passage_id="p04",
        document_id="D-01",
        version="returns-v4",
        text=RETURNS,
        metadata={"url": "https://shop.example/returns#p04"},
    ),
    Passage(passage_id="p07", document_id="D-02", version="refunds-v2", text=REFUNDS),
)

CLAIMS = (
    ClaimFinding(
        claim_id="1",
        claim="Jeder Artikel kann zurückgegeben werden, einschließlich Final Sale.",
        support=Support.CONTRADICTED,
        quotes=(Quote(passage_id="p04", text="Final-Sale-Artikel sind ausgeschlossen.", match="exact"),),
        rationale="Die Passage schließt Final-Sale-Artikel ausdrücklich aus und stützt deshalb „jeden Artikel“ nicht.",
    ),
    ClaimFinding(
        claim_id="2",
        claim="Das Rückgabefenster beträgt 30 Tage.",
        support=Support.PARTIALLY_SUPPORTED,
        quotes=(Quote(passage_id="p04", text="innerhalb von 30 Kalendertagen nach Lieferung", match="exact"),),
        rationale="Das Zeitfenster steht in der Passage; die Antwort lässt Direktkauf- und Final-Sale-Grenzen aus.",
    ),
    ClaimFinding(
        claim_id="3",
        claim="Die Erstattung beginnt beim Absenden des Antrags.",
        support=Support.CONTRADICTED,
        quotes=(Quote(passage_id="p07", text="das Lager erreicht hat", match="exact"),),
        rationale="Die Antwort nennt das Absenden; die Passage den Lagereingang.",
    ),
    ClaimFinding(
        claim_id="4",
        claim="Die Bearbeitung endet normalerweise in fünf Tagen.",
        support=Support.NOT_IN_CONTEXT,
        rationale="Der sichtbare Nachweis enthält keine Dauer.",
    ),
)
BOUNDED_CLAIMS = (
    ClaimFinding(
        claim_id="1",
        claim="Die Bearbeitung beginnt nach Eingang des zurückgegebenen Artikels im Lager.",
        support=Support.SUPPORTED,
        quotes=(Quote(passage_id="p07", text=REFUNDS, match="exact"),),
        rationale="Die Passage nennt den Eingang im Lager als Beginn der Bearbeitung.",
    ),
    ClaimFinding(
        claim_id="2",
        claim="Die verfügbaren Quellen nennen keine Abschlussdauer.",
        support=Support.NOT_IN_CONTEXT,
        rationale="Keine Passage spricht von einer Dauer.",
    ),
)


def golden(**fields: object) -> Case:
    """The case with its expected evidence and its known gap."""
    given: dict[str, object] = {
        "case_id": "Q-017",
        "user_input": QUESTION,
        "language": "de",
        "expected_behaviour": ExpectedBehaviour.PARTIAL,
        "expected_passages": (
            ExpectedPassage(document_id="D-01", quote="Final-Sale-Artikel sind ausgeschlossen."),
            ExpectedPassage(document_id="D-02", quote=REFUNDS),
        ),
        "known_gaps": (GAP,),
    }
    return Case.model_validate(given | fields)


def output(answer: str | None = ANSWER, **fields: object) -> Output:
    """What the candidate returned; the marks of the answer tell what it cites."""
    given: dict[str, object] = {
        "filters": (),
        "retrieved": PASSAGES,
        "delivered": PASSAGES,
        "answer": answer,
        "model_answered": "writer-1",
    }
    return Output.model_validate(given | fields)


def traced(returned: Output, *, case_id: str = "Q-017") -> Trace:
    """A trace that ended well."""
    return Trace(case_id=case_id, status=TraceStatus.OK, output=returned)


def judged(case: Case, trace: Trace, claims: Sequence[ClaimFinding], **fields: object) -> Finding:
    """What a judge found about these very words."""
    assert trace.output is not None
    given: dict[str, object] = {
        "case_id": case.case_id,
        "repeat": trace.repeat,
        "measure": "claim_support",
        "measure_version": "1",
        "evidence": ClaimSupport(claims=tuple(claims)).to_json_dict(),
        "subject_digest": subject_digest(Row(case, trace, trace.output)),
        "judge": JUDGE,
    }
    return Finding.model_validate(given | fields)


def inventory() -> Inventory:
    """The two sources with their passages."""
    return Inventory(
        documents=(
            InventoryDocument(document_id="D-01", text=f"Rückgabe\n\n{RETURNS}", version="returns-v4"),
            InventoryDocument(document_id="D-02", text=f"Erstattung\n\n{REFUNDS}", version="refunds-v2"),
        ),
        passages=(
            InventoryPassage(passage_id="p04", document_id="D-01", text=RETURNS),
            InventoryPassage(passage_id="p07", document_id="D-02", text=REFUNDS),
        ),
    )


def material(*case_ids: str, known: bool = True) -> RunMaterial:
    """What a run of these cases shares."""
    return RunMaterial(
        names=SheetNames.of(case_ids or ("Q-017",), repeats=1),
        collection="shop-2026-08",
        sources=Sources(inventory() if known else None),
    )


def evidence(
    claims: Sequence[ClaimFinding] | None = CLAIMS, *, case: Case | None = None, returned: Output | None = None
) -> EvidenceCase:
    """The evidence case, judged as the example has it, or as told; ``None`` for claims leaves it unjudged."""
    asked, trace = case or golden(), traced(returned or output())
    found = {} if claims is None else {"claim_support": judged(asked, trace, claims)}
    return case_of(asked, trace, found, material())
