"""Keys and signatures: where private halves are kept, and whose signature it is."""
