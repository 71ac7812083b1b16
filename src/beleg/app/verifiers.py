"""The dedicated verifier of a project, opened from its settings (A3)."""

from __future__ import annotations

from pathlib import Path

from beleg.core.errors import UsageError
from beleg.core.inference import SupportModel
from beleg.core.judge_settings import VerifierSettings

MODEL_CACHE = Path(".beleg") / "models"


def open_verifier(settings: VerifierSettings, *, base_dir: Path = Path()) -> SupportModel:
    """Opens a verifier.

    Args:
        settings: its kind, and the folder or the repository of its model.
        base_dir: what a relative folder is counted from, and where fetched models are kept.

    Raises:
        MissingExtra: if the packages of the extra ``verify`` are not installed.
        UsageError: if the model is not there or the hub cannot be reached.
        DataError: naming the file that cannot be used.
    """
    if settings.kind == "alignment":
        from beleg.metrics.verification.verifier import AlignmentVerifier

        return AlignmentVerifier()
    from beleg.adapters.models.hhem_onnx import HhemVerifier
    from beleg.adapters.models.nli_onnx import NliVerifier
    from beleg.adapters.models.onnx_folder import fetch_repository, open_folder

    if settings.folder is not None:
        folder = open_folder(base_dir / settings.folder)
    elif settings.repository is not None and settings.revision is not None:
        folder = fetch_repository(settings.repository, settings.revision, cache_folder=base_dir / MODEL_CACHE)
    else:
        raise UsageError("the verifier has no model", hint="Name its folder, or its repository and revision")
    kind = NliVerifier if settings.kind == "nli" else HhemVerifier
    return kind.load(folder, max_tokens=settings.max_tokens, threads=settings.threads)
