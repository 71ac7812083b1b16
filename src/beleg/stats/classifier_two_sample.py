"""The classifier two-sample test: can a simple classifier tell two windows of embeddings apart?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem
from beleg.stats.exchanged_labels import ExchangedLabels, exchanged_labels, permutation_p_value
from beleg.stats.inputs import FloatArray, Labels, cluster_codes
from beleg.stats.kernel_two_sample import Vectors, pooled_vectors

FOLDS = 5
RIDGE = 1e-3
"""Added to the diagonal, as a share of the mean variance: more dimensions than rows are no obstacle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifierTest:
    """Whether two windows can be told apart.

    Attributes:
        auc: the chance that a held-out row of the current window gets a higher score than one of the reference, ties
            counted half; 0.5 where nothing tells them apart.
        p_value: how often exchanged labels give at least as much; above 0 to 1.
        n_reference: rows of the reference.
        n_current: rows of the current window.
        folds: how many times a part was held out.
        permutations: how many exchanges stand behind the p-value.
        groups: how many groups changed sides as one; ``None`` where rows did.
    """

    auc: float
    p_value: float
    n_reference: int
    n_current: int
    folds: int
    permutations: int
    groups: int | None


def classifier_test(
    reference: Vectors,
    current: Vectors,
    *,
    permutations: int = 200,
    rng: np.random.Generator,
    folds: int = FOLDS,
    groups: Labels | None = None,
) -> ClassifierTest:
    """Tests whether a linear classifier tells two windows of vectors apart (I12, M4).

    The classifier is Fisher's linear discriminant by ridge-regularised least squares on the labels. It scores every row
    while that row's fold, and with it the row's whole group, is held out; the AUC of these scores is the statistic.
    Cross-validated scores are not independent of each other, so that no formula gives their p-value: the whole
    procedure is repeated for each exchange of labels. Folds do not look at the labels. Sources: Lopez-Paz and Oquab
    2017 for the test; Fisher 1936 for the discriminant.
    Range of the AUC: 0 to 1, 0.5 where the windows are one; slightly below 0.5 is usual then, since what is held out
    shifts the mean of what is left. It sees shifts of the mean; changes of spread alone are for `mmd_test`.
    Undefined: never.

    Args:
        reference: rows by dimensions.
        current: rows by the same dimensions.
        permutations: how many exchanges.
        rng: the random generator.
        folds: how many parts the rows or groups are dealt into.
        groups: documents or sessions, one label per row with those of the reference first.

    Returns:
        The test.

    Raises:
        DataError: if the windows have other shapes, too few or too many rows, or values that are not finite.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> old, new = rng.normal(size=(60, 8)), rng.normal(loc=1.0, size=(60, 8))
        >>> found = classifier_test(old, new, permutations=99, rng=rng)
        >>> found.auc > 0.9, found.p_value
        (True, 0.01)
    """
    pooled, _ = pooled_vectors(reference, current)
    first = len(reference)
    exchanged = exchanged_labels(first, len(current), permutations=permutations, rng=rng, groups=groups)
    parts = _folds(len(pooled), folds, rng, groups)
    scores = _held_out_scores(pooled, 1.0 - exchanged.members, parts)
    aucs = 1.0 - _aucs(scores, exchanged)
    return ClassifierTest(
        auc=float(aucs[0]),
        p_value=permutation_p_value(aucs),
        n_reference=first,
        n_current=len(current),
        folds=folds,
        permutations=permutations,
        groups=exchanged.groups,
    )


def _folds(rows: int, folds: int, rng: np.random.Generator, groups: Labels | None) -> npt.NDArray[np.intp]:
    codes = np.arange(rows) if groups is None else cluster_codes(groups, rows)
    units = int(codes.max()) + 1
    if not 2 <= folds <= units:
        raise DataError(
            Problem(
                message=f"{units} rows or groups cannot be dealt into {folds} parts",
                field="folds",
                remedy="Use between 2 parts and as many as there are rows or groups",
            )
        )
    dealt = rng.permutation(np.arange(units) % folds)
    found: npt.NDArray[np.intp] = dealt[codes]
    return found


def _held_out_scores(
    pooled: npt.NDArray[np.float32], labels: npt.NDArray[np.float32], parts: npt.NDArray[np.intp]
) -> npt.NDArray[np.float32]:
    """Scores of every row under every column of labels, by weights that were found without the row's part."""
    scores = np.empty_like(labels)
    for inside, outside in _splits(parts):
        centre = pooled[inside].mean(axis=0)
        kept, held = pooled[inside] - centre, pooled[outside] - centre
        gram = (kept.T @ kept).astype(np.float64)
        mean_variance = float(np.trace(gram)) / len(gram)
        gram[np.diag_indices_from(gram)] += RIDGE * mean_variance or 1.0
        wanted = labels[inside] - labels[inside].mean(axis=0)
        weights = np.linalg.solve(gram, (kept.T @ wanted).astype(np.float64))
        scores[outside] = held @ weights.astype(np.float32)
    return scores


def _splits(parts: npt.NDArray[np.intp]) -> Iterator[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    for part in range(int(parts.max()) + 1):
        yield np.flatnonzero(parts != part), np.flatnonzero(parts == part)


def _aucs(scores: npt.NDArray[np.float32], exchanged: ExchangedLabels) -> FloatArray:
    """For each column, the chance that a row of the first sample scores higher than one of the second."""
    found = np.empty(scores.shape[1])
    rows, first = len(scores), exchanged.first_sizes
    for column in range(scores.shape[1]):
        _, inverse, counts = np.unique(scores[:, column], return_inverse=True, return_counts=True)
        last = np.cumsum(counts)
        ranks = last - (counts - 1) / 2.0
        of_first = float(ranks[inverse] @ exchanged.members[:, column])
        n = float(first[column])
        found[column] = (of_first - n * (n + 1) / 2.0) / (n * (rows - n))
    return found
