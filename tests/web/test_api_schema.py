"""schemathesis holds the API to its own description: every operation, with data that fits and data that does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, assume, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    ignored_auth,
    missing_required_header,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from beleg.app.workbench.addresses import as_segment
from beleg.app.workbench.workspace import Workspace
from beleg.web.api.describing import described
from beleg.web.bodies import MAX_BODY_BYTES
from support import run_pages
from support.packs import decided
from support.review_projects import LOW, RUN_ID, review_project
from support.workbench import application, token_of

CHECKS = (
    not_a_server_error,
    allow_header_conformance,
    content_type_conformance,
    ignored_auth,
    missing_required_header,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
EXAMPLES = 12


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with runs, a decision and a sheet under review."""
    folder = decided(tmp_path_factory.mktemp("schema")).folder
    run_pages.project(folder / "pages")
    review_project(folder / "reviewed")
    run_pages.indexed(folder)
    return folder


@pytest.fixture(scope="module")
def app(project: Path) -> Iterator[FastAPI]:
    with application(project) as made:
        yield made


def operations() -> list[tuple[str, str]]:
    return [(path, method) for path, found in described()["paths"].items() for method in found]


@pytest.fixture(scope="module")
def schema(app: FastAPI) -> schemathesis.BaseSchema:
    made = schemathesis.openapi.from_dict(described())
    made.app = app
    return made


def known(project: Path, path: str) -> dict[str, str]:
    """Names that are there, so that more than refusals is tried."""
    runs = Workspace(project).holdings()
    names = {"run": as_segment(RUN_ID if path.startswith("/api/v1/review") else runs.runs[-1].run_id)}
    return names | {
        "key": runs.decisions[0].key,
        "claim": as_segment(LOW),
        "case": as_segment(runs.runs[-1].header.case_ids[0]),
        "name": "decision.json",
    }


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(("path", "method"), operations(), ids=lambda part: part)
def test_an_operation_keeps_to_its_description(
    app: FastAPI, project: Path, schema: schemathesis.BaseSchema, path: str, method: str, mode: GenerationMode
) -> None:
    headers = {"Authorization": f"Bearer {token_of(app)}"}
    names = {name: value for name, value in known(project, path).items() if f"{{{name}}}" in path}

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=schema[path][method].as_strategy(generation_mode=mode))
    def keeps(case: schemathesis.Case) -> None:
        assume(len(str(case.body)) < MAX_BODY_BYTES // 4)
        if mode is GenerationMode.POSITIVE:
            case.path_parameters = {**(case.path_parameters or {}), **names}
        case.call_and_validate(base_url="http://127.0.0.1", headers=headers, checks=list(CHECKS))

    keeps()
