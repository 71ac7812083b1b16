"""Beleg decides whether a RAG system may be released, and hands over the proof."""
