"""What every request finds in the application."""

from __future__ import annotations

from fastapi import Request

from beleg.app.workbench.services import Workbench


def workbench(request: Request) -> Workbench:
    """The project that is looked at."""
    found: Workbench = request.app.state.workbench
    return found
