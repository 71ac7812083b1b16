"""Identity providers: who somebody is, by the word of an organisation."""
