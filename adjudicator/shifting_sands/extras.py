"""The divisions of optional rules, which come without a card before a side's first action round (SS 19.12, 19.13)."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.engine.core import Order, Problem
from adjudicator.shifting_sands.named import CRUSADER, TORCH
from adjudicator.shifting_sands.nations import COMMONWEALTH
from adjudicator.shifting_sands.places import fits, misfit
from adjudicator.shifting_sands.state import LAST_TURN, State, turn_name, turn_number
from adjudicator.shifting_sands.supply import by_land
from adjudicator.shifting_sands.world import Counter

TOBRUK = "Tobruk"
CANAL_SIDE = ("Alexandria", "Port Said")
WINTER, SPRING, FALL = turn_number("Winter 1943"), turn_number("Spring 1943"), turn_number("Fall 1941")


@dataclass(frozen=True, slots=True)
class Extra:
    """A division of an optional rule as ``options`` lists it: its counter, side, step on arrival, where it comes in."""

    option: str
    kind: str
    side: str
    step: str
    places: tuple[str, ...]

    @property
    def rule(self) -> str:
        """The address of the rule."""
        return f"SS {self.option}"


GERMAN_999TH = Extra("19.12", "GE 999", "axis", "reduced", ("Tunis",))
BRITISH_6TH = Extra("19.13", "BR 6", "allied", "full", CANAL_SIDE)
EXTRAS = (GERMAN_999TH, BRITISH_6TH)


def extra_of(unit: Counter) -> Extra | None:
    """The optional rule that brings a unit; None for any other unit."""
    return next((extra for extra in EXTRAS if extra.kind == unit.kind), None)


def swap(state: State, order: Order) -> Extra:
    """The optional rule of a lawful order."""
    found = extra_of(state.counter(order.text("unit")))
    if found is None:
        raise ValueError(f"{order.text('unit')} comes by no optional rule")
    return found


def due(state: State, extra: Extra) -> int:
    """The turn before whose first action round of its side the division may come; 0 for none (SS 19.12, 19.13)."""
    if extra is BRITISH_6TH:
        return 0 if state.played(CRUSADER) else FALL
    played = state.events.get(TORCH)
    return 0 if played is None else WINTER if played < WINTER else SPRING if played == WINTER else 0


def expected(state: State, side: str) -> list[str]:
    """The divisions that a side may bring in now, if there is a place for them."""
    found = []
    for uid, unit in state.world.counters.items():
        extra = extra_of(unit)
        if extra and unit.side == side and not _late(state, side, extra) and uid not in state.pieces:
            found.append(uid)
    return sorted(found)


def may_have_come(state: State, uid: str) -> bool:
    """Whether something that is in the game can have brought a unit of an optional rule by now."""
    extra = extra_of(state.counter(uid))
    if extra is None or not state.world.option(extra.option):
        return False
    return state.turn >= (FALL if extra is BRITISH_6TH else due(state, extra) or LAST_TURN + 1)


def _late(state: State, side: str, extra: Extra) -> list[Problem]:
    """What bars a division whatever the place."""
    if not state.world.option(extra.option):
        said = f"the {extra.kind} is in the game with optional rule {extra.option} only"
        return [Problem("option", extra.rule, said, "leave it out", field="unit")]
    turn = due(state, extra)
    if not turn:
        said = f"{CRUSADER} was played" if extra is BRITISH_6TH else f"{TORCH} was not played in time"
        return [Problem("event", extra.rule, f"{said}: the {extra.kind} does not come", "leave it out", field="unit")]
    opening = state.round == 1 and not state.history.get(side, {}).get(1) and state.phase == "action"
    if turn != state.turn or state.active != side or not opening:
        said = f"the {extra.kind} comes before the first {side} action round of {turn_name(turn)}"
        return [Problem("late", extra.rule, said, "write it first in that round, or leave it out", field="unit")]
    return []


def uninvited(state: State, side: str, order: Order) -> list[Problem]:
    """Why a unit may not come in without a card (SS 7.53, 10.52, 19.12, 19.13, torch.setup)."""
    uid, to = order.text("unit"), order.text("to")
    unit = state.counter(uid)
    extra = extra_of(unit)
    if extra is None:
        return [Problem("event", "SS 7.53", f"{uid} comes with its event only", "play the card", field="unit")]
    problems = _late(state, side, extra)
    if problems:
        return problems
    if order.text("replaces") or order.text("replaced_to"):
        return _swap_problems(state, unit, order)
    if to not in extra.places:
        hint = f"to: {' or '.join(extra.places)}"
        return [Problem("where", extra.rule, f"the {extra.kind} does not come in at {to}", hint, field="to")]
    said = misfit(state, unit, to)
    return [Problem("where", extra.rule, said, "another place, or leave it out", field="to")] if said else []


def _swap_problems(state: State, unit: Counter, order: Order) -> list[Problem]:
    """The British 6th in place of another division in a Tobruk that is cut off (SS 19.13)."""
    rule, leaves, end = BRITISH_6TH.rule, order.text("replaces"), order.text("replaced_to")
    if unit.kind != BRITISH_6TH.kind or order.text("to") != TOBRUK:
        said = f"only the {BRITISH_6TH.kind} takes another division's place, in {TOBRUK}"
        return [Problem("swap", rule, said, "leave replaces: and replaced_to: out", field="replaces")]
    if state.owner(TOBRUK) != "allied" or by_land(state, unit, TOBRUK):
        said = f"{TOBRUK} is not an Allied space without a supply line by land"
        return [Problem("swap", rule, said, f"to: {' or '.join(CANAL_SIDE)}", field="to")]
    able = replaceable(state)
    if leaves not in able:
        hint = f"replaces: {', '.join(able) or 'nobody'}"
        return [Problem("swap", rule, f"{leaves or 'nobody'} does not make room in {TOBRUK}", hint, field="replaces")]
    gone = state.counter(leaves)
    if end not in CANAL_SIDE or not fits(state, gone, end):
        open_ = [name for name in CANAL_SIDE if fits(state, gone, name)]
        said = f"{leaves} does not go to {end or 'no place'}"
        return [Problem("swap", rule, said, f"replaced_to: {' or '.join(open_) or 'none'}", field="replaced_to")]
    return []


def replaceable(state: State) -> list[str]:
    """The divisions in Tobruk of which one makes room: Australians at full strength, else any of the Commonwealth."""
    there = [uid for uid in state.friends(TOBRUK, "allied") if state.counter(uid).division]
    best = [uid for uid in there if state.counter(uid).nation == "AUS" and not state.pieces[uid].reduced]
    return best or [uid for uid in there if state.counter(uid).nation in COMMONWEALTH]
