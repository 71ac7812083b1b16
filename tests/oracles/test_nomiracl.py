"""NoMIRACL's own replies of eleven models: verdicts, rates and the refusal detector."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from beleg.metrics.generation.answerability import Answerability, answerability_rates, read_answerability
from beleg.stats.intervals import clopper_pearson
from beleg.text.refusal import is_refusal

pytestmark = pytest.mark.shared_data

Replies = dict[str, list[str]]

# Accuracy on the German test split as the data set's authors publish it, in percent: 217 questions whose passages hold
# no answer, 250 whose passages do. The replies beside the project are the first 150 of each.
PUBLISHED_DE = {
    "gpt-4-azure": (63.59, 88.40),
    "gpt-3.5-turbo-azure": (53.00, 93.60),
    "Mistral-7B-Instruct-v0.2": (87.56, 26.80),
    "Mixtral-8x7B-Instruct-v0.1": (68.20, 74.40),
    "flan-t5-xxl": (3.23, 99.2),
    "Orca-2-13b": (12.90, 92.00),
    "aya-101": (29.03, 25.60),
}


def replies(folder: Path, name: str) -> Replies:
    found: Replies = {}
    for line in (folder / "nomiracl" / name).read_text(encoding="utf-8").splitlines():
        for model, reply in json.loads(line)["results"].items():
            found.setdefault(model, []).append(reply)
    return found


@pytest.fixture(scope="module")
def subsets(shared_data: Path) -> dict[tuple[str, bool], Replies]:
    return {
        (language, relevant): replies(shared_data, f"{language}.{'relevant' if relevant else 'non_relevant'}.{n}.jsonl")
        for language, n in (("de", 150), ("en", 60))
        for relevant in (False, True)
    }


def loose(reply: str) -> str:
    """The rule of the data set's authors: phrases anywhere in the reply, with guesses where neither is there."""
    text = re.sub(r"[\n\t]", " ", reply).lower()
    yes, no = text.count("yes, answer is present"), text.count("i don't know")
    if yes and no:
        return "present" if yes > 1 else "invalid"
    if yes or no:
        return "present" if yes else "unknown"
    if "answer is present" in text:
        return "present"
    if "answer is not present" in text:
        return "unknown"
    return "present" if len(text) < 10 and re.search(r"\[\d+\]", text) else "invalid"


def test_where_a_verdict_is_read_the_loose_rule_reads_no_other(subsets: dict[tuple[str, bool], Replies]) -> None:
    pairs = Counter(
        (read_answerability(reply).value, loose(reply))
        for models in subsets.values()
        for listed in models.values()
        for reply in listed
    )
    assert sum(pairs.values()) == 420 * 11
    assert pairs["present", "unknown"] == pairs["unknown", "present"] == 0
    agreed = sum(count for (strict, other), count in pairs.items() if strict == other)
    # What differs is guessed by the loose rule: a question read back, "No, answer is not present", lists of both.
    assert agreed / sum(pairs.values()) > 0.96
    assert sum(count for (strict, other), count in pairs.items() if strict == "invalid" and other != "invalid") == 132


def test_rates_are_those_of_a_plain_count(subsets: dict[tuple[str, bool], Replies]) -> None:
    for language in ("de", "en"):
        for model in subsets[language, False]:
            outside = [read_answerability(reply) for reply in subsets[language, False][model]]
            inside = [read_answerability(reply) for reply in subsets[language, True][model]]
            rates = answerability_rates(outside + inside, [False] * len(outside) + [True] * len(inside))
            hallucinated, known = outside.count(Answerability.PRESENT), outside.count(Answerability.UNKNOWN)
            assert rates.hallucination.of_valid is not None
            assert rates.hallucination.of_valid.estimate == hallucinated / (hallucinated + known)
            assert rates.hallucination.invalid == len(outside) - hallucinated - known
            missed, seen = inside.count(Answerability.UNKNOWN), inside.count(Answerability.PRESENT)
            assert rates.error.of_valid is not None
            assert rates.error.of_valid.estimate == missed / (missed + seen)
            assert rates.error.of_all is not None
            assert rates.error.of_all.estimate == missed / len(inside)


@pytest.mark.parametrize("model", PUBLISHED_DE)
def test_german_accuracy_is_as_published_up_to_the_questions_left_out(
    subsets: dict[tuple[str, bool], Replies], model: str
) -> None:
    for relevant, published in zip((False, True), PUBLISHED_DE[model], strict=True):
        listed = subsets["de", relevant][model]
        wanted = Answerability.PRESENT if relevant else Answerability.UNKNOWN
        right = sum(read_answerability(reply) is wanted for reply in listed)
        bounds = clopper_pearson(right, len(listed), 0.99)
        assert bounds.lower <= published / 100 <= bounds.upper


def test_the_refusal_detector_finds_most_replies_that_begin_with_i_dont_know_and_never_a_yes(
    subsets: dict[tuple[str, bool], Replies],
) -> None:
    found = Counter(
        (read_answerability(reply), is_refusal(reply))
        for models in subsets.values()
        for listed in models.values()
        for reply in listed
    )
    assert found[Answerability.PRESENT, True] == 0
    assert found[Answerability.PRESENT, False] == 2_896
    # The others go on to tell what the passages say of something else, which is no longer only a refusal.
    assert found[Answerability.UNKNOWN, True] / 914 > 0.88
