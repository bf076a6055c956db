"""What a table of VASSAL pieces of Shifting Sands shows, read from pixels and faces alone, beside what a state holds.

Nothing here goes through the code that puts a position on the table: a marker that this forgets or sets wrong is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from adjudicator.shifting_sands.state import State, turn_name
from adjudicator.vassal.reader import ReadPiece, ReadTrait
from adjudicator.vassal.sequence import decode
from adjudicator.vassal.ss_board import SandsLayout
from tests.vassal.playback import Counter, Table

Facts = dict[str, Any]
Cards = dict[tuple[str, str], list[str]]
"""Cards by zone and side."""
SUPPLY = ("", "full", "limited", "oos")
DEEDS = ("", "moved", "joined", "fought", "retreated", "redeployed")
USES = {"ops": 1, "rd": 2, "rp": 3, "event": 4, "auto": 5, "lrdg": 6}
FLANKS = {"": 1, "tried": 2, "success": 3, "failure": 4}
POOLS = {"German": "GE", "Italian": "IT", "British": "BR", "Commonwealth": "CW", "American": "US", "Allied": "A"}
TITLES = {
    "Victory points": "vp", "Operations points left": "ops", "Redeployment points left": "rd",
    "Missions of the LRDG in this turn": "missions", "Battlegroup of SS 12.83 in this turn": "company",
}  # fmt: skip
SIGNS = {"Move": "move", "Attack": "attack", "Attacked in this round": "attacked", "Rommel takes part": "rommel"}


class Board:
    """The table seen with the eyes of a player."""

    def __init__(self, table: Table, layout: SandsLayout, units: Mapping[str, str]) -> None:
        self.table = table
        self.layout = layout
        self.units = units
        self.spots = {at: name for name, at in layout.spaces.items()}

    def facts(self) -> Facts:
        """Units by place and face, owners of spaces, markers, tracks, cards."""
        found: Facts = {"units": {}, "control": set(), "signs": set(), "record": {}, "tracks": {}, "actions": {},
                        "cards": self._cards(), "tracker": self._tracker()}  # fmt: skip
        for ident, counter in self.table.counters.items():
            piece = read(ident, counter)
            if ident in self.units:
                found["units"][ident] = self._unit(piece, counter, self.units[ident])
            elif piece.marks().get("Kind") == "Marker":
                self._marker(found, piece, counter)
        return found

    # --- units ---------------------------------------------------------------------------------

    def _unit(self, piece: ReadPiece, counter: Counter, side: str) -> tuple[str, ...]:
        layers = piece.layers()
        place = self.spots.get((counter.x, counter.y)) or self._box(counter, side)
        faces = ("full", "reduced")[layers["Step"] - 1], SUPPLY[layers["Supply"] - 1], DEEDS[layers["Deed"] - 1]
        return (place, *faces)

    def _box(self, counter: Counter, side: str) -> str:
        (box,) = [
            b for b in self.layout.boxes if b.x < counter.x < b.x + b.width and b.y < counter.y < b.y + b.height
        ]
        assert box.side == side, f"a unit of the {side} side in the box of the other"
        return f"@{box.id}"

    # --- markers -------------------------------------------------------------------------------

    def _marker(self, found: Facts, piece: ReadPiece, counter: Counter) -> None:
        title, level = decode(counter.types[-1], ";")[4], piece.layers().get("Step", 1)
        if title.endswith(" control"):
            found["control"].add((self.spots[counter.x, counter.y], title.split()[0].lower()))
        elif title == "Combat":
            found["signs"].add(("combat", self.spots[counter.x, counter.y], level))
        elif title in SIGNS:
            found["signs"].add((SIGNS[title], self.spots[counter.x, counter.y], 1))
        else:
            self._on_track(found, title, level, *self._cell(counter))

    def _on_track(self, found: Facts, title: str, level: int, track: str, index: int) -> None:
        if title.endswith(" replacement points"):
            assert track == "record"
            found["record"][POOLS[title.split()[0]]] = index + Fraction(level - 1, 2)
        elif title in TITLES:
            assert track == "record"
            found["record"][TITLES[title]] = Fraction(-index if level == 2 else index)
        elif track.endswith("-actions"):
            found["actions"][title.split()[0].lower(), index + 1] = level
        else:
            found["tracks"][title] = (track, index, level)

    def _cell(self, counter: Counter) -> tuple[str, int]:
        return next(
            (track.id, index)
            for track in self.layout.tracks
            for index in range(len(track.entries))
            if track.centre(index) == (counter.x, counter.y)
        )

    # --- cards and the turn tracker ------------------------------------------------------------

    def _cards(self) -> Cards:
        found: Cards = {}
        for name, pile in self.table.piles.items():
            _, side, zone = name.split(".")
            found[zone, side] = [card.removeprefix("card-") for card in pile.pieces]
        for ident, counter in self.table.counters.items():
            if counter.map.endswith(" hand"):
                key = "hands", counter.map.split()[0].lower()
                found.setdefault(key, []).append(ident.removeprefix("card-"))
        return {key: sorted(cards) if key[0] == "hands" else cards for key, cards in found.items() if cards}

    def _tracker(self) -> tuple[str, ...]:
        """Turn, phase, round and side: each level within the one before, its place in its list first."""
        layout, text = self.layout, self.table.turn
        lists = (layout.turns, layout.phases, layout.rounds, ("Axis", "Allied"))
        said: list[str] = []
        text = decode(text, "|")[1]
        for entries in lists:
            fields = decode(text, ";")
            said.append(entries[int(fields[0])])
            text = fields[4] if len(fields) > 4 else ""
        return tuple(said)


def read(ident: str, counter: Counter) -> ReadPiece:
    """A piece of the table as the reader of saves has it."""
    pairs = zip(counter.types, counter.states, strict=True)
    return ReadPiece(ident, tuple(ReadTrait(t.partition(";")[0], t, s) for t, s in pairs))


# --- what should be seen -------------------------------------------------------------------------


def expected(state: State, units: Mapping[str, str]) -> Facts:
    """The same of a state."""
    return {
        "units": {uid: _unit_of(state, uid) for uid in units},
        "control": {(n, s) for n, s in state.control.items() if state.world.spaces[n].control != s},
        "signs": set(_signs(state)),
        "record": dict(_record(state)),
        "tracks": _tracks(state),
        "actions": {
            (side, number): USES.get(use, 7) for side, rounds in state.history.items() for number, use in rounds.items()
        },
        "cards": _cards_of(state),
        "tracker": (turn_name(state.turn), state.phase.capitalize(), str(state.round), state.active.capitalize()),
    }


def _unit_of(state: State, uid: str) -> tuple[str, ...]:
    piece = state.pieces.get(uid)
    if piece is None:
        return "@unplaced", "full", "", ""
    done = [word for word in DEEDS[1:] if getattr(piece, word)]
    return piece.at, state.step_of(uid), piece.supply, done[-1] if done else ""


def _signs(state: State) -> Iterator[tuple[str, str, int]]:
    yield from ((marker, space, 1) for space, marker in state.markers.items())
    yield from (("attacked", space, 1) for space in state.attacked)
    if state.rommel:
        yield "rommel", state.rommel, 1
    if state.fight is not None:
        row: Any = state.fight.row()
        yield "combat", row["target"], FLANKS.get(row.get("flank", ""), 1)


def _record(state: State) -> Iterator[tuple[str, Fraction]]:
    yield "vp", Fraction(state.vp)
    yield "ops", Fraction(max(0, state.ops.available - state.ops.spent))
    yield "rd", Fraction(state.rd_left or 0)
    for name, number in (("missions", state.missions), ("company", state.german_company)):
        if number:
            yield name, Fraction(number)
    for pool in ("GE", "IT", "BR", "CW", "A", *(["US"] if "Torch" in state.events or "US" in state.rp else [])):
        yield pool, Fraction(state.rp.get(pool, "0"))


def _tracks(state: State) -> Facts:
    phases = ("setup", "action", "attrition", "victory", "replacement", "draw", "over")
    turn = state.turn - 1
    found: Facts = {
        "Turn": ("turn", turn, 1),
        "Phase": ("phase", phases.index(state.phase), 1),
        "Action round": ("round", state.round - 1, 1 + (state.active == "allied")),
    }
    names = {"VF": "Vichy French active", "IR": "Iraqis active"}
    found |= {names[nation]: ("turn", turn, 1) for nation in state.released}
    winners = ("axis", "allied") if state.winner == "draw" else (state.winner,) if state.winner else ()
    found |= {f"{side.capitalize()} victory": ("turn", turn, 1) for side in winners}
    if state.charter:
        found["Point of the Atlantic Charter"] = ("record", int(Fraction(state.rp.get(state.charter, "0"))), 1)
    return found


def _cards_of(state: State) -> Cards:
    zones = ("hands", "piles", "discards", "face_up", "removed")
    rows = ((zone, side, cards) for zone in zones for side, cards in getattr(state, zone).items())
    return {(zone, side): sorted(cards) if zone == "hands" else list(cards) for zone, side, cards in rows if cards}
