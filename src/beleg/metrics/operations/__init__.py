"""What it took: latency, tokens, cost."""
