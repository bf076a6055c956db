"""Checks what cards need and bar one another: no circle, no card that can never be played, marks that fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeVar

from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records
from adjudicator.packs.shifting_sands.check_board import listed
from adjudicator.packs.shifting_sands.vocabulary import TURNS

JOINS_IN: Final = {"1940": "Summer 1940", "1941": "Winter 1941", "1942": "Winter 1942"}
"""The turn from which the cards of a year are in the draw pile (SS 4.3, 7.71, 7.72)."""


Key = TypeVar("Key", tuple[str, str], tuple[str, str, str])


class ChainCheck:
    """All checks that look at several cards, or at cards and map together."""

    def __init__(self, files: PackFiles, faults: Faults) -> None:
        self.files, self.faults = files, faults
        self.cards = [row for row in records(files.rows("cards.yaml", "cards")) if row.get("name")]
        self.by_name: dict[str, Record] = {}
        for row in self.cards:
            self.by_name.setdefault(str(row["name"]), row)

    def run(self) -> None:
        """Check everything."""
        for row in self.cards:
            chain = self._chain(row, (str(row["name"]),))
            if chain is None:
                text = f"{row['name']} needs itself before it can be played; take a condition out"
                self.faults.add(row, "circle", text)
            else:
                self._possible(row, chain)
        self._red_names()
        self._bans()
        self._sources()
        self._regions()

    def _chain(self, row: Record, above: tuple[str, ...]) -> list[str] | None:
        """The events that must be played before a card, first to last; ``None`` when they turn in a circle."""
        found: list[str] = []
        for name in needs(row):
            if name in above:
                return None
            before = self._chain(self.by_name[name], (*above, name)) if name in self.by_name else []
            if before is None:
                return None
            found += [*before, name]
        return found

    def _possible(self, row: Record, chain: list[str]) -> None:
        order = [self.by_name[name] for name in chain if name in self.by_name] + [row]
        for index, event in enumerate(order):
            for barred in bars(event):
                if barred in [str(e["name"]) for e in order[:index]]:
                    text = f"{row['name']} needs {barred} played, which bars {event['name']}; it could never be played"
                    self.faults.add(row, "never", f"{text}; take a condition out")
        first = max(earliest(event) for event in order)
        if first > latest(row):
            text = f"{row['name']} can't be played before {TURNS[min(first, len(TURNS) - 1)]}, which is too late"
            self.faults.add(row, "never", f"{text}; correct its turns or those of what it needs")

    def _red_names(self) -> None:
        """A red name says that other events need this one (SS 3.red-name, 7.511)."""
        wanted = {name for row in self.cards for name in [*needs(row), *_then(row)]}
        for row in self.cards:
            needed = str(row["name"]) in wanted
            if needed != (row.get("red_name") == "yes"):
                word = "is needed by other events" if needed else "is needed by no other event"
                text = f"{row['name']} {word} but has red_name {row.get('red_name')}; correct it (SS 7.511)"
                self.faults.add(row, "red-name", text)

    def _bans(self) -> None:
        """What a ban says is lifted by, and what says it lifts one, are the same."""
        lifted = {(name, str(row["name"])) for row, e in self._effects("rp_ban") for name in listed(e.get("lifted_by"))}
        lifts = {(str(row["name"]), str(e.get("reason"))): row for row, e in self._effects("lift_ban")}
        for lifter, ban in sorted(lifted - set(lifts)):
            row = self.by_name.get(lifter)
            if row is not None:
                text = f"{ban} is lifted by {lifter}, which does not say so; add its effect lift_ban"
                self.faults.add(row, "ban", text)
        for (lifter, ban), row in lifts.items():
            if (lifter, ban) not in lifted:
                text = f"{lifter} lifts {ban}, which does not say so; add it to lifted_by there"
                self.faults.add(row, "ban", text)

    def _sources(self) -> None:
        """Sources that wait for an event stand in the map and on the card alike."""
        on_map = {
            (str(space.get("name")), str(source.get("user")), str(condition["played"])): source
            for space in records(self.files.rows("map.yaml", "spaces"))
            for source in records(space.get("sources"))
            for condition in records(source.get("conditions"))
            if "played" in condition
        }
        on_card = {
            (space, str(e.get("user")), str(row["name"])): e
            for row, e in self._effects("source")
            for space in listed(e.get("spaces"))
        }
        self._both(on_map, on_card, "supply-source")

    def _regions(self) -> None:
        """Regions that wait for an event, likewise."""
        on_map = {
            (str(region.get("name")), str(part["played"])): region
            for region in records(self.files.rows("map.yaml", "regions"))
            for condition in records(region.get("closed_until"))
            for part in records(condition.get("any_of", [condition]))
            if "played" in part
        }
        on_card = {
            (region, str(row["name"])): e for row, e in self._effects("open") for region in listed(e.get("region"))
        }
        self._both(on_map, on_card, "region")

    def _both(self, on_map: Mapping[Key, Record], on_card: Mapping[Key, Record], what: str) -> None:
        for key, row in on_map.items():
            if key not in on_card:
                self.faults.add(row, what, f"the map says {', '.join(key)}, no card does; add it there or take it out")
        for key, row in on_card.items():
            if key not in on_map:
                self.faults.add(row, what, f"the card says {', '.join(key)}, the map does not; add it there")

    def _effects(self, do: str) -> Iterator[tuple[Record, Record]]:
        for row in self.cards:
            yield from ((row, effect) for effect in records(row.get("effects")) if effect.get("do") == do)


def needs(row: Record) -> list[str]:
    """The events that must have been played before a card's."""
    keys = ("played", "played_this_turn")
    return [str(c[key]) for key in keys for c in records(row.get("conditions")) if key in c]


def bars(row: Record) -> list[str]:
    """The events after which a card's can't be played."""
    return [str(c["not_played"]) for c in records(row.get("conditions")) if "not_played" in c]


def earliest(row: Record) -> int:
    """The first turn, counted from 0, in which a card may be played, what it needs left aside."""
    turns = [JOINS_IN.get(str(row.get("year")), TURNS[0])]
    turns += [str(c["turn_min"]) for c in records(row.get("conditions")) if "turn_min" in c]
    return max(_turn(turn, 0) for turn in turns)


def latest(row: Record) -> int:
    """The last turn in which it may be played."""
    last = len(TURNS) - 1
    turns = [str(c["turn_max"]) for c in records(row.get("conditions")) if "turn_max" in c]
    return min((_turn(turn, last) for turn in turns), default=last)


def _turn(name: str, otherwise: int) -> int:
    return TURNS.index(name) if name in TURNS else otherwise


def _then(row: Record) -> list[str]:
    return [str(c["then_played"]) for c in records(row.get("conditions")) if "then_played" in c]
