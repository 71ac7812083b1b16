"""The tasks that judges are given: one module a subject, one prompt file a task."""
