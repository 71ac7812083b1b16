"""The answer in one sentence, for every reason, in both languages."""

from __future__ import annotations

from datetime import timedelta

import pytest

from beleg.release.admission_words import duration, headline
from support.release_vectors import answer, names


@pytest.mark.parametrize("name", names())
def test_every_answer_begins_with_its_verdict_in_both_languages(name: str) -> None:
    admission = answer(name).admission
    said = headline(admission)
    for text in (said.en, said.de):
        assert text.startswith("ALLOW" if admission.admitted else "DENY: ")
        assert not text.endswith((".", " "))
    assert said.en != said.de


@pytest.mark.parametrize(
    ("name", "en", "de"),
    [
        ("pass", "ALLOW: the gate said PASS for this candidate in production; it counts for 45 hours more",
         "ALLOW: das Urteil lautet PASS für diesen Kandidaten in production; es gilt noch 45 Stunden"),
        ("override_ok", "ALLOW by override: the gate said BLOCK, and Ada answers for the exception in production; "
         "it counts for 22 hours more",
         "ALLOW durch Ausnahme: das Urteil lautet BLOCK, Ada verantwortet die Ausnahme in production; "
         "es gilt noch 22 Stunden"),
        ("expired", "DENY: the decision expired 60 minutes ago",
         "DENY: die Entscheidung ist vor 60 Minuten abgelaufen"),
        ("too_old", "DENY: the decision was made 3 days ago, which is more than the trust file allows",
         "DENY: die Entscheidung fiel vor 3 Tagen, und das ist mehr, als die Vertrauensdatei erlaubt"),
        ("not_yet", "DENY: the decision counts only in 60 minutes; check the clocks if that is not meant",
         "DENY: die Entscheidung gilt erst in 60 Minuten; die Uhren prüfen, falls das nicht gemeint ist"),
        ("block", "DENY: the gate said BLOCK, and nothing overrides it",
         "DENY: das Urteil lautet BLOCK, ohne Ausnahme"),
        ("override_expired", "DENY: the gate said BLOCK, and the override has expired",
         "DENY: das Urteil lautet BLOCK, und die Ausnahme ist abgelaufen"),
        ("nothing_left", "DENY: no decision on this candidate was found",
         "DENY: zu diesem Kandidaten wurde keine Entscheidung gefunden"),
    ],
)  # fmt: skip
def test_the_sentence_says_what_is_the_matter(name: str, en: str, de: str) -> None:
    said = headline(answer(name).admission)
    assert (said.en, said.de) == (en, de)


@pytest.mark.parametrize(
    ("length", "en"),
    [
        (timedelta(seconds=0), "0 seconds"), (timedelta(seconds=1), "1 second"), (timedelta(seconds=60), "1 minute"),
        (timedelta(minutes=119), "119 minutes"), (timedelta(hours=2), "2 hours"), (timedelta(hours=47), "47 hours"),
        (timedelta(days=2), "2 days"), (timedelta(seconds=-5), "0 seconds"),
    ],
)  # fmt: skip
def test_a_length_is_said_in_a_unit_that_tells_it_apart(length: timedelta, en: str) -> None:
    assert duration(length)[0] == en
