"""Strict readers and safe writers for the files that people bring and take away."""
