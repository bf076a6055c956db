"""Reads tests/cases/shifting-sands/cards-played.yaml: positions in which a card is played, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from adjudicator.engine.core import Event
from adjudicator.engine.driver import Checkpoint, Run, play
from adjudicator.packs.load import load_pack
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.game import GAME, ShiftingSandsTable
from adjudicator.shifting_sands.position import position, restore
from adjudicator.shifting_sands.state import State, turn_number
from tests.shifting_sands.rounds import first_rounds
from tests.shifting_sands.support import ALLIED, AXIS, Row, Seeds, kinds, message, section

CASES = Path(__file__).parents[1] / "cases" / "shifting-sands"
OTHER = {AXIS: ALLIED, ALLIED: AXIS}
ENDS = ("card-removed", "end-round")
Table = Mapping[str, Any]


@cache
def table(name: str) -> Table:
    """A table of cards played."""
    found = yaml.load((CASES / f"{name}.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    assert isinstance(found, dict)
    return found


FACES: dict[str, Row] = table("cards-played")["cards"]


def names(text: object) -> list[str]:
    """``A, B`` as a list."""
    return [name for name in str(text or "").split(", ") if name]


@cache
def game(switches: str = "") -> ShiftingSandsTable:
    """The campaign with some switches, ``name=value`` with commas."""
    chosen = dict(part.split("=") for part in switches.split(",") if part)
    return GAME.table(load_pack("shifting-sands").tree, "campaign", chosen)


@cache
def _set_up(switches: str) -> State:
    state = restore(game(switches).world, position(first_rounds().before(3)))
    for side in (AXIS, ALLIED):
        state.piles[side] = [*state.piles[side], *state.hands[side]]
        state.hands[side], state.discards[side], state.removed[side] = [], [], []
    return state


def place_of(card: str) -> str:
    """The name by which events of a card go."""
    return str(game().world.cards[card]["name"])


def holding(card: str, when: Row) -> State:
    """The campaign's set-up as a row changes it, with the card in its side's hand, whose part of the round it is."""
    side, state = FACES[card]["side"], _set_up(str(when.get("switches", ""))).copy()
    state.turn, state.active = turn_number(when.get("turn", "Fall 1941")), side
    state.round = int(when.get("round", 1))
    state.phase, state.step = "action", "round"
    hold(state, side, [card, *when.get("hand", [])])
    hold(state, OTHER[side], when.get("other", []))
    state.face_up[side] = list(when.get("face_up", []))
    state.events = dict.fromkeys(names(when.get("events")), 1) | dict.fromkeys(names(when.get("now")), state.turn)
    state.control.update(when.get("control", {}))
    for uid, at in when.get("at", {}).items():
        (state.shift if uid in state.pieces else state.place)(uid, at)
    for old, new in when.get("upgraded", {}).items():
        state.place(new, state.pieces[old].at)
        state.lift(old, state.pieces[old].at)
        state.upgrades[old] = new
    for key in ("full", "reduced"):
        for uid in names(when.get(key)):
            state.pieces[uid].reduced = key == "reduced"
    state.history = {side: {int(n): use for n, use in when.get("history", {}).items()}}
    state.reinforced = {side: names(when.get("reinforced"))} if "reinforced" in when else {}
    state.scored, state.released = names(when.get("scored")), set(names(when.get("released")))
    return state


def hold(state: State, side: str, cards: Sequence[str]) -> None:
    """These cards are in a hand, and nowhere else."""
    for zone in (state.piles, state.discards, state.face_up, state.removed):
        zone[side] = [one for one in zone.get(side, []) if one not in cards]
    state.hands[side] = list(cards)


def event(card: str, row: Row) -> list[Row]:
    """The orders of a play: the event, the places, what more there is."""
    order: Row = {"type": "event", "card": card}
    order |= {key: row[name] for name, key in (("with", "with_cards"), ("take_rp", "take_rp")) if name in row}
    places = [{"type": "place", "unit": uid, "to": to} for uid, to in row.get("place", {}).items()]
    return [order, *places, *map(_order, row.get("more", []))]


def _order(line: str) -> Row:
    kind, _, rest = line.partition(" ")
    if kind == "rd":
        unit, _, path = rest.partition(" ")
        return {"type": "rd", "unit": unit, "path": path.split(">")}
    return {"type": kind, "space": rest}


def played(
    state: State, switches: str, *rows: Row, answer: Sequence[str] = (),
    shown: Mapping[str, Mapping[str, str]] | None = None,
) -> Run[State]:
    """A part of a round with these orders, to its end; what the other side gives up at a stop, or its default.
    ``shown`` is what the message opens of cards that lie face down."""
    side, seq = state.active, 3 if state.active == AXIS else 4
    told = [message(seq, side, section("round"), *rows, {"type": "end_round"})]
    told[0] = replace(told[0], orders=tuple(replace(order, shown=dict(shown or {})) for order in told[0].orders))
    gone = [{"type": "withdraw", "unit": uid} for uid in answer]
    told.append(message(seq + 1, OTHER[side], *([section("reaction"), *gone] if gone else [])))
    return play(game(switches), Checkpoint(state.copy(), 2, 2), told, Seeds(9))


def midway(state: State, run: Run[State]) -> State:
    """The position when all of the card is done, before its round ends."""
    found = state.copy()
    for one in run.events:
        if one.kind in ENDS:
            break
        apply(found, one)
    return found


def refusals(events: Sequence[Event]) -> list[Event]:
    """The orders that failed."""
    return kinds(events, "void")
