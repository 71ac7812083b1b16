"""Data frames, arrays and columns of other libraries, taken as they lie in memory; none of them is imported."""
