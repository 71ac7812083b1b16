"""The catalogue entries of grades by rubric and of pairwise preferences."""

from __future__ import annotations

from beleg.metrics.spec import MetricSpec

ENTRIES: tuple[MetricSpec, ...] = (
    MetricSpec(
        name="rubric_grade",
        function="beleg.metrics.generation.rubric:rubric_grade_column",
        area="generation",
        direction="higher",
        kind="graded",
        low=1.0,
        high=5.0,
        rests_on="rubric_grade",
        title_en="Grade by rubric",
        title_de="Note nach Maßstab",
        description_en="The judge's grade by the case's own rubric, from 1 to 5.",
        description_de="Die Note des Judges nach dem Maßstab des Falls, von 1 bis 5.",
    ),
    MetricSpec(
        name="weighted_rubric_grade",
        function="beleg.metrics.generation.rubric:weighted_rubric_grade_column",
        area="generation",
        direction="higher",
        kind="graded",
        low=1.0,
        high=5.0,
        rests_on="rubric_grade",
        title_en="Weighted grade by rubric",
        title_de="Gewichtete Note nach Maßstab",
        description_en="The grade by the case's rubric, weighted by the probabilities of the grades (G-Eval).",
        description_de="Die Note nach dem Maßstab des Falls, nach den Wahrscheinlichkeiten gewichtet (G-Eval).",
    ),
    MetricSpec(
        name="reference_preference",
        function="beleg.metrics.generation.preference:reference_preference_column",
        area="generation",
        direction="higher",
        kind="graded",
        rests_on="reference_preference",
        title_en="Preferred to the reference",
        title_de="Der Referenz vorgezogen",
        description_en="Whether the answer is preferred to the reference answer in both orders; a tie is a half.",
        description_de="Ob die Antwort der Referenz in beiden Reihenfolgen vorgezogen wird; Gleichstand zählt halb.",
    ),
    MetricSpec(
        name="position_dependence",
        function="beleg.metrics.generation.preference:position_dependence_column",
        area="generation",
        direction="lower",
        kind="binary",
        aggregate="rate",
        rests_on="reference_preference",
        title_en="Preference that depends on the order",
        title_de="Von der Reihenfolge abhängiger Vorzug",
        description_en="Whether the judge's preference changes when the two answers change places.",
        description_de="Ob sich das Urteil des Judges ändert, wenn die beiden Antworten die Plätze tauschen.",
    ),
)
