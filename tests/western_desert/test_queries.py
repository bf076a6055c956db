"""What a player is told while he plans, against the driver: chances against brute force, moves against the run."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.engine.core import Order, Tree
from adjudicator.engine.dice import DiceSource
from adjudicator.engine.queries import ODDS, Reply, Scene, percent, put
from adjudicator.western_desert import hexes
from adjudicator.western_desert.attack_check import attack_options
from adjudicator.western_desert.initial import supply_reason
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.overrun import overrun_options
from adjudicator.western_desert.queries import WesternDesertQueries
from adjudicator.western_desert.queries.moves import moves_reply
from adjudicator.western_desert.queries.odds import odds_reply
from adjudicator.western_desert.queries.overruns import overrun_reply
from adjudicator.western_desert.queries.supply import supply_reply
from adjudicator.western_desert.state import State
from adjudicator.western_desert.supply import net, on_lines
from tests.western_desert.ground import move, movers, run, scattered
from tests.western_desert.skirmish import ALLIED, AXIS, OnePhase, play_phase, random_orders, random_position, stock
from tests.western_desert.surprise import Played, table

SEEDS = st.integers(0, 10**6)
FACES = range(1, 7)
AT_THE_END = {"stacking", "divisions", "light_tank"}


def asked(question: str, subject: str, **more: Tree) -> Order:
    """A question with ids."""
    return Order(0, question, {"subject": subject, **more})


# --- odds against brute force -----------------------------------------------------------------------------------


def strength(state: State, uid: str, attacking: bool) -> Fraction:
    """The printed strength of a unit on the map; the test's own reckoning."""
    if uid not in state.pieces:
        return Fraction(0)
    face = state.world.units[uid]
    if state.pieces[uid].cadre and face.back is not None:
        face = face.back
    return face.attack if attacking else face.defense


def size(state: State, uid: str) -> Fraction:
    """The REs of a unit on the map."""
    if uid not in state.pieces:
        return Fraction(0)
    face = state.world.units[uid]
    return Fraction((face.back or face).re2 if state.pieces[uid].cadre else face.re2, 2)


def thrown(face: int) -> DiceSource:
    """Every combat die shows this face."""
    return lambda _seq, roll: (face if roll.kind == "combat" else 1,) * roll.count


def by_force(state: State, order: Order) -> dict[str, dict[str, Any]]:
    """The phase played through the driver once for each face of the die: by result chance and mean losses."""
    found: dict[str, dict[str, Any]] = {}
    hit = {ALLIED: order.texts("with"), AXIS: state.enemies_at(state.board.find(order.text("hex")), ALLIED)}
    for face in FACES:
        played = play_phase(state, [order], [], thrown(face))
        result = str(next(e.data["result"] for e in played.events if e.kind == "result"))
        row = found.setdefault(result, {"chance": Fraction(0), "lost": defaultdict(Fraction)})
        row["chance"] += Fraction(1, 6)
        for side, units in hit.items():
            for uid in units:
                attacking = side == ALLIED
                gone = strength(state, uid, attacking) - strength(played.state, uid, attacking)
                row["lost"][(side, "strength")] += gone / 6
                row["lost"][(side, "re")] += (size(state, uid) - size(played.state, uid)) / 6
    return found


ROLES = {"attackers": ALLIED, "defenders": AXIS}


@settings(max_examples=40)
@given(SEEDS)
def test_odds_are_what_the_driver_makes_of_every_die(seed: int) -> None:
    state = random_position(seed)
    for order in random_orders(seed, state)[:2]:
        rows = {name: value for name, value in order.data.items() if name != "hex"}
        reply = odds_reply(OnePhase([]), Scene(state, ALLIED), asked("odds", order.text("hex"), **rows))
        assert not reply.problems
        tree, wanted = reply.tree, by_force(state, order)
        if tree["column"] == "auto" or any(row["result"] == "auto" for row in tree["results"]):
            assert {row["result"] for row in tree["results"]} == set(wanted) == {"auto"}
        assert {row["result"]: Fraction(row["chance"]) for row in tree["results"]} == {
            result: row["chance"] for result, row in wanted.items()
        }
        for row in tree["results"]:
            for role, side in ROLES.items():
                for measure in ("strength", "re"):
                    found = wanted[row["result"]]
                    mean = found["lost"][(side, measure)] / found["chance"]
                    assert Fraction(row["loses"][role][measure]) == mean
        for role, side in ROLES.items():
            for measure in ("strength", "re"):
                total = sum((row["lost"][(side, measure)] for row in wanted.values()), Fraction(0))
                assert Fraction(tree["expected"][role][measure]) == total


def test_the_position_is_left_as_it_was() -> None:
    state = random_position(7)
    before = state.copy()
    for order in random_orders(7, state):
        odds_reply(OnePhase([]), Scene(state, ALLIED), asked("odds", order.text("hex"), **dict(order.data)))
    assert state.pieces == before.pieces
    assert (state.supply, state.control, state.at) == (before.supply, before.control, before.at)


def scene_of(played: Played, side: str = ALLIED) -> Scene:
    """The scene of a match as it stands."""
    resolver = played.resolver
    messages = resolver.messages_up_to(len(played.bodies) - 1, played.bodies)
    return Scene(played.state, side, messages, resolver.checkpoint.at, resolver.checkpoint.answered)


def test_what_an_order_would_say_counts() -> None:
    """Losses named with the attack fall on whom they name; supply halves or does not."""
    state = random_position(3)
    options = attack_options(state, ALLIED)
    h, units = next((h, units) for h, units in options.items() if any(state.unit(u).attack > 0 for u in units))
    where = state.board.name(h)
    alone: dict[str, Tree] = {"with": [*units]}
    plain = odds_reply(OnePhase([]), Scene(state, ALLIED), asked("odds", where, **alone))
    stock(state, "supply-allied-9", state.board.name(state.hex_of(units[0])), steps=2)
    row: dict[str, Tree] = {"with": [*units], "supply": [{"counter": "supply-allied-9", "steps": "2"}]}
    supplied = odds_reply(OnePhase([]), Scene(state, ALLIED), asked("odds", where, **row))
    assert Fraction(supplied.tree["strength"]) > Fraction(plain.tree["strength"])
    assert units[0] in supplied.tree["supplied"] or not state.unit(units[0]).attack


def test_an_attack_that_may_not_be_made_says_why() -> None:
    queries = table().queries()
    scene = scene_of(Played.begun())
    far = put(queries, ODDS, scene, {"subject": "Tobruk", "with": "7 Arm X"})
    assert [problem.rule for problem in far.problems] == ["WD 9"]
    nobody = put(queries, ODDS, scene, {"subject": "Tobruk"})
    assert [problem.code for problem in nobody.problems] == ["no_units"]
    lost = put(queries, ODDS, scene, {"subject": "Tobruk", "with": "99 Zebra, 7 Arm X"})
    assert [problem.code for problem in lost.problems] == ["unknown"]


@pytest.mark.parametrize(
    ("chance", "said"), [("1/3", "33.3%"), ("1", "100%"), ("0", "0%"), ("1/9999", "<0.1%"), ("9999/10000", ">99.9%")]
)
def test_percent_never_rounds_to_certainty(chance: str, said: str) -> None:
    assert percent(Fraction(chance)) == said


# --- moves against the run --------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(SEEDS)
def test_moves_lists_what_may_be_ordered_at_the_cost_that_is_paid(seed: int) -> None:
    state = scattered(seed)
    random = Random(seed)
    for uid in random.sample(movers(state), min(2, len(movers(state)))):
        reply = moves_reply(state, state.player, asked("moves", uid))
        rows = {row["hex"]: row for row in reply.tree.get("hexes", ())}
        near = sorted(state.board.land)
        wanted = {*random.sample(sorted(rows), min(6, len(rows))), *map(state.board.name, random.sample(near, 6))}
        for name in sorted(wanted):
            to = state.board.find(name)
            ctx = run(state, [move(0, uid, to, state)])
            wrong = [p for p in ctx.problems if p.code not in AT_THE_END]
            assert bool(wrong) == (name not in rows), (uid, name, wrong)
            if name in rows:
                paid = next(e for e in ctx.events if e.kind == "move")
                assert paid.data["path"] == rows[name]["path"]
                assert paid.data["spent"] == rows[name]["cost"] or rows[name]["means"] == "minimum"
                full = any(p.code in ("stacking", "divisions") for p in ctx.problems)
                assert full <= any("full" in note for note in rows[name]["notes"])


@settings(max_examples=25)
@given(SEEDS)
def test_a_way_fails_at_the_step_that_can_not_be_paid(seed: int) -> None:
    state = scattered(seed)
    random = Random(seed)
    for uid in random.sample(movers(state), min(2, len(movers(state)))):
        for h in random.sample(sorted(state.board.land), 4):
            reply = moves_reply(state, state.player, asked("moves", uid, to=state.board.name(h)))
            legal = not [p for p in run(state, [move(0, uid, h, state)]).problems if p.code not in AT_THE_END]
            assert reply.tree.get("legal", False) == legal == (not reply.reasons)
            way = reply.tree.get("way", [])
            assert all(row["paid"] for row in way) == (legal or not way or not _too_dear(reply))
            assert reply.reasons or way[-1]["hex"] == state.board.name(h)


def _too_dear(reply: Reply) -> bool:
    return any(problem.code == "mp" for problem in reply.reasons)


def test_moves_speaks_of_the_next_phase_where_it_is_not_the_unit_s() -> None:
    played = Played.begun()
    state = played.state
    enemy = next(uid for uid in state.side_units(AXIS) if state.unit(uid).movement)
    reply = moves_reply(state, ALLIED, asked("moves", enemy))
    assert "As if the next Axis movement phase began now" in reply.lines[1]
    assert reply.tree["player"] == AXIS and reply.tree["hexes"]
    mine = next(uid for uid in state.side_units(ALLIED) if state.unit(uid).movement)
    assert moves_reply(state, ALLIED, asked("moves", mine)).tree["phase"] == "movement"
    assert (state.player, state.phase) == (ALLIED, "initial")


# --- supply against the state -----------------------------------------------------------------------------------


@settings(max_examples=25)
@given(SEEDS)
def test_supply_is_that_of_the_state_and_its_mends_mend(seed: int) -> None:
    state = scattered(seed)
    for side in (ALLIED, AXIS):
        lines, supplied = net(state, side), on_lines(state, side)
        for uid in state.side_units(side):
            tree = supply_reply(state, side, Order(0, "supply", {"unit": uid})).tree
            assert tree["supplied"] == (uid in supplied)
            assert supply_reason(state, uid).startswith(tree["why"])
            if tree["supplied"]:
                assert len(tree["line"]) - 1 == lines.near[state.hex_of(uid)] <= tree["limit"]
                assert (tree["line"][-1], tree["transport"][-1]) == (tree["transport"][0], tree["terminal"])
            elif tree["barred"]:
                assert uid in on_lines(_held(state, side, [row["hex"] for row in tree["barred"]]), side)


def _held(state: State, side: str, names: list[str]) -> State:
    """The position with a unit of the side in each of these hexes and no enemy there; the enemies' zones stay, so that
    nothing is changed but what the mend says."""
    found = state.copy()
    free = [uid for uid, u in sorted(found.world.units.items()) if u.side == side and not u.counter]
    absent = iter(uid for uid in free if uid not in found.pieces)
    for name in names:
        h = found.board.find(name)
        for uid in list(found.enemies_at(h, side)):
            zones = {who: dict(counts) for who, counts in found.zones.items()}
            found.take_off(uid, "test")
            found.zones = zones
        found.place(next(absent), h)
    return found


def test_the_initial_phase_finds_what_supply_says() -> None:
    """Over a whole initial phase: out is who has no line and is served by no counter that was spent."""
    played = Played.begun()
    before = played.state.copy()
    run_ = played.check_orders([{"type": "section", "name": "movement"}]).run
    assert run_ is not None
    check = next(e for e in run_.events if e.kind == "supply-check")
    spent = [e for e in run_.events if e.kind == "supply-used"]
    served = {str(uid) for e in spent for uid in _list(e.data["units"])}
    told = {
        uid: bool(supply_reply(before, ALLIED, Order(0, "supply", {"unit": uid})).tree["supplied"])
        for uid in before.pieces
    }
    out = {uid for uid, supplied in told.items() if not supplied and uid not in served}
    assert out == {str(uid) for uid in _list(check.data["out"])}


def _list(value: Tree) -> list[Tree]:
    return value if isinstance(value, list) else []


def test_questions_take_names_and_tell_what_they_do_not_know() -> None:
    queries, scene = table().queries(), scene_of(Played.begun())
    assert isinstance(queries, WesternDesertQueries)
    for question, given_, code in (
        ("moves", {"subject": "7th Armoured Brigade"}, ""),
        ("moves", {"subject": "Sixth Fleet"}, "unknown"),
        ("moves", {"subject": "7 Arm X", "by": "camel"}, "word"),
        ("moves", {"subject": "7 Arm X", "flank": "yes"}, "field"),
        ("supply", {"subject": "Bardia"}, ""),
        ("supply", {"subject": "19/0526"}, ""),
        ("supply", {"subject": "nowhere"}, "unknown"),
        ("supply", {"all": "yes"}, ""),
    ):
        reply = put(queries, question, scene, given_)
        assert [problem.code for problem in reply.problems] == ([code] if code else [])
        assert bool(reply.lines) == (not code)


# --- overruns ---------------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(SEEDS)
def test_overruns_are_lawful_where_the_rules_list_them_and_cost_what_is_paid(seed: int) -> None:
    state = scattered(seed)
    options = overrun_options(Field(state, state.player), state.player)
    for (_origin, h), units in list(options.items())[:2]:
        reply = overrun_reply(state, Order(0, "overrun", {"subject": state.board.name(h), "with": [*units]}))
        assert reply.tree["legal"] and not reply.reasons and reply.tree["odds"] >= reply.tree["needed"]
        ctx = run(state, [Order(0, "overrun", {"units": [*units], "hex": state.board.name(h)})])
        (event,) = [e for e in ctx.events if e.kind == "overrun"]
        assert (event.data["strength"], event.data["against"]) == (reply.tree["strength"], reply.tree["against"])
    near = [(uid, n) for uid in movers(state) for n in hexes.neighbours(state.hex_of(uid)) if n in state.at]
    for uid, n in near[:3]:
        where = state.board.name(n)
        reply = overrun_reply(state, Order(0, "overrun", {"subject": where, "with": [uid]}))
        ctx = run(state, [Order(0, "overrun", {"units": [uid], "hex": where})])
        lawful = not [p for p in ctx.problems if p.code not in AT_THE_END]
        assert lawful == (not reply.problems and not reply.reasons)
