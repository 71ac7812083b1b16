"""Measuring approximate indexes against exact search."""
