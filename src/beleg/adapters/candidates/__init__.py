"""The ways in which a system under test is reached: a callable, an HTTP endpoint, recorded traces."""
