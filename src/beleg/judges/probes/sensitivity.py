"""Sensitivity: a claim that was supported loses its support when the passages say another number (J5)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from beleg.core.findings import ClaimFinding, Support
from beleg.core.score import Score
from beleg.judges.measures.claim_support import judge_claim_support, verify_claims
from beleg.judges.panel import Docket, Panel
from beleg.judges.probes.probe import Probe, outside
from beleg.judges.probes.report import ProbeItem
from beleg.judges.tasks.checking import Labelled, numbered
from beleg.metrics.batch import Row
from beleg.metrics.generation.claims import ClaimSupport

_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w]|[.,]\d)")
_TURNED = str.maketrans("0123456789", "1234567891")


def shared_numbers(claim: str, quotes: Sequence[str]) -> tuple[str, ...]:
    """The numbers that stand in a claim and in the words quoted for it.

    Example:
        >>> shared_numbers("Es sind 14 Tage.", ["innerhalb von 14 Tagen ab 2024"])
        ('14',)
    """
    quoted = {number for quote in quotes for number in _NUMBER.findall(quote)}
    return tuple(dict.fromkeys(number for number in _NUMBER.findall(claim) if number in quoted))


def with_other_numbers(text: str, numbers: Sequence[str]) -> str:
    """The text with each of these numbers replaced by another one of the same form, wherever it stands whole.

    Example:
        >>> with_other_numbers("14 Tage, 140 Tage, 4,90 €", ["14", "4,90"])
        '25 Tage, 140 Tage, 5,11 €'
    """
    return _NUMBER.sub(lambda found: _turned(found.group()) if found.group() in numbers else found.group(), text)


def _turned(number: str) -> str:
    """Every digit as another one, a leading digit never as 0 and no digit as itself."""
    return number.translate(_TURNED)


async def _probe(panel: Panel, docket: Docket, row: Row) -> ProbeItem:
    """Changes the numbers of the supported claims in all passages, and asks about those claims again."""
    base = await judge_claim_support(panel, docket, row)
    if base.without is not None or panel.judge is None:
        return ProbeItem(case_id=row.case.case_id, without=base.without)
    found = ClaimSupport.model_validate(base.evidence, strict=False)
    chosen = [claim for claim in found.claims if _numbers_of(claim)]
    if not chosen:
        return outside(row, "no supported claim shares a number with its quote")
    numbers = [number for claim in chosen for number in _numbers_of(claim)]
    passages: Labelled = numbered(
        with_other_numbers(passage.text or "", numbers) for passage in row.output.final_passages()
    )
    claims = numbered(claim.claim for claim in chosen)
    verdicts = await verify_claims(panel.judge, docket, claims, passages, language=row.case.language)
    if isinstance(verdicts, Score):
        return ProbeItem(case_id=row.case.case_id, without=verdicts)
    kept = sum(verdict.verdict == "supported" for verdict in verdicts)
    return ProbeItem(
        case_id=row.case.case_id, happened=kept > 0, counts={"claims": len(chosen), "claims_still_supported": kept}
    )


def _numbers_of(claim: ClaimFinding) -> tuple[str, ...]:
    if claim.support is not Support.SUPPORTED:
        return ()
    return shared_numbers(claim.claim, [quote.text for quote in claim.quotes])


SENSITIVITY = Probe(
    name="sensitivity",
    asks="answers of which a claim stayed supported although its number was changed in all passages",
    asks_de="Antworten mit einer Aussage, die gestützt blieb, obwohl ihre Zahl in allen Passagen geändert war",
    changed=(
        "numbers of supported claims are others in all passages",
        "Zahlen gestützter Aussagen sind in allen Passagen andere",
    ),
    probe=_probe,
    calls=lambda _row: 3,
)
