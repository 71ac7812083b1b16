"""How long a person waits: importing the package, showing its help, and the figures of a small run.

usage: python benchmarks/bench_startup.py [--smoke]
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import Row, children_cpu_s, is_smoke, show

COMMANDS = {
    "empty interpreter": ("-c", "pass"),
    "import beleg": ("-c", "import beleg"),
    "beleg --help": ("-m", "beleg", "--help"),
    "import pydantic": ("-c", "import pydantic"),
}
IMPORT_BUDGET_S = 0.10
HELP_BUDGET_S = 0.25
EVAL_BUDGET_S = 0.3
EVAL_RUNS = 9
QUERIES, DEPTH, JUDGED = 50, 1_000, 100


def cpu_s(arguments: tuple[str, ...]) -> float:
    """The processor time of one Python process."""
    command = [sys.executable, *arguments]
    return children_cpu_s(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))


def write(folder: Path, queries: int) -> tuple[str, ...]:
    """Writes judgements and a run, and gives the words of the command that measures it."""
    with (folder / "qrels.txt").open("w") as judgements, (folder / "run.txt").open("w") as lines:
        for query in range(queries):
            lines.writelines(f"{query} Q0 d{query}-{at} {at + 1} {DEPTH - at} bench\n" for at in range(DEPTH))
            judgements.writelines(f"{query} 0 d{query}-{at * 10} {at % 4}\n" for at in range(JUDGED))
    return (
        "-m",
        "beleg",
        "ir",
        "eval",
        str(folder / "qrels.txt"),
        str(folder / "run.txt"),
        "-m",
        "nDCG@10",
        "-m",
        "AP",
    )


def eval_row(runs: int, queries: int) -> Row:
    """The whole command by the clock on the wall, every run said; with bytecode, as pip leaves it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, *write(folder, queries)]
        setting = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        setting["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
        walls = [wall_s(command, setting) for _ in range(1 + runs)][1:]
    note = f"median of {', '.join(f'{each:.3f}' for each in walls)}"
    what = f"beleg ir eval of {queries} queries, wall"
    return Row(what=what, measured=statistics.median(walls), unit="s", budget=EVAL_BUDGET_S, note=note)


def wall_s(command: list[str], setting: dict[str, str]) -> float:
    """How long a whole process takes."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=setting)
    return time.perf_counter() - began


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
    rows.append(eval_row(1 if smoke else EVAL_RUNS, 2 if smoke else QUERIES))
    setting = f"Whole processes, minimum of {rounds}, after one that is not counted; wall times as noted."
    show("startup", setting, rows, packages=("typer", "pydantic"), smoke=smoke)


if __name__ == "__main__":
    main()
