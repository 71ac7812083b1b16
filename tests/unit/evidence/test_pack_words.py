"""What is said about packs, in both languages."""

from __future__ import annotations

import pytest

from beleg.core.packs import MissingReason, PackRole
from beleg.evidence import pack_words


@pytest.mark.parametrize("role", PackRole)
def test_every_part_of_a_pack_has_a_name_in_both_languages(role: PackRole) -> None:
    english, german = pack_words._ROLES[role]
    assert english
    assert german


@pytest.mark.parametrize("reason", MissingReason)
def test_every_reason_has_words(reason: MissingReason) -> None:
    assert len(set(pack_words._REASONS[reason])) == 2
