"""BERTScore: how well two texts match token by token in the space of an embedding model (A6)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.core.inference import TokenVectors

FloatArray = npt.NDArray[np.float64]

# Similarities that are held at a time: pairs times answer tokens times reference tokens.
_BLOCK_CELLS = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TokenMatch:
    """BERTScore of some pairs.

    Attributes:
        precision: mean, over the tokens of each answer, of its best similarity in the reference, shape (pairs,).
        recall: the same over the tokens of each reference, shape (pairs,).
    """

    precision: FloatArray
    recall: FloatArray

    @property
    def f1(self) -> FloatArray:
        """Harmonic mean of both, 0 where their sum is not above 0."""
        total = self.precision + self.recall
        positive = total > 0
        return np.where(positive, 2 * self.precision * self.recall / np.where(positive, total, 1.0), 0.0)

    def rescaled(self, baseline: float) -> TokenMatch:
        """Precision and recall stretched so that ``baseline`` becomes 0 and 1 stays 1.

        Formula: (x - b) / (1 - b), b the mean score of unrelated texts in the same model. Source: Zhang et al. 2020.

        Raises:
            UsageError: unless the baseline lies in [-1, 1).
        """
        if not -1.0 <= baseline < 1.0:
            raise UsageError(f"a baseline lies from -1 to below 1 (found {shown(baseline)})")
        precision, recall = ((each - baseline) / (1.0 - baseline) for each in (self.precision, self.recall))
        return TokenMatch(precision=precision, recall=recall)


def bert_score(
    answers: Sequence[TokenVectors],
    references: Sequence[TokenVectors],
    *,
    idf: Mapping[str, float] | None = None,
    unseen_idf: float = 1.0,
) -> TokenMatch:
    """BERTScore of each answer against the reference beside it.

    Formula: recall is the weighted mean over reference tokens of the largest cosine similarity to an answer token,
    precision the same with the sides swapped. Source: Zhang et al. 2020. Range: -1 to 1, in practice far above 0;
    higher is better. A high score is similarity and no proof: a wrong number or a negation hardly lowers it.

    Args:
        answers: tokens and vectors of each answer.
        references: tokens and vectors of each reference, as many as there are answers.
        idf: a weight per token, see `idf_weights`; ``None`` weighs all tokens alike.
        unseen_idf: the weight of a token that ``idf`` does not hold.

    Returns:
        Precision, recall and F1 of each pair.

    Raises:
        DataError: if the sides differ in number, a text has no token, vectors and tokens differ in number or the
            vectors in length, a vector has no direction, or all weights of a text are 0.

    Example:
        >>> axes = np.eye(2, dtype=np.float32)
        >>> one = TokenVectors(tokens=("a", "b"), vectors=axes)
        >>> other = TokenVectors(tokens=("a",), vectors=axes[:1])
        >>> match = bert_score([one], [other])
        >>> match.precision.tolist(), match.recall.tolist(), [round(x, 4) for x in match.f1.tolist()]
        ([0.5], [1.0], [0.6667])
    """
    if len(answers) != len(references):
        raise _fault("there is not one reference per answer", f"{len(answers)} and {len(references)}")
    precision, recall = np.empty(len(answers)), np.empty(len(answers))
    for side, texts in (("answers", answers), ("references", references)):
        _require(side, texts, answers[0].vectors.shape[1:] if answers else ())
    order = sorted(range(len(answers)), key=lambda at: len(answers[at].tokens) * len(references[at].tokens))
    for rows in _blocks(order, answers, references):
        one, other = [answers[at] for at in rows], [references[at] for at in rows]
        similarity = np.matmul(_padded(one), _padded(other).transpose(0, 2, 1))
        match = greedy_match(
            similarity,
            _weights(one, similarity.shape[1], idf, unseen_idf),
            _weights(other, similarity.shape[2], idf, unseen_idf),
        )
        precision[rows], recall[rows] = match.precision, match.recall
    return TokenMatch(precision=precision, recall=recall)


def greedy_match(
    similarity: npt.NDArray[np.floating], answer_weights: FloatArray, reference_weights: FloatArray
) -> TokenMatch:
    """Precision and recall from similarities: every token takes its best partner, partners may be shared.

    Args:
        similarity: shape (pairs, answer tokens, reference tokens).
        answer_weights: shape (pairs, answer tokens); a token with a negative weight is padding and takes no part.
        reference_weights: shape (pairs, reference tokens).

    Raises:
        DataError: if all weights of a text are 0.
    """
    lost_rows, lost_columns = answer_weights < 0, reference_weights < 0
    masked = np.where(lost_rows[:, :, None] | lost_columns[:, None, :], -np.inf, similarity)
    best = []
    for axis, weights in ((2, answer_weights), (1, reference_weights)):
        kept = np.maximum(weights, 0.0)
        total = kept.sum(axis=1)
        if not (total > 0).all():
            raise _fault("every token of a text has the weight 0", "0", "Weigh all tokens alike, or give more texts")
        largest = np.where(weights < 0, 0.0, masked.max(axis=axis))
        best.append((kept * largest).sum(axis=1) / total)
    return TokenMatch(precision=best[0], recall=best[1])


def idf_weights(references: Iterable[Sequence[str]]) -> dict[str, float]:
    """The inverse document frequency of every token over the references.

    Formula: ln((M + 1) / (m + 1)), m of M references hold the token; a token of none has ln(M + 1). Source: Zhang
    et al. 2020, with the smoothing of their program.

    Args:
        references: the tokens of each reference.

    Returns:
        A weight per token; under the empty token ``""`` the weight of a token that stands in no reference.

    Example:
        >>> weights = idf_weights([["the", "fee"], ["the", "box"]])
        >>> round(weights["the"], 4), round(weights["fee"], 4), round(weights[""], 4)
        (0.0, 0.4055, 1.0986)
    """
    held: Counter[str] = Counter()
    total = 0
    for tokens in references:
        total += 1
        held.update(set(tokens))
    weights = {token: math.log((total + 1) / (count + 1)) for token, count in held.items()}
    return {**weights, "": math.log(total + 1)}


def _blocks(
    order: Sequence[int], answers: Sequence[TokenVectors], references: Sequence[TokenVectors]
) -> Iterable[list[int]]:
    block: list[int] = []
    longest = [0, 0]
    for at in order:
        grown = [max(longest[0], len(answers[at].tokens)), max(longest[1], len(references[at].tokens))]
        if block and (len(block) + 1) * grown[0] * grown[1] > _BLOCK_CELLS:
            yield block
            block, grown = [], [len(answers[at].tokens), len(references[at].tokens)]
        block.append(at)
        longest = grown
    if block:
        yield block


def _padded(texts: Sequence[TokenVectors]) -> npt.NDArray[np.float32]:
    """Unit vectors, shape (texts, longest, dimensions), zeros behind the end of each text."""
    longest, width = max(len(text.tokens) for text in texts), texts[0].vectors.shape[1]
    filled = np.zeros((len(texts), longest, width), dtype=np.float32)
    for at, text in enumerate(texts):
        filled[at, : len(text.tokens)] = text.vectors / np.linalg.norm(text.vectors, axis=1, keepdims=True)
    return filled


def _weights(texts: Sequence[TokenVectors], longest: int, idf: Mapping[str, float] | None, unseen: float) -> FloatArray:
    found = np.full((len(texts), longest), -1.0)
    for at, text in enumerate(texts):
        weights = 1.0 if idf is None else [idf.get(token, unseen) for token in text.tokens]
        found[at, : len(text.tokens)] = weights
    return found


def _require(side: str, texts: Sequence[TokenVectors], width: tuple[int, ...]) -> None:
    for at, text in enumerate(texts):
        place = f"{side}[{at}]"
        if not text.tokens:
            raise _fault("a text has no token", place)
        if text.vectors.shape != (len(text.tokens), *width):
            raise _fault("vectors and tokens do not fit", f"{place}: {len(text.tokens)} and {text.vectors.shape}")
        norms = np.linalg.norm(text.vectors, axis=1)
        if not (np.isfinite(norms) & (norms > 0)).all():
            raise _fault("a vector has no direction", place)


def _fault(message: str, value: str, remedy: str | None = None) -> DataError:
    return DataError(Problem(message=message, field="token vectors", value=value, remedy=remedy))
