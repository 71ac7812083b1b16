"""How the tables of the review ledger came to be, one step per revision."""
