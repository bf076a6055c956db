"""Holds each scenario against the rest of the pack: the order of battle at its date, and supply at its start.

Both need the compiled tree; lines of supply are traced here without the rules, which have their own way (and a test
compares the two).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records
from adjudicator.packs.western_desert.roster import BOX, GREECE, OUT, PLAY, POOL, SPECIAL, replay

Tree = dict[str, Any]

REACH: Final = 7
"""Hexes of a supply line (WD 12.B)."""
ISLANDS: Final = ("Malta", "Sicily", "Crete", "Rhodes", "Cyprus", "Dodecanese")
"""An island has no terminal; its units are supplied by counters or not at all (ruling ISLAND-SUPPLY)."""
LOST: Final = ("replacement_pool", "scrapped", "removed")
FITTING: Final = {
    PLAY: ("map", "assembled", *LOST),
    BOX: ("map", "fifth_army", "tripolitania_garrison", *LOST),
    GREECE: ("greece",),
    OUT: ("withdrawn",),
    POOL: ("map", "assembled", *LOST),
    SPECIAL: ("special_pool_1941", "special_pool_1942"),
}
"""Where a unit may be at the start of a scenario by what the order of battle says of it."""


class StartCheck:
    """The checks of one scenario of the compiled tree; faults are shown at the record of its file."""

    def __init__(self, files: PackFiles, tree: Tree, scenario: Record, faults: Faults) -> None:
        self.grid, self.tree, self.record, self.faults = files.grid, tree, scenario, faults
        self.scenario: Tree = next(s for s in tree["scenarios"] if s.get("id") == scenario.get("id"))
        self.units = {str(row.get("id")): row for key in ("counters", "air") for row in tree[key]}
        self.rows = {
            str(row.get("unit")): row for key in ("deploy", "air_deploy", "boxes") for row in records(scenario.get(key))
        }

    def run(self) -> None:
        """Check everything."""
        if "events_done" in self.scenario:
            self._roster()
        for side in ("allied", "axis", "vichy"):
            self._supply(side)

    # --- order of battle --------------------------------------------------------------------------------------------

    def _roster(self) -> None:
        start = next((s for s in self.tree["scenarios"] if s.get("id") == "campaign"), None)
        if start is None:
            return
        done = self.scenario["events_done"]
        known = replay(self.units, start, self.tree["events"], done if isinstance(done, dict) else {}).state
        for unit, state in sorted(known.items()):
            row = self.rows.get(unit)
            if row is None and state in FITTING:
                text = f"{unit} is in the game by then ({state}), but stands nowhere; place it or put it into a box"
                self.faults.add(self.record, "roster", text)
            elif row is not None and row.get("box", "map") not in FITTING.get(state, ()):
                text = f"{unit} is {state} by the order of battle, not {row.get('box', 'on the map')}; correct one"
                self.faults.add(row, "roster", text)
        whole = {str(row.get("of")) for row in records(self.record.get("boxes")) if row.get("box") == "assembled"}
        for unit, row in self.rows.items():
            if unit in self.units and unit not in known and unit not in whole:
                self.faults.add(row, "roster", f"{unit} is not in the game at {self.scenario['start']}; take it out")

    # --- supply -----------------------------------------------------------------------------------------------------

    def _supply(self, side: str) -> None:
        """Every unit on the mainland has a supply line at the start (WD 12.A, 12.B)."""
        lines = Lines(self.tree, self.scenario, self.units, side, self.grid.neighbours)
        for name, unit in lines.own():
            row = self.rows.get(unit)
            if row is not None and lines.land[name]["country"] not in ISLANDS and not lines.reaches(name):
                text = f"{unit} in {name} has no supply line of {REACH} hexes to a road or rail to a terminal"
                self.faults.add(row, "supply", f"{text}, nor to a supply counter (WD 12.B); move it or add a counter")


class Lines:
    """What the supply lines of one side rest on in a set-up."""

    def __init__(self, tree: Tree, scenario: Tree, units: dict[str, Tree], side: str, around: Any) -> None:
        self.side, self.around = side, around
        self.land = {str(row["hex"]): row for row in tree["hexes"]}
        closed = {str(row["terrain"]) for row in tree["charts"]["terrain"] if row.get("closed") == "yes"}
        self.open_land = {name for name, row in self.land.items() if row["terrain"] not in closed}
        shut = {str(row["kind"]) for row in tree["charts"]["hexsides"] if row.get("closed") == "yes"}
        self.shut = {frozenset((row["a"], row["b"])) for row in tree["sides"] if row["kind"] in shut}
        self.stacks: dict[str, list[Tree]] = {}
        for row in scenario.get("deploy", []):
            if str(row.get("unit")) in units and row["hex"] in self.land:
                self.stacks.setdefault(str(row["hex"]), []).append(units[str(row["unit"])])
        self.blocked = set() if side == "vichy" else self._blocked("axis" if side == "allied" else "allied")
        counters = {str(row["hex"]) for row in scenario.get("supply", []) if row.get("side") == side}
        self.goals = counters | self._network(tree, scenario)

    def own(self) -> list[tuple[str, str]]:
        """Hex and id of each unit of the side."""
        units = [(name, unit) for name, stack in sorted(self.stacks.items()) for unit in stack]
        return [(name, str(unit["id"])) for name, unit in units if unit.get("side") == self.side]

    def reaches(self, start: str) -> bool:
        """Whether a line of seven hexes leads from a hex to a road to a terminal or to a supply counter."""
        seen, ring = {start}, [start]
        for _ in range(REACH + 1):
            if self.goals & set(ring):
                return True
            ring = [n for n in self._ring(ring, seen) if n not in self.blocked]
            seen.update(ring)
        return False

    def _ring(self, ring: Iterable[str], seen: set[str]) -> list[str]:
        return sorted({o for n in ring for o in self.around(n) if o not in seen and self._passable(n, o)})

    def _passable(self, one: str, other: str) -> bool:
        return other in self.open_land and frozenset((one, other)) not in self.shut

    def _held(self, side: str) -> set[str]:
        return {n for n, stack in self.stacks.items() if any(u["side"] == side and u["size"] != "none" for u in stack)}

    def _blocked(self, enemy: str) -> set[str]:
        zone = {
            other
            for name, stack in self.stacks.items()
            if any(u["side"] == enemy and u.get("caps", {}).get("zoc") == "yes" for u in stack)
            for other in self.around(name)
            if self._passable(name, other)
        }
        return self._held(enemy) | (zone - self._held(self.side))

    def _network(self, tree: Tree, scenario: Tree) -> set[str]:
        """Hexes of lines joined to a terminal that the side holds."""
        links: dict[str, set[str]] = {}
        for row in tree["lines"]:
            links.setdefault(row["a"], set()).add(row["b"])
            links.setdefault(row["b"], set()).add(row["a"])
        changed = {str(row["hex"]): row["side"] for row in scenario.get("control", [])}
        ring = [
            name
            for name, row in self.land.items()
            if row.get("terminal") == self.side and changed.get(name, row["control"]) == self.side
        ]
        seen = set(ring)
        while ring:
            ring = sorted({n for name in ring for n in links.get(name, set()) if n not in seen | self.blocked})
            seen.update(ring)
        return seen
