"""How well the deterministic verifier agrees with people, on real labels, and how often the fact check is wrong.

usage: python benchmarks/bench_verifiers.py [--smoke]

The data sets stand beside the project in ../shared/data; where they are not, their rows say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from labels_told_apart import Flags, Floats, area, area_interval, rates, tuned_elsewhere

from beleg.app.labelled import read_labelled
from beleg.core.labels import HumanLabel
from beleg.metrics.verification.alignment import AlignedPassages
from beleg.metrics.verification.verifier import DEFAULT_THRESHOLD
from beleg.text.facts import EvidenceFacts
from beleg.text.sentences import sentence_spans, sentences
from measuring import Row, is_smoke, show, spend

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SOURCES = {
    "RAGTruth QA": "ragtruth:" + str(DATA / "ragtruth" / "ragtruth_qa_test_829.jsonl"),
    "SciFact": "scifact:" + str(DATA / "scifact"),
    "FActScore": "factscore:" + str(DATA / "factscore" / "chatgpt_bios_60.jsonl"),
}
AUXILIARIES = {
    "en": (re.compile(r"\b(?:is|are|was|were|can|could|will|would|has|had)\b"), " not"),
    "de": (re.compile(r"\b(?:ist|sind|war|waren|kann|konnte|wurde|wurden|hat|hatte)\b"), " nicht"),
}
DENIAL = re.compile(r"\b(?:not|no|never|nicht|kein\w*|nie)\b", re.IGNORECASE)
DIGITS = re.compile(r"(?<![\w.,-])\d+(?:[.,]\d+)*(?![\w.,-]*\d)(?!\w)")


def smoke_labels() -> list[HumanLabel]:
    """A few labels that show that it works."""
    texts = {"supported": "Returns are free within 30 days.", "not_supported": "Bread costs 5 euros on Mars today."}
    return [
        HumanLabel(
            item_id=f"{number}",
            question=f"Question {number}?",
            answer=text,
            claim=text,
            passages=(("p", "Our returns are free within 30 days."),),
            label=label,
        )
        for number in range(6)
        for label, text in texts.items()
    ]


class Aligned:
    """The supports of all labels of a set, each passage prepared once."""

    def __init__(self, labels: Sequence[HumanLabel]) -> None:
        self.labels = labels
        self._prepared: dict[tuple[object, str], AlignedPassages] = {}
        self.positive: Flags = np.array([label.is_positive for label in labels])
        self.sentence_supports: list[float] = []
        self.sentence_is_good: list[bool] = []
        self.flagged_marks = [0, 0]
        self.supports: Floats = np.array([self._support(label) for label in labels])

    def passages(self, label: HumanLabel) -> AlignedPassages:
        """The passages of a label; a claim is read without its question."""
        key = (label.passages, label.question if label.claim is None else "")
        if key not in self._prepared:
            self._prepared[key] = AlignedPassages(label.passages, question=key[1])
        return self._prepared[key]

    def _support(self, label: HumanLabel) -> float:
        passages = self.passages(label)
        if label.claim is not None:
            return passages.align(label.claim).support
        spans = sentence_spans(label.answer)
        found = [passages.align(label.answer[start:end]).support for start, end in spans]
        hit = [any(mark.start < end and start < mark.end for mark in label.marked) for start, end in spans]
        self.sentence_supports += found
        self.sentence_is_good += [not bad for bad in hit]
        for mark in label.marked:
            weak = any(
                mark.start < end and start < mark.end and support < DEFAULT_THRESHOLD
                for (start, end), support in zip(spans, found, strict=True)
            )
            self.flagged_marks[not weak] += 1
        return min(found)


def cluster_of(label: HumanLabel) -> str:
    """What goes together when rows are resampled: a question, a biography, an abstract."""
    if "model" in label.segments:
        return label.question
    return label.passages[0][0] if "relation" in label.segments else label.item_id.partition("/")[0]


def told(what: str, supports: Floats, positive: Flags, clusters: Sequence[str]) -> Iterator[Row]:
    """The rows of one comparison."""
    low, high = area_interval(supports, positive, clusters)
    at_default = rates(supports, positive, DEFAULT_THRESHOLD)
    threshold, elsewhere = tuned_elsewhere(supports, positive, clusters)
    shape = f"{int(positive.sum())} supported, {int((~positive).sum())} not"
    yield Row(
        what=f"{what}: area under the curve",
        measured=area(supports, positive),
        unit="share",
        note=f"95 %: {low:.3f} to {high:.3f}; {shape}",
    )
    yield Row(
        what=f"{what}: balanced accuracy at {DEFAULT_THRESHOLD}",
        measured=at_default.balanced_accuracy,
        unit="share",
        note=f"false pass {at_default.false_pass:.3f}, false fail {at_default.false_fail:.3f}",
    )
    yield Row(
        what=f"{what}: balanced accuracy, threshold from the other half",
        measured=elsewhere.balanced_accuracy,
        unit="share",
        note=f"at {threshold:.2f}: false pass {elsewhere.false_pass:.3f}, false fail {elsewhere.false_fail:.3f}",
    )


def set_rows(name: str, labels: Sequence[HumanLabel]) -> Iterator[Row]:
    """All rows of a data set."""
    aligned, spent = spend(lambda: Aligned(labels))
    clusters = [cluster_of(label) for label in labels]
    yield from told(name, aligned.supports, aligned.positive, clusters)
    yield Row(what=f"{name}: CPU a label", measured=spent.cpu_s / len(labels) * 1_000, unit="ms")
    if aligned.sentence_supports:
        sentence_clusters = [
            cluster for label, cluster in zip(labels, clusters, strict=True) for _ in sentences(label.answer)
        ]
        good: Flags = np.array(aligned.sentence_is_good)
        yield from told(f"{name}, sentences", np.array(aligned.sentence_supports), good, sentence_clusters)
        hit, missed = aligned.flagged_marks
        yield Row(
            what=f"{name}: marked ranges that a flagged sentence touches",
            measured=hit / max(hit + missed, 1),
            unit="share",
            note=f"{hit} of {hit + missed}",
        )
    relations = np.array([label.segments.get("relation", "") for label in labels])
    for relation in ("contradict", "no_evidence"):
        chosen = (relations == "support") | (relations == relation)
        if (relations == relation).any():
            kept = np.flatnonzero(chosen)
            yield Row(
                what=f"{name}: support against {relation}, area under the curve",
                measured=area(aligned.supports[kept], aligned.positive[kept]),
                unit="share",
            )
    yield from located(name, aligned)


def located(name: str, aligned: Aligned) -> Iterator[Row]:
    """How often the place that is named touches a sentence that people named."""
    hits = []
    for label in aligned.labels:
        if not label.rationales or not label.is_positive:
            continue
        found = aligned.passages(label).align(label.judged_text)
        hits.append(any(reason.start < found.end and found.start < reason.end for reason in label.rationales))
    if hits:
        yield Row(
            what=f"{name}: place named touches a sentence that people named",
            measured=float(np.mean(hits)),
            unit="share",
            note=f"{sum(hits)} of {len(hits)} supported claims",
        )


def fact_rows(name: str, labels: Sequence[HumanLabel]) -> Iterator[Row]:
    """How often the fact check alone finds something, among what people call supported and not supported."""
    read: dict[str, EvidenceFacts] = {}

    def finds(label: HumanLabel) -> bool:
        evidence = "\n\n".join([*(text for _, text in label.passages), label.question])
        if evidence not in read:
            read[evidence] = EvidenceFacts(evidence)
        return any(read[evidence].mismatches(sentence, "en") for sentence in sentences(label.judged_text))

    found = np.array([finds(label) for label in labels])
    positive = np.array([label.is_positive for label in labels])
    yield Row(what=f"{name}: facts flagged in supported texts", measured=float(found[positive].mean()), unit="share")
    yield Row(what=f"{name}: facts flagged in others", measured=float(found[~positive].mean()), unit="share")


def changed_number(sentence: str) -> str | None:
    """The sentence with every digit of its first number raised by three."""
    match = DIGITS.search(sentence)
    if match is None:
        return None
    digits = re.sub(r"\d", lambda digit: str((int(digit.group()) + 3) % 10 or 1), match.group())
    return sentence[: match.start()] + digits + sentence[match.end() :]


def denied(language: str) -> Callable[[str], str | None]:
    """The sentence with a negation behind its first auxiliary verb."""
    verb, word = AUXILIARIES[language]

    def change(sentence: str) -> str | None:
        match = verb.search(sentence)
        if match is None or DENIAL.search(sentence):
            return None
        return sentence[: match.end()] + word + sentence[match.end() :]

    return change


def swap_rows(language: str, paragraphs: Sequence[str]) -> Iterator[Row]:
    """Sentences of real paragraphs against their own paragraph: unchanged, with another number, and denied."""
    changes = {"unchanged": lambda sentence: sentence, "another number": changed_number, "denied": denied(language)}
    counts = {name: [0, 0] for name in changes}
    for text in paragraphs:
        facts = EvidenceFacts(text)
        for sentence in sentences(text):
            for name, change in changes.items():
                changed = change(sentence)
                if changed is not None:
                    counts[name][0] += bool(facts.mismatches(changed, language))
                    counts[name][1] += 1
    for name, (found, of) in counts.items():
        yield Row(
            what=f"facts, {language}: flagged, {name}",
            measured=found / max(of, 1),
            unit="share",
            note=f"{found} of {of}",
        )


def paragraphs_of(language: str) -> list[str]:
    """The paragraphs of XQuAD in a language."""
    from beleg.adapters.formats.squad import read_squad

    return [document.text for document in read_squad(DATA / "xquad" / f"xquad.{language}.json").documents]


def main() -> None:
    """Measures every set that is there."""
    smoke = is_smoke(__doc__)
    rows: list[Row] = []
    for name, source in SOURCES.items():
        if smoke:
            rows += set_rows(name, smoke_labels())
        elif not DATA.is_dir():
            rows.append(Row(what=name, measured=None, unit="share", note="the data set is not beside the project"))
        else:
            labels = read_labelled(source).labels
            rows += [*set_rows(name, labels), *fact_rows(name, labels)]
    for language in ("en", "de"):
        texts = ["It is 5. It was free."] if smoke else paragraphs_of(language) if DATA.is_dir() else []
        rows += swap_rows(language, texts)
    setting = "Labels by people; intervals over whole questions, abstracts and biographies, 1,000 resamples."
    show("verifiers", setting, rows, packages=["numpy"], smoke=smoke)


if __name__ == "__main__":
    main()
