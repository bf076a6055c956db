"""A second look at what was played: it reads the events, the printed map and the printed charts, and nothing of the
rules. What it works out for itself must be what the events say.

Positions are followed by the events; zones, control, prices of ways and classes of retreat are worked out here anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from adjudicator.engine.core import Event
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.state import State
from adjudicator.western_desert.units import Unit

FOES = {"axis": "allied", "allied": "axis"}
ZONED = ("division", "brigade", "regiment", "cadre")
ZONELESS = ("antiaircraft", "construction_engineer")
CLOSED_GROUND = ("sea", "lake", "salt_marsh")
SHUT_SIDES = ("impassable", "sebkha", "sea", "lake")
CRETE_FALLS = ("WD 26.D", "WD 32.B")
SIDELONG = ("eliminated", "reduced")
SUBSETS_AT_MOST = 10
Data = Mapping[str, Any]


def chart(state: State, name: str) -> list[dict[str, str]]:
    """The rows of a printed chart."""
    rows: Any = state.world.charts[name]
    return list(rows)


def within(name: str, value: int) -> bool:
    """Whether a heading of a chart takes a number: ``-5 or less``, ``3 to 4``, ``3-4``, ``17+``, ``-2``."""
    for end, fits in ((" or less", int.__ge__), (" or more", int.__le__), ("+", int.__le__)):
        if name.endswith(end):
            return bool(fits(int(name.removesuffix(end)), value))
    for middle in (" to ", "-"):
        first, found, last = name[1:].partition(middle)
        if found:
            return int(name[0] + first) <= value <= int(last)
    return int(name) == value


def row_of(state: State, name: str, key: str, value: str) -> dict[str, str]:
    """One row of a printed chart."""
    return next(row for row in chart(state, name) if row[key] == value)


def effect_fits(state: State, data: Data, h: int) -> bool:
    """Whether a hit is told with an effect, and does to the status of Malta what it should: those of the Axis upon its
    port raise it to 15, unless the flight was sent to damage the port; no other hit does (WD 28.D)."""
    if bool(data["effect"]) != (data["result"] == "H") or not data["effect"]:
        return not data["effect"] and data["result"] != "H"
    sortie = state.air[str(data["with"][0])].sortie
    port = str(data["mission"]).startswith("bomb_port") and state.board.in_region(h, "Malta")
    if not port or state.player != "axis" or sortie is None or sortie.hits == "port":
        return str(data["effect"]) != "malta-status"
    return str(data["effect"]) == ("malta-status" if state.malta < 15 else "ignored")


class Umpire:
    """Follows the events of a stretch of play from the position before it; ``faults`` says what did not fit."""

    def __init__(self, before: State) -> None:
        self.state = before.copy()
        self.owner = dict(before.control)
        self.faults: list[str] = []
        self._battle: Data = {}
        self._strengths: dict[str, dict[str, Fraction]] = {}
        self._began: dict[str, int] = {}
        self._left: dict[str, list[int]] = {}
        self._dirty: set[int] = set()

    def follow(self, events: Iterable[Event]) -> Umpire:
        """Read the events one by one: judge each by the position before it, then let it happen."""
        lookers: dict[str, Callable[[Data], None]] = {
            "move": self._look_move,
            "supply-moved": self._look_haul,
            "attack": self._look_attack,
            "losses": self._look_losses,
            "retreat": self._look_retreat,
            "phase": self._look_phase,
            "result": self._look_result,
        }
        for event in events:
            if event.kind not in SIDELONG:
                self._settle()
            look = lookers.get(event.kind)
            if look is not None:
                look(event.data)
            self._happen(event)
        self._settle()
        return self

    def fault(self, text: str) -> None:
        """Something that does not fit."""
        self.faults.append(text)

    # --- positions and control (WD 3.G, 5) ----------------------------------------------------------------------

    def _happen(self, event: Event) -> None:
        """Let an event happen; whoever came, went or changed unsettles the ground around."""
        state = self.state
        before = {uid: (piece.hex, piece.cadre, piece.dropped) for uid, piece in state.pieces.items()}
        if event.kind == "move":
            self._walk(event.data)
        apply(state, event)
        if event.kind == "control" and (state.phase == "setup" or event.rule in CRETE_FALLS):
            self.owner = dict(state.control)
        if event.kind == "invasion":
            self.owner = {h: str(event.data["held"]) if side == "vichy" else side for h, side in self.owner.items()}
            self._dirty |= {h for h, info in state.board.land.items() if "Levant" in info.regions}
        after = {uid: (piece.hex, piece.cadre, piece.dropped) for uid, piece in state.pieces.items()}
        for uid in sorted(before.keys() | after.keys()):
            if before.get(uid) != after.get(uid):
                self._dirty |= {place[0] for place in (before.get(uid), after.get(uid)) if place}

    def _walk(self, data: Data) -> None:
        """Hex by hex, the ground changes hands behind and before the unit."""
        state, uid = self.state, str(data["unit"])
        for text in data["path"]:
            here, to = state.hex_of(uid), state.board.find(text)
            state.shift(uid, to)
            self._settle_at({here, to})

    def _settle(self) -> None:
        dirty, self._dirty = self._dirty, set()
        self._settle_at(dirty)

    def _settle_at(self, centres: set[int]) -> None:
        for h in {n for c in centres for n in (c, *hexes.neighbours(c))}:
            side = self.holder(h)
            if side and h in self.state.board.land and not self._neutral(h):
                self.owner[h] = side

    def _held(self, side: str, h: int) -> bool:
        """Whether enemies bar a hex: any but the wreck in the harbor of Tobruk (WD 22.A.4)."""
        return any(self.side(uid) == FOES[side] and uid != "it-sangiorgio" for uid in self.state.at.get(h, ()))

    def _neutral(self, h: int) -> bool:
        info = self.state.board.land[h]
        neutral = info.control == "neutral" and self.owner.get(h, "neutral") == "neutral"
        shut = not self.state.theatre.vichy and self.state.levant != "open"
        return neutral or ("Levant" in info.regions and shut)

    def holder(self, h: int) -> str:
        """Who holds a hex by units, else by a zone that no other contests."""
        found = {self.side(uid) for uid in self.state.at.get(h, ()) if not self._face(uid).counter} & FOES.keys()
        if not found:
            found = {side for side in FOES if self.zoned(h, side)}
        return found.pop() if len(found) == 1 else ""

    def side(self, uid: str) -> str:
        """Whose unit it is."""
        return self.state.world.units[uid].side

    def _face(self, uid: str) -> Unit:
        unit = self.state.world.units[uid]
        return unit.back if self.state.pieces[uid].cadre and unit.back is not None else unit

    def zoned(self, h: int, side: str) -> bool:
        """Whether a zone of control of a side reaches into a hex (WD 5)."""
        near = (uid for n in self.doors(h) for uid in self.state.at.get(n, ()))
        return any(self.side(uid) == side and self.exerts(uid) for uid in near)

    def doors(self, h: int) -> Iterator[int]:
        """The neighbours from which a zone can reach into a hex."""
        if self.state.board.terrain(h) in CLOSED_GROUND or h not in self.state.board.land:
            return
        for n in hexes.neighbours(h):
            if self.state.board.crossing(n, h) not in SHUT_SIDES:
                yield n

    def exerts(self, uid: str) -> bool:
        """Whether a unit has a zone of control (WD 5, 25.B)."""
        unit = self._face(uid)
        if unit.counter or unit.size not in ZONED or unit.type in ZONELESS or self.state.pieces[uid].dropped:
            return False
        return not unit.artillery or unit.size in ("division", "cadre")

    # --- ways and their prices (WD 6, 7, 12.D) ------------------------------------------------------------------

    def _look_move(self, data: Data) -> None:
        state = self.state
        uid, side = str(data["unit"]), self.side(str(data["unit"]))
        way = [state.hex_of(uid), *(state.board.find(text) for text in data["path"])]
        steps = data["steps"] or ["foot"] * len(data["path"])
        truck = str(data["transport"])
        price = Fraction(0)
        rails = state.pieces[uid].rail
        for index, (a, b) in enumerate(pairwise(way)):
            if not hexes.adjacent(a, b):
                self.fault(f"{uid} goes from {state.board.name(a)} to {state.board.name(b)}, which is no neighbour")
            if self._held(side, b):
                self.fault(f"{uid} enters {state.board.name(b)}, which an enemy holds")
            if steps[index] == "rail":
                begins = (index == 0 and state.pieces[uid].means != "rail") or (index and steps[index - 1] != "rail")
                price += self._ride(uid, rails, bool(begins)) + self.harassed(a)
                rails += 1
            else:
                price += self.step(truck or uid, uid if truck else "", side, a, b) + self.harassed(a)
        if data["means"] != "minimum" and Fraction(str(data["mp"])) != price:
            self.fault(f"{uid} pays {data['mp']} for a way of {price}: {data['cost']}")
        self._allowance(data, truck or uid, [uid, truck] if truck else [uid])

    def _allowance(self, data: Data, who: str, all_of: Sequence[str]) -> None:
        """What a phase gives (WD 6.mp, 6.B, 12.B)."""
        rating = Fraction(self._face(who).movement)
        if data["means"] == "admin":
            most = Fraction(int(rating * 3 / 2))
        elif all(self.state.pieces[uid].gs for uid in all_of):
            most = rating
        else:
            most = rating / 2
        if Fraction(str(data["spent"])) > most and data["means"] != "minimum":
            self.fault(f"{who} has spent {data['spent']} of {most}")

    def harassed(self, a: int) -> Fraction:
        """What bombs make it cost to leave a hex (WD 20.F.2.e)."""
        return Fraction(self.state.harassed.get(a, 0) // 2)

    def _ride(self, uid: str, before: int, begins: bool) -> Fraction:
        """A hex by rail; every so many of them cost a point, the first one entraining as well (WD 7.A)."""
        rating = self._face(uid).movement
        row = next(row for row in chart(self.state, "rail") if int(row["from"]) <= min(rating, 10) <= int(row["to"]))
        point = 1 if before % int(row["hexes"]) == 0 else 0
        return Fraction(point + (1 if begins else 0))

    def _joined(self, a: int, b: int) -> bool:
        board = self.state.board
        laid = [board.unbuilt[line][: built + 1] for line, built in self.state.built.items()]
        return (a, b) in board.roads or any((a, b) in pairwise(line) or (b, a) in pairwise(line) for line in laid)

    def step(self, who: str, load: str, side: str, a: int, b: int) -> Fraction:
        """An ordinary step: the ground or the road, and the way out of an enemy zone (WD 6, 6.A, 7.B)."""
        unit = self._face(who)
        column = "mot_or_art" if load or unit.motorized or unit.artillery else "cavalry" if unit.cavalry else "other"
        if self._joined(a, b):
            ground = Fraction(row_of(self.state, "terrain", "terrain", "clear")[column])
        else:
            ground = self._ground(column, a, b)
        return ground + self._out_of_zone(unit, side, a, b)

    def _ground(self, column: str, a: int, b: int) -> Fraction:
        board = self.state.board
        cost = Fraction(row_of(self.state, "terrain", "terrain", board.terrain(b))[column])
        kind = board.crossing(a, b).split("_up")[0].split("_down")[0]
        if not kind:
            return cost
        row = row_of(self.state, "hexsides", "kind", kind)
        if row.get("as_hex"):
            return max(cost, Fraction(row_of(self.state, "terrain", "terrain", row["as_hex"])[column]))
        return cost + Fraction(row["surcharge"])

    def _out_of_zone(self, unit: Unit, side: str, a: int, b: int) -> Fraction:
        if not self.zoned(a, FOES[side]):
            return Fraction(0)
        german = unit.nat == "german" and unit.motorized
        row = row_of(self.state, "zoc_costs", "class", "german_combat_motorized" if german else "other")
        return Fraction(row["zone_to_zone" if self.zoned(b, FOES[side]) else "leave"])

    def _look_haul(self, data: Data) -> None:
        """SMPs: nothing by rail, one a step of supply by road, three times the ground off it, zones (WD 12.D)."""
        state, sid, side = self.state, str(data["counter"]), str(data["side"])
        counter = state.supply[sid]
        way = [counter.hex, *(state.board.find(text) for text in data["path"])]
        price = Fraction(0)
        for how, (a, b) in zip(data["steps"], pairwise(way), strict=True):
            if self.unescorted(side, b):
                self.fault(f"{sid} enters {state.board.name(b)} in an enemy zone with nobody there")
            price += Fraction(0) if how == "rail" else self.haul(side, counter.steps, a, b)
        if Fraction(str(data["smp"])) != price:
            self.fault(f"{sid} pays {data['smp']} SMPs for a way of {price}: {data['cost']}")

    def haul(self, side: str, steps: int, a: int, b: int) -> Fraction:
        """SMPs of one hex off the railroad."""
        each = Fraction(1) if self._joined(a, b) else 3 * self._ground("mot_or_art", a, b)
        out = (3 if self.zoned(b, FOES[side]) else 2) if self.zoned(a, FOES[side]) else 0
        return each * steps + out

    def unescorted(self, side: str, h: int) -> bool:
        """True for a hex in an enemy zone that no friendly unit occupies."""
        return self.zoned(h, FOES[side]) and not any(
            self.side(uid) == side and not self._face(uid).counter for uid in self.state.at.get(h, ())
        )

    def may_enter(self, side: str, a: int, b: int) -> bool:
        """Whether ground and enemy units let a unit go from a hex into its neighbour."""
        board = self.state.board
        if b not in board.land or board.terrain(b) in CLOSED_GROUND or board.crossing(a, b) in SHUT_SIDES:
            return False
        return not self._neutral(b) and not self._held(side, b)

    # --- combat (WD 9) ------------------------------------------------------------------------------------------

    def _look_attack(self, data: Data) -> None:
        self._battle = data
        self._left = {}
        attackers, foes = [str(uid) for uid in data["with"]], [str(uid) for uid in data["defenders"]]
        for uid in (*attackers, *foes):
            piece = self.state.pieces[uid]
            if piece.attacked or piece.defended:
                self.fault(f"{uid} fights a second time in the phase")
            self._began[uid] = piece.hex
        self._strengths = {
            str(data["side"]): {uid: self._face(uid).attack for uid in attackers},
            FOES[str(data["side"])]: {uid: self._face(uid).defense for uid in foes},
        }

    def _look_result(self, data: Data) -> None:
        self._result = str(data["result"])

    def _look_losses(self, data: Data) -> None:
        """At least what the result asks by printed strength, and by nobody's wish not more than it takes (WD 9.C)."""
        side = str(data["side"])
        own, other = self._strengths[side], self._strengths[FOES[side]]
        whole, theirs = sum(own.values(), Fraction(0)), sum(other.values(), Fraction(0))
        share = {"AH": whole / 2, "DH": whole / 2, "HX": theirs / 2, "EX": theirs}[self._result]
        owed, given = min(share, whole), sum((own.get(str(uid), Fraction(0)) for uid in data["units"]), Fraction(0))
        if Fraction(str(data["required"])) != owed:
            self.fault(f"{side} owes {owed} for {self._result}, the rules say {data['required']}")
        if given < owed:
            self.fault(f"{side} owes {owed} and gives {given}: {data['units']}")
        silent = data.get("choice") == "default" and "standing" not in str(data.get("clause", ""))
        if silent and len(own) <= SUBSETS_AT_MOST and given != least_sum(list(own.values()), owed):
            self.fault(f"{side} owes {owed} and gives {given}, {least_sum(list(own.values()), owed)} would do")

    def _look_retreat(self, data: Data) -> None:
        """Into a hex of the best class there is (WD 9.F.1)."""
        uid, state = str(data["unit"]), self.state
        here, (to,) = state.hex_of(uid), [state.board.find(text) for text in data["path"]]
        left = self._left.setdefault(uid, [])
        left.append(here)
        found = {n: self._class(uid, here, n) for n in hexes.neighbours(here) if n not in left}
        classes = [grade for grade in found.values() if grade]
        if not classes or found.get(to) != min(classes) or int(str(data["priority"])) != min(classes):
            names = {state.board.name(n): grade for n, grade in found.items()}
            self.fault(f"{uid} retreats to {state.board.name(to)} as class {data['priority']} of {names}")

    def _class(self, uid: str, here: int, n: int) -> int:
        state, side = self.state, self.side(uid)
        if not self.may_enter(side, here, n):
            return 0
        if self.zoned(n, FOES[side]):
            return 3
        return 1 if self.may_stack([*state.friends_at(n, side), uid]) else 2

    # --- stacks (WD 8) ------------------------------------------------------------------------------------------

    def may_stack(self, ids: Sequence[str]) -> bool:
        """Six units of which three are divisions, and two of artillery besides."""
        units = [self._face(uid) for uid in ids if not self._face(uid).counter]
        guns = sum(unit.artillery for unit in units)
        return len(units) - min(2, guns) <= 6 and sum(unit.size == "division" for unit in units) <= 3

    def _look_phase(self, data: Data) -> None:
        """A phase is over: nobody over the limit, no two sides in a hex (WD 8.B)."""
        self.at_rest()

    def at_rest(self) -> Umpire:
        """What must hold between two phases."""
        self._settle()
        state = self.state
        for h, ids in sorted(state.at.items()):
            sides = sorted({self.side(uid) for uid in ids} & FOES.keys())
            if len(sides) > 1:
                self.fault(f"{state.board.name(h)} holds both sides: {ids}")
            for side in sides:
                if not self.may_stack(state.friends_at(h, side)):
                    self.fault(f"{state.board.name(h)} is over the limit: {ids}")
        wrong = [h for h in sorted(state.board.land) if self.owner.get(h, "") != state.control.get(h, "")]
        for h in wrong:
            self.fault(f"{state.board.name(h)} is {self.owner.get(h)}, the rules say {state.control.get(h)}")
            self.owner[h] = state.control.get(h, "")
        return self


def least_sum(strengths: Sequence[Fraction], owed: Fraction) -> Fraction:
    """The smallest sum of some of the strengths that reaches what is owed, by trying all of them."""
    sums = (
        sum(some, Fraction(0)) for count in range(len(strengths) + 1) for some in combinations(strengths, count)
    )
    return min(total for total in sums if total >= owed)


# --- general supply (WD 12.A, 12.B) ---------------------------------------------------------------------------------


def on_a_line(umpire: Umpire, uid: str) -> bool:
    """Whether a unit traces at most seven hexes to an open transport line to a terminal, worked out from the unit."""
    state, side = umpire.state, umpire.side(uid)
    live = _live_lines(umpire, side)
    seen = {state.hex_of(uid)}
    ring = seen
    for _length in range(8):
        if ring & live:
            return True
        ring = {
            n
            for h in ring
            for n in hexes.neighbours(h)
            if n not in seen and state.board.crossing(h, n) not in SHUT_SIDES and _traceable(umpire, side, n)
        }
        seen |= ring
    return False


def _live_lines(umpire: Umpire, side: str) -> set[int]:
    state = umpire.state
    ends = [h for h, info in state.board.land.items() if info.terminal == side and umpire.owner.get(h) == side]
    live = {h for h in ends if _traceable(umpire, side, h)}
    ring = set(live)
    while ring:
        ring = {n for h in ring for n in hexes.neighbours(h) if n not in live and umpire._joined(h, n)}
        ring = {n for n in ring if _traceable(umpire, side, n)}
        live |= ring
    return live


def _traceable(umpire: Umpire, side: str, h: int) -> bool:
    state = umpire.state
    if h not in state.board.land or state.board.terrain(h) in CLOSED_GROUND or umpire._neutral(h):
        return False
    sides = {umpire.side(uid) for uid in state.at.get(h, ())}
    if FOES[side] in sides:
        return False
    return not umpire.zoned(h, FOES[side]) or any(
        umpire.side(uid) == side and not umpire._face(uid).counter for uid in state.at.get(h, ())
    )
