"""Models behind an HTTP interface or in a local package."""
