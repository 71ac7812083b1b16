"""What a judged measure is: who it needs, how many calls it may take, and how it judges one row."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.batch import Row

Need = Literal["judge", "embedder", "token_embedder", "verifier"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedMeasure:
    """One line of the table of judged measures.

    ``judge`` is given rows that ended well, and hold an answer where ``needs_answer`` says so. It never raises for a
    fault of a judge: that is an outcome without evidence.
    """

    name: str
    version: str
    needs: frozenset[Need]
    judge: Callable[[Panel, Docket, Row], Awaitable[Outcome]]
    calls: Callable[[Row], int]
    """How many calls a row takes at most, before anything is known of the replies."""
    asks_of_each_passage: bool = False
    """Whether a call is shown one of the passages, not all of them; the plan counts their text accordingly."""
    needs_answer: bool = True
    """Whether a row without an answer cannot be judged."""
    splits_by_judge: bool = False
    """Whether a judge finds the claims where there is one, and a verifier only gives the verdicts."""
