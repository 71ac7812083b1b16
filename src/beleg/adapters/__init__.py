"""The only place that touches the world."""
