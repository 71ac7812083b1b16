"""References that lead to the words, and headings that were kept."""

from __future__ import annotations

import pytest

from beleg.core.score import ScoreStatus
from beleg.metrics.ingestion.provenance import (
    Ancestry,
    Attribution,
    Reference,
    Source,
    attribution,
    attributions,
    hierarchy_kept,
)

SOURCES = {
    "d": Source(
        text="Fee one.\n\nFee two. Fee\nthree.",
        pages=((0, 19), (19, 31)),
        anchors={"fees": (0, 31), "none": (0, 0)},
    )
}


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        (Reference(text="Fee two.", document_id="d", start=10), Attribution.VERIFIED),
        (Reference(text="Fee two.", document_id="d", start=9), Attribution.WRONG),
        (Reference(text="Fee two.", document_id="d", start=-9), Attribution.WRONG),
        (Reference(text="Fee two.", document_id="d", page=1), Attribution.VERIFIED),
        (Reference(text="Fee two.", document_id="d", page=2), Attribution.WRONG),
        (Reference(text="Fee two.", document_id="d", page=0), Attribution.WRONG),
        (Reference(text="Fee two.", document_id="d", page=3), Attribution.WRONG),
        # A chunk begins on one page and ends on the next; spaces may be others.
        (Reference(text="two. Fee three.", document_id="d", page=1), Attribution.VERIFIED),
        (Reference(text="Fee two.", document_id="d", anchor="fees"), Attribution.VERIFIED),
        (Reference(text="Fee two.", document_id="d", anchor="elsewhere"), Attribution.WRONG),
        # One false place among several makes it false.
        (Reference(text="Fee two.", document_id="d", start=10, page=2), Attribution.WRONG),
        (Reference(text=" ", document_id="d", start=8), Attribution.WRONG),
        (Reference(text="Fee two.", document_id="d"), Attribution.UNPLACED),
        (Reference(text="Fee two.", document_id="x", page=1), Attribution.UNKNOWN_DOCUMENT),
        (Reference(text="Fee two.", page=1), Attribution.NONE),
    ],
)
def test_a_reference_is_followed_to_the_words(reference: Reference, expected: Attribution) -> None:
    assert attribution(reference, SOURCES) is expected


def test_only_verified_references_count() -> None:
    references = [Reference(text="Fee one.", document_id="d", start=0), Reference(text="Fee one.", document_id="d")]
    told = attributions(references, SOURCES)
    assert told.counts == {Attribution.VERIFIED: 1, Attribution.UNPLACED: 1}
    assert told.fidelity().value == 0.5
    assert attributions([], SOURCES).fidelity().status is ScoreStatus.NOT_APPLICABLE


GOLD = Ancestry(document_id="d", path=("Policy", "Fees", "Late"))


@pytest.mark.parametrize(
    ("kept", "document", "parent", "path", "prefix"),
    [
        (GOLD, 1, 1, 1, 1),
        (Ancestry(document_id="d", path=("Policy", "Fees ", " Late")), 1, 1, 1, 1),
        (Ancestry(document_id="d", path=("Policy", "Late")), 1, 1, 0, 1 / 3),
        (Ancestry(document_id="d", path=("Policy", "Fees")), 1, 0, 0, 2 / 3),
        (Ancestry(document_id="d", path=("Policy", "Fees", "Late", "More")), 1, 0, 0, 3 / 4),
        (Ancestry(document_id="d"), 1, 0, 0, 0),
        (Ancestry(document_id="e", path=GOLD.path), 0, 0, 0, 0),
        (Ancestry(document_id=None, path=GOLD.path), 0, 0, 0, 0),
    ],
)
def test_each_share_tells_what_was_kept(
    kept: Ancestry, document: float, parent: float, path: float, prefix: float
) -> None:
    told = hierarchy_kept([GOLD], [kept])
    assert (told.document.value, told.parent.value, told.path.value) == (document, parent, path)
    assert told.prefix.value == pytest.approx(prefix)


def test_above_the_first_heading_there_is_nothing_to_lose() -> None:
    top = Ancestry(document_id="d")
    assert hierarchy_kept([top], [top]).prefix.value == 1
    assert hierarchy_kept([], []).path.status is ScoreStatus.NOT_APPLICABLE
    with pytest.raises(ValueError, match="shorter"):
        hierarchy_kept([top], [])
