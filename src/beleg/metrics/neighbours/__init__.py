"""Nearest neighbours: exact search, and how much of it an approximate index finds."""
