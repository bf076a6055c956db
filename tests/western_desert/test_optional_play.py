"""Turns that programs write where the optional rules 32.A, 32.B and 33.E bind: what they order is lawful, the umpire
finds nothing wrong, and the rule has had something to say."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from adjudicator.engine.chance import Chance
from adjudicator.engine.dice import Assume, Local
from adjudicator.engine.driver import Checkpoint, play
from adjudicator.western_desert import hexes
from adjudicator.western_desert.bot_special import plan_rows
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.mover import mover_of
from adjudicator.western_desert.reach import Searches
from adjudicator.western_desert.state import State, turn_number
from adjudicator.western_desert.theatre.forces import pool_box
from adjudicator.western_desert.theatre.special import GERMAN_1941
from tests.western_desert.ground import compass, settled, start
from tests.western_desert.operations import PARA
from tests.western_desert.optional import Campaign, Game
from tests.western_desert.phases import Phase, Row, checkpoint, message
from tests.western_desert.surprise import table
from tests.western_desert.test_options import levant_held
from tests.western_desert.umpire import Umpire

SOUTH_AFRICANS, FREE_FRENCH = ("sa-1", "sa-2", "sa-3", "sa-4", "sa-5", "sa-6"), ("ff-1", "ff-2")
SICK = ("au-24", "au-25", "au-26")
BORDER, NEXT_TO_THE_LEVANT, ALONE = "19/4218", ("19/4311", "19/4312"), "18/4530"
HAIFA, COAST = "19/4312", ("19/4312", "19/4310", "19/4408")
LEAST, MOST = 12, 200


def written(state: State, seed: object) -> Phase:
    """A phase as a program writes it on this position, with the dice of chance."""
    begun = play(table(), checkpoint(state), [], Assume())
    assert begun.ask is not None and begun.ask.key == f"orders/{state.phase}"
    chance = Chance(random.Random(f"orders {seed}").random)
    rows = table().bot_orders(state, state.player, begun.ask, chance)
    found = tuple(row for row in rows if row["type"] != "section" or row["name"] == state.phase) or ({"type": "pass"},)
    dice = Local(random.Random(f"dice {seed}").randrange)
    return Phase(state, found, play(table(), checkpoint(state), [message(state, found)], dice))


def sound(phase: Phase) -> Phase:
    """A phase whose orders were lawful, and with which neither the umpire nor the invariants find fault."""
    assert [p for p in phase.run.problems if p.depends is None and p.order is not None] == [], phase.rows
    assert Umpire(phase.before).follow(phase.events).at_rest().faults == [], phase.rows
    assert [line for line in faults(phase.after) if " the game" not in line] == []
    return phase


def emptied(options: str, turn: str, phase: str) -> State:
    """The Allied phase of a turn on a map without a unit."""
    state = start()
    for uid in list(state.pieces):
        state.take_off(uid, "spare")
        del state.gone[uid]
    state.world = replace(compass(), switches={"options": options} if options else {}, cache={})
    state.turn, state.player, state.phase, state.step = turn_number(turn), "allied", phase, phase
    return state


# --- 32.A: Allied co-operation -----------------------------------------------------------------------------------


def allies(seed: int, options: str = "32.A", phase: str = "movement") -> State:
    """South Africans on the border of Palestine, Free French next to the Levant, an Australian brigade cut off."""
    state, chance = emptied(options, "Jul I 41", phase), random.Random(f"allies {seed}")
    border = state.board.find(BORDER)
    egypt = [h for h in hexes.within(border, 2) if state.board.in_region(h, "Egypt") and h in state.board.land]
    for uid in SOUTH_AFRICANS:
        state.place(uid, chance.choice([border, *sorted(egypt)]))
    for uid in FREE_FRENCH if seed % 2 else ():
        state.place(uid, state.board.find(chance.choice(NEXT_TO_THE_LEVANT)))
    state.place("au-20", state.board.find(ALONE))
    state.gone.update(dict.fromkeys(SICK, "eliminated"))
    settled(state)
    for uid in state.pieces:
        state.pieces[uid].gs = True
    return state


@cache
def marches() -> tuple[Phase, ...]:
    """Movement phases of programs, until one of them invades the Levant with Free French; never changed."""
    found: list[Phase] = []
    for seed in range(MOST):
        found.append(sound(written(allies(seed), f"allies {seed}")))
        if len(found) >= LEAST and any(invades(phase) and french(phase) for phase in found):
            break
    return tuple(found)


def invades(phase: Phase) -> bool:
    return any(event.kind == "invasion" for event in phase.events)


def french(phase: Phase) -> list[str]:
    return [uid for uid in FREE_FRENCH if uid in phase.before.pieces]


def abroad(state: State, uid: str) -> set[int]:
    """The hexes outside of Egypt and Libya that a unit can reach."""
    found = Searches(state, "allied").reach(mover_of(state, uid), "foot")
    return {h for h in found if not any(state.board.in_region(h, land) for land in ("Egypt", "Libya"))}


def test_south_africans_of_programs_stay_in_egypt_and_libya() -> None:
    """WD 32.A.sa: from where they stand Palestine is near, and without the rule they could go there."""
    gone = 0
    for seed, phase in enumerate(marches()):
        state, free = phase.after, allies(seed, "")
        there = [uid for uid in SOUTH_AFRICANS if uid in state.pieces]
        homes = [any(state.board.in_region(state.hex_of(u), land) for land in ("Egypt", "Libya")) for u in there]
        assert there and all(homes)
        assert not any(abroad(phase.before, uid) for uid in there)
        gone += sum(event.kind == "move" and event.data["unit"] in there for event in phase.events)
        assert seed or any(abroad(free, uid) for uid in there)
    assert gone


def test_programs_invade_the_levant_with_all_free_french() -> None:
    """WD 32.A.ff."""
    bold = [phase for phase in marches() if invades(phase)]
    assert any(french(phase) for phase in bold)
    for phase in bold:
        state = phase.after
        own = [uid for uid in french(phase) if uid in state.pieces]
        assert all(state.board.in_region(state.hex_of(uid), "Levant") for uid in own)


@pytest.mark.parametrize(("options", "cost"), [("", []), ("32.A", ["-1/2"])])
def test_a_cut_off_australian_brigade_costs_in_the_initial_phase_that_a_program_writes(
    options: str, cost: list[str]
) -> None:
    """WD 32.A.aus; and no South African is scrapped (WD 32.A.sa)."""
    for seed in range(4):
        state = allies(seed, options, "initial")
        state.world = replace(state.world, events=({"kind": "smp", "turn": "Dec I 40", "side": "axis", "points": "1"},))
        state.gone.update({"sa-1-hq": "eliminated"})
        state.theatre = state.theatre.remembering(set(SICK)) if options else state.theatre
        phase = sound(written(state, f"sick {seed}"))
        paid = [event.data["vp"] for event in phase.events if event.kind == "vp" and event.rule == "WD 32.A.aus"]
        assert paid == cost
        assert not options or phase.after.gone.get("sa-1-hq") == "eliminated" or "sa-1-hq" in phase.after.pieces


# --- 32.B: no expedition to Greece -------------------------------------------------------------------------------


def initial_rows(game: Game, seed: object) -> list[Row]:
    """What a program writes for the initial phase."""
    ask = play(table(), Checkpoint(game.state), [], Assume()).ask
    assert ask is not None and ask.key == "orders/initial"
    chance = Chance(random.Random(f"initial {seed}").random)
    found: list[Row] = []
    for row in table().bot_orders(game.state, game.state.player, ask, chance):
        if row["type"] == "section":
            break
        found.append(row)
    return found or [{"type": "pass"}]


MAY = 8
"""The Allied player turn of May I 41 among those of the spring."""


def spring(seed: int) -> Iterator[tuple[Game, list[str]]]:
    """The player turns from Mar I 41 to Jul I 41 with initial phases that programs write, and what was void in each."""
    game = Campaign("Mar I 41", "allied", "32.B", chance=seed)
    for number in range(18):
        game.go(*initial_rows(game, f"{seed} {number}"))
        yield game, [str(row["code"]) for row in game.told("void")]


@pytest.mark.parametrize("seed", range(2))
def test_programs_play_the_spring_without_an_expedition(seed: int) -> None:
    """WD 32.B: nobody goes to Greece, Crete falls on May I 41, the special forces of 1941 are there on Jul I 41."""
    fallen, ready, there = [], [], {"br-14", "air-blen-1-2", "air-glad-2"}
    for number, (game, void) in enumerate(spring(seed)):
        state = game.state
        assert void == []
        away = {uid for uid, kept in state.boxes.items() if kept.box == "greece"}
        assert away == (there if number < MAY else set()), "who was there from the start is back in May"
        fallen += [event for event in game.events if event.kind == "control" and event.rule == "WD 32.B"]
        ready.append(PARA in state.boxes and state.boxes[PARA].box == pool_box(GERMAN_1941))
    assert len(fallen) == 1 and any(ready)
    assert {event.on for event in game.story if event.rule == "WD 32.B"} == {turn_number("May I 41")}
    assert not [event for event in game.story if event.data.get("box") == "greece"]


def test_programs_plan_for_the_early_forces() -> None:
    """WD 32.B, 27.B.1: operations of Jul and Aug 41 are planned for where no force goes to Greece, and only there."""
    for options, early in (("", False), ("32.B", True)):
        game = Campaign("Apr I 41", "axis", options)
        dates = {
            turn_number(str(row["turn"]))
            for seed in range(40)
            for row in plan_rows(game.state, Chance(random.Random(f"early {seed}").random), {})
            if row["type"] == "plan_special"
        }
        assert any(turn < turn_number("Sep I 41") for turn in dates) is early


# --- 33.E: the railroad of the Levant ----------------------------------------------------------------------------


def on_the_coast(seed: int) -> Game:
    """The Levant was gained on May I 41; brigades wait in Haifa and up the coast on the turn of the railroad."""
    game = Game("Nov I 42", "allied", "33.E", chance=seed)
    levant_held(game, "May I 41")
    chance = random.Random(f"coast {seed}")
    for uid in ("in-5", "in-7", "in-11", "br-16", "br-22"):
        game.at(uid, chance.choice(COAST))
    return game


def test_programs_ride_the_railroad_of_the_levant() -> None:
    """WD 33.E: it is opened in the initial phase, and movement that programs write goes by it."""
    rides = 0
    for seed in range(12):
        game = on_the_coast(seed)
        game.go(*initial_rows(game, seed))
        assert "Levant coast railway" in [row["line"] for row in game.told("rail-extended")]
        state = game.state.copy()
        line = {state.board.name(h) for h in state.board.unbuilt["Levant coast railway"]}
        for uid in [uid for uid in state.pieces if state.board.name(state.hex_of(uid)) not in line]:
            state.take_off(uid, "spare")
            del state.gone[uid]
        state.player, state.phase, state.step = "allied", "movement", "movement"
        phase = sound(written(state, f"rides {seed}"))
        moves = [event.data for event in phase.events if event.kind == "move" and event.data["from"] in line - {HAIFA}]
        rides += sum(data.get("rail", "") == str(len(data["path"])) for data in moves)
    assert rides
