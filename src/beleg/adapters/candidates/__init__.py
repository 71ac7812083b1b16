"""Systems under test behind one protocol."""
