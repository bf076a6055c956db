"""Numbers of things as players read them."""

from __future__ import annotations


def counted(count: int | str, noun: str, plural: str = "") -> str:
    """``1 roll``, ``3 rolls``, ``1,200 events``. A count that is a text is taken as it is: ``1/2`` of a point."""
    shown = count if isinstance(count, str) else f"{count:,}"
    return f"{shown} {noun if shown in ONE else plural or noun + 's'}"


ONE = ("1", "1/2", "1/4", "1/8")
"""What takes the singular: one, and a part of one alone."""
