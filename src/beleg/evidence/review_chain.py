"""Whether a review ledger is whole: its hash chain, held against checkpoints that were kept elsewhere (E7).

The chain alone shows a changed, moved or missing event. It does not show a tail that was cut, a ledger that was
emptied, or one that was written anew from some point on; a signed checkpoint does, for everything before it. This makes
changes evident; it does not make them impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Self

from beleg.core.attestation import Sha256Hex
from beleg.core.digest import canonical_json
from beleg.core.model import StoredModel
from beleg.core.review import NO_HASH, LedgerHead, ReviewEvent

CHECKPOINT_TYPE = "application/vnd.beleg.review-checkpoint+json"
"""The payload type of a signed head, so that no other signed document passes for one."""


class ChainFault(StrEnum):
    """What is wrong with a ledger."""

    OUT_OF_PLACE = "out_of_place"
    """An event is missing, repeated or moved: the numbers have a gap."""
    NOT_BEHIND = "not_behind"
    """An event does not name the hash of the one before it."""
    CHANGED = "changed"
    """An event does not have the hash of what it holds."""
    VERSION = "version"
    """The versions of a stream have a gap."""
    UNREADABLE = "unreadable"
    """What stands there is no event any more."""
    OTHER_LEDGER = "other_ledger"
    """A checkpoint of another ledger was given."""
    EMPTIED = "emptied"
    """The ledger is empty, and a checkpoint says that it was not."""
    CUT = "cut"
    """The ledger ends before a checkpoint."""
    REWRITTEN = "rewritten"
    """The ledger holds something else than it did at a checkpoint, under hashes that fit."""


class ChainFinding(StoredModel):
    """What was found out about a ledger."""

    size: int
    """How many events are whole, from the first on."""
    hash: Sha256Hex
    """The hash of the last of them."""
    fault: ChainFault | None = None
    """``None`` where nothing is wrong."""
    sequence: int | None = None
    """The first event that is not as it was; for a tail that was cut, the first one that is gone."""
    stream: str | None = None
    """The claim row that this event is about, where that is known."""
    checkpoints: int = 0
    """How many checkpoints the ledger was held against."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong."""
        return self.fault is None


class ChainReader:
    """Follows a chain event by event, in portions of any size, and remembers what checkpoints ask about.

    Args:
        checkpoints: heads of the ledger that were kept elsewhere, and whose signature was checked.
    """

    def __init__(self, checkpoints: Sequence[LedgerHead] = ()) -> None:
        self._checkpoints = tuple(checkpoints)
        self._kept: dict[int, str] = {0: NO_HASH}
        self._wanted = {head.size for head in checkpoints}
        self._versions: dict[str, int] = {}
        self._size, self._hash = 0, NO_HASH
        self._fault: ChainFinding | None = None

    def follow(self, events: Iterable[ReviewEvent]) -> Self:
        """Goes on with the next events; after the first fault the rest says nothing."""
        for event in events:
            if self._fault is not None:
                break
            fault = self._fault_of(event)
            if fault is not None:
                self._fault = self._finding(fault, self._size + 1, event.action.stream)
                break
            self._size, self._hash = event.sequence, event.hash
            self._versions[event.action.stream] = event.version
            if event.sequence in self._wanted:
                self._kept[event.sequence] = event.hash
        return self

    def unreadable(self) -> Self:
        """What stands behind the last event is no event."""
        self._fault = self._fault or self._finding(ChainFault.UNREADABLE, self._size + 1, None)
        return self

    def finding(self, ledger: str) -> ChainFinding:
        """What was found out, the checkpoints included.

        Args:
            ledger: the name of the ledger, which its checkpoints must carry.
        """
        if self._fault is not None:
            return self._fault
        for head in sorted(self._checkpoints, key=lambda each: each.size):
            if head.ledger != ledger:
                return self._finding(ChainFault.OTHER_LEDGER, None, None)
            if head.size > self._size:
                fault = ChainFault.CUT if self._size else ChainFault.EMPTIED
                return self._finding(fault, self._size + 1, None)
            if self._kept[head.size] != head.hash:
                return self._finding(ChainFault.REWRITTEN, None, None)
        return self._finding(None, None, None)

    def _fault_of(self, event: ReviewEvent) -> ChainFault | None:
        if event.sequence != self._size + 1:
            return ChainFault.OUT_OF_PLACE
        if event.previous_hash != self._hash:
            return ChainFault.NOT_BEHIND
        if event.content_hash() != event.hash:
            return ChainFault.CHANGED
        version = self._versions.get(event.action.stream, 0)
        is_next = event.version == version + 1 and event.action.expected_version == version
        return None if is_next else ChainFault.VERSION

    def _finding(self, fault: ChainFault | None, sequence: int | None, stream: str | None) -> ChainFinding:
        return ChainFinding(
            size=self._size,
            hash=self._hash,
            fault=fault,
            sequence=sequence,
            stream=stream,
            checkpoints=len(self._checkpoints),
        )


def verify_chain(events: Iterable[ReviewEvent], *, ledger: str, checkpoints: Sequence[LedgerHead] = ()) -> ChainFinding:
    """Whether some events are a whole ledger, as an export or a pack holds it.

    Args:
        events: all events of the ledger in order.
        ledger: its name.
        checkpoints: heads that were kept elsewhere, and whose signature was checked.

    Example:
        >>> verify_chain([], ledger="l").is_whole
        True
    """
    return ChainReader(checkpoints).follow(events).finding(ledger)


def checkpoint_payload(head: LedgerHead) -> bytes:
    """What is signed of a head: its canonical form, under the type `CHECKPOINT_TYPE`."""
    return canonical_json(head.to_json_dict())
