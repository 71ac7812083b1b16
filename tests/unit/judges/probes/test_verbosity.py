from __future__ import annotations

import asyncio

import pytest

from beleg.core.probes import ProbeReport
from beleg.judges.probes.probe import Probe, run_probe
from beleg.judges.probes.verbosity import EXPANSION, TRUNCATION, expanded, truncated
from beleg.metrics.batch import Row
from support.ruled_judges import Preferrer, ruled_panel
from unit.judges.probes.rows import row_of


def probed(probe: Probe, prefer: Preferrer, row: Row | None = None) -> ProbeReport:
    return asyncio.run(run_probe(probe, ruled_panel(prefer=prefer), [row or row_of()], ["c"]))


def longer(first: str, second: str) -> str:
    return "A" if len(first) > len(second) else "B"


def shorter(first: str, second: str) -> str:
    return "B" if len(first) > len(second) else "A"


@pytest.mark.parametrize(
    ("probe", "prefer", "events", "counts"),
    [
        (EXPANSION, longer, 1, {"changed_preferred": 1}),
        (EXPANSION, shorter, 0, {"original_preferred": 1}),
        (EXPANSION, lambda _first, _second: "tie", 0, {"tied": 1}),
        (EXPANSION, lambda _first, _second: "A", 0, {"position_dependent": 1}),
        (TRUNCATION, shorter, 1, {"changed_preferred": 1}),
        (TRUNCATION, longer, 0, {"original_preferred": 1}),
    ],
)
def test_a_judge_that_counts_words_is_found_out(
    probe: Probe, prefer: Preferrer, events: int, counts: dict[str, int]
) -> None:
    found = probed(probe, prefer)
    assert (found.n, found.events, found.counts) == (1, events, counts)


@pytest.mark.parametrize("language", ["de", "en", None])
def test_padding_is_in_the_language_of_the_row_and_holds_no_fact(language: str | None) -> None:
    text = expanded("42", language)
    assert text.count("42") == 1
    assert not any(character.isdigit() for character in text.replace("42", ""))
    assert ("Frage" in text) == (language == "de")


def test_truncation_drops_the_last_sentence() -> None:
    assert truncated("One. Two. Three.") == "One. Two."
    assert truncated("One.") is None
    assert probed(TRUNCATION, longer, row_of("One.")).missing == {"not_applicable": 1}


@pytest.mark.parametrize(("answer", "reason"), [(None, "missing"), (" ", "invalid")])
def test_a_row_without_an_answer_keeps_its_reason(answer: str | None, reason: str) -> None:
    for probe in (EXPANSION, TRUNCATION):
        assert probed(probe, longer, row_of(answer)).missing == {reason: 1}
