"""What the workbench offers: one project folder, an index over its runs, and everything that pages ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from beleg.app.workbench.comparisons import Comparisons
from beleg.app.workbench.decisions import Decisions
from beleg.app.workbench.indexing import Indexer, Standing
from beleg.app.workbench.override_signing import OverrideSigning
from beleg.app.workbench.packs import Packs
from beleg.app.workbench.review_room import ReviewRoom
from beleg.app.workbench.suites import SuiteShelf
from beleg.app.workbench.unjudged import UnjudgedShelf
from beleg.app.workbench.walking import require_own
from beleg.app.workbench.workspace import Holdings, RunEntry, Workspace
from beleg.core.errors import MissingExtra, UsageError
from beleg.core.run_index import RunIndex

NO_KEYS: Mapping[str, str] = {}
INDEX_FILE = Path(".beleg") / "workbench" / "runs.db"


@dataclass(frozen=True, slots=True)
class Workbench:
    """One project, open to be looked at."""

    workspace: Workspace
    index: RunIndex
    indexer: Indexer
    suites: SuiteShelf
    comparisons: Comparisons
    decisions: Decisions
    reviews: ReviewRoom
    unjudged: UnjudgedShelf
    packs: Packs
    signing: OverrideSigning

    @classmethod
    def open(cls, root: Path, *, ledger: str | None = None, override_keys: Mapping[str, str] = NO_KEYS) -> Self:
        """Opens a project folder; the index is kept in ``.beleg`` within it.

        Args:
            root: the folder.
            ledger: the address of its review ledger; one in ``.beleg`` where none is named.
            override_keys: keys in a key service by the owner who signs overrides with them.

        Raises:
            UsageError: if there is no such folder.
            EvidenceError: if what the workbench keeps in it would lie elsewhere.
            MissingExtra: if the packages of the workbench are not installed.
        """
        if not root.is_dir():
            raise UsageError(f"{root} is no folder", hint="Make a project with: beleg init my-project")
        try:
            from beleg.adapters.stores.run_index import SqliteRunIndex
        except ImportError as error:
            raise MissingExtra("the workbench", "serve") from error
        root = root.resolve()
        require_own(root)
        index = SqliteRunIndex(root / INDEX_FILE)
        workspace = Workspace(root)
        reviews = ReviewRoom.of(root) if ledger is None else ReviewRoom(root, ledger)
        return cls(
            workspace=workspace,
            index=index,
            indexer=Indexer(index),
            suites=SuiteShelf(root),
            comparisons=Comparisons(),
            decisions=Decisions(workspace),
            reviews=reviews,
            packs=Packs(workspace),
            signing=OverrideSigning(override_keys),
            unjudged=UnjudgedShelf(root),
        )

    def close(self) -> None:
        """Ends the indexing, and closes the index and the ledger of reviews."""
        self.indexer.finish()
        self.index.close()
        self.reviews.close()

    def holdings(self) -> Holdings:
        """All runs and decisions, read anew where they changed."""
        return self.workspace.holdings()

    def indexed_run(self, run_id: str) -> tuple[RunEntry, Standing]:
        """A run and how far the index is with it.

        Raises:
            UsageError: if there is no such run.
        """
        run = self.workspace.run(run_id)
        return run, self.indexer.standing(run)
