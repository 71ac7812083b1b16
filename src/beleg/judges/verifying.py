"""Claims against passages by a dedicated verifier: which pairs it is asked, and what follows from its answers (A3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from beleg.core.errors import InvalidOutput
from beleg.core.inference import SupportModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """The support of one claim, and the passage that carries most of it."""

    support: float
    passage: int | None
    """The position of the passage; ``None`` where all passages together carry more than any one of them."""


def verify(verifier: SupportModel, claims: Sequence[str], passages: Sequence[str]) -> tuple[Verified, ...]:
    """The support of each claim: the most that any passage gives it, or all passages read as one.

    The same function serves the measure and the calibration, so that a threshold means the same in both.

    Args:
        verifier: who is asked; once, for all pairs together.
        claims: the claims of one answer.
        passages: the texts of the passages; without any, nothing is carried.

    Returns:
        One result per claim, in order.

    Raises:
        InvalidOutput: if the verifier gives another number of values, or one that is not from 0 to 1.
    """
    premises = [*passages, "\n\n".join(passages)] if len(passages) > 1 else [*passages]
    if not premises or not claims:
        return tuple(Verified(support=0.0, passage=None) for _ in claims)
    pairs = [(premise, claim) for claim in claims for premise in premises]
    given = np.asarray(verifier.support(pairs), dtype=np.float64)
    if given.shape != (len(pairs),):
        raise InvalidOutput(f"the verifier gave {given.size} values for {len(pairs)} pairs")
    if not (np.isfinite(given) & (given >= 0) & (given <= 1)).all():
        raise InvalidOutput("the verifier gave a value that is not from 0 to 1")
    table = given.reshape(len(claims), len(premises))
    best = table.argmax(axis=1)
    return tuple(
        Verified(support=float(table[row, at]), passage=int(at) if at < len(passages) else None)
        for row, at in enumerate(best.tolist())
    )
