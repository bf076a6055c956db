"""Finds and loads compiled packs, in a checkout and in an installed wheel alike."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from adjudicator.packs.errors import PackError

_HERE: Final = Path(__file__).resolve()
_ROOTS: Final = (_HERE.parents[1] / "_module", _HERE.parents[2] / "module")
"""Where packs stand: inside an installed package, or beside the package in a checkout."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A compiled pack. ``tree`` is what the rules read and what is hashed (PROTOCOL 3.4); it is never changed.

    ``data`` holds the bytes it was read from, which are canonical as the compiler wrote them.
    """

    system: str
    version: str
    title: str
    tree: dict[str, Any]
    data: bytes = b""

    def rows(self, key: str) -> list[dict[str, Any]]:
        """A list of the tree: ``hexes``, ``counters``, ``lines`` ..., empty when the pack has none."""
        found: list[dict[str, Any]] = self.tree.get(key, [])
        return found

    def chart(self, name: str) -> list[dict[str, Any]]:
        """The rows of a chart.

        Raises:
            KeyError: if the pack has no chart of that name.
        """
        rows: list[dict[str, Any]] = self.tree["charts"][name]
        return rows

    def scenario(self, scenario_id: str) -> dict[str, Any]:
        """A scenario by its id.

        Raises:
            PackError: if there is none, naming those there are.
        """
        for row in self.rows("scenarios"):
            if row["id"] == scenario_id:
                return row
        known = ", ".join(str(row["id"]) for row in self.rows("scenarios"))
        raise PackError(f"{self.system} has no scenario {scenario_id}; choose one of: {known}")


def systems() -> list[str]:
    """The systems that have a compiled pack."""
    return sorted({path.parent.name for root in _ROOTS for path in root.glob("*/pack.json")})


def pack_folder(system: str) -> Path:
    """The folder of a system's pack.

    Raises:
        PackError: if there is no such pack, naming those there are.
    """
    for root in _ROOTS:
        if (root / system / "pack.json").is_file() or (root / system / "pack.yaml").is_file():
            return root / system
    raise PackError(f"there is no data pack {system}; choose one of: {', '.join(systems()) or 'none'}")


def load_pack(system: str) -> Pack:
    """The compiled pack of a system, read from its ``pack.json``.

    Raises:
        PackError: if there is none, or it can't be read.
    """
    path = pack_folder(system) / "pack.json"
    try:
        data = path.read_bytes()
        tree = json.loads(data)
        return Pack(tree["system"], tree["version"], tree["title"], tree, data)
    except (OSError, ValueError, KeyError, TypeError) as err:
        raise PackError(f"{path}: the compiled pack can't be read ({err}); run scripts/build_pack.py") from err


def canonical_json(tree: dict[str, Any]) -> bytes:
    """The canonical bytes of a compiled tree (PROTOCOL 3.2)."""
    return json.dumps(tree, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
