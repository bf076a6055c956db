"""Shifting Sands: from a position, a tree of plain text, to the pieces of a save.

The form is that of docs/state-format.md; every part may be missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from adjudicator.vassal.boxes import fill
from adjudicator.vassal.items import Item, PositionError, Row, may_see, rows_of, stacked
from adjudicator.vassal.markerpieces import STEP, marker_key
from adjudicator.vassal.model import Placement, Point
from adjudicator.vassal.ss_board import Pile, SandsLayout
from adjudicator.vassal.ss_cards import card_key, hand_map, in_hand, pile_of
from adjudicator.vassal.ss_counters import SandsStyle
from adjudicator.vassal.ss_pieces import DEED, DEEDS, POOLS, SIDES, SUPPLIES, SUPPLY
from adjudicator.vassal.ss_words import HANDLE

FLANKS = ("", "tried", "success", "failure")
ACTIONS = ("ops", "rd", "rp", "event", "auto", "lrdg")
"""What a side did in a round, in the order of the levels of its marker; anything else is the next level."""
ACTIVE = ("axis", "allied")
COUNTS = {"missions": "missions of the LRDG", "company": "battlegroups by SS 12.83"}
"""Parts of a position that are a number, each with a marker of its own while it is not zero."""
UNPLACED = "@unplaced"
Kind = tuple[str, int]

OPEN_ZONES = ("face_up", "removed")
"""Zones in which every card is known to both sides."""


class SandsReader:
    """Turns the rows of a position into placements on the main map."""

    def __init__(self, layout: SandsLayout, pack: Row, style: SandsStyle, viewer: str | None) -> None:
        self.layout = layout
        self.style = style
        self.viewer = (viewer or "").lower()
        self.counters: dict[str, Row] = {str(row["id"]): row for row in pack["counters"]}
        self.homes = self._homes()
        self.cards = {str(row["id"]) for row in pack["cards"]}
        self.slugs = {str(row["name"]): str(row["slug"]) for row in pack["spaces"]}
        self.printed = {str(row["name"]): str(row.get("control", "")) for row in pack["spaces"]}
        self.markers = {str(spec["id"]) for spec in style.markers}

    def placements(self, position: Row) -> tuple[Placement, ...]:
        """All pieces of the position, spot by spot, each stack bottom first. Raises PositionError or BoardError."""
        parts = (self._units, self._control, self._signs, self._tracks, self._actions)
        items = [item for part in parts for item in part(position)]
        placed = [placement for place, group in stacked(items) for placement in self._place(place, group)]
        return (*placed, *self._cards(position))

    def _homes(self) -> dict[Kind, int]:
        """The cell of each kind of unit in the boxes of its side: the nations in the layout's order."""
        kinds = {_kind(info) for info in self.counters.values()}
        homes: dict[Kind, int] = {}
        for nations in self.layout.order:
            ordered = sorted((nations.index(kind[0]), kind[1], kind) for kind in kinds if kind[0] in nations)
            homes |= {kind: cell for cell, (_, _, kind) in enumerate(ordered)}
        return homes | dict.fromkeys(kinds - homes.keys(), 0)

    def _rows(self, position: Row, part: str, key: str) -> list[Row]:
        return rows_of(position, part, key, self.viewer)

    def _place(self, place: str, group: list[Item]) -> Iterable[Placement]:
        kind, _, rest = place.partition(":")
        if kind == "box":
            return self._in_box(rest, group)
        spot = self.layout.pixel(rest) if kind == "space" else self._on_cell(rest)
        return [self._put(item, spot) for item in group]

    def _put(self, item: Item, spot: Point) -> Placement:
        return Placement(item.id, item.piece, self.layout.map, *spot, item.states)

    def _on_cell(self, cell: str) -> Point:
        track, _, index = cell.partition(":")
        return self.layout.track(track).centre(int(index))

    def _in_box(self, box: str, group: list[Item]) -> Iterable[Placement]:
        """Units of one box: each kind in its own cell, and what is too many for it in free ones."""
        side, _, word = box.partition(":")
        cells = self.layout.cells(self.layout.box(word, side))
        for cell, item in fill(len(cells), [(self.homes[_kind(self.counters[item.id])], item) for item in group]):
            yield self._put(item, cells[cell])

    # --- cards -----------------------------------------------------------------------------

    def _cards(self, position: Row) -> Iterable[Placement]:
        """Cards in piles and hands, the last of a list on top. One that lies face down has no piece, for nobody may
        know which it is; one that lies open under a handle has its own."""
        rows = self._rows(position, "opened", "card") if position.get("opened") else ()
        known = {(str(row.get("side")), str(row.get("card"))): str(row.get("name")) for row in rows}
        for row in self._rows(position, "cards", "zone"):
            zone, side = str(row.get("zone", "")), str(row.get("side", ""))
            pile = pile_of(self.layout, zone, side)
            if pile is None and (zone != "hands" or side not in SIDES):
                raise PositionError(f"cards: {zone!r} of {side!r} is no place for cards")
            for card in row.get("cards") or ():
                name = known.get((side, str(card)), str(card)) if zone in OPEN_ZONES else str(card)
                if not HANDLE.fullmatch(name):
                    yield self._card(name, side, pile)

    def _card(self, card: str, side: str, pile: Pile | None) -> Placement:
        if card not in self.cards:
            raise PositionError(f"card {card!r} is not in the pack")
        key = card_key(card)
        if pile is None:
            return Placement(key, key, hand_map(side), *in_hand())
        return Placement(key, key, self.layout.map, *pile.middle, {}, pile.deck)

    # --- units -----------------------------------------------------------------------------

    def _units(self, position: Row) -> Iterable[Item]:
        """The units of the position; those it does not name are not in play. What is hidden is not there at all."""
        every = rows_of(position, "units", "id", None)
        named = {str(row.get("id") or row.get("unit") or "") for row in every}
        spare = [{"id": unit_id, "at": UNPLACED} for unit_id in self.counters if unit_id not in named]
        for row in (*(row for row in every if may_see(row, self.viewer)), *spare):
            unit_id = str(row.get("id") or row.get("unit") or "")
            info = self.counters.get(unit_id)
            if info is None:
                raise PositionError(f"unit {unit_id!r} is not in the pack")
            side = self.style.side_of(str(info["nation"]))
            states = {STEP: "2" if row.get("step") == "reduced" else "1", **_signs(row)}
            rank = (2 + (info["size"] == "division"), int(str(info["cf_full"])), unit_id)
            yield Item(unit_id, unit_id, _where(row, side), side, rank, states)

    # --- spaces ----------------------------------------------------------------------------

    def _on_space(self, name: str, marker: str, states: Mapping[str, str] | None = None) -> Item:
        if name not in self.slugs:
            raise PositionError(f"marker {marker}: {name!r} is no space of the map")
        item_id = f"{marker}.{self.slugs[name]}"
        return Item(item_id, marker_key(marker), f"space:{name}", "", (0, 0, item_id), states or {})

    def _control(self, position: Row) -> Iterable[Item]:
        """A flag wherever the owner is not the printed one."""
        for row in self._rows(position, "control", "space"):
            side = str(row.get("side", ""))
            if side not in SIDES:
                raise PositionError(f"control of {row.get('spaces')!r}: {side!r} is no side")
            for name in row.get("spaces") or [row.get("space", "")]:
                if self.printed.get(str(name)) != side:
                    yield self._on_space(str(name), f"control-{side}")

    def _signs(self, position: Row) -> Iterable[Item]:
        """Activation, attacks of this part of the round, the combat under way, Rommel."""
        for row in self._rows(position, "markers", "space"):
            marker = str(row.get("marker", ""))
            if marker not in ("move", "attack"):
                raise PositionError(f"marker on {row.get('space')!r}: {marker!r} is neither move nor attack")
            yield self._on_space(str(row["space"]), marker)
        for name in dict.fromkeys(str(space) for space in position.get("attacked") or ()):
            yield self._on_space(name, "attacked")
        combat = position.get("combat")
        if isinstance(combat, Mapping) and combat:
            flank = str(combat.get("flank", ""))
            level = str(1 + (FLANKS.index(flank) if flank in FLANKS else 0))
            yield self._on_space(str(combat.get("target", "")), "combat", {STEP: level})
        if position.get("rommel"):
            yield self._on_space(str(position["rommel"]), "rommel")

    # --- tracks ----------------------------------------------------------------------------

    def _on_track(self, marker: str, track: str, index: int, states: Mapping[str, str] | None = None) -> Item:
        last = len(self.layout.track(track).entries) - 1
        if not 0 <= index <= last:
            raise PositionError(f"{marker}: {index} is not on the track, which goes from 0 to {last}")
        return Item(marker, marker_key(marker), f"track:{track}:{index}", "", (9, 0, marker), states or {})

    def _tracks(self, position: Row) -> Iterable[Item]:
        turn, phase, round_, side = tracker_state(self.layout, position)
        yield self._on_track("turn", "turn", turn)
        yield self._on_track("phase", "phase", phase)
        yield self._on_track("round", "round", round_, {STEP: str(1 + side)})
        yield self._points("vp", position.get("vp", "0"), "victory points")
        ops = position.get("ops")
        left = Fraction(0)
        if isinstance(ops, Mapping):
            left = _amount(ops.get("available", "0"), "operations") - _amount(ops.get("spent", "0"), "operations")
        yield self._points("ops", max(Fraction(0), left), "operations")
        yield self._points("rd", position.get("rd", "0"), "redeployment points")
        yield from self._pools(position)
        for marker, what in COUNTS.items():
            if position.get(marker):
                yield self._points(marker, position[marker], what)
        for side_won in SIDES:
            if position.get("winner") in (side_won, "draw"):
                yield self._on_track(f"winner-{side_won}", "turn", turn)

    def _points(self, marker: str, value: object, what: str) -> Item:
        """A marker on the cell of its number; its other face tells half a point more, or a number below zero."""
        amount = _amount(value, what)
        turned = amount < 0 or amount.denominator != 1
        return self._on_track(marker, "record", int(abs(amount)), {STEP: "2"} if turned else {})

    def _pools(self, position: Row) -> Iterable[Item]:
        """The markers of replacement points; the American one only when it is used (SS 4.13, 7.416)."""
        rows = self._rows(position, "rp", "pool")
        points = {str(row.get("pool", "")): row.get("points", row.get("value", "0")) for row in rows}
        played = {str(row.get("event", "")) for row in rows_of(position, "events", "event", self.viewer)}
        charter = str(position.get("charter", ""))
        for pool in dict.fromkeys((*POOLS, *(["US"] if "Torch" in played else []), *points)):
            marker = f"rp-{pool.lower()}"
            if marker not in self.markers:
                raise PositionError(f"{pool!r} is no pool of replacement points")
            item = self._points(marker, points.get(pool, "0"), f"points of {pool}")
            yield item
            if pool == charter:
                yield Item("charter", marker_key("charter"), item.place, "", (9, 1, "charter"), {})

    def _actions(self, position: Row) -> Iterable[Item]:
        """What each side did in the rounds of this turn, and which neutral nations are active."""
        for row in self._rows(position, "history", "side"):
            side, use = str(row["side"]), str(row.get("use", ""))
            level = 1 + (ACTIONS.index(use) if use in ACTIONS else len(ACTIONS))
            item = self._on_track(
                f"action-{side}", f"{side}-actions", int(_amount(row["round"], "round")) - 1, {STEP: str(level)}
            )
            yield Item(f"{item.id}.{row['round']}", item.piece, item.place, side, item.rank, item.states)
        for nation in position.get("released") or ():
            marker = f"released-{str(nation).lower()}"
            if marker in self.markers:
                yield self._on_track(marker, "turn", tracker_state(self.layout, position)[0])


def _kind(info: Row) -> Kind:
    """A unit's nation, and 0 for divisions, 1 for infantry and 2 for armor battlegroups."""
    return str(info["nation"]), 0 if info["size"] == "division" else 1 + (info["type"] == "armor")


def _where(row: Row, side: str) -> str:
    at = str(row.get("at") or UNPLACED)
    return f"box:{side}:{at[1:]}" if at.startswith("@") else f"space:{at}"


def _signs(row: Row) -> dict[str, str]:
    """A unit's signs: its supply as fixed by a marker, and the last thing it did in the round."""
    supply = str(row.get("supply", ""))
    done = [word for word in DEEDS[1:] if row.get(word) == "yes"]
    return {
        SUPPLY: str(1 + (SUPPLIES.index(supply) if supply in SUPPLIES else 0)),
        DEED: str(1 + (DEEDS.index(done[-1]) if done else 0)),
    }


def _amount(value: object, what: str) -> Fraction:
    """A number of points, which replacement points have halves of (SS 15)."""
    try:
        return Fraction(str(value) or "0")
    except (ValueError, ZeroDivisionError) as error:
        raise PositionError(f"{what}: {value!r} is no number") from error


def tracker_state(layout: SandsLayout, position: Row) -> tuple[int, ...]:
    """Turn, phase, round and side as the turn tracker counts them; what is not said is the first."""
    turn, phase = str(position.get("turn", "")), str(position.get("phase", "")).lower()
    number, side = str(position.get("round", "1")), str(position.get("active", "")).lower()
    phases = [name.lower() for name in layout.phases]
    return (
        layout.turns.index(turn) if turn in layout.turns else 0,
        phases.index(phase) if phase in phases else 0,
        layout.rounds.index(number) if number in layout.rounds else 0,
        ACTIVE.index(side) if side in ACTIVE else 0,
    )


def notes_of(position: Row, title: str) -> str:
    """What no counter shows: the events played, and where the sequence of play stands."""
    lines = [title]
    when = [str(position.get(key, "")) for key in ("turn", "phase")]
    lines.append(", ".join(word for word in when if word))
    rows = position.get("events") or ()
    events = [str(row.get("event", "")) if isinstance(row, Mapping) else str(row) for row in rows]
    if events:
        lines.append(f"Events played, in order: {', '.join(events)}")
    return "\n".join(line for line in lines if line)
