"""Air units whose base the enemy enters or gains, and the San Giorgio in its harbor (WD 17.B, 17.C, 22.A.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.escaping import STAY, bases_fall, escape_ask, places_for
from adjudicator.western_desert.air.flak import aa_of_hex
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.drive import drive, settled
from adjudicator.western_desert.combat import combat_phase
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.entering import entered
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.state import WRECK, Air, Sortie, State
from tests.western_desert.skirmish import fixed, orders, told, unit
from tests.western_desert.test_air_movement import ME, at

STUKA = "air-ju-87b-1"
AXIS_INF = "axis-inf"


@pytest.fixture
def state() -> State:
    """Two air units of the Axis at Tobruk, which only the San Giorgio holds; bases of his at Derna and Benghazi."""
    found = build.new_state(build.real_world().board, "allied", "movement", "axis")
    found.world.air = build.real_world().air
    tobruk = at(found, "Tobruk")
    build.put(found, build.real_world().units[WRECK], tobruk)
    build.put(found, unit("runner", "allied", movement=8), next(iter(found.board.open_neighbours(tobruk))))
    found.control[found.hex_of("runner")] = "allied"
    for aid in (ME, STUKA):
        found.air[aid] = Air(tobruk)
    return found


def run(state: State, proc: Callable[[Ctx[State]], Any], *dice: int, rules: Tree | None = None) -> Ctx[State]:
    """Run a procedure; the Axis answers by standing rules, else by default."""

    def reply(ask: Ask[Any]) -> Answer[Any]:
        found = None if rules is None else ask.clause(rules)
        return settled(ask) if found is None else Answer(found[0], "standing", found[1], (2,))

    ctx: Ctx[State] = Ctx(state, apply)
    drive(proc(ctx), fixed(*dice), reply)
    return ctx


def march(state: State, *dice: int, rules: Tree | None = None) -> Ctx[State]:
    """The Allied unit walks into Tobruk."""
    row = {"type": "move", "unit": "runner", "path": [state.board.name(at(state, "Tobruk"))]}
    return run(state, lambda ctx: movement_phase(ctx, "allied", orders(row), (3,)), *dice, rules=rules)


def ends(ctx: Ctx[State]) -> list[tuple[str, str, str]]:
    """What became of the air units, in order of time."""
    found = [e for e in ctx.events if e.kind in ("air-escape", "air-lost")]
    return [(e.kind, str(e.data["air"]), str(e.data.get("result") or e.data.get("why"))) for e in found]


def test_a_unit_that_enters_the_base(state: State) -> None:
    """One escapes and is inoperative, one stays and is lost with the base; the cruiser goes with the harbor."""
    ctx = march(state, 4, 3)
    assert ends(ctx) == [
        ("air-escape", STUKA, "remains"),
        ("air-escape", ME, "escaped"),
        ("air-lost", STUKA, "base_lost"),
    ]
    (flown,) = (e for e in told(ctx, "air-escape") if e.data["result"] == "escaped")
    aid = str(flown.data["air"])
    assert not state.air[aid].operative
    assert state.board.name(state.air[aid].hex) == flown.data["to"]
    assert flown.data["label"] == f"escape/{state.board.label(at(state, 'Tobruk'))}/{aid}"
    assert (flown.rule, flown.data["choice"]) == ("WD 17.B.fly", "default")
    assert told(ctx, "air-lost")[0].rule == "WD 17.B.capture"
    assert WRECK not in state.pieces and state.gone[WRECK] == "permanent"
    assert told(ctx, "eliminated")[0].rule == "WD 22.A.4"
    kinds = [e.kind for e in ctx.events]
    assert kinds.index("control") < kinds.index("air-escape") < kinds.index("air-lost")


def test_inoperative_ones_do_not_try(state: State) -> None:
    state.air[ME].operative = state.air[STUKA].operative = False
    assert {kind for kind, _aid, _why in ends(march(state))} == {"air-lost"}
    assert not state.air


def test_standing_orders_keep_one_and_send_the_other(state: State) -> None:
    rules: Tree = [
        {"air": [STUKA], "do": "stay"},
        {
            "base": [state.board.name(at(state, "Tobruk"))],
            "to": [state.board.name(at(state, "Benghazi")), state.board.name(at(state, "Derna"))],
        },
    ]
    ctx = march(state, 1, rules=rules)
    by_air = {str(e.data["air"]): e for e in told(ctx, "air-escape")}
    assert (by_air[STUKA].data["result"], by_air[STUKA].data["clause"]) == ("remains", "escape clause 1")
    assert "die" not in by_air[STUKA].data
    assert (by_air[ME].data["to"], by_air[ME].data["clause"]) == (
        state.board.name(at(state, "Benghazi")),
        "escape clause 2",
    )
    assert STUKA not in state.air


def test_the_default_flies_to_a_base_away_from_the_enemy(state: State) -> None:
    """Pbem M1: beyond 3 hexes of enemy units, the nearest, of equal ones the larger."""
    places = places_for(state, ME)
    enemy = state.hex_of("runner")
    near = [h for h in places if hexes.distance(h, enemy) <= 3]
    assert near == places[len(places) - len(near) :]
    assert all(hexes.distance(at(state, "Tobruk"), h) <= 21 for h in places) and at(state, "Tobruk") not in places
    ask = escape_ask(state, ME, places)
    assert (ask.topic, ask.stop, ask.askable, ask.default()) == ("escape", False, True, places[0])
    assert ask.problems(STAY) == [] and ask.problems(enemy)[0].rule == "WD 17.B.fly"
    derna = state.board.name(at(state, "Derna"))
    answer = [Order(0, "answer", {"to": ask.key, "use": "no"})]
    assert ask.find(answer) == STAY
    assert ask.find([Order(0, "answer", {"to": ask.key, "path": [derna]})]) == at(state, "Derna")


def test_without_a_base_in_range_nobody_tries(state: State) -> None:
    for h in state.board.land:
        state.control[h] = "allied" if h != at(state, "Tobruk") else "axis"
    assert places_for(state, ME) == []
    assert {e.data["result"] for e in told(march(state), "air-escape")} == {"remains"}


def test_a_base_gained_by_zones_gives_the_same_chance(state: State) -> None:
    """WD 3.G, 17.C: nobody entered, but the harbor is captured, and the San Giorgio does not go on firing at those who
    land there (WD 22.A.4)."""
    ctx = run(state, lambda c: taken(c, at(state, "Tobruk")), 6, 2)
    assert state.owner(at(state, "Tobruk")) == "allied"
    assert [result for _kind, _aid, result in ends(ctx)] == ["remains", "escaped", "base_lost"]
    assert WRECK not in state.pieces and not aa_of_hex(state, at(state, "Tobruk"), "axis").light


def taken(ctx: Ctx[State], h: int) -> Any:
    """The control of a hex, and what falls with it, as a step."""
    settle(ctx, [h])
    yield from bases_fall(ctx)


def test_a_held_base_loses_nobody(state: State) -> None:
    """Ruling ESCAPE-CHART: while its side controls the hex, who did not get away is still there; once the enemy gains
    it in that player turn, he is lost (WD 17.B.capture)."""
    tobruk = at(state, "Tobruk")
    build.put(state, unit(AXIS_INF, "axis"), tobruk)
    ctx = run(state, lambda c: entered(c, "runner", tobruk, (3,)), 5, 6)
    assert [result for _kind, _aid, result in ends(ctx)] == ["remains", "remains"]
    assert state.air[ME].operative and state.air[STUKA].operative
    state.take_off(AXIS_INF, "eliminated")
    ctx = run(state, lambda c: taken(c, tobruk))
    assert [why for _k, _a, why in ends(ctx)] == ["base_lost", "base_lost"]


@pytest.mark.parametrize("same", [True, False])
def test_who_did_not_get_away_has_no_second_chance_in_the_player_turn(state: State, same: bool) -> None:
    """WD 17.B: a drop on the base is beaten, then another unit advances into it, on the orders of the same message or
    of a later one. In the next player turn he may try again."""
    tobruk = at(state, "Tobruk")
    build.put(state, unit(AXIS_INF, "axis"), tobruk)
    build.put(state, unit("para", "allied"), tobruk)
    first: Ctx[State] = Ctx(state, apply, on=3)
    drive(entered(first, "para", tobruk, (3,)), fixed(5, 6))
    state.take_off("para", "eliminated")
    state.take_off(AXIS_INF, "eliminated")
    assert restore(state.world, position(state)).air == state.air == state.copy().air
    later = first if same else Ctx(state, apply, on=4)
    drive(entered(later, "runner", tobruk, (later.on,)), fixed())
    assert len(told(first, "air-escape")) == 2 and all(found.stayed for found in state.air.values())
    assert same or not later.events
    settle(later, (tobruk,))
    drive(bases_fall(later), fixed())
    assert not state.air


def test_the_next_player_turn_gives_another_chance(state: State) -> None:
    state.air[ME].stayed = True
    Ctx(state, apply).emit("phase", "WD 4.B", turn="Dec II 40", player="axis", phase="initial", surprise="")
    assert not state.air[ME].stayed


def test_air_units_of_neither_player_are_left_alone(state: State) -> None:
    """WD 28.C: the Vichy ones belong to nobody, whoever controls their base."""
    state.air = {"air-ms-406-vichy-1": Air(at(state, "Tobruk"))}
    ctx = run(state, lambda c: taken(c, at(state, "Tobruk")))
    assert ends(ctx) == [] and len(state.air) == 1


def test_who_is_in_the_air_does_not_escape(state: State) -> None:
    """Ruling DS-BASE."""
    state.air[ME].sortie = Sortie(air.DEFENSIVE_SUPPORT, at(state, "Derna"), 1)
    ctx = march(state, 6)
    assert {aid for _kind, aid, _why in ends(ctx)} == {STUKA}
    assert state.air[ME].hex == at(state, "Tobruk")


def test_advances_after_combat_and_retreats_let_them_try(state: State) -> None:
    tobruk = at(state, "Tobruk")
    build.put(state, unit(AXIS_INF, "axis", 1), tobruk)
    state.pieces["runner"].gs = True
    build.put(state, unit("strong", "allied", 60, movement=8), state.hex_of("runner"))
    state.phase = state.step = "combat"
    row = {"type": "attack", "hex": state.board.name(tobruk), "with": ["runner", "strong"], "advance": ["runner"]}
    ctx = run(state, lambda c: combat_phase(c, "allied", orders(row), (3,)), 6, 1, 1)
    assert state.hex_of("runner") == tobruk
    assert {result for _k, _a, result in ends(ctx)} == {"escaped"}
    assert WRECK not in state.pieces


def test_the_invariant_sees_an_air_unit_at_an_enemy_base(state: State) -> None:
    state.control[at(state, "Tobruk")] = "allied"
    assert any("air-me-109f-4 is at" in line for line in faults(state))
