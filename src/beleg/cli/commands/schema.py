"""``beleg schema``: the JSON Schemas that editors use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from beleg.cli.output import emit_json, next_step, say

EPILOG = "Example: beleg schema policy > policy.schema.json   or: beleg schema --out schemas"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EPILOG)
def schema(
    name: Annotated[str | None, typer.Argument(help="One schema; left out: list them.", show_default=False)] = None,
    out: Annotated[Path | None, typer.Option(help="Write all schemas into this folder.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="List the names as JSON.")] = False,
) -> None:
    """Export the JSON Schemas of all files. Point an editor at one with `$schema` or a yaml-language-server line."""
    from beleg.app.schemas import SCHEMAS, schema_of, write_schemas

    if out is not None:
        written = write_schemas(out)
        if as_json:
            emit_json({"folder": str(out), "files": [path.name for path in written]})
            return
        say(f"{len(written)} schemas in {out}", *(str(path) for path in written))
        next_step(f"write '# yaml-language-server: $schema={out}/policy.schema.json' at the top of the policy")
    elif name is not None:
        emit_json(schema_of(name))
    elif as_json:
        emit_json({key: description for key, (_, description) in SCHEMAS.items()})
    else:
        say(*(f"{key:<12} {description}" for key, (_, description) in SCHEMAS.items()))
        next_step("beleg schema policy")
