"""Random rows for Ragas and for Beleg: the same texts, and the same verdicts in each one's own form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from beleg.core.inference import JudgeRequest

QUESTION = "How are returns handled?"
ANSWER = "This is the answer given."
REFERENCE = "This is the reference answer."
WORDS = ("berlin", "paris", "1989", "wall", "fall", "euro", "rome", "tiber", "senate", "caesar")


@dataclass(frozen=True, kw_only=True)
class Twin:
    """One row for both sides."""

    metric: str
    measure: str | None
    answer: str = ANSWER
    reference: str | None = REFERENCE
    contexts: tuple[str, ...] = ("A first passage.",)
    replies: list[dict[str, Any]] = field(default_factory=list)
    """What the judge says to Ragas, in turn."""
    script: dict[str, Any] = field(default_factory=dict)
    """What the judge says to Beleg, by task."""
    vectors: dict[str, list[float]] = field(default_factory=dict)
    inputs: dict[str, Any] | None = None
    """What Ragas is given, where it is not question, answer, reference and contexts."""
    expected: tuple[str, ...] = ()
    """What the case expects: ids, or texts, for the metrics without a judge."""
    tolerance: float = 1e-9

    def for_ragas(self) -> dict[str, Any]:
        """The row as the runner takes it."""
        given = {
            "user_input": QUESTION,
            "response": self.answer,
            "reference": self.reference,
            "retrieved_contexts": list(self.contexts),
        }
        inputs = self.inputs or {name: given[name] for name in NEEDS[self.metric]}
        return {"metric": self.metric, "inputs": inputs, "replies": self.replies, "vectors": self.vectors}


NEEDS = {
    "faithfulness": ("user_input", "response", "retrieved_contexts"),
    "context_precision": ("user_input", "reference", "retrieved_contexts"),
    "context_utilization": ("user_input", "response", "retrieved_contexts"),
    "context_recall": ("user_input", "reference", "retrieved_contexts"),
    "noise_sensitivity(mode=relevant)": ("user_input", "response", "reference", "retrieved_contexts"),
    "noise_sensitivity(mode=irrelevant)": ("user_input", "response", "reference", "retrieved_contexts"),
    "entity_recall": ("reference", "retrieved_contexts"),
    "answer_relevancy": ("user_input", "response"),
    "answer_correctness": ("user_input", "response", "reference"),
    "semantic_similarity": ("reference", "response"),
}
"""What each of Ragas' metrics takes."""


def passages(rng: np.random.Generator, least: int = 1) -> tuple[str, ...]:
    return tuple(f"Passage number {number} of the context." for number in range(rng.integers(least, 6)))


def flips(rng: np.random.Generator, count: int) -> list[bool]:
    share = rng.random()
    return [bool(flip) for flip in rng.random(count) < share]


def nli(statements: list[str], held: list[bool]) -> dict[str, Any]:
    return {
        "statements": [
            {"statement": text, "reason": "so", "verdict": int(is_held)}
            for text, is_held in zip(statements, held, strict=True)
        ]
    }


def verdict(claim_id: str, source: tuple[str, str], *, held: bool, otherwise: str = "not_in_context") -> dict[str, Any]:
    quoted = held or otherwise != "not_in_context"
    return {
        "claim_id": claim_id,
        "passage_id": source[0] if quoted else None,
        "quote": source[1] if quoted else None,
        "reason": "so",
        "verdict": "supported" if held else otherwise,
    }


def faithfulness(rng: np.random.Generator) -> Twin:
    contexts, claims = passages(rng), [f"answer claim {number}" for number in range(rng.integers(1, 8))]
    held = flips(rng, len(claims))
    others = ["not_in_context", "contradicted", "partially_supported"]
    verdicts = [
        verdict(str(number), ("1", contexts[0]), held=is_held, otherwise=str(rng.choice(others)))
        for number, is_held in enumerate(held, start=1)
    ]
    return Twin(
        metric="faithfulness",
        measure="claim_support",
        contexts=contexts,
        replies=[{"statements": claims}, nli(claims, held)],
        script={"claim_extraction": {"claims": claims}, "claim_verification": {"verdicts": verdicts}},
    )


def _precision(rng: np.random.Generator, metric: str, measure: str) -> Twin:
    contexts = passages(rng)
    useful = flips(rng, len(contexts))
    verdicts = [
        {"passage_id": str(rank), "reason": "so", "useful": is_useful} for rank, is_useful in enumerate(useful, start=1)
    ]
    return Twin(
        metric=metric,
        measure=measure,
        contexts=contexts,
        replies=[{"reason": "so", "verdict": int(is_useful)} for is_useful in useful],
        script={"passage_usefulness": {"verdicts": verdicts}},
    )


def context_precision(rng: np.random.Generator) -> Twin:
    return _precision(rng, "context_precision", "passage_usefulness")


def context_utilization(rng: np.random.Generator) -> Twin:
    return _precision(rng, "context_utilization", "passage_usefulness_for_answer")


def context_recall(rng: np.random.Generator) -> Twin:
    contexts = passages(rng)
    split = [f"This is sentence {number}." for number in range(rng.integers(1, 8))]
    held = flips(rng, len(split))
    return Twin(
        metric="context_recall",
        measure="reference_attribution",
        contexts=contexts,
        reference=" ".join(split),
        replies=[
            {
                "classifications": [
                    {"statement": text, "reason": "so", "attributed": int(is_held)}
                    for text, is_held in zip(split, held, strict=True)
                ]
            }
        ],
        script={
            "reference_attribution": {
                "verdicts": [
                    {
                        "sentence_id": str(number),
                        "passage_id": "1" if is_held else None,
                        "quote": contexts[0] if is_held else None,
                        "reason": "so",
                        "attributed": is_held,
                    }
                    for number, is_held in enumerate(held, start=1)
                ]
            }
        },
    )


def _noise(rng: np.random.Generator, mode: str) -> Twin:
    contexts = passages(rng)
    said = [f"answer claim {number}" for number in range(rng.integers(1, 6))]
    wanted = [f"reference claim {number}" for number in range(rng.integers(1, 5))]
    by_context = {text: (flips(rng, len(said)), flips(rng, len(wanted))) for text in contexts}
    in_reference = flips(rng, len(said))
    replies = [{"statements": wanted}, {"statements": said}]
    for of_said, of_wanted in by_context.values():
        replies += [nli(wanted, of_wanted), nli(said, of_said)]

    def extract(request: JudgeRequest) -> dict[str, Any]:
        return {"claims": said if ANSWER in request.messages[-1].content else wanted}

    def verify(request: JudgeRequest) -> dict[str, Any]:
        told = request.messages[-1].content
        place = next((number for number, text in enumerate(contexts, start=1) if text in told), None)
        source = ("reference", REFERENCE) if place is None else (str(place), contexts[place - 1])
        held, of_wanted = (in_reference, []) if place is None else by_context[source[1]]
        answered = [verdict(f"a{number}", source, held=each) for number, each in enumerate(held, start=1)]
        answered += [verdict(f"r{number}", source, held=each) for number, each in enumerate(of_wanted, start=1)]
        return {"verdicts": answered}

    return Twin(
        metric=f"noise_sensitivity(mode={mode})",
        measure="claims_by_passage",
        contexts=contexts,
        replies=[*replies, nli(said, in_reference)],
        script={"claim_extraction": extract, "claim_verification": verify},
    )


def noise_relevant(rng: np.random.Generator) -> Twin:
    return _noise(rng, "relevant")


def noise_irrelevant(rng: np.random.Generator) -> Twin:
    return _noise(rng, "irrelevant")


def vector(rng: np.random.Generator) -> list[float]:
    """A vector that single precision holds exactly, as Beleg's embedding models give them."""
    return [1.0, *(rng.integers(-40, 41, 7) / 8).tolist()]


def answer_relevancy(rng: np.random.Generator) -> Twin:
    questions = ["What about it?", "And what of that?", "Is it so?"]
    evades = bool(rng.random() < 0.2)
    return Twin(
        metric="answer_relevancy",
        measure="answer_questions",
        replies=[{"question": question, "noncommittal": int(evades)} for question in questions],
        script={"answer_questions": {"questions": questions, "noncommittal": evades}},
        vectors={text: vector(rng) for text in (QUESTION, *questions)},
    )


def answer_correctness(rng: np.random.Generator) -> Twin:
    said = [f"answer claim {number}" for number in range(rng.integers(1, 7))]
    wanted = [f"reference claim {number}" for number in range(rng.integers(1, 7))]
    right, stated = flips(rng, len(said)), flips(rng, len(wanted))

    def listed(texts: list[str], flags: list[bool], *, kept: bool) -> list[dict[str, str]]:
        return [{"statement": text, "reason": "so"} for text, flag in zip(texts, flags, strict=True) if flag is kept]

    def extract(request: JudgeRequest) -> dict[str, Any]:
        return {"claims": said if ANSWER in request.messages[-1].content else wanted}

    labels = [
        *((f"a{number}", "tp" if each else "fp") for number, each in enumerate(right, start=1)),
        *((f"r{number}", "tp" if each else "fn") for number, each in enumerate(stated, start=1)),
    ]
    return Twin(
        metric="answer_correctness",
        measure="answer_correctness",
        replies=[
            {"statements": said},
            {"statements": wanted},
            {
                "TP": listed(said, right, kept=True),
                "FP": listed(said, right, kept=False),
                "FN": listed(wanted, stated, kept=False),
            },
        ],
        script={
            "claim_extraction": extract,
            "statement_matching": {
                "verdicts": [{"statement_id": name, "reason": "so", "label": label} for name, label in labels]
            },
        },
        vectors={ANSWER: vector(rng), REFERENCE: vector(rng)},
    )


def semantic_similarity(rng: np.random.Generator) -> Twin:
    return Twin(
        metric="semantic_similarity",
        measure="answer_similarity",
        vectors={ANSWER: vector(rng), REFERENCE: vector(rng)},
    )


def entity_recall(rng: np.random.Generator) -> Twin:
    wanted = [str(name) for name in rng.choice(WORDS, rng.integers(1, 6))]
    held = [str(name) for name in rng.choice(WORDS, rng.integers(1, 8))]
    reference = f"Known: {' '.join(wanted)}."

    def extract(request: JudgeRequest) -> dict[str, Any]:
        return {"entities": wanted if "Known" in request.messages[-1].content else held}

    return Twin(
        metric="entity_recall",
        measure="context_entities",
        reference=reference,
        contexts=(" ".join(held),),
        replies=[{"entities": wanted}, {"entities": held}],
        script={"entity_extraction": extract},
        # Ragas adds 1e-8 to the denominator, which is at least 1.
        tolerance=1.1e-8,
    )


def _by_id(rng: np.random.Generator, metric: str) -> Twin:
    found = [f"p{number}" for number in rng.permutation(8)[: rng.integers(1, 7)]]
    wanted = [f"p{number}" for number in rng.permutation(8)[: rng.integers(1, 5)]]
    return Twin(
        metric=metric,
        measure=None,
        contexts=tuple(found),
        expected=tuple(wanted),
        inputs={"retrieved_context_ids": found, "reference_context_ids": wanted},
    )


def id_precision(rng: np.random.Generator) -> Twin:
    return _by_id(rng, "id_based_context_precision")


def id_recall(rng: np.random.Generator) -> Twin:
    return _by_id(rng, "id_based_context_recall")


def whole_text_recall(rng: np.random.Generator) -> Twin:
    texts = [" ".join(rng.choice(WORDS, rng.integers(1, 9))) for _ in range(rng.integers(1, 5))]
    wanted = [" ".join(rng.choice(WORDS, rng.integers(1, 9))) for _ in range(rng.integers(1, 4))]
    return Twin(
        metric="text_context_recall(match=whole)",
        measure=None,
        contexts=tuple(texts),
        expected=tuple(wanted),
        inputs={"retrieved_contexts": texts, "reference_contexts": wanted},
    )


KINDS: tuple[Callable[[np.random.Generator], Twin], ...] = (
    faithfulness,
    context_precision,
    context_utilization,
    context_recall,
    noise_relevant,
    noise_irrelevant,
    answer_relevancy,
    answer_correctness,
    semantic_similarity,
    entity_recall,
    id_precision,
    id_recall,
    whole_text_recall,
)


def twins(count: int, seed: int) -> list[Twin]:
    """As many rows of every kind as asked for."""
    rng = np.random.default_rng(seed)
    return [kind(rng) for kind in KINDS for _ in range(count)]
