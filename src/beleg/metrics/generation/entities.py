"""Which entities of the reference answer stand in the delivered passages (A2)."""

from __future__ import annotations

from collections.abc import Iterable

from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column
from beleg.text.normalise import fold_typography


class ContextEntities(StoredModel):
    """The evidence of the measure ``context_entities``: the names in the reference and in the passages."""

    reference: tuple[str, ...]
    context: tuple[str, ...]


def entity_recall(reference: Iterable[str], context: Iterable[str]) -> Score:
    """Share of the entities of the reference that are among those of the delivered passages.

    Formula: |reference ∩ context| / |reference|, as sets, after folding typography and case. Ragas'
    ContextEntityRecall compares letter by letter, so that ``BERLIN`` misses ``Berlin``, and gives 0 for a reference
    without entities. Range: 0 to 1, higher is better. Undefined (``not_applicable``) where the reference names none.

    Args:
        reference: the entities of the reference answer.
        context: the entities of the delivered passages.

    Example:
        >>> entity_recall(["Berlin", "1989"], ["BERLIN", "Paris"]).value
        0.5
    """
    wanted, held = _folded(reference), _folded(context)
    if not wanted:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the reference names no entity")
    return Score.of(len(wanted & held) / len(wanted))


def entity_recall_column(batch: Batch) -> ScoreColumn:
    """`entity_recall` of every row.

    Undefined: where the case has no reference answer or it names no entity; missing where no judge was asked.
    """
    return finding_column(
        batch, "context_entities", ContextEntities, lambda _row, found: entity_recall(found.reference, found.context)
    )


def _folded(names: Iterable[str]) -> set[str]:
    return {folded for name in names if (folded := fold_typography(name).casefold())}
