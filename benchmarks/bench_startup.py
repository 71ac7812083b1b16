"""How long a person waits before anything happens: importing the package and showing its help.

usage: python benchmarks/bench_startup.py [--smoke]
"""

from __future__ import annotations

import subprocess
import sys

from measuring import Row, children_cpu_s, is_smoke, show

COMMANDS = {
    "empty interpreter": ("-c", "pass"),
    "import beleg": ("-c", "import beleg"),
    "beleg --help": ("-m", "beleg", "--help"),
    "import pydantic": ("-c", "import pydantic"),
}
IMPORT_BUDGET_S = 0.10
HELP_BUDGET_S = 0.25


def cpu_s(arguments: tuple[str, ...]) -> float:
    """The processor time of one Python process."""
    command = [sys.executable, *arguments]
    return children_cpu_s(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))


def main() -> None:
    """Runs the commands in turn, so that a busy moment hits all of them, and keeps the minimum of each."""
    smoke = is_smoke(__doc__)
    rounds = 1 if smoke else 5
    for arguments in COMMANDS.values():  # the first call of each writes bytecode and fills the file cache
        cpu_s(arguments)
    measured = [{name: cpu_s(arguments) for name, arguments in COMMANDS.items()} for _ in range(rounds)]
    best = {name: min(each[name] for each in measured) for name in COMMANDS}
    empty, pydantic = best["empty interpreter"], best["import pydantic"]
    rows = [
        Row(what="empty interpreter", measured=empty, unit="CPU s"),
        Row(what="import beleg", measured=best["import beleg"], unit="CPU s", budget=IMPORT_BUDGET_S,
            peer="empty interpreter", peer_measured=empty),
        Row(what="beleg --help", measured=best["beleg --help"], unit="CPU s", budget=HELP_BUDGET_S,
            peer="import pydantic", peer_measured=pydantic),
        Row(what="import pydantic", measured=pydantic, unit="CPU s", peer="empty interpreter", peer_measured=empty),
    ]  # fmt: skip
    setting = f"Whole processes, minimum of {rounds}, after one that is not counted."
    show("startup", setting, rows, packages=("typer", "pydantic"), smoke=smoke)


if __name__ == "__main__":
    main()
