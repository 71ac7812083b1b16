"""``python -m beleg.cli``."""

from beleg.cli.main import main

main()
