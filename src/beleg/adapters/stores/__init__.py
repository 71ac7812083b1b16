"""Stores in files."""
