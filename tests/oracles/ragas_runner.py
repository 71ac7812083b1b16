"""Runs Ragas' own metrics on scripted judge replies: rows as JSON on standard input, values as JSON on standard output.

It is run by the interpreter of an environment that holds ragas, and knows nothing of Beleg. A row is
``{"metric": name, "inputs": {…}, "replies": […], "vectors": {text: […]}}``; the replies are given out in turn. Its
answer is ``{"value": number or null}``, null for NaN, or ``{"error": type}``.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
from typing import Any

from ragas.dataset_schema import SingleTurnSample
from ragas.embeddings.base import BaseRagasEmbedding
from ragas.llms.base import InstructorBaseRagasLLM
from ragas.metrics import (
    IDBasedContextPrecision,
    IDBasedContextRecall,
    NonLLMContextRecall,
)
from ragas.metrics import collections as peers


class Replies(InstructorBaseRagasLLM):
    """Gives the replies of a script in turn, as objects of the shape that is asked for."""

    def __init__(self, replies: list[dict[str, Any]]) -> None:
        self._replies = list(replies)

    def generate(self, prompt: str, response_model: Any) -> Any:
        return response_model.model_validate(self._replies.pop(0))

    async def agenerate(self, prompt: str, response_model: Any) -> Any:
        return self.generate(prompt, response_model)


class Vectors(BaseRagasEmbedding):
    """Gives the vectors of a table."""

    def __init__(self, table: dict[str, list[float]]) -> None:
        super().__init__()
        self._table = table

    def embed_text(self, text: str, **kwargs: Any) -> list[float]:
        return self._table[text]

    async def aembed_text(self, text: str, **kwargs: Any) -> list[float]:
        return self._table[text]


OF_JUDGES = {
    "faithfulness": (peers.Faithfulness, {}),
    "context_precision": (peers.ContextPrecision, {}),
    "context_utilization": (peers.ContextUtilization, {}),
    "context_recall": (peers.ContextRecall, {}),
    "noise_sensitivity(mode=relevant)": (peers.NoiseSensitivity, {"mode": "relevant"}),
    "noise_sensitivity(mode=irrelevant)": (peers.NoiseSensitivity, {"mode": "irrelevant"}),
    "entity_recall": (peers.ContextEntityRecall, {}),
}
OF_BOTH = {"answer_relevancy": peers.AnswerRelevancy, "answer_correctness": peers.AnswerCorrectness}
OF_NOBODY = {
    "id_based_context_precision": IDBasedContextPrecision,
    "id_based_context_recall": IDBasedContextRecall,
    "text_context_recall(match=whole)": NonLLMContextRecall,
}


async def value_of(row: dict[str, Any]) -> float:
    """What Ragas says of one row."""
    name, inputs = row["metric"], row["inputs"]
    if name in OF_NOBODY:
        return float(await OF_NOBODY[name]()._single_turn_ascore(SingleTurnSample(**inputs), None))
    if name == "semantic_similarity":
        metric = peers.SemanticSimilarity(embeddings=Vectors(row["vectors"]))
    elif name in OF_BOTH:
        metric = OF_BOTH[name](llm=Replies(row["replies"]), embeddings=Vectors(row["vectors"]))
    else:
        kind, options = OF_JUDGES[name]
        metric = kind(llm=Replies(row["replies"]), **options)
    return float((await metric.ascore(**inputs)).value)


async def answer(row: dict[str, Any]) -> dict[str, Any]:
    """The value, or the name of the fault."""
    try:
        value = await value_of(row)
    except Exception as error:
        return {"error": type(error).__name__}
    return {"value": None if math.isnan(value) else value}


async def answers(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All values, in order."""
    return [await answer(row) for row in rows]


if __name__ == "__main__":
    json.dump(asyncio.run(answers(json.load(sys.stdin))), sys.stdout)
