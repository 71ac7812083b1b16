"""Indexes for approximate search, each behind one protocol."""
