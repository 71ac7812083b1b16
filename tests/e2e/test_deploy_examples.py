"""The examples for deployments are carried out as they are written: only a PASS in force reaches the deploy command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.vector_tools import at_this_moment, parts, signed_trust, trust_at_this_moment, written

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "deploy"
MANIFEST = "name: candidate\nnot_used: [reranker]\n"

Deploy = Callable[[Path], int]


@dataclass(frozen=True)
class Site:
    """A checkout and a runner on which deployments happen."""

    folder: Path

    @property
    def is_deployed(self) -> bool:
        return (self.folder / "deployed").exists()

    def decide(self, verdict: str, **changes: Any) -> bytes:
        """Lays a decision on the candidate there."""
        from beleg.app.verifying import subject_of

        subject = [
            {"name": "candidate", "digest": {"sha256": subject_of(None, self.folder / "candidate" / "candidate.yaml")}}
        ]
        payload = parts.payload_of(parts.decision(verdict, **{**at_this_moment(), **changes}), subject=subject)
        written(self.folder / "decision" / "decision.dsse.json", parts.signed(payload, parts.GATE))
        return bytes(payload)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    for name in ("decision", "candidate", "trust", "root-key", "state", "deploy", "bin"):
        (tmp_path / name).mkdir()
    (tmp_path / "candidate" / "candidate.yaml").write_text(MANIFEST)
    (tmp_path / "candidate.yaml").write_text(MANIFEST)
    (tmp_path / "root-key" / "root.pub.pem").write_text(parts.ROOT.pem)
    trust = signed_trust(trust_at_this_moment())
    for folder in ("trust", "deploy"):
        (tmp_path / folder / "trust.dsse.json").write_bytes(trust)
    deploy = tmp_path / "deploy.sh"
    deploy.write_text('#!/bin/sh\ntest -f "$1" && touch deployed\n')
    deploy.chmod(0o755)
    return Site(tmp_path)


def loaded(name: str) -> list[Any]:
    return [document for document in yaml.safe_load_all((EXAMPLES / name).read_text()) if document is not None]


def environment(folder: Path, given: dict[str, str]) -> dict[str, str]:
    here = {
        "BELEG_ROOT": str(folder / "root-key" / "root.pub.pem"),
        "BELEG_STATE": str(folder / "state" / "production.json"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    return {**given, **here}


def by_github(folder: Path) -> int:
    job = loaded("github-actions.yml")[0]["jobs"]["deploy"]
    assert "continue-on-error" not in str(job)
    for step in (step for step in job["steps"] if "run" in step):
        # What GitHub runs for `shell: bash`, and for no shell at all.
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail"] if step.get("shell") else ["bash", "-e"]
        code = subprocess.run(
            [*shell, "-c", step["run"]], cwd=folder, env=environment(folder, job["env"]), check=False
        ).returncode
        if code != 0:
            return code
    return 0


def by_gitlab(folder: Path) -> int:
    job = loaded("gitlab-ci.yml")[0]["deploy-production"]
    assert job["allow_failure"] is False
    script = "\n".join(["set -eo pipefail", *job["script"]])
    return subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment(folder, job["variables"]), check=False
    ).returncode


def run_container(folder: Path, template: Any) -> int:
    (container,) = template["containers"]
    assert template["restartPolicy"] == "Never"
    mounted = {mount["mountPath"] for mount in container["volumeMounts"]}
    words = [
        f"{folder}{word}" if any(word == path or word.startswith(f"{path}/") for path in mounted) else word
        for word in container["command"]
    ]
    assert not [word for word in words if word.startswith("/") and not word.startswith(str(folder))], "not mounted"
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in template["volumes"]}
    return subprocess.run(words, cwd=folder, env=environment(folder, {}), check=False).returncode


def by_kubernetes(folder: Path) -> int:
    (job,) = loaded("kubernetes-job.yaml")
    assert job["spec"]["backoffLimit"] == 0
    code = run_container(folder, job["spec"]["template"]["spec"])
    if code == 0:
        (folder / "deployed").touch()
    return code


def by_argo(folder: Path) -> int:
    template, rollout = loaded("argo-rollouts.yaml")
    (metric,) = template["spec"]["metrics"]
    limits = [metric[name] for name in ("failureLimit", "inconclusiveLimit", "consecutiveErrorLimit")]
    assert (limits, metric["count"], metric.get("dryRun")) == ([0, 0, 0], 1, None)
    steps = rollout["spec"]["strategy"]["canary"]["steps"]
    assert steps[:2] == [
        {"setWeight": 0},
        {"analysis": {"templates": [{"templateName": template["metadata"]["name"]}]}},
    ]
    (folder / "state" / "production.json").write_text('{"environments":{}}')
    code = run_container(folder, metric["provider"]["job"]["spec"]["template"]["spec"])
    if code == 0:
        (folder / "deployed").touch()
    return code


EVERY = pytest.mark.parametrize("deploy", [by_github, by_gitlab, by_kubernetes, by_argo])


@EVERY
def test_a_pass_is_deployed(site: Site, deploy: Deploy) -> None:
    site.decide("PASS")
    assert deploy(site.folder) == 0
    assert site.is_deployed


@EVERY
@pytest.mark.parametrize(("verdict", "code"), [("REVIEW", 10), ("BLOCK", 20)])
def test_nothing_else_is(site: Site, deploy: Deploy, verdict: str, code: int) -> None:
    site.decide(verdict)
    assert deploy(site.folder) == code
    assert not site.is_deployed


@EVERY
def test_a_block_with_an_override_in_force_is_deployed(site: Site, deploy: Deploy) -> None:
    payload = site.decide("BLOCK")
    subject = parts.json.loads(payload)["subject"]
    over = parts.override(
        overrides=parts.digest(payload), **{k: v for k, v in at_this_moment().items() if k != "notBefore"}
    )
    envelope = parts.signed(parts.payload_of(over, parts.OVERRIDE, subject=subject), parts.ADA)
    written(site.folder / "decision" / "override.dsse.json", envelope)
    assert deploy(site.folder) == 0
    assert site.is_deployed


@EVERY
def test_no_decision_is_no_deployment(site: Site, deploy: Deploy) -> None:
    assert deploy(site.folder) == 30
    assert not site.is_deployed


@EVERY
def test_another_candidate_than_the_decided_one_is_not_deployed(site: Site, deploy: Deploy) -> None:
    site.decide("PASS")
    for path in (site.folder / "candidate.yaml", site.folder / "candidate" / "candidate.yaml"):
        path.write_text(MANIFEST + "top_k: 8\n")
    assert deploy(site.folder) == 30
    assert not site.is_deployed


@EVERY
@pytest.mark.parametrize("name", ["trust", "root-key"])
def test_a_missing_file_stops_it(site: Site, deploy: Deploy, name: str) -> None:
    site.decide("PASS")
    shutil.rmtree(site.folder / name)
    shutil.rmtree(site.folder / "deploy" if name == "trust" else site.folder / "bin")
    assert deploy(site.folder) != 0
    assert not site.is_deployed


@pytest.mark.parametrize("deploy", [by_github, by_gitlab, by_kubernetes])
def test_what_was_replaced_is_not_deployed_again(site: Site, deploy: Deploy) -> None:
    site.decide("PASS", sequence="43")
    assert deploy(site.folder) == 0
    (site.folder / "deployed").unlink()
    site.decide("PASS", sequence="42")
    assert deploy(site.folder) == 30
    assert not site.is_deployed
