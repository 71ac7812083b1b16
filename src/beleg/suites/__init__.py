"""Golden suites: parse, release, diff, split, cover, sample, and the ledger of their use."""
