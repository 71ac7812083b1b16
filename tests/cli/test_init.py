from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def beleg(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "beleg", *words], cwd=cwd, capture_output=True, text=True, check=False)


def test_init_lists_its_files_and_names_the_next_command(tmp_path: Path) -> None:
    done = beleg("init", "my project", cwd=tmp_path)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    written = sum(path.is_file() for path in (tmp_path / "my project").rglob("*"))
    assert lines[0] == f"{written} files in my project; README.md says what each is for"
    assert "my project/policy.yaml" in lines
    assert lines[-1] == "Next: cd 'my project' && beleg suite validate suite/suite.yaml"
    assert done.stderr == ""


def test_without_a_folder_init_uses_the_one_it_is_in(tmp_path: Path) -> None:
    done = beleg("init", cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "Next: beleg suite validate suite/suite.yaml"
    assert (tmp_path / "policy.yaml").is_file()


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "EVERY THRESHOLD HERE IS A STARTING VALUE"), ("de", "SCHWELLEN HIER SIND STARTWERTE")],
)
def test_comments_are_in_the_language_that_was_asked_for(tmp_path: Path, language: str, words: str) -> None:
    assert beleg("init", "p", "--lang", language, cwd=tmp_path).returncode == 0
    assert words in (tmp_path / "p" / "policy.yaml").read_text(encoding="utf-8")


def test_json_lists_the_same_files(tmp_path: Path) -> None:
    done = beleg("init", "p", "--json", cwd=tmp_path)
    listed = json.loads(done.stdout)
    assert listed["folder"] == "p"
    there = sorted(
        path.relative_to(tmp_path / "p").as_posix() for path in (tmp_path / "p").rglob("*") if path.is_file()
    )
    assert sorted(listed["files"]) == there


def test_what_is_there_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine", encoding="utf-8")
    done = beleg("init", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "README.md: already there" in done.stderr
    assert "beleg init my-project" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


def test_a_language_that_beleg_does_not_speak_is_refused(tmp_path: Path) -> None:
    done = beleg("init", "p", "--lang", "fr", cwd=tmp_path)
    assert done.returncode == 2
    assert not (tmp_path / "p").exists()


@pytest.mark.slow
def test_every_command_of_the_readme_works(tmp_path: Path) -> None:
    beleg("init", "p", cwd=tmp_path)
    project = tmp_path / "p"
    readme = (project / "README.md").read_text(encoding="utf-8")
    commands = [line.split()[1:] for line in readme.splitlines() if line.startswith("    beleg ")]
    codes = {" ".join(words[:2]): beleg(*words, cwd=project).returncode for words in commands}
    assert codes.pop("gate runs/new") == 10
    assert set(codes.values()) == {0}
    assert len(codes) == 8
