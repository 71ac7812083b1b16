"""The wheel holds everything that an installed Beleg needs, and nothing of the tests."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def wheel_names(project: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    (wheel,) = folder.glob("beleg-*.whl")
    return zipfile.ZipFile(wheel).namelist()


def test_every_file_of_the_package_is_in_the_wheel(project: Path, wheel_names: list[str]) -> None:
    source = project / "src"
    wanted = {
        str(path.relative_to(source))
        for path in (source / "beleg").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert wanted - set(wheel_names) == set()


def test_the_demo_is_in_the_wheel_and_the_tests_are_not(project: Path, wheel_names: list[str]) -> None:
    shop = project / "examples" / "shop"
    suite = {f"beleg/examples/shop/{path.relative_to(shop)}" for path in (shop / "corpus").rglob("*.md")}
    assert suite <= set(wheel_names)
    assert "beleg/examples/shop/policy.yaml" in wheel_names
    assert not [name for name in wheel_names if name.startswith(("tests", "benchmarks", "docs"))]
