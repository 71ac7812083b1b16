from __future__ import annotations

import json
from pathlib import Path

from cli.projects import beleg


def test_schemas_are_listed_with_what_they_are_for(tmp_path: Path) -> None:
    text, found = beleg("schema", cwd=tmp_path), beleg("schema", "--json", cwd=tmp_path).json
    assert text.code == 0
    assert {line.split()[0] for line in text.lines[:-1]} == set(found)
    assert text.lines[-1] == "Next: beleg schema policy"


def test_one_schema_is_printed_alone(tmp_path: Path) -> None:
    found = beleg("schema", "policy", cwd=tmp_path).json
    assert found["properties"]["checks"]["type"] == "array"


def test_all_are_written_into_a_folder(tmp_path: Path) -> None:
    found = beleg("schema", "--out", "schemas", "--json", cwd=tmp_path).json
    assert found["folder"] == "schemas"
    assert sorted(found["files"]) == sorted(path.name for path in (tmp_path / "schemas").iterdir())
    assert all(json.loads((tmp_path / "schemas" / name).read_text()) for name in found["files"])


def test_an_unknown_schema_is_met_with_those_there_are(tmp_path: Path) -> None:
    done = beleg("schema", "policyy", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "there is no schema 'policyy'\nThere are: case, suite, policy" in done.err
