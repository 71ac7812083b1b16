"""Figures over the context that was delivered to the generator (Q10)."""
