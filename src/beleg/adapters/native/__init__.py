"""The optional compiled part: everything that it does, the portable part does too, with the same figures."""
