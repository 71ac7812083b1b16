"""The deterministic verifier against labels by people, and the area under the curve against scipy."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from beleg.adapters.formats.label_sets import read_factscore, read_ragtruth, read_scifact
from beleg.adapters.formats.squad import read_squad
from beleg.core.labels import HumanLabel
from beleg.metrics.verification.alignment import AlignedPassages
from beleg.text.facts import EvidenceFacts
from beleg.text.sentences import sentences


@pytest.fixture(scope="module")
def told_apart(project: Path) -> ModuleType:
    """The benchmark's own figures."""
    place = project / "benchmarks" / "labels_told_apart.py"
    spec = importlib.util.spec_from_file_location("labels_told_apart", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_area_is_the_u_statistic_of_scipy(told_apart: ModuleType) -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        supports = rng.integers(0, 6, 40) / 5
        positive = rng.random(40) < 0.4
        u = mannwhitneyu(supports[positive], supports[~positive]).statistic
        expected = u / (positive.sum() * (~positive).sum())
        assert told_apart.area(supports, positive) == pytest.approx(expected)


def test_rates_by_hand(told_apart: ModuleType) -> None:
    found = told_apart.rates(np.array([0.9, 0.2, 0.6, 0.1]), np.array([True, True, False, False]), 0.5)
    assert (found.false_pass, found.false_fail, found.balanced_accuracy) == (0.5, 0.5, 0.5)
    assert told_apart.best_threshold(np.array([0.2, 0.8]), np.array([False, True])) == 0.8


def areas(labels: list[HumanLabel], told_apart: ModuleType) -> float:
    prepare = cache(lambda passages, question: AlignedPassages(passages, question=question))
    supports = []
    for label in labels:
        passages = prepare(label.passages, label.question if label.claim is None else "")
        parts = [label.claim] if label.claim is not None else sentences(label.answer)
        supports.append(min(passages.align(part).support for part in parts))
    return float(told_apart.area(np.array(supports), np.array([label.is_positive for label in labels])))


@pytest.mark.shared_data
def test_the_proxy_tells_supported_answers_apart_and_not_well(shared_data: Path, told_apart: ModuleType) -> None:
    """A part of the labels; the whole sets give 0.755, 0.845 and 0.759 in ``benchmarks/bench_verifiers.py``."""
    ragtruth = read_ragtruth(shared_data / "ragtruth" / "ragtruth_qa_test_829.jsonl")[:160]
    factscore = read_factscore(shared_data / "factscore" / "chatgpt_bios_60.jsonl")[:600]
    claims = read_scifact(shared_data / "scifact")[::4]
    assert 0.65 < areas(ragtruth, told_apart) < 0.9
    assert 0.75 < areas(factscore, told_apart) < 0.95
    assert 0.65 < areas(claims, told_apart) < 0.9
    opposed = [label for label in claims if label.segments["relation"] != "no_evidence"]
    # A contradiction holds the same words as what it contradicts: here the proxy is hardly better than a coin.
    assert 0.4 < areas(opposed, told_apart) < 0.65


@pytest.mark.shared_data
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_stands_in_a_paragraph_is_never_flagged(shared_data: Path, language: str) -> None:
    flagged = []
    for document in read_squad(shared_data / "xquad" / f"xquad.{language}.json").documents[::6]:
        facts = EvidenceFacts(document.text)
        flagged += [sentence for sentence in sentences(document.text) if facts.mismatches(sentence, language)]
    assert flagged == []


@pytest.mark.shared_data
def test_the_fact_check_seldom_flags_what_people_call_supported(shared_data: Path) -> None:
    labels = read_factscore(shared_data / "factscore" / "chatgpt_bios_60.jsonl")[:600]
    read = cache(lambda passages: EvidenceFacts("\n\n".join(text for _, text in passages)))
    flagged = {True: [], False: []}  # type: dict[bool, list[bool]]
    for label in labels:
        flagged[label.is_positive].append(bool(read(label.passages).mismatches(label.judged_text, "en")))
    assert np.mean(flagged[True]) < 0.06
    assert np.mean(flagged[False]) > 0.2
