"""The domain: stored types, scores, the one ranking order, errors and protocols. No I/O."""
