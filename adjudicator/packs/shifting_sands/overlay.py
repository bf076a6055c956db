"""Which parts of the pack of Shifting Sands an overlay can correct, and how each datum is named."""

from __future__ import annotations

from typing import Final

from adjudicator.packs.layer import Correct, by_key

SECTIONS: Final[dict[str, Correct]] = {
    "spaces": by_key("map.yaml", "spaces", "slug"),
    "units": by_key("units.yaml", "units", "id"),
    "cards": by_key("cards.yaml", "cards", "id"),
}
