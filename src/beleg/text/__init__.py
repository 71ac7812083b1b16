"""Text as the metrics see it: normal forms, tokens, sentences, quotes."""
