"""All probes over the rows of a run by name; adding one takes a line here and its module."""

from __future__ import annotations

from beleg.judges.probes.drift import drift_probe
from beleg.judges.probes.injection import ANSWER_INJECTION, INJECTION
from beleg.judges.probes.position import POSITION
from beleg.judges.probes.probe import Probe
from beleg.judges.probes.sensitivity import SENSITIVITY
from beleg.judges.probes.verbosity import EXPANSION, TRUNCATION

PROBES: dict[str, tuple[Probe, ...]] = {
    "position": (POSITION,),
    "verbosity": (EXPANSION, TRUNCATION),
    "injection": (INJECTION, ANSWER_INJECTION),
    "sensitivity": (SENSITIVITY,),
}
"""What is asked under each name; drift and self-preference need more than the rows of a run."""


def probes_named(name: str, *, sample: int = 1) -> tuple[Probe, ...]:
    """The probes of a name.

    Args:
        name: a name of `PROBES`, or ``drift``.
        sample: for ``drift``, which repetition the new round is.
    """
    return (drift_probe(sample),) if name == "drift" else PROBES[name]
