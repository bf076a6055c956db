"""``python -m adjudicator``: the same as the command ``adjudicator``."""

from __future__ import annotations

from adjudicator.cli.main import main

main()
