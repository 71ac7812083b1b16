from __future__ import annotations

from pathlib import Path

import pytest

from beleg.adapters.models.hhem_onnx import HhemVerifier
from beleg.adapters.models.onnx_folder import open_folder
from beleg.core.errors import InvalidOutput
from support.tiny_models import TinyModel, tokenizer, write_hhem

PREMISE, CLAIM = "returns are free within 30 days .", "returns are not free"
PROMPT = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {text1}\n\nHypothesis: {text2}"
"""The prompt of the model's public configuration, written out a second time."""


def test_the_probability_is_that_of_the_second_class_at_the_first_token(tmp_path: Path) -> None:
    model = write_hhem(tmp_path)
    (given,) = HhemVerifier.load(open_folder(tmp_path)).support([(PREMISE, CLAIM)])
    ids = tokenizer(pairs=False).encode(PROMPT.format(text1=PREMISE, text2=CLAIM)).ids
    assert given == pytest.approx(model.probability(ids, 1), abs=1e-6)


def test_braces_in_a_passage_are_only_text(tmp_path: Path) -> None:
    write_hhem(tmp_path)
    given = HhemVerifier.load(open_folder(tmp_path)).support([("{text2} {0} {", "{text1}")])
    assert 0 < given[0] < 1


def test_a_long_premise_is_read_in_windows(tmp_path: Path) -> None:
    write_hhem(tmp_path)
    loaded = HhemVerifier.load(open_folder(tmp_path), max_tokens=48)
    premise = "The warranty covers water damage. " * 30
    (found,) = loaded.locate([(premise, CLAIM)])
    assert 0 < found.end - found.start < len(premise) / 4


def test_a_model_of_three_classes_is_not_hhem(tmp_path: Path) -> None:
    write_hhem(tmp_path, TinyModel(3))
    with pytest.raises(InvalidOutput, match="3 classes, HHEM has 2"):
        HhemVerifier.load(open_folder(tmp_path)).support([(PREMISE, CLAIM)])
    assert HhemVerifier.load(open_folder(tmp_path)).support([]).shape == (0,)
