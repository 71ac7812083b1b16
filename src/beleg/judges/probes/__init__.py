"""Probes: changes of the input under which a fair judge's verdict must not move, or must, and how often it did (J5)."""
