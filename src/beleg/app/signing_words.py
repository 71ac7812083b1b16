"""What was signed, in words."""

from __future__ import annotations

from beleg.app.overriding import WrittenOverride
from beleg.app.signing import SignedDecision
from beleg.core.decision import Sentence


def signed(made: SignedDecision) -> Sentence:
    """The signed decision in one line."""
    predicate, until = made.predicate, f"{made.predicate.expires_at:%Y-%m-%d %H:%M} UTC"
    keys = ", ".join(key_id[:16] for key_id in made.key_ids)
    return Sentence(
        en=f"Signed {predicate.decision.value} for {predicate.environment} by {keys}; it holds until {until}",
        de=f"{predicate.decision.value} für {predicate.environment} signiert mit {keys}; gilt bis {until}",
    )


def overridden(made: WrittenOverride) -> tuple[Sentence, ...]:
    """The override in one line, and what it still lacks."""
    override, until = made.override, f"{made.override.expires_at:%Y-%m-%d %H:%M} UTC"
    checks = ", ".join(override.checks)
    told = Sentence(
        en=f"{override.owner} lets {override.environment} pass in spite of {checks} until {until}",
        de=f"{override.owner} lässt {override.environment} trotz {checks} bis {until} zu",
    )
    if not made.needs_second:
        return (told,)
    lacking = Sentence(
        en="It takes the signature of a second owner before it counts",
        de="Es zählt erst mit der Signatur einer zweiten verantwortlichen Person",
    )
    return (told, lacking)
