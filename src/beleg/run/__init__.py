"""Running a candidate over a suite: journal, execution, resume, records."""
