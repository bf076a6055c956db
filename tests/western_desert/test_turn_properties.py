"""What holds in every turn of the real game, on files of chance and many dice.

``--hypothesis-profile long`` plays far more of them.
"""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from adjudicator.engine.core import Event
from adjudicator.engine.dice import Local
from adjudicator.engine.driver import Checkpoint, play
from adjudicator.match.resolver import MatchResolver
from adjudicator.protocol.resolve import Resolution
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.eligible import may_move
from adjudicator.western_desert.mover import MINIMUM, mover_of
from adjudicator.western_desert.moves import plan
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.reach import Searches
from adjudicator.western_desert.state import State
from tests.western_desert.ground import move
from tests.western_desert.random_turns import ahead, begun, turn
from tests.western_desert.surprise import ALLIED, AXIS, Body, Played, drafted, signed, table, told, voids

SEEDS = st.integers(0, 10**9)
EXAMPLES = settings(max_examples=max(6, settings().max_examples // 12), phases=(Phase.explicit, Phase.generate))
DICE = 6
TWO_OF_A_TOPIC = ("twice", "PROTOCOL 5")


def canonical(tree: Any) -> str:
    """A tree as the digest reads it."""
    return json.dumps(tree, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def regular(seed: int) -> Played:
    """The game at the regular Allied turn of Dec I 40, after a surprise turn of chance."""
    played = begun(seed)
    played.send(turn(played, seed))
    played.send()
    return played


def games(seed: int) -> list[Played]:
    """Both turns of this version."""
    return [begun(seed), regular(seed)]


# --- listed, checked, run ---------------------------------------------------------------------------------------


@EXAMPLES
@given(SEEDS)
def test_what_is_listed_is_legal_and_runs_without_a_void_whatever_the_dice(seed: int) -> None:
    for played in games(seed):
        rows = turn(played, seed)
        result = played.check_orders(rows)
        assert result.legal, told(result.problems)
        assert {verdict.verdict for verdict in result.verdicts} <= {"legal"}
        for dice in range(DICE):
            resolved = played.copy(dice).send(signed(result))
            assert not voids(resolved), (dice, voids(resolved))


@EXAMPLES
@given(SEEDS)
def test_a_spoilt_file_is_void_in_just_the_orders_that_check_calls_illegal(seed: int) -> None:
    """Orders of two files mixed, doubled, left out: what is legal runs, what is illegal is void, whatever the dice."""
    for played in games(seed):
        rows = spoilt(turn(played, seed), turn(played, f"{seed} more"), Random(seed))
        result = played.check_orders(rows)
        verdicts = {verdict.order.index: verdict.verdict for verdict in result.verdicts}
        assert result.legal == ("illegal" not in verdicts.values())
        for dice in range(DICE):
            run = played.copy(dice)
            void = {int(event["order"]): event for event in voids(run.send(rows))}
            for index, verdict in verdicts.items():
                if verdict == "legal":
                    assert index not in void, void[index]
                elif verdict == "illegal" and rows[index]["type"] != "section":
                    assert index in void or _stacked(result.problems, index), (rows[index], told(result.problems))


def spoilt(rows: list[Body], more: list[Body], chance: Random) -> list[Body]:
    """A file that a player might send by mistake."""
    head = [row for row in rows if row["type"] == "section"]
    parts: dict[str, list[Body]] = {"": [], **{row["name"]: [] for row in head}}
    for part in (rows, more):
        name = ""
        for row in part:
            name = row["name"] if row["type"] == "section" else name
            if row["type"] != "section" and chance.random() < 0.7:
                parts[name].append(row)
    found = list(parts[""])
    for row in head:
        found += [row, *parts[row["name"]]]
    return found


def _stacked(problems: Any, index: int) -> bool:
    """A fault of the whole section (stacking at its end) halts units and makes no order void; of two standing orders on
    a topic in one message the later one holds, and none is void (PROTOCOL 5)."""
    mine = [p for p in problems if p.order == index]
    return any(p.code in ("stacking", "divisions", "light_tank") or (p.code, p.rule) == TWO_OF_A_TOPIC for p in mine)


def test_every_hex_around_the_attack_force_is_listed_or_refused() -> None:
    played = Played.begun()
    state = ahead(played, [{"type": "pass"}]).state
    assert state.phase == "movement"
    searches, chance = Searches(state, ALLIED), Random(1)
    for uid in [uid for uid in state.side_units(ALLIED) if not may_move(state, ALLIED, uid)]:
        reach = searches.reach(mover_of(state, uid))
        near = [h for h in hexes.within(state.hex_of(uid), 9) if h != state.hex_of(uid)]
        for h in chance.sample(near, 35):
            assert bool(plan(searches, ALLIED, move(0, uid, h, state)).problems) == (h not in reach)


# --- order of orders, order of dicts ----------------------------------------------------------------------------


@EXAMPLES
@given(SEEDS, SEEDS)
def test_independent_orders_may_stand_in_any_order(seed: int, shuffle: int) -> None:
    """Moves of different units to different places, standing orders, and what is told ahead of different attacks."""
    for played in games(seed):
        rows = turn(played, seed)
        mixed = reordered(rows, Random(shuffle))
        one, two = played.copy(1), played.copy(1)
        first, second = one.send(rows), two.send(mixed)
        assert unordered(first) == unordered(second)
        assert at_rest(one.state) == at_rest(two.state)


def reordered(rows: list[Body], chance: Random) -> list[Body]:
    """The same file with its independent orders shuffled: those before the sections; moves, unless a unit has two."""
    at = next((i for i, row in enumerate(rows) if row["type"] == "section"), len(rows))
    head, movement = list(rows[:at]), []
    rest = list(rows[at:])
    if len({row["topic"] for row in head if row["type"] == "standing"}) == len(head):
        chance.shuffle(head)
    moved: list[str] = []
    while len(rest) > 1 and rest[1]["type"] == "move":
        movement.append(rest.pop(1))
        moved += [movement[-1].get("unit", ""), *movement[-1].get("units", [])]
    if len(moved) == len(set(moved)) + moved.count("") - bool(moved.count("")):
        chance.shuffle(movement)
    return [*head, *rest[:1], *movement, *rest[1:]]


def unordered(resolved: Resolution) -> list[str]:
    """What happened, without the order of the moves and who of them changed control when."""
    events = [event for event in resolved.events if event["kind"] != "control"]
    return sorted(canonical({key: value for key, value in event.items() if key != "order"}) for event in events)


def at_rest(state: State) -> dict[str, Any]:
    """The position without control, which hangs on who passed a hex last (WD 3.G, ruling CONTROL-MOMENT)."""
    return {key: value for key, value in position(state).items() if key not in ("control", "taken", "unimproved")}


@EXAMPLES
@given(SEEDS, SEEDS)
def test_results_do_not_hang_on_the_order_of_dicts(seed: int, shuffle: int) -> None:
    chance = Random(shuffle)
    for played in games(seed):
        rows = turn(played, seed)
        point = played.resolver.checkpoint
        messages = [*played.resolver.messages_up_to(len(played.bodies) - 1, played.bodies)]
        plain = play(table(), point, [*messages, played.message(rows)], Local(Random(seed).randrange))
        mixed_rows = [{name: row[name] for name in chance.sample(sorted(row), len(row))} for row in rows]
        mixed = Checkpoint(shaken(point.state, chance), point.at, point.since, point.answered)
        other = play(table(), mixed, [*messages, played.message(mixed_rows)], Local(Random(seed).randrange))
        assert [event.tree() for event in plain.events] == [event.tree() for event in other.events]
        assert canonical(position(plain.state)) == canonical(position(other.state))


def shaken(state: State, chance: Random) -> State:
    """The same state with everything in it put in in another order."""
    new = state.copy()
    for name in ("pieces", "gone", "supply", "air", "control", "taken", "forts", "built", "harassed", "at", "zones"):
        found = getattr(new, name)
        setattr(new, name, {key: found[key] for key in chance.sample(list(found), len(found))})
    new.zones = {side: {h: n[h] for h in chance.sample(list(n), len(n))} for side, n in new.zones.items()}
    return new


# --- the same again ---------------------------------------------------------------------------------------------


@EXAMPLES
@given(SEEDS)
def test_adjudicating_again_gives_the_same_to_the_byte(seed: int) -> None:
    """From the log, from what a folder keeps after every message, and from every position."""
    played = begun(seed)
    for part in (f"{seed}", f"{seed} regular"):
        played.send(turn(played, part))
        played.send()
    fresh = Played(MatchResolver.fresh(table()), [])
    kept = Played(MatchResolver.fresh(table()), [])
    for body in played.bodies:
        kept = kept.copy()
        whole, again = fresh.send(body["orders"]), kept.send(body["orders"])
        assert canonical(whole.events) == canonical(again.events)
        assert canonical(whole.position) == canonical(again.position)
        assert canonical(fresh.resolver.export()) == canonical(kept.resolver.export())
        same_state(fresh.state, kept.state)
        if fresh.state.phase != "setup":
            same_state(restore(fresh.state.world, position(fresh.state)), fresh.state)


def same_state(one: State, two: State) -> None:
    """Equal in every field, whatever a position says of it."""
    for name in State.__dataclass_fields__:
        assert without_empty(getattr(one, name)) == without_empty(getattr(two, name)), name


def without_empty(value: Any) -> Any:
    """A dict without keys for nothing."""
    return {key: part for key, part in value.items() if part != {}} if isinstance(value, dict) else value


# --- what is kept -----------------------------------------------------------------------------------------------


@EXAMPLES
@given(SEEDS)
def test_units_points_stacks_and_supply_are_kept(seed: int) -> None:
    for played in games(seed):
        before, rows = played.state.copy(), turn(played, seed)
        for dice in range(2):
            run = played.copy(dice)
            run.send(rows)
            assert table().faults(run.state, before) == []
            last = run.resolver.last
            assert last is not None
            steps_are_kept(before, run.state, last.events)
            points_are_kept(before, last.events)


def steps_are_kept(before: State, after: State, events: list[Event]) -> None:
    spent = sum(int(str(event.data["steps"])) for event in events if event.kind == "supply-used")
    burnt = sum(int(str(event.data["eliminated"])) for event in events if event.kind == "captured")
    had, has = (sum(counter.steps for counter in state.supply.values()) for state in (before, after))
    assert has == had - spent - burnt - _given_up(before, events)


def _given_up(before: State, events: list[Event]) -> int:
    """The steps that their owner destroyed (WD 12.D.destroy)."""
    state, steps = before.copy(), 0
    for event in events:
        if event.kind == "supply-destroyed":
            steps += sum(state.supply[str(sid)].steps for sid in event.data["counters"])
        apply(state, event)
    return steps


def points_are_kept(before: State, events: list[Event]) -> None:
    """What a unit spends in its moves adds up, and is never more than its phase gives (WD 6.mp, 12.B.effects)."""
    out: set[str] = set()
    spent: dict[str, Fraction] = {}
    for event in events:
        if event.kind == "supply-check":
            out = {str(uid) for uid in event.data["out"]}
        if event.kind == "phase":
            spent = {}
        for row in _paid(event):
            spent[str(row["unit"])] = spent.get(str(row["unit"]), Fraction(0)) + Fraction(str(row["mp"]))
        if event.kind == "move" and event.data["means"] != MINIMUM:
            uid, mp = str(event.data["unit"]), Fraction(str(event.data["mp"]))
            spent[uid] = spent.get(uid, Fraction(0)) + mp
            whole = Fraction(before.unit(uid).movement)
            most = whole * 3 // 2 if event.data["means"] == "admin" else whole / (2 if uid in out else 1)
            assert spent[uid] == Fraction(str(event.data["spent"])) <= most or event.data["transport"]


def _paid(event: Event) -> list[dict[str, Any]]:
    """What overruns and works cost each unit."""
    rows: Any = event.data.get("costs", [])
    units: Any = event.data.get("units", []) if event.kind in ("rail-broken", "rail-repaired") else []
    return [*rows, *({"unit": uid, "mp": event.data["mp"]} for uid in units)]


# --- dice that hold an order up ---------------------------------------------------------------------------------


def lone_supply() -> Played:
    """The real game with Sidi Barrani left by its garrison, its supply counter still there."""
    played = Played.begun()
    point = played.resolver.checkpoint
    state = point.state.copy()
    for uid in list(state.units_at(state.board.find("19/0725"))):
        state.take_off(uid, "left")
    played.resolver.checkpoint = Checkpoint(state, point.at, point.since, point.answered)
    return played


def test_supply_that_may_yet_be_captured_holds_no_attack_up() -> None:
    played = lone_supply()
    draft = drafted(
        [
            {"type": "section", "name": "movement"},
            {"type": "move", "units": "7 Arm X, 4 Arm X", "to": "Sidi Barrani"},
            {"type": "section", "name": "air"},
            {"type": "section", "name": "combat"},
            {"type": "attack", "hex": "19/0726", "with": "7 Arm X, 4 Arm X", "supply": "captured supply 1:2"},
        ]
    )
    result = played.check(draft)
    assert result.legal, told(result.problems)
    served = set()
    for dice in range(12):
        run = played.copy(dice)
        run.resolver.checkpoint = played.resolver.checkpoint
        assert not voids(run.send(signed(result)))
        assert run.resolver.last is not None
        (fight,) = [event for event in run.resolver.last.events if event.kind == "attack"]
        served.add(len(fight.data["supplied"]))
    assert served == {0, 2}


def test_a_side_that_says_nothing_has_its_defaults() -> None:
    """The Axis without standing orders: every choice of his names the default that made it."""
    for dice in range(4):
        played = begun("plain")
        played = Played(played.resolver, played.bodies, dice)
        resolved = played.send(turn(played, "plain"))
        for event in resolved.events:
            if event.get("choice") and event.get("side") == AXIS:
                assert event["choice"] in ("default", "forced", "standing") and event["clause"]
