"""Writes the reliability diagram of a calibration."""

from __future__ import annotations

from pathlib import Path

from beleg.adapters.formats.atomic import write_bytes, write_text
from beleg.app.answers.calibration import CalibrationReport
from beleg.app.answers.words import calibration_answer
from beleg.app.drawings import require_plot
from beleg.report.reliability_chart import Diagram, DiagramBin, diagram_png, diagram_svg


def write_plot(found: CalibrationReport, path: Path, *, language: str = "en") -> None:
    """Writes the diagram as ``.svg`` or ``.png``; its title says the finding.

    Raises:
        UsageError: if the file is neither.
        MissingExtra: if the extra ``report`` is not installed.
    """
    require_plot(path)
    diagram = Diagram(
        title=calibration_answer(found, language),
        bins=[
            DiagramBin(
                confidence=each.confidence,
                accuracy=each.accuracy.estimate,
                lower=each.accuracy.lower,
                upper=each.accuracy.upper,
                n=each.accuracy.n,
            )
            for each in found.bins
        ],
    )
    if path.suffix.lower() == ".svg":
        write_text(path, diagram_svg(diagram, language))
    else:
        write_bytes(path, diagram_png(diagram, language))
