"""``beleg suite keys``, ``seal`` and ``decide``: holdouts that only a key opens, and that tell figures alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import (
    JSON_OPTION,
    LANGUAGE_OPTION,
    check_language,
    emit_json,
    next_step,
    print_table,
    say,
    shell,
    warn,
)


def keys(
    name: Annotated[Path, typer.Argument(help="NAME.pem and NAME.pub.pem are written.", show_default=False)],
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Make a key pair that seals suites: the private half for its owner alone (mode 0600)."""
    from beleg.app.sealing import new_seal_keys

    made = new_seal_keys(name)
    if as_json:
        emit_json({"key_id": made.key_id, "private": str(made.private), "public": str(made.public)})
        return
    say(made.key_id, str(made.private), str(made.public))
    next_step(shell("beleg", "suite", "seal", "holdout.yaml", "--to", made.public, "--out", "holdout.sealed"))


def seal(
    suite: Annotated[str, typer.Argument(help="Suite of kind holdout or release.", show_default=False)],
    to: Annotated[Path, typer.Option(help="Public key that 'beleg suite keys' wrote.")],
    out: Annotated[Path, typer.Option(help="New file.")],
    minimum_cases: Annotated[int, typer.Option(min=30, help="Fewest cases that anything told may rest on.")] = 30,
    budget: Annotated[int | None, typer.Option(min=1, help="How often it may be used. [default: as it says]")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Encrypt a suite to a key, so that candidates can be decided on and no case can be read (HPKE, RFC 9180)."""
    from beleg.app.sealed_words import plain_remains, sealed
    from beleg.app.sealing import seal_suite

    check_language(language)
    terms = seal_suite(suite, to, out, minimum_cases=minimum_cases, budget=budget)
    warn(plain_remains(suite).in_language(language))
    if as_json:
        emit_json({**terms.to_json_dict(), "path": str(out)})
        return
    say(sealed(terms).in_language(language), str(out))
    next_step(
        shell("beleg", "suite", "decide", out, "candidate.yaml", "--policy", "policy.yaml", "--key", "env:SEAL_KEY")
    )


def decide(
    sealed: Annotated[Path, typer.Argument(help="Sealed suite.", show_default=False)],
    candidate: Annotated[Path, typer.Argument(help="Candidate file (YAML).", show_default=False)],
    policy: Annotated[Path, typer.Option(help="Policy file (YAML).")],
    key: Annotated[str, typer.Option(help="Private key: PEM file or env:NAME.")],
    baseline: Annotated[Path | None, typer.Option(help="Candidate file of what is released now.")] = None,
    out: Annotated[Path | None, typer.Option(help="Also write what is told as JSON, in a new file.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, max=1000, help="Questions in flight.")] = 8,
    timeout: Annotated[float, typer.Option(min=0.001, max=3600, help="Seconds per question.")] = 60.0,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Ask, score and decide on a sealed suite in memory; only figures over many cases are told.

    No run folder is written. Exit codes: 0 PASS, 10 REVIEW, 20 BLOCK, 30 could not decide or tell.
    """
    from beleg.app.sealed_gate import SealedRequest, decide_sealed, settings_of, write_told
    from beleg.app.sealed_words import decided, row

    check_language(language)
    told = decide_sealed(
        SealedRequest(
            sealed=sealed,
            key=key,
            candidate=candidate,
            baseline=baseline,
            policy=policy,
            settings=settings_of(concurrency, timeout),
        )
    )
    if out is not None:
        write_told(told, out)
    if as_json:
        emit_json(told.to_json_dict())
    else:
        say(*(line.in_language(language) for line in decided(told)))
        heads = {"en": ("check", "state", "figure", "difference", "events"),
                 "de": ("Prüfung", "Zustand", "Zahl", "Differenz", "Ereignisse")}  # fmt: skip
        print_table(heads[language], [row(check) for check in told.checks], numbers_from=2)
        say(*([str(out)] if out is not None else []))
    raise typer.Exit({"PASS": 0, "REVIEW": 10, "BLOCK": 20}[told.verdict.value])
