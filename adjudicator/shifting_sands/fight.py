"""The combat being fought as far as it has come: what both players may know at the stops inside it (SS 11.2).

The rules re-run a step from its beginning and need none of this; template, situation and report do. It changes by
events only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from adjudicator.engine.core import Event, Tree
from adjudicator.shifting_sands.advance import CLEARED, ONE, TWO, Opening
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, Combat, shut, terrain_of
from adjudicator.shifting_sands.played import PlayedCard
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Record, rows, text, texts


@dataclass(frozen=True)
class Fight:
    """One combat under way. ``inflicted`` is the loss number by the role that fired; ``retreat`` the spaces to go.

    ``winner`` is a role, or "" where the combat is ``decided`` for nobody.
    """

    combat: Combat
    tried: bool = False
    inflicted: tuple[tuple[str, int], ...] = ()
    decided: bool = False
    winner: str = ""
    retreat: int = 0
    overrun: bool = False
    paths: tuple[tuple[str, ...], ...] = field(default=())

    def number(self, role: str) -> int | None:
        """The loss number that a role inflicted; None before it has fired."""
        return dict(self.inflicted).get(role)

    def opening(self, cleared: bool, terrain: str = "") -> Opening:
        """What may be followed, ``cleared`` where no defender is left in the space, whoever won (SS 11.61 to 11.64).

        ``terrain`` is that of the defending space as the combat reads it.
        """
        target = self.combat.target
        if not cleared:
            return Opening("", target)
        if not self.paths:
            return Opening(CLEARED, target, terrain=terrain)
        return Opening(ONE if self.retreat == 1 else TWO, target, self.paths, terrain)

    def row(self) -> dict[str, Tree]:
        """The fight as a row of the position."""
        found = self.combat
        tree: dict[str, Tree] = {
            "number": str(found.number),
            "side": found.attacker,
            "target": found.target,
            "units": list(found.attackers),
            "defenders": list(found.defenders),
            "spaces": list(found.origins),
            "flank": "tried" if self.tried and found.flank == "none" else found.flank.replace("none", ""),
            "rommel": "yes" if found.rommel else "",
            "inflicted": [{"role": role, "number": str(number)} for role, number in self.inflicted],
            "decided": "yes" if self.decided else "",
            "winner": self.winner,
            "retreat": str(self.retreat) if self.retreat else "",
            "overrun": "yes" if self.overrun else "",
            "paths": [list(path) for path in self.paths],
            "cards": [{"role": one.role, "card": one.card, "name": one.name} for one in found.cards],
        }
        return {key: value for key, value in tree.items() if value not in ("", [])}


@dataclass(frozen=True)
class Planned:
    """An attack as it is ordered, before it is fought: the number by which the defender may name it."""

    number: int
    target: str
    units: tuple[str, ...]
    provisos: tuple[str, ...] = ()

    def row(self) -> dict[str, Tree]:
        """The attack as a row of the position."""
        row: dict[str, Tree] = {"number": str(self.number), "target": self.target, "units": list(self.units)}
        return {**row, "if": list(self.provisos)} if self.provisos else row


def planned_of(tree: Record, key: str) -> tuple[Planned, ...]:
    """The attacks in a list of rows."""
    found = rows(tree, key)
    return tuple(
        Planned(int(text(row, "number")), text(row, "target"), tuple(texts(row, "units")), tuple(texts(row, "if")))
        for row in found
    )


def fight_of(tree: object) -> Fight | None:
    """The fight of a position's row; None where there is none."""
    if not isinstance(tree, dict) or not tree:
        return None
    row: Record = tree
    flank = text(row, "flank")
    combat = Combat(
        target=text(row, "target"),
        attacker=text(row, "side"),
        attackers=tuple(texts(row, "units")),
        defenders=tuple(texts(row, "defenders")),
        origins=tuple(texts(row, "spaces")),
        flank="none" if flank in ("", "tried") else flank,
        rommel=text(row, "rommel") == "yes",
        number=int(text(row, "number")),
        cards=tuple(PlayedCard(text(r, "role"), text(r, "card"), text(r, "name")) for r in rows(row, "cards")),
    )
    paths = row.get("paths")
    return Fight(
        combat=combat,
        tried=bool(flank),
        inflicted=tuple((text(r, "role"), int(text(r, "number"))) for r in rows(row, "inflicted")),
        decided=text(row, "decided") == "yes",
        winner=text(row, "winner"),
        retreat=int(text(row, "retreat") or "0"),
        overrun=text(row, "overrun") == "yes",
        paths=tuple(tuple(path) for path in paths) if isinstance(paths, list) else (),
    )


def opening_of(state: State, fight: Fight) -> Opening:
    """What the attackers may follow as the state stands."""
    combat = fight.combat
    cleared = not state.enemies(combat.target, combat.attacker) and not shut(state, combat)
    return fight.opening(cleared, terrain_of(state, combat))


def fight_after(fight: Fight | None, event: Event) -> Fight | None:
    """The fight after an event."""
    change = _CHANGES.get(event.kind)
    return change(fight, event) if change is not None else fight


def _designated(_fight: Fight | None, event: Event) -> Fight:
    data = event.data
    combat = Combat(
        target=text(data, "target"),
        attacker=text(data, "side"),
        attackers=tuple(texts(data, "units")),
        defenders=tuple(texts(data, "defenders")),
        origins=tuple(texts(data, "spaces")),
        rommel=text(data, "rommel") == "yes",
        number=int(text(data, "number")),
    )
    return Fight(combat, tried=text(data, "flank") == "tried")


def _flanked(fight: Fight | None, event: Event) -> Fight | None:
    if fight is None:
        return None
    return replace(fight, combat=replace(fight.combat, flank=text(event.data, "result")))


def _card(fight: Fight | None, event: Event) -> Fight | None:
    """A combat card lies in the combat; it may have undone the flank attack (SS 11.25)."""
    if fight is None:
        return None
    data = event.data
    card = PlayedCard(text(data, "role"), text(data, "card"), text(data, "name"))
    found = fight.combat
    return replace(fight, combat=replace(found, cards=(*found.cards, card), flank=text(data, "flank") or found.flank))


def _fired(fight: Fight | None, event: Event) -> Fight | None:
    if fight is None:
        return None
    return replace(fight, inflicted=(*fight.inflicted, (text(event.data, "role"), int(text(event.data, "number")))))


def _replaced(fight: Fight | None, event: Event) -> Fight | None:
    """A battlegroup out of the reserve fights on in the place of a division (SS 11.44)."""
    if fight is None:
        return None
    role = ATTACKER if text(event.data, "division") in fight.combat.attackers else DEFENDER
    return replace(fight, combat=fight.combat.joined_by(role, text(event.data, "unit"), ""))


def _won(fight: Fight | None, event: Event) -> Fight | None:
    if fight is None:
        return None
    data = event.data
    retreat, overrun = int(text(data, "retreat") or "0"), text(data, "overrun") == "yes"
    return replace(fight, decided=True, winner=text(data, "winner"), retreat=retreat, overrun=overrun)


def _retreated(fight: Fight | None, event: Event) -> Fight | None:
    return replace(fight, paths=(*fight.paths, tuple(texts(event.data, "path")))) if fight is not None else None


def _over(_fight: Fight | None, _event: Event) -> None:
    return None


_CHANGES: dict[str, Callable[[Fight | None, Event], Fight | None]] = {
    "designate": _designated,
    "flank": _flanked,
    "combat-card": _card,
    "fire": _fired,
    "replaced": _replaced,
    "winner": _won,
    "retreat": _retreated,
    "combat-over": _over,
    "round": _over,
    "turn": _over,
}
