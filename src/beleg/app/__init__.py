"""The services that wire the parts together."""
