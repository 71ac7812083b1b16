"""The API does what its own description says, whatever it is sent: found out by generating requests from it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation
from starlette.types import ASGIApp, Receive, Scope, Send

from beleg.web.api.routers import document
from support.api_projects import ApiProject, api_project
from support.workbench import application, token_of

HOST = "testserver"


class Served:
    """The application as it is served: it begins before the first request and outlives each."""

    app: ASGIApp
    headers: dict[str, str]
    project: ApiProject

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self.app(scope, receive, send)


SERVED = Served()
API = schemathesis.openapi.from_dict(document())
API.app = SERVED


@pytest.fixture(scope="module", autouse=True)
def _served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A real project, served to a program that may do everything."""
    SERVED.project = api_project(tmp_path_factory.mktemp("api"))
    with application(SERVED.project.folder, allowed_hosts=(HOST,)) as app:
        SERVED.app, SERVED.headers = app, {"Authorization": f"Bearer {token_of(app)}"}
        yield


@API.parametrize()
@settings(
    max_examples=10,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_one_that_the_description_names(case: schemathesis.Case) -> None:
    if not is_wrong(case, ParameterLocation.PATH):
        for name in case.path_parameters or {}:
            # Made-up names end at "there is no such run", so that most requests are about something that is there.
            names = SERVED.project.addresses[name]
            case.path_parameters[name] = names[len(str(case.path_parameters[name])) % len(names)]
    # What was made wrong on purpose stays so, or a request would be wrong by name and right in fact.
    case.call_and_validate(headers={} if is_wrong(case, ParameterLocation.HEADER) else SERVED.headers)


def is_wrong(case: schemathesis.Case, part: ParameterLocation) -> bool:
    """Whether a part of the request was made to break the description."""
    made = None if case.meta is None else case.meta.components.get(part)
    return made is not None and made.mode is GenerationMode.NEGATIVE
