"""Runs and relevance judgements in the formats of files: one module for each, one line each in the catalogue."""
