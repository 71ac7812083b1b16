from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.packs import PackEntry, PackManifest, PackRole

ENTRY = PackEntry(path="versions.json", size=2, sha256="ab" * 32, media_type="application/json", role=PackRole.VERSIONS)


def manifest(*entries: PackEntry, root: str | None = None) -> PackManifest:
    return PackManifest(
        run_id="r1", beleg_version="1", entries=entries, root=PackManifest.root_of(entries) if root is None else root
    )


def test_the_root_changes_with_any_field_of_any_entry() -> None:
    roots = {
        PackManifest.root_of((ENTRY.model_copy(update={name: value}),))
        for name, value in {"path": "a.json", "size": 3, "sha256": "cd" * 32, "role": PackRole.SUITE}.items()
    }
    assert len(roots | {PackManifest.root_of((ENTRY,)), PackManifest.root_of(())}) == 6


def test_entries_are_found_by_their_role() -> None:
    assert manifest(ENTRY).entry_of(PackRole.VERSIONS) == ENTRY
    assert manifest(ENTRY).entry_of(PackRole.DECISION) is None
    assert manifest(ENTRY).paths_of(PackRole.VERSIONS) == ("versions.json",)


@pytest.mark.parametrize(
    "wrong", [{"sha256": "AB" * 32}, {"sha256": "ab"}, {"size": -1}, {"size": 2**53}, {"path": ""}]
)
def test_an_entry_with_no_digest_or_size_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        PackEntry.model_validate(ENTRY.model_dump() | wrong)


def test_what_is_not_set_is_not_written() -> None:
    assert set(manifest(ENTRY).to_json_dict()["entries"][0]) == {"path", "size", "sha256", "media_type", "role"}
