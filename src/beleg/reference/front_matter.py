"""The metadata block at the head of a Markdown or text file."""

from __future__ import annotations

import yaml

from beleg.core.errors import DataError, Problem, shown

MAX_FRONT_MATTER_CHARS = 16_000
FENCE = "---"


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    r"""Separates flat ``key: value`` front matter from the text below it.

    Values are kept as the words that stand there: ``version: 1.10`` is not a number and ``valid_from`` is not a date.

    Raises:
        DataError: if the block is not closed, not flat, too large or repeats a key.

    Example:
        >>> split_front_matter("---\ntenant: shared\n---\nText")
        ({'tenant': 'shared'}, 'Text')
    """
    lines = text.split("\n")
    if lines[0].rstrip() != FENCE:
        return {}, text
    end = next((number for number, line in enumerate(lines[1:], start=1) if line.rstrip() == FENCE), None)
    if end is None:
        raise DataError(
            Problem(message="the front matter is not closed", line=1, remedy=f"End it with a line '{FENCE}'")
        )
    block = "\n".join(lines[1:end])
    if len(block) > MAX_FRONT_MATTER_CHARS:
        raise DataError(
            Problem(
                message=f"the front matter is longer than {MAX_FRONT_MATTER_CHARS} characters",
                line=1,
                remedy="Shorten it",
            )
        )
    return _flat_mapping(block), "\n".join(lines[end + 1 :])


def _flat_mapping(block: str) -> dict[str, str]:
    try:
        node = yaml.compose(block, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise DataError(
            Problem(message=f"the front matter is not valid YAML: {error}", line=1, remedy="Correct it")
        ) from error
    if node is None:
        return {}
    if not isinstance(node, yaml.MappingNode):
        raise DataError(
            Problem(message="the front matter is not a list of 'key: value' lines", line=1, remedy="Correct it")
        )
    found: dict[str, str] = {}
    for key, value in node.value:
        line = key.start_mark.line + 2
        if not isinstance(key, yaml.ScalarNode) or not isinstance(value, yaml.ScalarNode):
            raise DataError(Problem(message="a front matter entry is not flat", line=line, remedy="Write 'key: value'"))
        if key.value in found:
            raise DataError(
                Problem(
                    message="a front matter key stands twice",
                    line=line,
                    field=key.value,
                    value=shown(value.value),
                    remedy="Remove one of them",
                )
            )
        found[key.value] = value.value
    return found
