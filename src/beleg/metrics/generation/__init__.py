"""What was answered: matches, abstention, citations, validators."""
