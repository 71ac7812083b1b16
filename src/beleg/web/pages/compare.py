"""Compare: two runs, dimension by dimension, claim by claim."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from beleg.core.access import Access
from beleg.web.access import requires
from beleg.web.rendering import render
from beleg.web.state import workbench

router = APIRouter()

Name = Annotated[str, Query(max_length=1_000)]


@router.get("/compare")
@requires(Access.READ)
def compare(request: Request, new: Name = "", old: Name = "") -> Response:
    """Two runs beside each other, or the choice of them."""
    bench = workbench(request)
    runs = bench.holdings().runs
    view = None
    if new and old:
        view = bench.comparisons.view(bench.workspace.run(new), bench.workspace.run(old))
    return render(request, "compare.html", runs=runs, new=new, old=old, view=view)
