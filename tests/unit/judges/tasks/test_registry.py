from __future__ import annotations

from importlib.resources import files

from beleg.judges.tasks.registry import TASKS


def test_every_prompt_file_belongs_to_a_task_and_every_task_has_one() -> None:
    prompts = files("beleg.judges").joinpath("prompts").iterdir()
    named = {file.name.removesuffix(".toml") for file in prompts if file.name.endswith(".toml")}
    assert named - {"shared"} == set(TASKS)
