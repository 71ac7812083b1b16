"""Judges: schema-guided tasks, the engine that asks them, and the measures that rest on their verdicts."""
