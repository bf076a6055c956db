"""How sure a datum is, worked out from the sources of its parts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from adjudicator.packs.faults import OWNER

SURE: Final = frozenset(("rulebook", OWNER))
EXACT: Final = "exact"
PARTLY: Final = "partly exact"
REPORTED: Final = "reported"
INFERRED: Final = "inferred"


def confidence(sources: Iterable[str]) -> str:
    """One word for a record: ``exact`` when every part is from the rulebook or the owner, ``partly exact`` when some
    are, ``reported`` when the best is a public account of the game, else ``inferred``.
    """
    found = set(sources)
    if found and found <= SURE:
        return EXACT
    if found & SURE:
        return PARTLY
    return REPORTED if "public" in found else INFERRED


def sources_of(row: dict[str, str]) -> list[str]:
    """The sources a record names: its own and those of its fields (``terrain_source``)."""
    return [value for key, value in row.items() if key == "source" or key.endswith("_source")]
