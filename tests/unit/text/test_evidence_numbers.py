from __future__ import annotations

import pytest

from beleg.text.facts import mismatches


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("It takes 14 days.", "It takes two weeks."),
        ("It takes 14 days.", "10 to 14 to be sure"),
        ("Es kostet 4,90 €.", "Preis: EUR 4.90"),
        ("Seit 2019.", "am 5. Mai 2019"),
        ("about 100 users", "98 users"),
        ("76% of them", "76.3 % of them"),
        ("3.7 million people", "3,712,345 people"),
        ("in the 1990s", "in 1994"),
        ("in the 19th century", "in 1850"),
        ("There are three reasons.", "First this, then that, then more."),
        ("half of them", "nobody"),
        ("a first thing", "nothing"),
        ("On March 4, 2024", "am 04.03.2024"),
        ("in March 2024", "4. März 2024"),
        ("on March 4, 2024", "In 2024: on March 4"),
        ("on March 4", "4. März 2024"),
        ("03/04/2024", "April 3, 2024"),
    ],
)
def test_what_the_evidence_carries_gives_no_reason(claim: str, evidence: str) -> None:
    assert mismatches(claim, evidence, "en" if " " in claim and "€" not in claim else "de") == ()


@pytest.mark.parametrize(
    ("claim", "evidence", "reason"),
    [
        ("It takes 60 days.", "It takes 30 days.", "number: 60 days is not in the evidence"),
        ("It takes 30 hours.", "It takes 30 days.", "unit: 30 hours stands in the evidence with another unit"),
        ("about 100 users", "200 users", "number: 100 is not in the evidence"),
        ("three doctors", "two doctors", "number: three is not in the evidence"),
        ("on March 4, 2024", "on March 5, 2024", "date: March 4, 2024 is not in the evidence"),
        ("on March 4, 2024", "on March 4, 2023", "date: March 4, 2024 is not in the evidence"),
        ("on March 4", "in March", "date: March 4 is not in the evidence"),
        ("in the 1990s", "in 1985", "number: 1990s is not in the evidence"),
    ],
)
def test_what_the_evidence_lacks_is_named(claim: str, evidence: str, reason: str) -> None:
    assert mismatches(claim, evidence, "en") == (reason,)


def test_a_long_number_is_cut_in_its_reason() -> None:
    (reason,) = mismatches(f"{'1' * 40} {'x' * 300}", "nothing", "en")
    assert len(reason) < 140
