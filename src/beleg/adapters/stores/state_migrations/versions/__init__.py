"""One module per revision; each is written once and never changed."""
