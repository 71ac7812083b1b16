from __future__ import annotations

from pathlib import Path

from beleg.app.places import placed
from beleg.core.errors import Problem

POLICY = """\
policy: p
checks:
  - metric: recall@5
    margin: 0.1
  - metric: mrr
"""


def test_a_field_of_a_yaml_file_gets_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY)
    found = placed((Problem(field="checks[1].metric", message="m"), Problem(field="checks", message="m")), path)
    assert [(problem.file, problem.line) for problem in found] == [(str(path), 5), (str(path), 3)]


def test_a_field_that_is_not_there_gets_the_line_of_what_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY)
    (found,) = placed((Problem(field="checks[1].pass_at", message="m"),), path)
    assert found.line == 5


def test_a_line_that_is_known_already_stays(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY)
    (found,) = placed((Problem(file="other", line=9, field="policy", message="m"),), path)
    assert (found.file, found.line) == ("other", 9)


def test_a_json_file_is_named_without_a_line(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_text("{}")
    (found,) = placed((Problem(field="checks", message="m"),), path)
    assert (found.file, found.line) == (str(path), None)
