from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

from beleg.cli.plain_values import read_plainly

PLAIN = """
import sys
from beleg.cli.main import main
sys.argv = ["beleg", *sys.argv[1:]]
try:
    main()
finally:
    print(sorted({"pydantic", "rich"} & sys.modules.keys()), file=sys.stderr)
"""


def command(seen: dict[str, Any]) -> Any:
    def take(
        place: Annotated[Path, typer.Argument()],
        others: Annotated[list[Path], typer.Argument()],
        words: Annotated[list[str] | None, typer.Option("--word")] = None,
        number: Annotated[int, typer.Option("--number")] = 3,
        bounded: Annotated[int, typer.Option("--bounded", min=1, max=5)] = 2,
        share: Annotated[float, typer.Option("--share")] = 0.5,
        text: Annotated[str | None, typer.Option("--text")] = None,
        flag: Annotated[bool, typer.Option("--flag")] = False,
        there: Annotated[Path | None, typer.Option("--there", exists=True)] = None,
        parsed: Annotated[str | None, typer.Option("--parsed", parser=str.upper)] = None,
    ) -> None:
        seen.update(locals())
        seen.pop("seen", None)

    app = typer.Typer(add_completion=False)
    app.command()(take)
    return typer.main.get_command(app)


def outcome(words: list[str], *, plainly: bool, capsys: pytest.CaptureFixture[str]) -> tuple[Any, str]:
    seen: dict[str, Any] = {}
    asked = command(seen)
    if plainly:
        read_plainly(asked)
    with contextlib.suppress(SystemExit):
        asked(words, prog_name="x")
    return seen, "".join(capsys.readouterr())


@pytest.mark.parametrize(
    "words",
    [
        ["a", "b"],
        [".", ".", "-", "", "no/where"],
        ["a", "b", "--word", "1", "--word", ""],
        *(["a", "b", "--number", word] for word in ("0", "-7", "+1", "007", " 1", "1_0", "1.0", "1e3", "x", "", "٣")),
        ["a", "b", "--number", "9" * 30],
        *(["a", "b", "--bounded", word] for word in ("1", "5", "6", "x")),
        *(["a", "b", "--share", word] for word in ("1", ".5", "x")),
        *(["a", "b", "--text", word] for word in ("", " x ", "ü", "\udcff")),
        ["\udcff", "b"],
        ["a", "b", "--flag", "--there", "."],
        ["a", "b", "--there", "no/where"],
        ["a", "b", "--parsed", "x"],
        ["a"],
        [],
        ["--help"],
        ["a", "b", "--nonsense"],
    ],
    ids=repr,
)
def test_values_and_complaints_are_those_of_typer(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    plain = outcome(words, plainly=True, capsys=capsys)
    assert plain == outcome(words, plainly=False, capsys=capsys)
    assert {name: type(value) for name, value in plain[0].items()} == {
        name: type(value) for name, value in outcome(words, plainly=False, capsys=capsys)[0].items()
    }


def test_a_path_that_may_not_be_read_is_refused_as_by_typer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shut").touch()
    monkeypatch.setattr("os.access", lambda *_, **__: False)  # whoever runs this may read everything
    words = [str(tmp_path / "shut"), "b"]
    plain = outcome(words, plainly=True, capsys=capsys)
    assert plain == outcome(words, plainly=False, capsys=capsys)
    assert "Invalid value" in plain[1]


def test_evaluating_a_run_loads_neither_pydantic_nor_rich(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 d 1\n")
    (tmp_path / "run").write_text("1 Q0 d 1 1.0 x\n")
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, "ir", "eval", "qrels", "run", "-m", "AP"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "AP" in done.stdout
    assert done.stderr == "[]\n"
