from __future__ import annotations

from importlib.metadata import version

from beleg.app.installed import PACKAGES, installed_packages


def test_the_versions_are_those_of_the_installed_packages() -> None:
    found = installed_packages()
    assert found["numpy"] == version("numpy")
    assert set(found) <= set(PACKAGES)


def test_what_is_handed_out_can_be_changed_without_harm() -> None:
    installed_packages().clear()
    assert installed_packages()
