from __future__ import annotations

import pytest

from beleg.core.decision import Sentence
from beleg.core.policy import Aggregate
from beleg.gating import sentences
from beleg.gating.plan import PlannedCheck
from unit.gating.building import LOWER, bounds, planned

GRADED = planned("ndcg@10", pass_at=0.825, block_at=0.7, margin=0.025)
RATE = planned("hit@5", pass_at=0.825, block_at=0.7, margin=0.025)
CEILING = planned(LOWER, pass_at=0.025, block_at=0.05, margin=0.025)
SPEED = planned("latency_ms", aggregate=Aggregate.P95, pass_at=1_200, block_at=2_000, margin=150)
FIGURE = bounds(0.8731, 0.841, 0.902, n=1_200)
LOSS = bounds(-0.0123, -0.031, 0.0064, n=1_200)

BAND_VERDICTS = {"pass": "0.825", "block": "0.7", "between": "0.825", "unproven": "0.825", "few": "30",
                 "unscored": "0.825"}  # fmt: skip
"""For each verdict of a band the limit that its sentence must name."""

REGRESSION_VERDICTS = {"pass": "0.025", "block": "0.025", "unproven": "0.025", "few": "30", "unscored": "0.025"}
"""For each verdict of a comparison the limit that its sentence must name."""


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def both(sentence: Sentence) -> tuple[str, str]:
    return plain(sentence.en), plain(sentence.de)


def german(figure: str) -> str:
    return figure.replace(".", ",")


@pytest.mark.parametrize(("verdict", "limit"), BAND_VERDICTS.items())
def test_every_verdict_on_a_band_states_figure_certainty_number_and_limit(verdict: str, limit: str) -> None:
    english, deutsch = both(sentences.band(GRADED, FIGURE, verdict))
    assert english.startswith("nDCG@10: 0.873 [0.841, 0.902], n 1,200; ")
    assert deutsch.startswith("nDCG@10: 0,873 [0,841; 0,902], n 1.200; ")
    assert limit in english.partition("; ")[2]
    assert german(limit) in deutsch.partition("n 1.200; ")[2]


@pytest.mark.parametrize(("verdict", "limit"), REGRESSION_VERDICTS.items())
def test_every_verdict_on_a_comparison_states_difference_certainty_number_and_limit(verdict: str, limit: str) -> None:
    english, deutsch = both(sentences.regression(GRADED, LOSS, verdict))
    assert english.startswith("nDCG@10 against the baseline: −0.012 [−0.031, +0.006], n 1,200; ")
    assert deutsch.startswith("nDCG@10 gegenüber der Baseline: −0,012 [−0,031; +0,006], n 1.200; ")
    assert limit in english.partition("; ")[2]
    assert german(limit) in deutsch.partition("n 1.200; ")[2]


@pytest.mark.parametrize("verdicts", [BAND_VERDICTS, REGRESSION_VERDICTS])
def test_no_two_verdicts_read_the_same(verdicts: dict[str, str]) -> None:
    make = sentences.band if verdicts is BAND_VERDICTS else sentences.regression
    told = [make(GRADED, FIGURE, verdict) for verdict in verdicts]
    assert len({sentence.en for sentence in told}) == len({sentence.de for sentence in told}) == len(verdicts)


def test_a_verdict_that_nobody_gives_is_a_fault() -> None:
    with pytest.raises(KeyError):
        sentences.band(GRADED, FIGURE, "maybe")


def test_a_rate_is_read_per_cent_and_its_difference_in_points() -> None:
    assert both(sentences.band(RATE, FIGURE, "pass")) == (
        "Hit rate@5: 87.3 [84.1, 90.2] %, n 1,200; the bound clears 82.5 %",
        "Trefferquote@5: 87,3 [84,1; 90,2] %, n 1.200; die Schranke hält 82,5 % ein",
    )
    assert both(sentences.regression(RATE, LOSS, "unproven")) == (
        "Hit rate@5 against the baseline: −1.2 [−3.1, +0.6] points, n 1,200; a worsening of 2.5 points is not ruled "
        "out",
        "Trefferquote@5 gegenüber der Baseline: −1,2 [−3,1; +0,6] Punkte, n 1.200; eine Verschlechterung um 2,5 Punkte "
        "ist nicht ausgeschlossen",
    )


@pytest.mark.parametrize(
    ("check", "english", "deutsch"),
    [
        (
            GRADED,
            "PASS needs at least 0.825, BLOCK begins below 0.7",
            "PASS verlangt mindestens 0,825, BLOCK beginnt unter 0,7",
        ),
        (
            CEILING,
            "PASS needs at most 2.5 %, BLOCK begins above 5 %",
            "PASS verlangt höchstens 2,5 %, BLOCK beginnt über 5 %",
        ),
    ],
)
def test_floors_and_ceilings_are_told_apart(check: PlannedCheck, english: str, deutsch: str) -> None:
    told = both(sentences.band(check, FIGURE, "between"))
    assert told[0].endswith(english)
    assert told[1].endswith(deutsch)
    below, above = (both(sentences.band(each, FIGURE, "block"))[0] for each in (GRADED, CEILING))
    assert (below.endswith("below 0.7 blocks"), above.endswith("above 5 % blocks")) == (True, True)


def test_a_time_is_in_milliseconds_with_its_aggregate_and_an_open_bound() -> None:
    assert both(sentences.band(SPEED, bounds(1_104.4, 1_012.0, None, n=40), "unproven")) == (
        "Latency (p95): 1,104 [1,012, open] ms, n 40; the figure meets 1,200 ms, its bound does not",
        "Latenz (p95): 1.104 [1.012; offen] ms, n 40; der Wert erreicht 1.200 ms, seine Schranke nicht",
    )
    assert "a worsening of 150 ms is ruled out" in sentences.regression(SPEED, LOSS, "pass").en.replace("\u00a0", " ")


def test_cases_that_belong_together_are_counted_as_groups_too() -> None:
    grouped = bounds(0.8731, 0.841, 0.902, n=1_200, clusters=1_100)
    english, deutsch = both(sentences.band(RATE, grouped, "pass"))
    assert "n 1,200 in 1,100 groups;" in english
    assert "n 1.200 in 1.100 Gruppen;" in deutsch
    alone = bounds(0.8731, 0.841, 0.902, n=1_200, clusters=1_200)
    assert "groups" not in sentences.band(RATE, alone, "pass").en


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({}, "Hit rate@5"),
        ({"segment": "language=de"}, "Hit rate@5, language=de"),
        ({"aggregate": Aggregate.P50, "segment": "language=de"}, "Hit rate@5 (p50), language=de"),
    ],
)
def test_a_title_names_aggregate_and_segment_where_they_are_not_the_usual(
    fields: dict[str, object], title: str
) -> None:
    assert sentences.title(planned("hit@5", **fields), "en") == title


@pytest.mark.parametrize(
    ("unit", "english", "deutsch"),
    [
        ("cases", "about 1,500 cases in all would settle it if the figures stay as they are",
         "bei gleichbleibenden Werten würden insgesamt etwa 1.500 Fälle genügen"),
        ("groups", "about 1,500 groups in all would settle it if the figures stay as they are",
         "bei gleichbleibenden Werten würden insgesamt etwa 1.500 Gruppen genügen"),
    ],
)  # fmt: skip
def test_what_would_settle_it_is_added(unit: str, english: str, deutsch: str) -> None:
    told = sentences.needed(Sentence(en="Open", de="Offen"), 1_500, unit)
    assert (told.en, told.de) == (f"Open; {english}", f"Offen; {deutsch}")


def test_what_cannot_be_said_is_not_added() -> None:
    sentence = Sentence(en="Open", de="Offen")
    assert sentences.needed(sentence, None, "cases") is sentence


LEAK = planned("entitlement_leak")


@pytest.mark.parametrize(
    ("events", "affected", "unchecked", "english", "deutsch"),
    [
        (3, 2, 5, "3 in 2 of 40 cases; not one is allowed", "3 in 2 von 40 Fällen; erlaubt ist keiner"),
        (0, 0, 5, "none in 40 cases, but 5 cases could not be checked",
         "keiner in 40 Fällen, aber 5 Fälle ließen sich nicht prüfen"),
        (0, 0, 0, "none in 40 cases", "keiner in 40 Fällen"),
    ],
)  # fmt: skip
def test_a_count_that_must_be_nought_says_what_was_checked(
    events: int, affected: int, unchecked: int, english: str, deutsch: str
) -> None:
    told = sentences.zero_tolerance(LEAK, events, affected, 40, unchecked)
    assert told.en.endswith(f": {english}")
    assert told.de.endswith(f": {deutsch}")


def test_thin_coverage_says_how_many_are_there_and_how_many_are_wanted() -> None:
    assert both(sentences.coverage(RATE, 190, 200, 0.985)) == (
        "Hit rate@5: only 190 of 200 cases have a score (95.0 %; 98.5 % are required)",
        "Trefferquote@5: nur 190 von 200 Fällen haben einen Wert (95,0 %; nötig sind 98,5 %)",
    )


def test_the_absence_of_a_figure_says_why() -> None:
    detail = Sentence(en="no case has a score", de="kein Fall hat einen Wert")
    assert both(sentences.nothing_scored(RATE, detail)) == (
        "Hit rate@5: no case has a score",
        "Trefferquote@5: kein Fall hat einen Wert",
    )
