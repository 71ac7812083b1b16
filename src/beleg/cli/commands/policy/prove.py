"""``beleg policy prove``: a gate that was never seen to block is decoration."""

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
)

EPILOG = "Example: beleg policy prove policy.yaml"

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EXIT_UNGUARDED = 30

HEAD = {
    "en": ("Check", "Collapse", "No evidence", "Perfect"),
    "de": ("Prüfung", "Einbruch", "Ohne Evidenz", "Fehlerlos"),
}


@app.command(epilog=EPILOG)
def prove(
    policy: Annotated[Path, typer.Argument(help="Policy file (YAML).", show_default=False)],
    suite: Annotated[str | None, typer.Option(help="Suite whose cases are used; left out: made-up ones.")] = None,
    language: Annotated[str, LANGUAGE_OPTION] = "en",
    as_json: Annotated[bool, JSON_OPTION] = False,
) -> None:
    """Show every check a collapse of what it guards, missing evidence, and a perfect run.

    Judges are taken as believed here. Exit codes: 0 every check guards, 30 one does not.
    """
    from beleg.app.policies import prove_policy

    check_language(language)
    proofs = prove_policy(policy, suite)
    failed = [proof for proof in proofs if not proof.is_guarding]
    if as_json:
        emit_json(
            {
                "checks": [
                    {
                        "check_id": proof.check_id,
                        "kind": proof.kind.value,
                        "collapse": proof.collapse.value,
                        "no_evidence": proof.unseen.value,
                        "perfect": proof.healthy.value,
                        "guards": proof.is_guarding,
                    }
                    for proof in proofs
                ]
            }
        )
    else:
        blocks, n = sum(proof.blocks for proof in proofs), len(proofs)
        say(
            f"{n - len(failed)} von {n} Prüfungen schützen; {blocks} sperren bei einem Einbruch"
            if language == "de"
            else f"{n - len(failed)} of {n} checks guard; {blocks} block on a collapse"
        )
        rows = [(proof.check_id, proof.collapse.value, proof.unseen.value, proof.healthy.value) for proof in proofs]
        print_table(HEAD[language], rows, numbers_from=len(HEAD[language]))
        next_step(shell("beleg", "policy", "register", policy))
    if failed:
        raise typer.Exit(EXIT_UNGUARDED)
