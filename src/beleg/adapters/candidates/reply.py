"""Reads a reply by a mapping of JSON paths."""

from __future__ import annotations

from typing import Any

from beleg.adapters.candidates.http_spec import CitationMapping, PassageMapping, ReplyMapping
from beleg.adapters.candidates.json_path import JsonPath
from beleg.core.errors import InvalidOutput, shown


def read_reply(mapping: ReplyMapping, reply: object, *, retrieve_only: bool) -> dict[str, Any]:
    """The fields of an output, as far as they are mapped and there.

    Ids that are whole numbers become text. Parts that only some replies have are left out where they are absent;
    passages, and the answer unless only retrieval was asked for, must be there.

    Raises:
        InvalidOutput: naming the path that leads nowhere or to something else than a list.
    """
    fields: dict[str, Any] = {}
    if mapping.passages is not None:
        fields["retrieved"] = _passages(mapping.passages, mapping.passage, reply)
    for name, path in (("reranked", mapping.reranked), ("delivered", mapping.delivered)):
        if path is not None and _is_there(path, reply):
            fields[name] = _passages(path, mapping.passage, reply)
    if mapping.answer is not None:
        fields["answer"] = _optional(mapping.answer, reply) if retrieve_only else _required(mapping.answer, reply)
    if mapping.citations is not None and _is_there(mapping.citations, reply):
        fields["citations"] = [_citation(mapping.citation, item) for item in _items(mapping.citations, reply)]
    for name in ("abstained", "prompt", "model_answered", "first_token_ms"):
        fields[name] = _optional(getattr(mapping, name), reply)
    fields["stage_ms"] = _present({stage: _optional(path, reply) for stage, path in mapping.stage_ms.items()})
    usage = ("prompt_tokens", "completion_tokens", "cost_usd")
    fields["usage"] = _present({name: _optional(getattr(mapping, name), reply) for name in usage})
    return _present(fields)


def _passages(path: str, mapping: PassageMapping, reply: object) -> list[dict[str, Any]]:
    return [_passage(mapping, item) for item in _items(path, reply)]


def _passage(mapping: PassageMapping, item: object) -> dict[str, Any]:
    passage_id = _identifier(_required(mapping.id, item))
    document = passage_id if mapping.document_id is None else _identifier(_required(mapping.document_id, item))
    metadata = _optional(mapping.metadata, item)
    if isinstance(metadata, dict):
        metadata = {name: value for name, value in metadata.items() if not isinstance(value, (dict, list))}
    return _present(
        {
            "passage_id": passage_id,
            "document_id": document,
            "score": _optional(mapping.score, item),
            "text": _optional(mapping.text, item),
            "version": _identifier(_optional(mapping.version, item)),
            "metadata": metadata,
        }
    )


def _citation(mapping: CitationMapping, item: object) -> dict[str, Any]:
    return _present(
        {
            "marker": _identifier(_required(mapping.marker, item)),
            "passage_id": _identifier(_optional(mapping.passage_id, item)),
            "document_id": _identifier(_optional(mapping.document_id, item)),
            "sentence": _optional(mapping.sentence, item),
        }
    )


def _items(path: str, reply: object) -> list[Any]:
    parsed = JsonPath.parse(path)
    try:
        found = parsed.select_whole(reply)
    except LookupError:
        raise _nothing_at(path, reply) from None
    if not parsed.is_single:
        return found
    if not isinstance(found[0], list):
        raise InvalidOutput(f"the reply has no list at {path} (found {shown(found[0])})")
    return found[0]


def _is_there(path: str, reply: object) -> bool:
    found = JsonPath.parse(path).first_list.select(reply)
    return bool(found) and found[0] is not None


def _required(path: str, data: object) -> Any:
    found = JsonPath.parse(path).select(data)
    if not found:
        raise _nothing_at(path, data)
    return found[0]


def _optional(path: str | None, data: object) -> Any:
    found = JsonPath.parse(path).select(data) if path is not None else []
    return found[0] if found else None


def _nothing_at(path: str, data: object) -> InvalidOutput:
    return InvalidOutput(
        f"the reply has nothing at {path} (found {shown(data)})", hint="Check the paths under 'response'"
    )


def _identifier(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _present(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
