"""Signing overrides from the page: by keys in a key service that never hands them out, each for its own owner (P6)."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from beleg.app.decision_files import POLICY_FILE
from beleg.app.overriding import OverrideRequest, make_override
from beleg.app.workbench.overrides import AskedView, overridable_decision
from beleg.app.workbench.workspace import DecisionEntry
from beleg.core.access import Access, Principal
from beleg.core.errors import UsageError, shown

KEY_SERVICES = ("awskms:", "gcpkms:", "azurekms:", "hv:", "hsm:")
"""Where the key of an owner may be: the workbench must never hold one itself, as it would with a file or a variable."""


@dataclass(slots=True)
class OverrideSigning:
    """The keys of owners by the names that a policy gives them.

    Args:
        keys: references such as ``awskms:KEY@public.pem`` by the name of the owner.
    """

    keys: Mapping[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def may_sign(self, asked: AskedView, person: Principal) -> bool:
        """Whether a person can sign a request here: they are the owner that it names, and their key is in a service."""
        owner = asked.asked.owner
        return person.may(Access.OWN) and person.name == owner and owner in self.keys

    def sign(self, entry: DecisionEntry, name: str, person: Principal, root: Path) -> Path:
        """Signs a request as its owner, as ``beleg override`` does, and writes the override beside the decision.

        Args:
            entry: the decision.
            name: the request.
            person: who signs.
            root: the folder of the project.

        Raises:
            UsageError: if nobody waits for this signature any more, or the person may not give it.
            DataError: naming everything for which the override would not count.
            EvidenceError: if the key service did not sign.
        """
        # One after another: whoever sends the form twice finds the request answered the second time.
        with self._lock:
            found = overridable_decision(entry, root).asked
            wanted = next((each for each in found if each.name == name), None)
            if wanted is None:
                raise UsageError("this request was signed already, or is gone", hint="Look again at the overrides")
            if not self.may_sign(wanted, person):
                raise UsageError(
                    f"only {shown(wanted.asked.owner)} can sign this, with a key in a key service that is named here",
                    hint="Sign in a step of its own, by the command on the page",
                )
            asked = wanted.asked
            request = OverrideRequest(
                checks=asked.checks,
                owner=asked.owner,
                reason=asked.reason,
                ticket=asked.ticket,
                compensating_control=asked.compensating_control,
                hours=asked.hours,
            )
            return make_override(entry.folder.parent, entry.folder / POLICY_FILE, request, self.keys[asked.owner]).path


def key_of_owner(text: str) -> tuple[str, str]:
    """The name and the key of an owner, as one option gives them.

    Raises:
        UsageError: if it is anything else, or the key is not in a key service.

    Example:
        >>> key_of_owner("A. Weiss=awskms:alias/weiss@weiss.pub.pem")
        ('A. Weiss', 'awskms:alias/weiss@weiss.pub.pem')
    """
    name, _, reference = text.partition("=")
    if not name.strip() or not reference.startswith(KEY_SERVICES) or "@" not in reference:
        raise UsageError(
            f"{shown(text)} names no owner with a key in a key service",
            hint="Write it as NAME=SERVICE:KEY@public.pem; files and variables stay on the owner's own machine",
        )
    return name.strip(), reference
