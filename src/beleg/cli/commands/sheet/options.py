"""The filters that ``beleg sheet show`` and ``beleg sheet export`` share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from beleg.core.errors import UsageError

if TYPE_CHECKING:
    from beleg.core.sheet_export import SheetFilter

RUN_ARGUMENT = typer.Argument(help="Folder of the run.", show_default=False)
REVIEWS_OPTION = typer.Option("--reviews", help="Review events, as JSON lines exported from a ledger.")
CASE_OPTION = typer.Option("--case", help="Only this case; may be repeated, as every filter.")
SEGMENT_OPTION = typer.Option("--segment", help="Only this segment, such as locale=de.")
CASE_LANGUAGE_OPTION = typer.Option("--case-language", help="Only cases in this language, such as de.")
ATTRIBUTION_OPTION = typer.Option(
    "--attribution", help="Only this verdict: attached, missing, wrong_target, unresolvable, not_assessable."
)
SUPPORT_OPTION = typer.Option(
    "--support",
    help="Only this proposal of a machine: supported, partially_supported, not_supported, not_assessable, nobody.",
)
HUMAN_OPTION = typer.Option("--human", help="Only this verdict of a person, in the same words; needs --reviews.")
REVIEWER_OPTION = typer.Option("--reviewer", help="Only claims that this person decided about; needs --reviews.")
OBSERVATION_OPTION = typer.Option("--observation", help="Only claims with this observation, such as locator_drift.")
TEXT_OPTION = typer.Option("--text", help="Only claims with these words in question, claim or rationale.")


def filter_of(**given: Sequence[str] | str | None) -> SheetFilter:
    """The filter that was asked for.

    Raises:
        UsageError: naming a value that there is not, and those that there are.
    """
    from pydantic import ValidationError

    from beleg.core.sheet_export import SheetFilter

    data: dict[str, Any] = {
        name: value if isinstance(value, str) else list(value) for name, value in given.items() if value
    }
    try:
        return SheetFilter.model_validate(data, strict=False)
    except ValidationError as error:
        first = error.errors()[0]
        field = str(first["loc"][0])
        raise UsageError(f"the filter {field} does not know {first['input']!r}", hint=first["msg"]) from error
