"""The catalogue entries of answer checks: abstention, confidence, similarity, rubric."""

from __future__ import annotations

from beleg.metrics.spec import MetricSpec

ENTRIES: tuple[MetricSpec, ...] = (
    MetricSpec(
        name="answered_without_evidence",
        function="beleg.metrics.generation.answerability:answered_without_evidence_column",
        area="generation",
        direction="lower",
        kind="binary",
        aggregate="rate",
        parameters=("cause",),
        choices=(("cause", ("out_of_scope", "missed")),),
        title_en="Answered without evidence",
        title_de="Ohne Beleg beantwortet",
        description_en="Whether something was answered although the evidence for it was not delivered.",
        description_de="Ob etwas beantwortet wurde, obwohl der Beleg dafür nicht geliefert war.",
    ),
    MetricSpec(
        name="stated_confidence",
        function="beleg.metrics.generation.confidence:stated_confidence_column",
        area="generation",
        direction="neutral",
        kind="graded",
        title_en="Stated confidence",
        title_de="Genannte Zuversicht",
        description_en="How sure the candidate says it is, as a share.",
        description_de="Wie sicher sich der Kandidat nach eigener Angabe ist, als Anteil.",
    ),
)
