"""Sentences about judges: both languages, the figure, and what to do."""

from __future__ import annotations

import pytest

from beleg.core.decision import Sentence
from beleg.gating import trust_words as words
from support.calibrations import record, standing, task
from support.judge_models import spec

SENTENCES = [
    words.no_one_judge(None),
    words.no_one_judge(standing(unknown=2)),
    words.no_one_judge(standing(judges=(spec(), spec(seed=1)))),
    words.different_judges(standing(), None),
    words.different_judges(standing(), standing(spec(model="judge-2"))),
    words.never_calibrated(standing()),
    words.bound_to_no_judge(standing()),
    words.changed_judge(record(), standing(spec(model="judge-2"))),
    words.changed_measure(record(), standing(versions=("2",))),
    words.changed_threshold(record(), standing(thresholds=(0.7,))),
    words.changed_tasks(record(), [task("de")]),
    words.changed_tasks(record(), [task(prompt_digest="other")]),
    words.few_labels(10, 30),
    words.too_old(91, 90),
    words.passes_too_much(record().overall, 0.05),
    words.agrees_too_little(record().overall, 0.9),
    words.NOISE_UNKNOWN,
    words.FROM_THE_FUTURE,
]


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda sentence: sentence.en[:40])
def test_every_sentence_is_said_in_both_languages(sentence: Sentence) -> None:
    assert sentence.en != sentence.de
    assert not sentence.en.endswith(".")
    assert "None" not in sentence.en + sentence.de


def test_a_changed_judge_is_told_by_what_changed() -> None:
    now = standing(spec(model="judge-2", temperature=0.7))
    assert "(model judge-1 → judge-2, temperature 0.0 → 0.7)" in words.changed_judge(record(), now).en
    assert (
        "calibrated at another threshold (1 → 0.7)" in words.changed_threshold(record(), standing(thresholds=(0.7,))).en
    )
