from __future__ import annotations

from beleg.core.model import StoredModel
from beleg.run.checked_lines import LineKind


class Note(StoredModel):
    text: str


NOTES = LineKind(name="note", model=Note, told=lambda note: note.text, go_on="go on", anew="start anew")


def test_a_line_holds_its_record_under_its_name_with_a_checksum() -> None:
    line = NOTES.encode(Note(text="ä"))
    assert line.startswith(b'{"check":"')
    assert line.endswith('","note":{"text":"ä"}}\n'.encode())
    assert NOTES.decode(line) == Note(text="ä")


def test_a_line_of_another_kind_or_with_another_byte_is_not_whole() -> None:
    line = NOTES.encode(Note(text="a"))
    assert NOTES.decode(line.replace(b'"note"', b'"mote"')) is None
    assert NOTES.decode(line.replace(b'"a"', b'"b"')) is None
