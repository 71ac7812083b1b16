"""How far several answers to one question agree (A9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.metrics.generation.answers import token_f1
from beleg.text.normalise import squad_normalise
from beleg.text.refusal import is_refusal

REFUSAL = "(refusal)"
"""The group of all refusals: that they are worded differently is no disagreement."""

MAX_PAIRS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far the answers to one question agree.

    Attributes:
        n: how many answers there are.
        groups: how many different ones.
        majority: share of the answers in the largest group.
        majority_answer: the first answer of that group.
        pairwise: mean token F1 over pairs of answers.
        refusals: how many answers decline.
    """

    n: int
    groups: int
    majority: float
    majority_answer: str
    pairwise: float
    refusals: int


def agreement(
    answers: Sequence[str], *, language: str | None = None, labels: Sequence[Hashable] | None = None
) -> Agreement:
    """Agreement of repeated answers.

    Formula: the share of answers in the largest group (self-consistency, Wang et al., ICLR 2023), and the mean token F1
    over pairs; two refusals agree fully, a refusal and an answer not at all. Without labels, answers are one group
    where they are equal after SQuAD's normalisation. Range: 0 to 1, higher is better. Agreement is no correctness: a
    system may repeat one mistake.

    Args:
        answers: answers to one question, without citation markers; at least two.
        language: the language of the answers.
        labels: the group of each answer, such as `semantic_groups` gives; refusals are put together all the same.

    Returns:
        The figures.

    Raises:
        DataError: for fewer than two answers, or labels of another number.

    Example:
        >>> found = agreement(["14 days", "14 days.", "30 days"])
        >>> round(found.majority, 4), found.groups, round(found.pairwise, 4)
        (0.6667, 2, 0.6667)
    """
    if len(answers) < 2:
        raise DataError(
            Problem(message="agreement needs at least two answers to one question", value=str(len(answers)))
        )
    if labels is not None and len(labels) != len(answers):
        raise DataError(Problem(message="one label per answer is needed", value=str(len(labels))))
    declined = [is_refusal(answer) for answer in answers]
    given = labels if labels is not None else [squad_normalise(answer, language) for answer in answers]
    groups = [REFUSAL if no else ("group", label) for no, label in zip(declined, given, strict=True)]
    counts = Counter(groups)
    (largest, size), *_ = counts.most_common(1)
    return Agreement(
        n=len(answers),
        groups=len(counts),
        majority=size / len(answers),
        majority_answer=answers[groups.index(largest)],
        pairwise=_pairwise(answers, declined, language),
        refusals=sum(declined),
    )


def semantic_groups(
    vectors: npt.NDArray[np.floating], *, threshold: float, apart: npt.NDArray[np.bool_] | None = None
) -> list[int]:
    """Groups of answers that mean the same, by complete linkage of cosine similarities.

    The two groups whose least similar members are most similar are merged, as long as that similarity reaches the
    threshold. Embeddings hardly see a number or a negation: pairs whose facts differ belong into ``apart``.

    Args:
        vectors: one row per answer, shape (answers, dimensions).
        threshold: the least cosine similarity within a group; what is right depends on the model.
        apart: pairs that are never put together, symmetric, shape (answers, answers).

    Returns:
        The group of each answer, numbered by first occurrence.

    Raises:
        UsageError: unless the threshold lies in [-1, 1].
        DataError: if a vector has no direction.

    Example:
        >>> semantic_groups(np.array([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]]), threshold=0.8)
        [0, 0, 1]
    """
    if not -1.0 <= threshold <= 1.0:
        raise UsageError(f"a similarity lies from -1 to 1 (found {shown(threshold)})")
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(norms) & (norms > 0)).all():
        raise DataError(Problem(message="a vector has no direction", field="vectors"))
    unit = vectors / norms
    closeness = np.einsum("id,jd->ij", unit, unit)
    if apart is not None:
        closeness = np.where(apart, -np.inf, closeness)
    np.fill_diagonal(closeness, -np.inf)
    group = np.arange(len(vectors))
    while len(closeness) > 1:
        one, other = sorted(divmod(int(closeness.argmax()), len(closeness)))
        if closeness[one, other] < threshold:
            break
        closest = np.minimum(closeness[one], closeness[other])
        closeness[one], closeness[:, one] = closest, closest
        closeness[one, one] = -np.inf
        closeness[other], closeness[:, other] = -np.inf, -np.inf
        group[group == other] = one
    numbers: dict[int, int] = {}
    return [numbers.setdefault(int(each), len(numbers)) for each in group]


def _pairwise(answers: Sequence[str], declined: Sequence[bool], language: str | None) -> float:
    """Mean over pairs; equal answers are compared once, and counted as often as they occur."""
    kinds = Counter(REFUSAL if no else answer for no, answer in zip(declined, answers, strict=True))
    n = len(answers)
    total = sum(count * (count - 1) / 2 for count in kinds.values())
    pairs = list(combinations((kind for kind in kinds if kind != REFUSAL), 2))
    if len(pairs) > MAX_PAIRS:
        raise DataError(Problem(message="too many different answers to compare pair by pair", value=str(len(kinds))))
    for one, other in pairs:
        total += kinds[one] * kinds[other] * (token_f1(one, [other], language=language).value or 0.0)
    return total / (n * (n - 1) / 2)
