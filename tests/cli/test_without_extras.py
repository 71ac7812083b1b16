"""A base install decides, signs, packs and verifies; what needs an extra names it, and how to get it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cli.projects import POLICY, beleg, real_beleg, write_cases, write_recorded
from support.base_install import base_beleg

STORE = "a review ledger needs packages that are not installed\nInstall them with: pip install 'beleg[review]'\n"
SHARED = STORE.replace("ledger needs", "ledger in PostgreSQL needs").replace("[review]", "[postgres]")
DATABASE = "postgresql+pg8000://ada@db.example/reviews?password_env=REVIEWS_PASSWORD"
VERDICT = ("runs/good", "c1-1", "--as", "ada", "--support", "supported", "--rationale", "So it says.")
SETTLED = (*VERDICT, "--version", "1", "--reason", "Looked again.")
INTO_THE_LEDGER: tuple[tuple[str, ...], ...] = (
    ("create",),
    ("list", "runs/good"),
    ("open", "runs/good", "--as", "ada"),
    ("record", *VERDICT),
    ("assign", "runs/good", "c1-1", "--to", "bob", "--as", "ada"),
    ("history", "runs/good", "c1-1"),
    ("note", "runs/good", "c1-1", "Look at this.", "--as", "ada"),
    ("dispute", "runs/good", "c1-1", "--as", "ada", "--version", "1", "--reason", "No."),
    ("withdraw", "runs/good", "c1-1", "--as", "ada", "--version", "1", "--reason", "No."),
    ("supersede", *SETTLED),
    ("adjudicate", *SETTLED),
    ("agreement", "runs/good"),
    ("export", "--out", "events.jsonl"),
    ("checkpoint", "--key", "gate.pem", "--out", "head.json"),
    ("verify",),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with its sheet, a policy and a key."""
    folder = tmp_path_factory.mktemp("site")
    write_cases(folder / "cases.jsonl", 40)
    write_recorded(folder, "good", ["d1"] * 40)
    (folder / "policy.yaml").write_text(POLICY)
    for words in (
        ("run", "good.yaml", "--suite", "cases.jsonl", "--out", "runs/good"),
        ("sheet", "build", "runs/good"),
        ("keys", "new", "gate"),
    ):
        assert beleg(*words, cwd=folder).code == 0
    return folder


def test_from_the_run_to_the_verified_pack_nothing_but_the_base_install_is_needed(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases.jsonl", 40)
    write_recorded(tmp_path, "good", ["d1"] * 40)
    (tmp_path / "policy.yaml").write_text(POLICY)
    for words in (
        ("run", "good.yaml", "--suite", "cases.jsonl", "--out", "runs/good"),
        ("keys", "new", "gate"),
        ("gate", "runs/good", "--policy", "policy.yaml", "--sign", "gate.pem"),
        ("sheet", "build", "runs/good"),
        ("sheet", "show", "runs/good"),
        ("pack", "runs/good", "--policy", "policy.yaml", "--key", "gate.pem", "--out", "good.pack.zip"),
        ("verify", "good.pack.zip", "--key", "gate.pub.pem"),
    ):
        done = base_beleg(*words, cwd=tmp_path)
        assert done.returncode == 0, (words, done.stderr)


def test_the_list_of_commands_into_the_ledger_is_whole() -> None:
    lines = real_beleg("review", "--help", cwd=Path.cwd()).out.split("Commands:")[1].splitlines()
    known = {line.split()[0] for line in lines if line.startswith("  ") and line[2:3].isalpha()}
    # What users said stands beside the run, in no ledger.
    assert {words[0] for words in INTO_THE_LEDGER} == known - {"Example:", "feedback"}


@pytest.mark.parametrize("words", INTO_THE_LEDGER, ids=[words[0] for words in INTO_THE_LEDGER])
def test_every_way_into_the_ledger_names_the_extra_and_leaves_no_file(
    site: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only this entry is put back afterwards: what is imported meanwhile must stay, as it cannot be imported twice.
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    done = beleg("review", *words, cwd=site)
    assert (done.code, done.out, done.err) == (2, "", f"beleg: {STORE}")
    assert not {"reviews.db", "events.jsonl", "head.json"} & {path.name for path in site.iterdir()}


def test_the_installed_program_says_the_same(site: Path) -> None:
    done = base_beleg("review", "list", "runs/good", cwd=site)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"beleg: {STORE}")


@pytest.mark.parametrize("missing", ["alembic", "sqlalchemy", "pg8000"])
@pytest.mark.parametrize("words", [("create",), ("list", "runs/good")], ids=["create", "list"])
def test_a_ledger_in_a_database_names_the_extra_that_brings_its_driver_too(
    site: Path, words: tuple[str, ...], missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    done = beleg("review", *words, "--ledger", DATABASE, cwd=site)
    assert (done.code, done.err) == (2, f"beleg: {SHARED}")


def test_events_that_were_exported_are_read_and_verified_without_the_extra(site: Path, tmp_path: Path) -> None:
    ledger, events = str(tmp_path / "there.db"), str(tmp_path / "events.jsonl")
    assert beleg("review", "create", "--ledger", ledger, cwd=site).code == 0
    claim = beleg("review", "list", "runs/good", "--ledger", ledger, "--json", cwd=site).json["claims"][0]["claim_id"]
    verdict = ("runs/good", claim, *VERDICT[2:])
    assert beleg("review", "record", *verdict, "--ledger", ledger, cwd=site).code == 0
    assert beleg("review", "export", "--out", events, "--ledger", ledger, cwd=site).code == 0
    for words in (
        ("review", "verify", "--events", events),
        ("sheet", "show", "runs/good", "--reviews", events),
        ("gate", "runs/good", "--policy", "policy.yaml", "--reviews", events),
        ("pack", "runs/good", "--policy", "policy.yaml", "--reviews", events, "--out", str(tmp_path / "p.pack.zip")),
    ):
        done = base_beleg(*words, cwd=site)
        assert done.returncode == 0, (words, done.stderr)


def test_reading_documents_for_a_sheet_names_the_extra_that_reads_them(site: Path, tmp_path: Path) -> None:
    (tmp_path / "fees.html").write_text("<h1>Fees</h1>Nine euro.")
    done = base_beleg("sheet", "locate", "runs/good", "--documents", str(tmp_path), cwd=site)
    assert done.returncode == 2
    assert done.stderr.endswith("Install them with: pip install 'beleg[reference]'\n")


def test_the_workbench_names_the_extra_that_brings_it(site: Path) -> None:
    done = base_beleg("serve", "--port", "0", cwd=site)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("Install them with: pip install 'beleg[serve]'\n")
