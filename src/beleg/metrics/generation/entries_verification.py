"""The catalogue entries of verification without a judge of text; adding one takes an entry here and its function."""

from __future__ import annotations

from beleg.metrics.spec import MetricSpec

ENTRIES: tuple[MetricSpec, ...] = (
    MetricSpec(
        name="faithfulness_proxy",
        function="beleg.metrics.generation.proxy:faithfulness_proxy_column",
        area="generation",
        direction="higher",
        kind="graded",
        proxy=True,
        title_en="Faithfulness (proxy)",
        title_de="Faktentreue (Näherung)",
        description_en="Share of the sentences of the answer that the delivered passages carry by words and facts.",
        description_de="Anteil der Sätze der Antwort, die die gelieferten Passagen nach Wörtern und Fakten tragen.",
    ),
    MetricSpec(
        name="verified_faithfulness",
        function="beleg.metrics.generation.verified:verified_faithfulness_column",
        area="generation",
        direction="higher",
        kind="graded",
        rests_on="claim_support_by_verifier",
        title_en="Faithfulness (verifier)",
        title_de="Faktentreue (Prüfmodell)",
        description_en="Share of the claims of the answer that a dedicated verifier finds carried.",
        description_de="Anteil der Aussagen der Antwort, die ein eigenes Prüfmodell für belegt hält.",
    ),
    MetricSpec(
        name="hallucination_rate",
        function="beleg.metrics.generation.verified:hallucination_rate_column",
        area="generation",
        direction="lower",
        kind="binary",
        aggregate="rate",
        rests_on="claim_support_by_verifier",
        title_en="Hallucinated answers",
        title_de="Halluzinierte Antworten",
        description_en="Whether a dedicated verifier finds any claim of the answer not carried.",
        description_de="Ob ein eigenes Prüfmodell irgendeine Aussage der Antwort nicht für belegt hält.",
    ),
)
