"""Fixtures that every test may use, and the rule that CI skips nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from support.postgres import OWNER, READER, RECORDER, Cluster, binaries, running_cluster, short_folder

# A laptop searches anew each time; CI takes the same examples, so that it says the same of the same code.
settings.register_profile("search", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=1_000)
settings.load_profile(os.environ.get("BELEG_HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "search"))

# It is run by the interpreter of an environment that holds ragas, and cannot be imported by ours.
collect_ignore = ["oracles/ragas_runner.py"]

PROJECT = Path(__file__).resolve().parent.parent
SHARED_DATA = PROJECT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def project() -> Path:
    """The root of the checkout."""
    return PROJECT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The real data sets beside the project; a test that needs them reports a skip where they are absent."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the real data sets are not beside the project (../shared/data)")
    return SHARED_DATA


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Debian's chromium."""
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("chromium is not installed")
    return found


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A private PostgreSQL cluster with the roles of a review ledger."""
    if binaries() is None:
        pytest.skip("PostgreSQL 15 or newer is not installed")
    with short_folder() as folder, running_cluster(folder) as cluster:
        for role in (OWNER, RECORDER, READER):
            cluster.sql(f"CREATE ROLE {role} LOGIN")
        yield cluster


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Where BELEG_FORBID_SKIPS is set, a skipped test is a failure: something that CI must install is missing."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("BELEG_FORBID_SKIPS") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
