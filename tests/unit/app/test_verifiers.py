from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from beleg.app.verifiers import open_verifier
from beleg.core.errors import UsageError
from beleg.core.judge_settings import VerifierSettings
from support.tiny_models import write_hhem, write_nli

COMMIT = "b" * 40


def test_each_kind_is_opened(tmp_path: Path) -> None:
    write_nli(tmp_path / "nli")
    write_hhem(tmp_path / "hhem")
    models = [
        open_verifier(VerifierSettings(kind="nli", folder="nli"), base_dir=tmp_path),
        open_verifier(VerifierSettings(kind="hhem", folder="hhem"), base_dir=tmp_path),
        open_verifier(VerifierSettings(kind="alignment")),
    ]
    assert [model.spec.model for model in models] == ["nli:nli", "hhem:hhem", "alignment-1"]
    for model in models:
        (given,) = model.support([("returns are free .", "returns are free")])
        assert 0 < given <= 1


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "nli"},
        {"kind": "nli", "folder": "a", "repository": "o/n", "revision": COMMIT},
        {"kind": "hhem", "repository": "o/n"},
        {"kind": "hhem", "folder": "a", "revision": COMMIT},
        {"kind": "hhem", "repository": "o/n", "revision": "main"},
        {"kind": "alignment", "folder": "a"},
    ],
)
def test_settings_that_name_no_one_place_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        VerifierSettings.model_validate(fields)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        open_verifier(VerifierSettings(kind="nli", folder="none"), base_dir=tmp_path)
