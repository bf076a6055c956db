"""VASSAL: ``export vmod`` and ``export save``."""

from __future__ import annotations

import typer


def add_to(app: typer.Typer) -> None:
    """Enter the commands."""
    del app
