"""Statistics that decide: intervals, non-inferiority, multiplicity, power. Numpy only."""
