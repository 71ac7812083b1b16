"""Parameters: what is written is what is read."""

from __future__ import annotations

import pytest

from beleg.metrics.ranking_runs.kinds import choice, flag, gains, listed, number, share, whole, written_option
from beleg.metrics.ranking_runs.measures import parse_measure


def test_parameters_refuse_what_they_cannot_be() -> None:
    assert number("p", 0.5, 0.0, 1.0).read("0.25") == 0.25
    for text in ("nan", "1.5", "-1", "1e-3", "", "٣"):
        assert number("p", 0.5, 0.0, 1.0).read(text) is None
    assert share("a", 0.5).read("1") is None
    assert whole("k", None, 1).read("0") is None
    assert choice("dcg", "log2", "exp").read("exp") == "exp"
    assert choice("dcg", "log2", "exp").read("x") is None
    assert flag("f", default=False).read("True") is True
    assert flag("f", default=False).read("yes") is None
    assert gains("g").read("{2:9,1:3.5}") == ((1.0, 3.5), (2.0, 9.0))
    assert gains("g").read("1=3") == ((1.0, 3.0),)
    assert gains("g").read("{1:3,1:4}") is None
    assert gains("g").read("{-1:3}") is None
    assert listed("w", (), signed=True, length=2).read("[1,-2]") == (1.0, -2.0)
    assert listed("w", (), signed=True, length=2).read("1") is None
    assert listed("l", ()).read("[0.5,2]") is None


def test_options_are_written_so_that_they_can_be_read() -> None:
    for value in (0.1, 0.000001, 123456789.0, 0.123456789, 2.0):
        assert float(written_option(value)) == value
    assert written_option(((1.0, 3.0), (2.0, 0.5))) == "{1:3,2:0.5}"
    assert written_option((1.0, -0.5)) == "[1,-0.5]"
    assert written_option("log2") == "'log2'"
    assert written_option(value=True) == "True"


def test_a_measure_knows_its_parameters() -> None:
    (measure,) = parse_measure("RBP(p=0.95)")
    assert measure.number("p") == 0.95
    assert measure.option("gain") == "binary"
    assert repr(measure) == "Measure('RBP(p=0.95)')"
    with pytest.raises(KeyError):
        measure.option("T")
    with pytest.raises(TypeError):
        measure.number("gain")
    with pytest.raises(TypeError):
        measure.numbers("p")
