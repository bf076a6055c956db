"""The air phase in words: flights, the reaction, battle after battle, what got through where, who came home how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from adjudicator.engine.core import Event
from adjudicator.report.document import Block, Heading, Item, bullets, item, para
from adjudicator.report.western_desert.common import loss_items
from adjudicator.report.western_desert.control import Ground, told_singly
from adjudicator.report.western_desert.dogfights import battle_words, exchange_items, hit_items
from adjudicator.report.western_desert.flights import (
    Wave,
    flights_lead,
    join_wave,
    landing_items,
    patrol_item,
    wave_item,
    wave_of,
)
from adjudicator.report.western_desert.names import hex_words, people, where
from adjudicator.report.western_desert.scene import Scene, get, rule
from adjudicator.report.words import capital
from adjudicator.western_desert.air.craft import REACTIONS
from adjudicator.western_desert.air.events import AIR_APPLY
from adjudicator.western_desert.air.facts import side_air
from adjudicator.western_desert.air.words import air_names
from adjudicator.western_desert.state import ENEMY, State

FLIGHTS, REACTION, BATTLE, MISSIONS, HOME = "flights", "reaction", "battle", "missions", "home"
FOUGHT = ("jettisoned", "split", "engaged", "air-shot")
CARRIED_OUT = (
    *("aa-fire", "bombing", "air-bombed", "canal-hit", "harassment", "port-hit", "airbase-hit", "rail-broken"),
    *("malta-status", "unloaded", "dropped", "glider-expended"),
)
SILENT = ("air-step", "reacts")
"""Events of the air phase in which no air unit does anything."""
LANDINGS = ("air-landed", "air-lost")
CARGO = ("unloaded", "cargo-back")
BEFORE = ("flight", "staged", "patrol-attack", "skipped", "void")
"""What belongs to flights again when defensive support of the turn before has come home (WD 20.F.2.d)."""


@dataclass
class Stage:
    """A part of the air phase that is told together. ``hex`` is where its missions are carried out."""

    name: str
    hex: str = ""
    events: list[Event] = field(default_factory=list)


def stages_of(events: Sequence[Event], reacting: bool) -> list[Stage]:
    """The parts of an air phase, in their order. ``reacting``: the flights of the phasing player are in the air."""
    found = [Stage(REACTION if reacting else FLIGHTS)]
    for event in events:
        name, place = _place_of(event, found[-1])
        if event.kind == "air-combat" or (name, place) != (found[-1].name, found[-1].hex):
            found.append(Stage(name, place))
        found[-1].events.append(event)
    return [stage for stage in found if stage.events]


def _place_of(event: Event, current: Stage) -> tuple[str, str]:
    """The part of the phase that an event belongs to, and the hex where that is one of missions."""
    if event.kind in LANDINGS or (current.name == HOME and event.kind in CARGO):
        return HOME, ""
    if event.kind == "cargo-back":
        return (current.name, current.hex) if get(event, "why") else (HOME, "")
    if event.kind == "air-combat" or event.kind in FOUGHT:
        return BATTLE, get(event, "hex")
    if event.kind in CARRIED_OUT or (event.kind == "skipped" and not get(event, "order")):
        return MISSIONS, get(event, "hex") or current.hex
    if event.kind in ("air-step", "reacts"):
        return REACTION, ""
    if event.kind in BEFORE and current.name not in (FLIGHTS, REACTION):
        return (REACTION if get(event, "mission") in REACTIONS else FLIGHTS), ""
    return current.name, current.hex


def air_blocks(scene: Scene, events: Sequence[Event], ground: Ground) -> list[Block]:
    """Tell the air phase; the scene stands after it when this returns."""
    stages = stages_of(events, scene.state.step == REACTION)
    blocks: list[Block] = []
    for stage in stages:
        blocks += _TOLD[stage.name](scene, stage, ground)
    return blocks or [para("Nobody flies.")]


# --- flights and reaction ---------------------------------------------------------------------------------------


def _flights(scene: Scene, stage: Stage, ground: Ground) -> list[Block]:
    flown = any(event.kind == "flight" for event in stage.events)
    lead: list[Block] = [para(flights_lead(scene, stage.events))] if flown else []
    return [*lead, *bullets(_waves(scene, stage.events, ground))]


def _waves(scene: Scene, events: Sequence[Event], ground: Ground) -> list[Item]:
    """Flights in waves with the patrols that they met, and all else between them. Applies the events."""
    told: list[Wave | Item] = []
    open_wave: Wave | None = None
    for event in events:
        if event.kind == "flight" and open_wave is not None and open_wave.takes(event):
            join_wave(open_wave, event)
        elif event.kind == "flight":
            open_wave = wave_of(scene, event)
            told.append(open_wave)
        elif event.kind == "patrol-attack" and open_wave is not None:
            open_wave.met.append(patrol_item(scene, event))
        elif event.kind == "control":
            ground.note(scene, event)
        else:
            open_wave = None
            told.append(scene.tell(event))
        scene.apply(event)
    return [wave_item(scene, one) if isinstance(one, Wave) else one for one in told]


def _reaction(scene: Scene, stage: Stage, ground: Ground) -> list[Block]:
    """What the other side does about it; only that it is next where the message ends there."""
    side = ENEMY[scene.state.player]
    begun, *rest = stage.events
    if begun.kind == "air-step" and not rest:
        scene.apply(begun)
        return [para(f"All flights are in the air; the reaction of {people(side)} is next", rule(begun.rule), ".")]
    told = _waves(scene, [event for event in stage.events if _worth_telling(scene, event)], ground)
    nothing = f"{capital(people(side))} {'do' if side == 'allied' else 'does'} nothing."
    return [Heading(3, f"Reaction of {people(side)}"), *(bullets(told) or [para(nothing)])]


def _worth_telling(scene: Scene, event: Event) -> bool:
    """The step itself is seen from the heading: it is applied and left out."""
    if event.kind != "air-step":
        return True
    scene.apply(event)
    return False


# --- battles, missions, landings --------------------------------------------------------------------------------


def _battle(scene: Scene, stage: Stage, ground: Ground) -> list[Block]:
    """An air battle: who meets whom, how they pair off, each exchange of fire, and whom it cost what."""
    first = stage.events[0]
    blocks: list[Block] = []
    if first.kind == "air-combat":
        h = scene.find(get(first, "hex"))
        night = " by night" if get(first, "night") else ""
        scene.named.add(h)
        blocks = [Heading(3, f"Air battle{night} over {where(scene.board, h)}")]
        blocks.append(para(f"{battle_words(scene, first)}", rule(first.rule), "."))
        scene.apply(first)
        stage.events = stage.events[1:]
    told: list[Item] = []
    for kind, run in groupby(stage.events, key=lambda event: event.kind):
        group = list(run)
        told += TOGETHER[kind](scene, group) if kind in TOGETHER else told_singly(scene, group, ground)
    return [*blocks, *bullets(told)]


TOGETHER = {"air-shot": exchange_items, "air-hit": hit_items, "eliminated": loss_items}
"""Kinds of which several in a row are told together; these functions apply the events themselves."""


def _missions(scene: Scene, stage: Stage, ground: Ground) -> list[Block]:
    """What is fired at those over a hex, and what gets through."""
    h = scene.find(stage.hex) if stage.hex else None
    title = f"Missions over {where(scene.board, h)}" if h is not None else "Missions"
    if h is not None:
        scene.named.add(h)
    return [Heading(3, title), *bullets(told_singly(scene, stage.events, ground))]


def _home(scene: Scene, stage: Stage, ground: Ground) -> list[Block]:
    return [Heading(3, "Landings"), *bullets(landing_items(scene, stage.events, ground))]


_TOLD = {FLIGHTS: _flights, REACTION: _reaction, BATTLE: _battle, MISSIONS: _missions, HOME: _home}


# --- where they are after it ------------------------------------------------------------------------------------


def air_situation(state: State, events: Sequence[Event]) -> list[Block]:
    """The air units of both sides after a message in which any of them did something: ready at their bases,
    inoperative, still in the air."""
    if not any(event.kind in AIR_APPLY and event.kind not in SILENT for event in events):
        return []
    entries = []
    for side in ENEMY:
        own = side_air(state, side)
        aloft = [aid for aid in own if state.air[aid].sortie is not None]
        home = [aid for aid in own if aid not in aloft]
        parts = [
            _places(state, "ready", [aid for aid in home if state.air[aid].operative]),
            _places(state, "inoperative", [aid for aid in home if not state.air[aid].operative]),
            _places(state, "in the air over", aloft),
        ]
        if own:
            entries.append(item(f"{capital(people(side))}: {'; '.join(part for part in parts if part)}."))
    return [Heading(2, "Air units"), *bullets(entries)] if entries else []


def _places(state: State, what: str, ids: Sequence[str]) -> str:
    """``ready at Matruh (19/1225) Blen 4 No. 1 and at ..``; "" for none."""
    by_hex: dict[int, list[str]] = {}
    for aid in ids:
        sortie = state.air[aid].sortie
        by_hex.setdefault(sortie.over if sortie else state.air[aid].hex, []).append(aid)
    said = [f"{hex_words(state.board, h)} {air_names(state.world, there)}" for h, there in sorted(by_hex.items())]
    at = "" if what.endswith("over") else " at"
    return f"{what}{at} {', '.join(said)}" if said else ""
