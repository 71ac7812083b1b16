from __future__ import annotations

import re
from pathlib import Path

import pytest

from beleg.cli.main import COMMANDS
from cli.projects import beleg

SUITE_COMMANDS = ("validate", "release", "diff", "cover", "subset", "split")
EVERY_COMMAND = [(name,) for name in COMMANDS] + [("suite", name) for name in SUITE_COMMANDS]


@pytest.mark.parametrize("words", EVERY_COMMAND, ids=" ".join)
def test_the_help_of_every_command_shows_an_example_of_it(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = beleg(*words, "--help", cwd=tmp_path)
    assert done.code == 0
    assert f"Example: beleg {' '.join(words)}" in re.sub(r"\s+", " ", done.out)
    assert "--install-completion" not in done.out


def test_the_help_lists_every_command_and_the_exit_codes(tmp_path: Path) -> None:
    done = beleg("--help", cwd=tmp_path)
    assert done.code == 0
    for name, line in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(line)}$", done.out, re.MULTILINE)
    assert "0 PASS or done, 10 REVIEW, 20 BLOCK, 30 could not decide, 2 usage" in re.sub(r"\s+", " ", done.out)


def test_the_version_is_told(tmp_path: Path) -> None:
    done = beleg("--version", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(r"beleg \d+\.\d+\.\d+\n", done.out)


def test_a_misspelt_command_is_met_with_the_right_one(tmp_path: Path) -> None:
    done = beleg("gaet", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "No such command 'gaet'. Did you mean 'gate'?" in done.err


def test_a_command_that_resembles_none_points_to_the_help(tmp_path: Path) -> None:
    done = beleg("xyzzy", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "Try 'beleg --help'" in done.err


@pytest.mark.parametrize("command", ["score", "gate", "compare", "report", "show"])
def test_a_language_that_beleg_does_not_speak_is_refused(project: Path, command: str) -> None:
    words = {
        "score": ("score", "runs/good"),
        "gate": ("gate", "runs/good", "--policy", "policy.yaml"),
        "compare": ("compare", "runs/good", "runs/worse"),
        "report": ("report", "runs/good", "--policy", "policy.yaml"),
        "show": ("show", "c1", "--run", "runs/good"),
    }[command]
    done = beleg(*words, "--lang", "fr", cwd=project)
    assert (done.code, done.out) == (2, "")
    assert "'fr' is neither en nor de" in done.err
