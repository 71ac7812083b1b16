"""What each judged metric asks of a judge; the figures themselves are computed in ``beleg.metrics``."""
