"""The pytest plugin: a fixture that decides, and a collector that turns a decision into test items (P8).

A file ``release.beleg.yaml`` beside the tests names the runs and the policy. Each check, and each case that a check
names, becomes an item. Whatever is not proven fails its item: a test runner knows no REVIEW, and must not show one
green. Nothing of Beleg is loaded before the first such file or fixture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from beleg.app.api import GatedRun
    from beleg.app.gate_files import CaseItem, CheckItem

SUFFIXES = (".beleg.yaml", ".beleg.yml")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Takes gate files."""
    if file_path.name.endswith(SUFFIXES):
        return GateCollector.from_parent(parent, path=file_path)
    return None


class GateCollector(pytest.File):
    """A gate file; it is decided once, when its items are collected."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item for the decision, one per check, one per case."""
        from beleg.app.gate_files import decide_gate_file
        from beleg.core.errors import Error

        try:
            decided = decide_gate_file(self.path)
        except Error as error:
            raise self.CollectError(f"could not decide: {error.diagnostics()}") from None
        for check in decided.checks:
            yield CheckTest.from_parent(self, name=check.item_id, check=check)
        for case in decided.cases:
            yield CaseTest.from_parent(self, name=f"case {case.case_id!r}", case=case)


class _GateTest(pytest.Item):
    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the item comes from."""
        return self.path, None, self.name


class CheckTest(_GateTest):
    """A check, or the decision itself."""

    def __init__(self, *, check: CheckItem, **given: Any) -> None:
        super().__init__(**given)
        self._check = check

    def runtest(self) -> None:
        """Fails unless the check holds."""
        if not self._check.passed:
            cases = f"\ncases to look at: {', '.join(self._check.cases)}" if self._check.cases else ""
            told = f"{self._check.state.value}: {self._check.title}: {self._check.message}{cases}"
            pytest.fail(told, pytrace=False)


class CaseTest(_GateTest):
    """A case, as the checks see it."""

    def __init__(self, *, case: CaseItem, **given: Any) -> None:
        super().__init__(**given)
        self._case = case

    def runtest(self) -> None:
        """Fails if a check that does not hold names the case."""
        if self._case.against:
            pytest.fail("\n".join(self._case.against), pytrace=False)


@pytest.fixture(scope="session")
def beleg_gate() -> Callable[..., GatedRun]:
    """Decides on a run, and fails the test unless it may be released.

    Called like `beleg.gate`: ``beleg_gate(candidate, baseline, policy)``. The decision is returned; with
    ``require_pass=False`` a REVIEW or BLOCK is returned too, for tests that look at it themselves.
    """

    def decide(*runs_and_policy: Any, require_pass: bool = True, **options: Any) -> GatedRun:
        import beleg

        decided = beleg.gate(*runs_and_policy, **options)
        if require_pass and decided.verdict != "PASS":
            open_checks = [check for check in decided.decision.checks if check.state.value != "PASS"]
            lines = [f"{decided.verdict}: {decided.headline}"]
            lines += [f"  {check.state.value} {check.check_id}: {check.reason.en}" for check in open_checks]
            pytest.fail("\n".join(lines), pytrace=False)
        return decided

    return decide
