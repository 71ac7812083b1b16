"""Verification of claims without a model: a proxy, since it compares words and facts and understands neither."""
