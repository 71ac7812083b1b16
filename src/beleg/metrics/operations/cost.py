"""What an answer costs: tokens and money. What is unknown is missing, never 0."""

from __future__ import annotations

from beleg.core.score import ScoreColumn
from beleg.metrics.batch import Batch
from beleg.metrics.operations.readings import reading


def prompt_tokens_column(batch: Batch) -> ScoreColumn:
    """Tokens of the prompt. Lower is better. Undefined: missing where not recorded."""
    return batch.column(lambda row: reading(row.output.usage.prompt_tokens, "the number of prompt tokens"))


def completion_tokens_column(batch: Batch) -> ScoreColumn:
    """Tokens of the completion. Neither high nor low is better. Undefined: missing where not recorded."""
    return batch.column(lambda row: reading(row.output.usage.completion_tokens, "the number of completion tokens"))


def cost_column(batch: Batch) -> ScoreColumn:
    """US dollars per answer. Lower is better. Undefined: missing where not recorded."""
    return batch.column(lambda row: reading(row.output.usage.cost_usd, "the cost"))
