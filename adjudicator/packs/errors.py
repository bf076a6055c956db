"""The one exception of the packs."""

from __future__ import annotations


class PackError(Exception):
    """A pack or data file that can't be used; ``str()`` is a line for the player, with the way to mend it."""
