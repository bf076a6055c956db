"""The world of a game out of its compiled pack: board, counters, charts, scenario (DESIGN, rule 6)."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.switches import OPTIONS
from adjudicator.western_desert.board import board_from_pack
from adjudicator.western_desert.state import State, World
from adjudicator.western_desert.units import unit_from_pack
from adjudicator.western_desert.variants import NO_EXPEDITION, order_of_battle

Record = Mapping[str, object]


def rows(tree: object, key: str) -> list[Record]:
    """The mappings listed under a key of a pack tree."""
    value = tree.get(key) if isinstance(tree, dict) else None
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def text(row: Record, key: str, default: str = "") -> str:
    """A text of a pack row; the default where it has none."""
    value = row.get(key, default)
    return value if isinstance(value, str) else default


def texts(row: Record, key: str) -> list[str]:
    """A list of texts of a pack row."""
    value = row.get(key)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


class UnknownScenario(ValueError):
    """The pack has no scenario of that name."""


def world_from_pack(pack: Record, scenario: str, switches: Mapping[str, str] | None = None) -> World:
    """Build the world. Raises :class:`UnknownScenario` with the names the pack has."""
    found = next((row for row in rows(pack, "scenarios") if text(row, "id") == scenario), None)
    if found is None:
        names = ", ".join(text(row, "id") for row in rows(pack, "scenarios"))
        raise UnknownScenario(f"the pack has no scenario {scenario}; it has {names}")
    charts, events, air = pack.get("charts"), rows(pack, "events"), rows(pack, "air")
    if NO_EXPEDITION in (switches or {}).get(OPTIONS, "").split():
        nations = {text(row, "id"): row.get("nat") for row in (*rows(pack, "counters"), *air)}
        events = list(order_of_battle(events, rows(found, "boxes"), nations, {text(row, "id") for row in air}))
    return World(
        board=board_from_pack(pack),
        units={text(row, "id"): unit_from_pack(row) for row in rows(pack, "counters")},
        charts=charts if isinstance(charts, dict) else {},
        air={text(row, "id"): row for row in air},
        scenario=found,
        switches=dict(switches or {}),
        events=tuple(events),
        areas=tuple(rows(pack, "areas")),
    )


def first_state(world: World) -> State:
    """The state before anything is set up: an empty board under the control that is printed (WD 30)."""
    state = State(world)
    state.control = {h: info.control for h, info in world.board.land.items() if info.control}
    return state
