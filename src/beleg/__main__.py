"""``python -m beleg``."""

from beleg.cli.main import main

main()
