"""What a person can audit: claim rows, locators, reviews, packs and their comparison (E1 to E10)."""
