"""A decision on its way to a deployment: statements, signatures, trust, overrides and the log (P5, P6)."""
