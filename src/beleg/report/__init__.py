"""Decisions for people: HTML, Markdown and terminal text."""
