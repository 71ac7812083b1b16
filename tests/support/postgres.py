"""A private PostgreSQL cluster on a socket, made for one test session and thrown away."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

OWNER, RECORDER, READER = "ledger_owner", "recorder", "reader"
NEEDED = ("initdb", "pg_ctl", "psql")


@dataclass(frozen=True, slots=True)
class Cluster:
    """A running server."""

    binaries: Path
    sockets: Path

    @property
    def socket(self) -> Path:
        """The file that clients connect to."""
        return self.sockets / ".s.PGSQL.5432"

    def address(self, role: str, database: str) -> str:
        """How a role names a database of it."""
        return f"postgresql+pg8000://{role}@/{database}?unix_sock={self.socket}"

    def sql(self, statement: str, *, role: str = "postgres", database: str = "postgres") -> str:
        """Carries a statement out and gives what the server says; a refusal is given too."""
        done = subprocess.run(
            [self.binaries / "psql", "-X", "-A", "-t", "-h", self.sockets, "-U", role, "-d", database, "-c", statement],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.stdout + done.stderr


def binaries() -> Path | None:
    """Where the newest PostgreSQL from 15 on is: Debian's folders, which are on no path, then the path."""
    folders = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if path.parent.name.isdecimal()]
    folders.sort(key=lambda path: int(path.parent.name), reverse=True)
    on_path = shutil.which("initdb")
    if on_path:
        folders.append(Path(on_path).resolve().parent)
    return next((folder for folder in folders if all((folder / name).exists() for name in NEEDED)), None)


@contextmanager
def running_cluster(folder: Path, *, is_durable: bool = False) -> Iterator[Cluster]:
    """Starts a cluster in an own folder and ends it afterwards.

    Args:
        folder: made beforehand; the name of a socket in it must stay short.
        is_durable: whether commits wait for the disk. The machine does not lose its power during a test, and clients
            or servers that are killed lose nothing without.
    """
    where = folder / "data"
    found = binaries()
    assert found is not None
    user = _unprivileged()
    if user is not None:
        shutil.chown(folder, user)
    as_user = ["setpriv", f"--reuid={user}", f"--regid={pwd.getpwnam(user).pw_gid}", "--clear-groups"] if user else []
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {"LC_ALL": "C"}

    def run(*words: object) -> None:
        done = subprocess.run(
            [*as_user, *map(str, words)], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    run(found / "initdb", "-D", where, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
    with (where / "postgresql.conf").open("a") as settings:
        settings.write(f"listen_addresses = ''\nunix_socket_directories = '{folder}'\nmax_connections = 120\n")
        if not is_durable:
            settings.write("fsync = off\nfull_page_writes = off\n")
    log = folder / "log"
    run(found / "pg_ctl", "-D", where, "-l", log, "-w", "-t", "60", "-s", "start")
    try:
        yield Cluster(found, folder)
    finally:
        run(found / "pg_ctl", "-D", where, "-w", "-m", "immediate", "-s", "stop")


def _unprivileged() -> str | None:
    """A user that PostgreSQL agrees to run as; it refuses root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


@contextmanager
def short_folder() -> Iterator[Path]:
    """A folder whose name is short enough for a socket in it, and which others may enter."""
    with tempfile.TemporaryDirectory(prefix="pg", dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)
