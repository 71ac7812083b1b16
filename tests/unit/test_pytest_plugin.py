"""The pytest plugin, in real pytest runs: a decision as items, and nothing unproven is green."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from cli.projects import POLICY, beleg, write_cases, write_policy, write_recorded

CASES = 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of a good candidate and of one that misses every second document."""
    made = tmp_path_factory.mktemp("project")
    write_cases(made / "cases.jsonl", CASES)
    write_recorded(made, "good", ["d1"] * CASES)
    write_recorded(made, "worse", ["d1", "d2"] * (CASES // 2))
    (made / "policy.yaml").write_text(POLICY)
    for name in ("good", "worse"):
        assert beleg("run", f"{name}.yaml", "--suite", "cases.jsonl", "--out", f"runs/{name}", cwd=made).code == 0
    return made


def run_pytest(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A pytest of its own, with the plugin as an installed package has it."""
    is_installed = any(point.value == "beleg.pytest_plugin" for point in entry_points(group="pytest11"))
    plugin = [] if is_installed else ["-p", "beleg.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *plugin, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def write_gate(folder: Path, name: str, run: str, **more: str) -> Path:
    lines = [f"candidate: runs/{run}", "policy: policy.yaml", *(f"{key}: {value}" for key, value in more.items())]
    path = folder / f"{name}.beleg.yaml"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_pass_is_an_item_for_each_check_and_all_are_green(folder: Path) -> None:
    gate = write_gate(folder, "good", "good")
    done = run_pytest(folder, "-v", gate.name)
    assert done.returncode == 0
    assert "good.beleg.yaml::decision PASSED" in done.stdout
    assert "good.beleg.yaml::recall@5/band PASSED" in done.stdout


def test_what_does_not_hold_fails_with_its_sentence_and_its_cases(folder: Path) -> None:
    write_policy(folder / "strict.yaml", checks=[{"metric": "recall@5", "pass_at": 0.95, "block_at": 0.9}])
    gate = folder / "worse.beleg.yaml"
    gate.write_text("candidate: runs/worse\npolicy: strict.yaml\n")
    done = run_pytest(folder, gate.name, "--junitxml", "out.xml")
    assert done.returncode == 1
    assert "FAIL: Recall@5" in done.stdout
    assert "below 0.9 blocks" in done.stdout
    assert "Traceback" not in done.stdout
    names = {case.attrib["name"] for case in ET.parse(folder / "out.xml").iter("testcase")}  # noqa: S314
    assert {"decision", "recall@5/band", "case 'c1'"} <= names


def test_review_is_not_green_either(folder: Path) -> None:
    (folder / "few.yaml").write_text(POLICY.replace("minimum_n: 10", "minimum_n: 1000"))
    gate = folder / "few.beleg.yaml"
    gate.write_text("candidate: runs/good\npolicy: few.yaml\nlanguage: de\n")
    done = run_pytest(folder, gate.name)
    assert done.returncode == 1
    assert "REVIEW: Entscheidung" in done.stdout


def test_all_cases_may_be_listed_and_only_those_that_a_check_names_fail(folder: Path) -> None:
    gate = write_gate(folder, "all", "good", cases="all")
    done = run_pytest(folder, "-v", gate.name)
    assert done.returncode == 0
    assert done.stdout.count("::case 'c") == CASES


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("candidate: runs/none\npolicy: policy.yaml\n", "holds no run"),
        ("candidate: runs/good\npolicy: nothing.yaml\n", "nothing.yaml"),
        ("candidate: runs/good\npolicy: policy.yaml\nskip: true\n", "skip"),
        ("candidate: runs/good\ncandidate: runs/worse\npolicy: policy.yaml\n", "candidate"),
    ],
)
def test_what_cannot_be_decided_is_an_error_and_no_passed_item(folder: Path, text: str, word: str) -> None:
    (folder / "broken.beleg.yaml").write_text(text)
    done = run_pytest(folder, "broken.beleg.yaml")
    assert done.returncode == 2
    assert "could not decide" in done.stdout
    assert word in done.stdout


def test_the_fixture_fails_a_test_unless_the_candidate_may_be_released(folder: Path) -> None:
    write_policy(folder / "strict.yaml", checks=[{"metric": "recall@5", "pass_at": 0.95, "block_at": 0.9}])
    (folder / "test_release.py").write_text(
        "def test_good(beleg_gate):\n"
        "    assert beleg_gate('runs/good', None, 'policy.yaml').verdict == 'PASS'\n"
        "def test_worse(beleg_gate):\n"
        "    beleg_gate('runs/worse', None, 'strict.yaml')\n"
        "def test_looked_at(beleg_gate):\n"
        "    assert beleg_gate('runs/worse', None, 'strict.yaml', require_pass=False).verdict == 'BLOCK'\n"
    )
    done = run_pytest(folder, "test_release.py")
    assert done.returncode == 1
    assert "1 failed, 2 passed" in done.stdout
    assert "BLOCK: Recall@5" in done.stdout


def test_the_plugin_costs_a_project_without_gates_nothing() -> None:
    code = "import sys, beleg.pytest_plugin as p; print([m for m in sys.modules if m.startswith('beleg.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['beleg.pytest_plugin']"
