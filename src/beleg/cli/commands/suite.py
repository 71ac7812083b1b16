"""``beleg suite``: validate, release, diff, cover, split and subset golden suites."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beleg.cli.commands import sealed_suites
from beleg.cli.output import JSON_OPTION, emit_json, next_step, print_table, say, shell

if TYPE_CHECKING:
    from beleg.app.suite_tools import Cell

EPILOG = "Example: beleg suite validate suite/suite.yaml"
EXIT_FINDINGS = 30

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Keep golden suites in order.",
    epilog=EPILOG,
)

SUITE = Annotated[str, typer.Argument(help="Suite file, file of cases, released version, beir:… or squad:…")]


@app.command(epilog="Example: beleg suite validate suite/suite.yaml")
def validate(suite: SUITE, as_json: Annotated[bool, JSON_OPTION] = False) -> None:
    """Check every row and say what is wrong or weak. Exit code 30 if there is an error."""
    from beleg.app.suite_tools import Severity, validate_suite

    loaded, findings = validate_suite(suite)
    errors = [item for item in findings if item.severity is Severity.ERROR]
    if as_json:
        emit_json(
            {
                "suite": loaded.header.to_json_dict(),
                "cases": len(loaded.cases),
                "digest": loaded.digest,
                "findings": [
                    {"severity": item.severity.value, "case_id": item.case_id, "field": item.field,
                     "message": item.message, "remedy": item.remedy}
                    for item in findings
                ],
            }
        )  # fmt: skip
    else:
        others = len(findings) - len(errors)
        say(f"{loaded.header.name} version {loaded.header.version}: {len(loaded.cases)} cases, "
            f"{len(errors)} errors, {others} remarks")  # fmt: skip
        say(*(f"{item.severity.value}: {item.to_problem()}" for item in findings))
        say(loaded.digest)
        next_step("mend the errors and validate again" if errors else shell("beleg", "suite", "release", suite))
    raise typer.Exit(EXIT_FINDINGS if errors else 0)


@app.command(epilog="Example: beleg suite release suite/suite.yaml --note 'first release'")
def release(
    suite: SUITE,
    store: Annotated[Path, typer.Option(help="Folder of released suites.")] = Path("suites"),
    note: Annotated[str, typer.Option(help="What is new in this version.")] = "",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Release a suite as an immutable, content-addressed version. A released version is never changed in place."""
    from beleg.app.suite_tools import release_suite

    record = release_suite(suite, store, note=note or "no note")
    place = store / record.name / f"v{record.version}"
    if as_json:
        emit_json({**record.to_json_dict(), "folder": str(place)})
        return
    say(f"Released {record.name} version {record.version}: {len(record.case_digests)} cases", record.digest, str(place))
    next_step(shell("beleg", "run", "CANDIDATE", "--suite", place))


@app.command(epilog="Example: beleg suite diff suites/help/v1 suite/suite.yaml")
def diff(
    old: Annotated[str, typer.Argument(help="The older suite.")],
    new: Annotated[str, typer.Argument(help="The newer suite.")],
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show cases added, removed and changed between two suites, field by field."""
    from beleg.app.suite_tools import as_json as to_json
    from beleg.app.suite_tools import diff_suites

    found = diff_suites(old, new)
    if as_json:
        emit_json(to_json(found))
        return
    say(found.summary())
    say(*(f"+ {name}" for name in found.added), *(f"- {name}" for name in found.removed))
    for change in found.changed:
        say(f"~ {change.case_id}")
        say(*(f"    {item.field}: {item.old!r} → {item.new!r}" for item in change.fields))
    next_step(shell("beleg", "suite", "validate", new))


@app.command(epilog="Example: beleg suite cover suite/suite.yaml --by language --by stratum")
def cover(
    suite: SUITE,
    by: Annotated[list[str], typer.Option(help="A dimension of the grid; may be repeated.")],
    minimum: Annotated[int, typer.Option(min=1, help="Cases that a cell needs to carry a decision.")] = 30,
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show the coverage matrix: n, groups and interval width in each cell, empty cells, and how many cases to plan."""
    from beleg.app.suite_tools import as_json as to_json
    from beleg.app.suite_tools import cover_suite

    found = cover_suite(suite, by, minimum_n=minimum)
    if as_json:
        emit_json(to_json(found))
        return
    thin = f"{len(found.empty)} empty, {len(found.too_small)} below {minimum}"
    say(f"{found.cases} cases in {len(found.cells)} cells: {thin}")
    print_table(
        (*by, "n", "groups", "± points", "± if groups move as one"),
        (_cell_row(cell) for cell in found.cells),
        numbers_from=len(by),
    )
    planned = ", ".join(f"±{size.half_width * 100:g} points: {size.cases}" for size in found.planning)
    say(f"Cases needed at a rate of {found.rate:g}: {planned}")
    if found.empty or found.too_small:
        next_step("write cases for the cells that are empty or too small, or name fewer dimensions")
    else:
        next_step(shell("beleg", "suite", "release", suite))


@app.command(epilog="Example: beleg suite subset suite/suite.yaml --size 50 --out suite/fast.jsonl")
def subset(
    suite: SUITE,
    size: Annotated[int, typer.Option(min=1, help="About how many cases.")] = 50,
    seed: Annotated[int, typer.Option(help="Which subset; keep it fixed.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Write the cases into this file.")] = None,
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Choose the deterministic stratified subset for pull requests."""
    from beleg.app.suite_tools import as_json as to_json
    from beleg.app.suite_tools import subset_suite

    loaded, chosen = subset_suite(suite, size=size, seed=seed, out=out)
    if as_json:
        emit_json(to_json(chosen))
        return
    say(f"{len(chosen.case_ids)} of {len(loaded.cases)} cases in {len(chosen.strata)} strata")
    print_table(
        ("Stratum", "n", "chosen", "reason"),
        (
            (", ".join(f"{name}={label}" for name, label in item.labels.items()), str(item.n),
             str(item.allocated + item.completed), item.reason.value)
            for item in chosen.strata
        ),
    )  # fmt: skip
    if out is not None:
        say(str(out))
    next_step(shell("beleg", "run", "CANDIDATE", "--suite", suite, "--subset", size, "--seed", seed))


@app.command(epilog="Example: beleg suite split suite/suite.yaml --share development=0.3 --share release=0.7")
def split(
    suite: SUITE,
    share: Annotated[list[str], typer.Option(help="A part with its share, such as release=0.7; may be repeated.")],
    seed: Annotated[int, typer.Option(help="Chooses among equally good splits.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Write one file of cases per part into this folder.")] = None,
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Split a suite; cases that share a source or a session stay together."""
    from beleg.app.suite_tools import as_json as to_json
    from beleg.app.suite_tools import parse_shares, split_suite

    result = split_suite(suite, parse_shares(share), seed=seed, out=out)
    if as_json:
        emit_json(to_json(result))
        return
    say(f"{len(result.parts)} parts")
    print_table(
        ("Part", "asked", "achieved", "cases", "groups"),
        (
            (item.part, f"{item.asked:.1%}", f"{item.achieved:.1%}", str(item.cases), str(item.components))
            for item in result.shares
        ),
    )
    next_step(
        shell("beleg", "suite", "validate", out / "PART.jsonl")
        if out
        else "name a folder with --out to write the parts"
    )


@app.command(epilog="Example: beleg suite nuggets suite/suite.yaml nuggets.jsonl --out suite/cases-2.jsonl")
def nuggets(
    suite: SUITE,
    reviewed: Annotated[Path, typer.Argument(help="Proposed nuggets that a person has reviewed.")],
    out: Annotated[Path, typer.Option("--out", help="The new file of cases; an existing one is never overwritten.")],
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Take reviewed nuggets into the cases of a suite; what nobody reviewed stays out."""
    from beleg.app.nuggets import adopt_nuggets
    from beleg.app.suite_tools import as_json as to_json
    from beleg.app.suites import load_suite

    adopted = adopt_nuggets(load_suite(suite).cases, reviewed, out)
    if as_json:
        emit_json(to_json(adopted))
        return
    say(f"{adopted.nuggets} nuggets taken into {len(adopted.cases)} cases")
    if adopted.unreviewed:
        say(f"{len(adopted.unreviewed)} proposals wait for a review: {', '.join(adopted.unreviewed[:10])}")
    say(str(out))
    next_step(shell("beleg", "suite", "validate", out))


@app.command(
    "apply-labels",
    epilog="Example: beleg suite apply-labels suite/suite.yaml .beleg/workbench/labels/shop-1a2b3c4d.jsonl --out next",
)
def apply_labels(
    suite: SUITE,
    labels: Annotated[Path, typer.Argument(help="Labels of unjudged evidence, as the workbench keeps them.")],
    out: Annotated[Path, typer.Option("--out", help="A new folder for the copy; one that holds anything is refused.")],
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Write a new copy of a suite with the evidence that people labelled; the suite itself is never changed."""
    from beleg.app.suite_labels import apply_labels as applied
    from beleg.app.suite_tools import as_json as to_json

    done = applied(suite, labels, out)
    if as_json:
        emit_json(to_json(done))
        return
    say(f"New evidence: {done.added}, cases that have some: {done.cases}")
    say(f"Left out: not relevant {done.not_relevant}, people differ {done.disputed}, named before {done.named},")
    say(f"  of another question or of a case that is gone {done.stale}")
    say(str(out / "suite.yaml"))
    next_step(shell("beleg", "suite", "diff", suite, out / "suite.yaml"))


def _cell_row(cell: Cell) -> tuple[str, ...]:
    widths = (_points(cell.half_width), _points(cell.half_width_clustered))
    return (*cell.labels, str(cell.n), str(cell.clusters), *widths)


def _points(half_width: float | None) -> str:
    return "empty" if half_width is None else f"{half_width * 100:.1f}"


app.command(epilog="Example: beleg suite keys keys/holdout")(sealed_suites.keys)
app.command(epilog="Example: beleg suite seal holdout.yaml --to keys/holdout.pub.pem --out holdout.sealed")(
    sealed_suites.seal
)
app.command(epilog="Example: beleg suite decide holdout.sealed new.yaml --policy policy.yaml --key env:SEAL_KEY")(
    sealed_suites.decide
)
