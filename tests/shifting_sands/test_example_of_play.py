"""The example of play of the rulebook, both variants, by message through the driver (SS ex.1 to ex.3).

It is the set-up of Operation Sonnenblume with one unit less in Alexandria, and with Radio Intercepts in play: its three
points and the flank attack that needs no die.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from adjudicator.engine.core import Ctx, Event
from adjudicator.engine.driver import Message, Run
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.setup import place
from adjudicator.shifting_sands.state import Ops, State
from tests.shifting_sands.support import (
    ALLIED,
    AXIS,
    Fixed,
    Row,
    attack,
    kinds,
    message,
    run,
    section,
    table,
    voids,
    with_cards,
)

PANZER, ITALIANS, GERMANS, BRITISH = "ge-21-pz", "it-27", "ge-arm-bg-2", "br-2-arm"
ALL = f"{ITALIANS}, {GERMANS}, {PANZER}"
MARKERS: list[Row] = [
    {"type": "attack_marker", "space": "El Agheila"},
    {"type": "attack_marker", "space": "Giof el Matar"},
]
FIRST = {"combat/agedabia/fire-attacker": 3, "combat/agedabia/fire-defender": 3}
SECOND = {"combat/agedabia/fire-attacker": 5, "combat/agedabia/fire-defender": 6}


@pytest.fixture
def sonnenblume() -> State:
    """The set-up, Radio Intercepts just played for its three points."""
    state = table("sonnenblume").start()
    ctx = Ctx(state, apply)
    place(ctx, state.world.scenario)
    ctx.emit("round", "SS 5.2", round="1", active=AXIS)
    ctx.emit("event", "SS 7.51", event="Radio Intercepts")
    state.history, state.ops = {AXIS: {1: "event"}}, Ops(3, "event")
    state.shift("nz-2", "Cairo")
    return with_cards(state)


def at(state: State) -> dict[str, str]:
    """Where the four units of the example stand."""
    return {uid: state.pieces[uid].at for uid in (PANZER, ITALIANS, GERMANS, BRITISH)}


def test_the_set_up_is_that_of_the_example(sonnenblume: State) -> None:
    assert at(sonnenblume) == {
        PANZER: "Giof el Matar", ITALIANS: "El Agheila", GERMANS: "El Agheila", BRITISH: "Agedabia"
    }  # fmt: skip
    assert sum(sonnenblume.cf(uid) for uid in (PANZER, ITALIANS, GERMANS)) == 8
    assert "br-arm-bg-1" in sonnenblume.in_box("@reserve", ALLIED)


def played(state: State, dice: dict[str, int], *messages: Message) -> Run[State]:
    """A run in which every message but the last is opened."""
    return run(state, messages, Fixed(messages[-1].seq - 1, dice))


def seen(state: State, dice: dict[str, int], *messages: Message) -> Run[State]:
    """A run in which the last message is opened too: what its receiver sees."""
    return run(state, messages, Fixed(messages[-1].seq, dice))


def orders(rommel: bool) -> Message:
    """Both spaces activated, all three units attack from two spaces with a flank attack."""
    more = {"rommel": "yes"} if rommel else {}
    return message(3, AXIS, section("round"), *MARKERS, attack(ALL, "Agedabia", flank="yes", **more))


def fire(events: Sequence[Event], role: str) -> dict[str, object]:
    """What one side's fire was."""
    return dict(next(event.data for event in kinds(events, "fire") if event.data["role"] == role))


def test_activation_costs_two_and_one(sonnenblume: State) -> None:
    found = played(sonnenblume, FIRST, orders(rommel=False), message(4, ALLIED))
    costs = {event.data["space"]: event.data["cost"] for event in kinds(found.events, "marker")}
    assert costs == {"El Agheila": "2", "Giof el Matar": "1"}
    assert kinds(found.events, "marker")[-1].data["left"] == "0"
    third = message(3, AXIS, section("round"), *MARKERS, {"type": "attack_marker", "space": "Tripoli"})
    assert voids(played(sonnenblume, FIRST, third, message(4, ALLIED)).events)[0].startswith("SS 7.23: Tripoli costs 1")


def test_the_flank_attack_succeeds_without_a_die(sonnenblume: State) -> None:
    found = seen(sonnenblume, {}, orders(rommel=False))
    (flank,) = kinds(found.events, "flank")
    assert (flank.data["result"], flank.data["why"], flank.data.get("die")) == ("success", "Radio Intercepts", None)
    assert found.waits.key == "react/1" and found.waits.side == ALLIED


REACTION = message(4, ALLIED, section("reaction"))


def test_first_variant_fire_and_losses(sonnenblume: State) -> None:
    found = seen(sonnenblume, FIRST, orders(rommel=False), REACTION)
    theirs = fire(found.events, "attacker")
    assert (theirs["strength"], theirs["table"], theirs["column"], theirs["row"]) == ("8", "division", "6-8", "2")
    assert theirs["drms"] == [{"name": "italians", "value": "-1", "rule": "SS 11.261"}]
    assert (theirs["number"], theirs["bold"]) == ("3", "")
    assert found.state.step_of(BRITISH) == "reduced"
    ours = fire(found.events, "defender")
    assert (ours["strength"], ours["table"], ours["column"], ours["row"]) == ("2", "division", "2", "3")
    assert ours["number"] == "2"
    order = [event.kind for event in kinds(found.events, "fire", "losses")]
    assert order == ["fire", "losses", "fire"], "the defender's losses come before his fire"
    assert found.waits.key == "losses/1/attacker", "the Italian division or the German battlegroup, not the panzers"
    assert found.ask is not None
    assert {outcome.steps for outcome in found.ask.atoms()} == {(ITALIANS,), (GERMANS,)}


def followup(*rows: Row) -> Message:
    """The attacker's followup."""
    return message(5, AXIS, section("followup"), *rows)


def test_first_variant_retreat_and_advance(sonnenblume: State) -> None:
    losses: Row = {"type": "losses", "steps": ITALIANS}
    enters: Row = {"type": "advance", "unit": ITALIANS, "path": "El Agheila, Agedabia"}
    aside: Row = {"type": "advance", "unit": PANZER, "path": "Giof el Matar, Msus"}
    back = message(4, ALLIED, section("reaction"), {"type": "retreat", "unit": BRITISH, "to": "Benghazi"})
    after = message(6, ALLIED, section("round"))
    found = played(sonnenblume, FIRST, orders(rommel=False), back, followup(losses, enters, aside), after)
    (winner,) = kinds(found.events, "winner")
    assert {key: winner.data[key] for key in ("winner", "difference", "retreat", "overrun")} == {
        "winner": "attacker", "difference": "1", "retreat": "1", "overrun": "",
    }  # fmt: skip
    assert found.state.step_of(ITALIANS) == "reduced"
    (retreat,) = kinds(found.events, "retreat")
    assert (retreat.data["path"], retreat.data["choice"]) == (["Agedabia", "Benghazi"], "order")
    assert not voids(found.events)
    assert at(found.state) == {PANZER: "Msus", ITALIANS: "Agedabia", GERMANS: "El Agheila", BRITISH: "Benghazi"}
    assert (found.state.owner("Agedabia"), found.state.owner("Msus")) == (AXIS, AXIS)


def test_first_variant_infantry_may_not_go_elsewhere(sonnenblume: State) -> None:
    aside: Row = {"type": "advance", "unit": ITALIANS, "path": "El Agheila, Giof el Matar"}
    far: Row = {"type": "advance", "unit": GERMANS, "path": "El Agheila, Agedabia, Msus"}
    messages = [orders(rommel=False), REACTION, followup(aside, far), message(6, ALLIED)]
    found = played(sonnenblume, FIRST, *messages)
    assert [event.rule for event in kinds(found.events, "void")] == ["SS 11.62", "SS 11.62"]


def test_second_variant_rommel_brings_an_overrun(sonnenblume: State) -> None:
    found = played(sonnenblume, SECOND, orders(rommel=True), REACTION, message(5, AXIS))
    theirs = fire(found.events, "attacker")
    assert (theirs["base"], theirs["column"], theirs["row"]) == ("6-8", "12-14", "4")
    assert theirs["shifts"] == [{"name": "Rommel", "value": "+2", "rule": "SS 11.274"}]
    assert (theirs["number"], theirs["bold"]) == ("5", "yes")
    assert found.state.pieces[BRITISH].at == "@replacement"
    (replaced,) = kinds(found.events, "replaced")
    assert (replaced.data["unit"], replaced.data["at"]) == ("br-arm-bg-1", "Agedabia")
    ours = fire(found.events, "defender")
    assert (ours["table"], ours["row"], ours["number"]) == ("battlegroup", "6", "1")
    numbers = {event.data["role"]: event.data["absorbed"] for event in kinds(found.events, "losses")}
    assert numbers == {"defender": "4", "attacker": "0"}
    assert kinds(found.events, "winner")[0].data["overrun"] == "yes"


def test_second_variant_relocation_and_advance(sonnenblume: State) -> None:
    place_: Row = {"type": "relocate", "unit": "br-arm-bg-1", "to": "Alexandria"}
    reaction = message(4, ALLIED, section("reaction"), place_)
    east = "Giof el Matar, Msus, Tengeder, Sidi Mufta, Southern Flank, Bir el Gubi, El Adem"
    advances: list[Row] = [
        {"type": "advance", "unit": ITALIANS, "path": "El Agheila, Agedabia"},
        {"type": "advance", "unit": GERMANS, "path": "El Agheila, Agedabia, Msus, Tengeder"},
        {"type": "advance", "unit": PANZER, "path": east},
    ]
    after = message(6, ALLIED, section("round"))
    found = played(sonnenblume, SECOND, orders(rommel=True), reaction, followup(*advances), after)
    assert not voids(found.events)
    assert found.state.pieces["br-arm-bg-1"].at == "Alexandria"
    assert at(found.state) == {
        PANZER: "El Adem", ITALIANS: "Agedabia", GERMANS: "Tengeder", BRITISH: "@replacement"
    }  # fmt: skip
    taken = {space for event in kinds(found.events, "control") for space in event.data["spaces"]}
    assert taken == {"Agedabia", *east.split(", ")[1:]}


def test_second_variant_places_and_limits(sonnenblume: State) -> None:
    wait = message(4, ALLIED, section("reaction"), {"type": "wait", "topic": "relocate"})
    found = seen(sonnenblume, SECOND, orders(rommel=True), wait)
    assert found.waits.key == "relocate/1/br-arm-bg-1" and found.ask is not None
    assert list(found.ask.atoms()) == ["Alexandria", "Cairo", "Port Said", "Suez", "@replacement"]
    again: Row = {"type": "advance", "unit": ITALIANS, "path": "El Agheila, Giof el Matar, Msus"}
    messages = [orders(rommel=True), REACTION, followup(again), message(6, ALLIED)]
    found = played(sonnenblume, SECOND, *messages)
    assert [event.rule for event in kinds(found.events, "void")] == ["SS 11.64"], "infantry first enters Agedabia"
