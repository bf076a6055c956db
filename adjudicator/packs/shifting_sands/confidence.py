"""How sure a datum is, worked out from the sources of its parts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

EXACT: Final = "exact"
PARTLY: Final = "partly exact"
REPORTED: Final = "reported"
INFERRED: Final = "inferred"


def confidence(sources: Iterable[str]) -> str:
    """One word for a record: ``exact`` when every part is from the rulebook, ``partly exact`` when some are,
    ``reported`` when the best is a public account of the game, else ``inferred``.
    """
    found = set(sources)
    if found == {"rulebook"}:
        return EXACT
    if "rulebook" in found:
        return PARTLY
    return REPORTED if "public" in found else INFERRED


def sources_of(row: dict[str, str]) -> list[str]:
    """The sources a record names: its own and those of its fields (``terrain_source``)."""
    return [value for key, value in row.items() if key == "source" or key.endswith("_source")]
