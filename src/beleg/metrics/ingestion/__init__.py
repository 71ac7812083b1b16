"""What became of documents on their way into the index: text, characters, repeated documents."""
