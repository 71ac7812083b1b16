"""Citation precision and recall over the columns of whole runs, in named flavours (A5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.intp]
BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]

Flavour = Literal["alce", "trec2024-first", "all-judged"]
FLAVOURS: tuple[Flavour, ...] = ("alce", "trec2024-first", "all-judged")
WEIGHTED_FLAVOURS: tuple[Flavour, ...] = ("trec2024-first", "all-judged")

FULL, PARTIAL, NONE, UNJUDGED, UNRESOLVABLE = 2, 1, 0, -1, -2
"""What a citation was found to be: full, partial or no support, not judged, or naming nothing that was delivered."""

ALCE_CITATIONS = 3
"""ALCE looks at the first three citations of a sentence."""

PARTIAL_WEIGHT = 0.5
"""What partial support counts in the weighted figures of the TREC support evaluation."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CitationColumns:
    """The sentences and citations of many answers, both in the order of the text.

    ``answer`` has one number per sentence, from 0 and never falling; ``sentence`` one per citation, likewise.
    ``joint`` and ``necessary`` are only read by the flavour ``alce``.
    """

    answers: int
    answer: IntArray
    sentence: IntArray
    verdict: npt.NDArray[np.int8]
    """One of `FULL`, `PARTIAL`, `NONE`, `UNJUDGED`, `UNRESOLVABLE` for each citation."""
    joint: BoolArray
    """For each sentence whether its first three citations together carry it."""
    necessary: BoolArray
    """For each citation whether the others of the first three do not carry the sentence without it."""

    def __post_init__(self) -> None:
        if len(self.joint) != len(self.answer):
            raise ValueError("there must be one joint verdict per sentence")
        if not len(self.sentence) == len(self.verdict) == len(self.necessary):
            raise ValueError("there must be one verdict and one necessity per citation")

    def counted(self, answers: IntArray) -> IntArray:
        """How often each answer stands in a list of them."""
        return np.bincount(answers, minlength=self.answers)

    def summed(self, answers: IntArray, credit: FloatArray) -> FloatArray:
        """The credit of each answer."""
        return np.asarray(np.bincount(answers, weights=credit, minlength=self.answers), dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SupportCounts:
    """For each answer what its precision and recall are made of; a figure with nothing below the line is undefined."""

    precision_credit: FloatArray
    precision_of: IntArray
    """How many citations (for ``trec2024-first``: cited sentences) the precision is about."""
    recall_credit: FloatArray
    recall_of: IntArray
    """How many sentences the recall is about."""
    unresolvable: IntArray
    """How many citations name nothing that was delivered, whatever the flavour looks at."""
    unjudged: IntArray
    """How many citations have no verdict; they leave every figure."""


def support_counts(columns: CitationColumns, flavour: Flavour, *, partial: float = 0.0) -> SupportCounts:
    """Counts what citation precision and recall of each answer are made of.

    ``trec2024-first`` (Thakur et al. 2025, section 3.4): only the first citation of each sentence counts. Precision:
    credit / cited sentences; recall: credit / sentences.

    ``all-judged``: every citation counts. Precision: credit / citations; recall: the best credit of each sentence /
    sentences.

    ``alce`` (Gao et al. 2023): of each sentence the first three citations. Recall: sentences that those carry together
    / sentences. Precision: citations that are not irrelevant / citations; one is irrelevant when it does not carry the
    sentence alone and the others do without it, and every citation of a sentence that is not carried is.

    In every flavour a citation that names nothing has no credit and stays below the line; in ``alce`` it also takes the
    credit from its sentence, as in the paper's own code. What was not judged leaves both parts of a figure.

    Args:
        columns: sentences and citations.
        flavour: the rules.
        partial: the credit of partial support, `PARTIAL_WEIGHT` for the weighted figures; not for ``alce``.

    Returns:
        One row per answer.

    Raises:
        ValueError: for ``alce`` with credit for partial support, of which it knows none.

    Example:
        >>> ones = np.ones(2, dtype=bool)
        >>> columns = CitationColumns(answers=1, answer=np.array([0, 0]), sentence=np.array([0, 1]), joint=ones,
        ...                           verdict=np.array([FULL, UNRESOLVABLE], dtype=np.int8), necessary=ones)
        >>> counts = support_counts(columns, "trec2024-first")
        >>> float(counts.precision_credit[0] / counts.precision_of[0])
        0.5
    """
    if flavour == "alce":
        if partial:
            raise ValueError("alce knows no partial support")
        return _alce(columns)
    credit = np.array([0.0, 0.0, 0.0, partial, 1.0])[columns.verdict + 2]
    return _first(columns, credit) if flavour == "trec2024-first" else _all(columns, credit)


def _starts(sentence: IntArray) -> IntArray:
    """Where the citations of each cited sentence begin."""
    if not len(sentence):
        return np.zeros(0, dtype=np.intp)
    return np.flatnonzero(np.concatenate(([True], sentence[1:] != sentence[:-1])))


def _first(columns: CitationColumns, credit: FloatArray) -> SupportCounts:
    starts = _starts(columns.sentence)
    is_judged = columns.verdict[starts] != UNJUDGED
    cited = columns.answer[columns.sentence[starts]]
    gained = columns.summed(cited, credit[starts])
    return _counts(
        columns,
        precision=(gained, columns.counted(cited[is_judged])),
        recall=(gained, columns.counted(columns.answer) - columns.counted(cited[~is_judged])),
    )


def _all(columns: CitationColumns, credit: FloatArray) -> SupportCounts:
    answer = columns.answer[columns.sentence]
    judged = columns.verdict != UNJUDGED
    starts = _starts(columns.sentence)
    best = np.maximum.reduceat(credit, starts) if len(starts) else credit
    is_judged = np.logical_or.reduceat(judged, starts) if len(starts) else judged
    cited = columns.answer[columns.sentence[starts]]
    return _counts(
        columns,
        precision=(columns.summed(answer, credit), columns.counted(answer[judged])),
        recall=(
            columns.summed(cited, best),
            columns.counted(columns.answer) - columns.counted(cited[~is_judged]),
        ),
    )


def _alce(columns: CitationColumns) -> SupportCounts:
    starts = _starts(columns.sentence)
    counts = np.diff(np.append(starts, len(columns.sentence)))
    place = np.arange(len(columns.sentence)) - np.repeat(starts, counts)
    looked_at = place < ALCE_CITATIONS
    verdict, sentence = columns.verdict, columns.sentence
    is_carried = np.zeros(len(columns.answer), dtype=np.bool_)
    is_carried[sentence[starts]] = columns.joint[sentence[starts]]
    is_carried[sentence[verdict == UNRESOLVABLE]] = False
    left_out = np.zeros(len(columns.answer), dtype=np.bool_)
    left_out[sentence[looked_at & (verdict == UNJUDGED)]] = True
    is_carried &= ~left_out
    alone = np.repeat(counts == 1, counts) | (verdict == FULL)
    counted = looked_at & ~left_out[sentence]
    relevant = counted & is_carried[sentence] & (alone | columns.necessary)
    answer = columns.answer[sentence]
    return _counts(
        columns,
        precision=(columns.counted(answer[relevant]).astype(np.float64), columns.counted(answer[counted])),
        recall=(
            columns.counted(columns.answer[is_carried]).astype(np.float64),
            columns.counted(columns.answer[~left_out]),
        ),
    )


def _counts(
    columns: CitationColumns, *, precision: tuple[FloatArray, IntArray], recall: tuple[FloatArray, IntArray]
) -> SupportCounts:
    answer = columns.answer[columns.sentence]
    return SupportCounts(
        precision_credit=precision[0],
        precision_of=precision[1],
        recall_credit=recall[0],
        recall_of=recall[1],
        unresolvable=columns.counted(answer[columns.verdict == UNRESOLVABLE]),
        unjudged=columns.counted(answer[columns.verdict == UNJUDGED]),
    )
