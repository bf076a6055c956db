"""The map and the state that a case describes: boards none, mini, real, campaign, sonnenblume."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache

from adjudicator.engine.casecheck import NotBuilt
from adjudicator.engine.core import Ctx
from adjudicator.packs import load_pack
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.cases.core import (
    BOARDS,
    Case,
    CaseFault,
    Record,
    as_flag,
    as_number,
    as_record,
    as_records,
    as_text,
    as_texts,
)
from adjudicator.shifting_sands.cases.invented import add_to, invented
from adjudicator.shifting_sands.cases.piles import fill
from adjudicator.shifting_sands.nations import SIDES, side_of
from adjudicator.shifting_sands.position import first_state
from adjudicator.shifting_sands.setup import place
from adjudicator.shifting_sands.state import State, turn_number
from adjudicator.shifting_sands.supply import FULL
from adjudicator.shifting_sands.world import (
    SICILY,
    Counter,
    Link,
    Source,
    Space,
    World,
    joined,
    rows,
    text,
    world_from_pack,
)

READ = (
    "board", "scenario", "options", "turn", "round", "phase", "active", "history", "last_turn_history", "events",
    "events_last_turn", "events_this_turn", "events_this_round", "control", "map", "units", "supply", "markers", "ops",
    "vp", "rp", "hands", "face_up", "deck", "card_defs", "tables", "combat", "trigger", "independent",
    "used_this_round", "played_in_round",
    "segment", "rd_points", "missions_this_turn", "german_near_east_rd_this_turn", "event_in_play", "torch_turn",
    "reinforcements_this_turn", "mandates", "attacks_made", "withdraw",
)  # fmt: skip
"""What a position is made of."""
UNREAD = (
    "assume_met",
)  # fmt: skip
"""What only rules read that are not built: a case that gives it is played as far as its orders are built."""
OPTIONS = ("19.12", "19.13", "19.21", "19.22", "19.3", "19.41", "19.42", "19.5", "19.6")
NILE, RED_SEA = {"Khartoum", "Aswan"}, {"Aden", "Berbera"}
WEST = ("Algeria", "Tunisia", "West Africa")
NEAR_EAST = {"name": "Near East", "group": "near_east"}


@cache
def pack_world(scenario: str = "campaign") -> World:
    """The world of the pack. Shared by all cases: never changed."""
    return world_from_pack(load_pack("shifting-sands").tree, scenario)


@cache
def pack_names() -> Mapping[str, str]:
    """Every name and alias of a space of the pack, in lower case."""
    found: dict[str, str] = {}
    for row in rows(load_pack("shifting-sands").tree, "spaces"):
        for name in (text(row, "name"), text(row, "slug"), *as_texts(row.get("aliases"))):
            found[name.lower()] = text(row, "name")
    return found


def context(case: Case) -> Ctx[State]:
    """A context over the position of a case, ready to play."""
    _known(case.given)
    state = first_state(_world(case))
    ctx = Ctx(state, apply)
    if case.given.get("board") in ("campaign", "sonnenblume"):
        place(ctx, state.world.scenario)
    _time(state, case.given)
    _events(state, case.given)
    _units(state, case.given)
    _rest(state, case.given)
    return ctx


def _known(given: Record) -> None:
    if given.get("board") not in BOARDS:
        raise NotBuilt(f"board {given.get('board')}")
    for key in given:
        if key not in READ and key not in UNREAD:
            raise NotBuilt(f"given {key}")
    for option in as_texts(given.get("options")):
        if option not in OPTIONS:
            raise NotBuilt(f"optional rule {option}")


# --- the map ------------------------------------------------------------------------------------------------------


def _world(case: Case) -> World:
    given = case.given
    board = as_text(given.get("board"))
    scenario = board if board in ("campaign", "sonnenblume") else as_text(given.get("scenario"), "campaign")
    base = pack_world(scenario)
    counters = {uid: counter for uid, counter in base.counters.items() if board not in ("none", "mini")}
    counters |= {as_text(row.get("id")): _counter(row) for row in as_records(given.get("units"))}
    world = replace(base, counters=counters, cards=_cards(base, given), tables=_tables(base, given), _effects={})
    add_to(world, _own_cards(given))
    world.switches = {"options": " ".join(as_texts(given.get("options")))}
    if board == "none":
        world.spaces, world.links = _bare(given), {}
    elif board == "mini":
        tree = as_record(given.get("map"))
        world.spaces = {name: _space(name, as_record(row)) for name, row in as_record(tree.get("spaces")).items()}
        world.links = joined([_link(row) for row in as_records(tree.get("links"))])
        world.regions = {**base.regions, "Near East": NEAR_EAST}
    return world


def _counter(row: Record) -> Counter:
    cf = row.get("cf")
    full, reduced = (cf[0], cf[1]) if isinstance(cf, list) else (cf, cf)
    uid = as_text(row.get("id"))
    return Counter(
        id=uid,
        nation=as_text(row.get("nation")),
        size=as_text(row.get("size")),
        type=as_text(row.get("type")),
        cf=(as_number(full), as_number(reduced)),
        lf=as_number(row.get("lf")),
        mf=as_number(row.get("mf")),
        name=uid,
        short=uid,
        kind=as_text(row.get("counter")),
        dot="dot" in as_texts(row.get("flags")),
    )


def slug(name: str) -> str:
    """A slug for a space of a case."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "x"


def _bare(given: Record) -> dict[str, Space]:
    """Board none: each space named is clear, under the side of the units in it, and joined to nothing."""
    named = {as_text(row.get("at")): side_of(as_text(row.get("nation"))) for row in as_records(given.get("units"))}
    named |= {name: "" for name in as_record(given.get("markers")) if name not in named}
    return {
        name: Space(name, slug(name), control=side, sources=_sources(name, Space(name, slug(name)), []))
        for name, side in named.items()
        if not name.startswith("@")
    }


def _space(name: str, row: Record) -> Space:
    """A space of a mini board. Only what the rules say of a name comes from its name: sources, boxes, Berbera."""
    region = as_text(row.get("region"))
    terrain = "box" if name == SICILY else as_text(row.get("terrain"), "clear")
    space = Space(
        name=name,
        slug=slug(name),
        region=region,
        area=region,
        terrain=terrain,
        control=as_text(row.get("control")),
        fort=as_number(row.get("fort")),
        port=as_flag(row.get("port")),
        vp=as_flag(row.get("vp")),
        west_of_tripoli=region in WEST,
        hold_from="Aden" if name == "Berbera" else "",
    )
    return replace(space, sources=_sources(name, space, as_texts(row.get("source"))))


def _sources(name: str, space: Space, sides: Iterable[str]) -> tuple[Source, ...]:
    """Sources given by the case, those the rulebook names (SS 13.2 to 13.4), and VP spaces of Egypt (13.44)."""
    named = pack_world().spaces.get(name)
    found = [Source(side) for side in sides]
    found += [source for source in (named.sources if named else ()) if source.user != "eg"]
    if space.vp and space.region == "Egypt":
        found.append(Source("eg", rule="13.44"))
    return tuple(found)


def _link(row: Record) -> Link:
    a, b, only = as_text(row.get("a")), as_text(row.get("b")), as_text(row.get("only"))
    ends = {a, b}
    if ends == NILE:
        return Link(a, b, "allied", whole_move=True, rd_stops=True, attack_drm=-1)
    return Link(a, b, "allied" if ends == RED_SEA else only)


def _cards(base: World, given: Record) -> Mapping[str, Record]:
    """The cards of the pack, and those invented for the case under their name."""
    own = _own_cards(given)
    texts = {
        name: {key: _plain(key, value) for key, value in invented(row).items()} | _fights(row)
        for name, row in own.items()
    }
    return {**{card: row for card, row in base.cards.items() if text(row, "name") not in own}, **texts}


def _own_cards(given: Record) -> dict[str, Record]:
    return {name: {**as_record(row), "id": name, "name": name} for name, row in _items(given, "card_defs")}


def _plain(key: str, value: object) -> object:
    """A field of a card as packs write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if key in ("rp", "effects") else as_text(value)


def _fights(row: Record) -> dict[str, object]:
    """What an invented combat card does: its die modifier, for either side."""
    if row.get("kind") != "combat":
        return {}
    effect = {"do": "combat", "role": "either", **({"drm": as_text(row.get("drm"))} if "drm" in row else {})}
    return {"effects": [effect], "after_combat": "discard" if as_flag(row.get("once_per_turn")) else "keep_if_won"}


def _items(given: Record, key: str) -> list[tuple[str, object]]:
    return [(str(name), value) for name, value in as_record(given.get(key)).items()]


def _tables(base: World, given: Record) -> Record:
    """The fire tables of the case where it gives any; of their cells only those listed are there."""
    tree = as_record(given.get("tables"))
    if not tree:
        return base.tables
    if "lrdg" in tree:
        missions = {"id": "case", "rows": _missions(as_record(tree["lrdg"]))}
        return {**base.tables, "lrdg": [missions], "lrdg_default": "case"}
    tables: list[object] = []
    for table in ("division", "battlegroup"):
        columns = as_texts(tree.get(table))
        cells = [cell for cell in as_records(tree.get("cells")) if cell.get("table") == table]
        tables.append({"table": table, "columns": columns, "rows": [_row(columns, cells, str(n)) for n in range(1, 7)]})
    return {**base.tables, "fire": [{"id": "case", "tables": tables}], "fire_default": "case"}


def _missions(tree: Record) -> list[dict[str, object]]:
    """The LRDG table of the case: for each die what its missions bring."""
    columns = {name: as_record(tree.get(name)) for name in ("raid", "intelligence")}
    found = {name: {str(die): as_text(value) for die, value in column.items()} for name, column in columns.items()}
    return [{"die": str(n), **{name: column.get(str(n), "") for name, column in found.items()}} for n in range(1, 7)]


def _row(columns: list[str], cells: list[Record], number: str) -> dict[str, object]:
    mine = {as_text(cell.get("column")): cell for cell in cells if as_text(cell.get("row")) == number}
    values = [as_text(mine[name].get("result")) if name in mine else "" for name in columns]
    return {"row": number, "cells": values, "bold": [name for name in mine if as_flag(mine[name].get("bold"))]}


# --- the position -------------------------------------------------------------------------------------------------


def _time(state: State, given: Record) -> None:
    if "turn" in given:
        state.turn = turn_number(as_text(given.get("turn")))
    state.round = as_number(given.get("round"), 1)
    state.phase, state.step = as_text(given.get("phase"), "action"), "round"
    state.active = as_text(given.get("active"), as_text(given.get("segment"), "axis"))
    state.rd_left = as_number(given.get("rd_points")) if "rd_points" in given else None
    state.missions = as_number(given.get("missions_this_turn"))
    state.german_company = as_number(given.get("german_near_east_rd_this_turn"))
    for name in ("history", "last_turn_history"):
        sides = {side: as_record(value) for side, value in _items(given, name)}
        found = {side: {as_number(r): as_text(use) for r, use in value.items()} for side, value in sides.items()}
        setattr(state, "history" if name == "history" else "last_history", found)


def _events(state: State, given: Record) -> None:
    """Events as flags, in the order played; without a time of their own they belong to the present turn."""
    last, fresh = as_texts(given.get("events_last_turn")), as_texts(given.get("events_this_round"))
    listed = [*as_texts(given.get("events")), *last, *as_texts(given.get("events_this_turn")), *fresh]
    alias = _event_names(state.world)
    for name in dict.fromkeys(alias.get(name, name) for name in listed):
        state.events[name] = state.turn - 1 if name in last else state.turn
    if "torch_turn" in given:
        state.events["Torch"] = turn_number(as_text(given.get("torch_turn")))
    if listed or given.get("board") not in ("campaign", "sonnenblume"):
        state.fresh = list(fresh)
    for name, effect in state.world.effects("release"):
        if name in state.events:
            state.released.update(as_texts(effect.get("nations")))


def _event_names(world: World) -> dict[str, str]:
    """The name of each event by its other spellings (ruling A09)."""
    return {alias: text(card, "name") for card in world.cards.values() for alias in as_texts(card.get("aliases"))}


def _units(state: State, given: Record) -> None:
    for name, side in _items(given, "control"):
        for space in _spaces(state, name):
            state.control[space] = as_text(side)
    for row in as_records(given.get("units")):
        uid, at = as_text(row.get("id")), as_text(row.get("at"))
        if at.startswith("next to "):
            at = next(iter(state.world.neighbours(at.removeprefix("next to "))), at)
        if not at.startswith("@") and at not in state.world.spaces:
            raise CaseFault(f"unit {uid} stands in {at}, which is no space of the board")
        if at != "@unplaced":
            state.place(uid, at, as_text(row.get("step")) == "reduced")


def _supplies(state: State, side: str) -> bool:
    """Whether the board has a source for a side at all, be it conditional or lost: else supply is no matter of it."""
    users = {"axis": ("axis", "ge_it", "it", "vf", "ir", "eg"), "allied": ("allied", "british_group", "ff_br", "lrdg")}
    return any(source.user in users[side] for space in state.world.spaces.values() for source in space.sources)


def _spaces(state: State, name: str) -> list[str]:
    """A space, or all of a region."""
    if name.startswith("region:"):
        region = name.removeprefix("region:")
        return [space for space in state.world.spaces if state.world.in_region(space, region)]
    return [name]


def _rest(state: State, given: Record) -> None:
    state.imposed = {name: as_text(status) for name, status in _items(given, "supply")}
    for side in SIDES:
        if not _supplies(state, side):
            state.imposed.setdefault(side, FULL)
    state.markers = {name: as_text(marker) for name, marker in _items(given, "markers")}
    ops = as_record(given.get("ops"))
    if ops:
        state.ops.available, state.ops.source = as_number(ops.get("available")), as_text(ops.get("source"))
    if "vp" in given:
        state.vp = as_number(given.get("vp"))
    state.rp = {pool: as_text(points) for pool, points in _items(given, "rp")}
    for side in SIDES:
        deck = as_record(as_record(given.get("deck")).get(side))
        held = [*as_texts(as_record(given.get("hands")).get(side)), *as_texts(deck.get("hand_contains"))]
        up = as_texts(as_record(given.get("face_up")).get(side))
        state.hands[side] = [card_id(state.world, side, name) for name in held]
        state.face_up[side] = [card_id(state.world, side, name) for name in up]
        state.used[side] = [card_id(state.world, side, name) for name in as_texts(given.get("used_this_round"))]
        state.discards[side], state.piles[side], state.removed[side] = [], [], []
        fill(state, side, deck)


def card_id(world: World, side: str, name: str) -> str:
    """The id of a card by its name, the side's own before the other's."""
    ids = [card for card, row in world.cards.items() if text(row, "name") == name]
    own = [card for card in ids if text(world.cards[card], "side") == side]
    if not ids:
        raise CaseFault(f"there is no card {name}")
    return (own or ids)[0]
