"""Ranked runs against relevance judgements, as the evaluation campaigns of information retrieval do it."""
