"""From scores to a decision: checks, comparability, explanation."""
