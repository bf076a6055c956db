"""``demo``: the bundled example, played by two players in this process."""

from __future__ import annotations

import typer


def add_to(app: typer.Typer) -> None:
    """Enter the command."""
    del app
