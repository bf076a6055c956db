"""The interceptor movement step: whom play waits for, what orders, standing orders and defaults send up (WD 16.C.2,
20.A, 20.B; pbem A2, A3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from adjudicator.engine.core import Ctx, Event, Tree
from adjudicator.engine.dice import Assume
from adjudicator.engine.driver import Checkpoint, Message, Run, Step, Waits, play
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.book import book_of, flight_of, in_the_air
from adjudicator.western_desert.air.defending import may_intercept, may_scramble, usual_interception
from adjudicator.western_desert.air.reacting import react, reactions
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.bases import base_capacity
from adjudicator.western_desert.state import Air, Sortie, State
from tests.western_desert.ground import start
from tests.western_desert.skirmish import orders
from tests.western_desert.test_air_movement import at

BLEN, WELL, HURRI = "air-blen-4-1", "air-well-1c-1", "air-hurri-1-1"
ME, ME2, MC = "air-me-109f-4", "air-me-109e-1", "air-mc-200-1"
Row = Mapping[str, object]
AUTO: Row = {"type": "standing", "topic": "intercept", "rules": "auto"}
SECTION: Row = {"type": "section", "name": "reaction"}


class OneStep:
    """A game of one interceptor movement step of the Axis, for the driver."""

    sides = ("axis", "allied")

    def apply(self, state: State, event: Event) -> None:
        apply(state, event)

    def copy(self, state: State) -> State:
        return state.copy()

    def next_step(self, state: State) -> tuple[str, Step[State]] | Waits:
        return Waits("over") if state.step == "done" else ("reaction", self._step)

    def _step(self, ctx: Ctx[State]) -> Any:
        yield from react(ctx, "axis")
        ctx.state.step = "done"


@pytest.fixture
def state() -> State:
    """An Allied air phase: bombers over Tobruk, the Axis fighters there and at Derna."""
    found = start()
    found.phase, found.step = "air", "reaction"
    found.airfields[at(found, "Matruh")] = "allied"
    for aid in (ME, ME2):
        found.air[aid] = Air(at(found, "Tobruk"))
    found.air[MC] = Air(at(found, "Derna"))
    send(found, BLEN, "Tobruk")
    return found


def send(state: State, aid: str, where: str, mission: str = air.AIRBASE, night: bool = False) -> None:
    """An Allied air unit over a hex."""
    number = 1 + len(in_the_air(state))
    state.air[aid] = Air(at(state, "Matruh"), sortie=Sortie(mission, at(state, where), number, night=night))


def run(state: State, *messages: Sequence[Row], standing: Sequence[Row] = ()) -> Run[State]:
    """The step on the dice of message 5; message 4 has the standing orders, 6 and the even ones after are the Axis'."""
    told = [Message(4, "axis", tuple(orders(*standing))), Message(5, "allied", ())]
    told += [Message(6 + 2 * i, "axis", tuple(orders(*rows))) for i, rows in enumerate(messages)]
    start_at = Checkpoint(state, at=5, since=5, answered=(5,))
    return play(OneStep(), start_at, told, Assume())


def flown(done: Run[State]) -> dict[str, tuple[str, str]]:
    """Who took off: mission and hex, by id."""
    events = [event.data for event in done.events if event.kind == "flight"]
    return {str(data["air"]): (str(data["mission"]), str(data["over"])) for data in events}


def voided(done: Run[State]) -> list[str]:
    return [str(event.data["code"]) for event in done.events if event.kind == "void"]


def hex_of(state: State, name: str) -> str:
    return state.board.name(at(state, name))


def intercept(state: State, *who: str, where: str = "Tobruk", **more: object) -> Row:
    return {"type": "intercept", "air": list(who), "hex": hex_of(state, where), **more}


# --- whom play waits for ----------------------------------------------------------------------------------------


def test_play_waits_where_a_fighter_may_intercept(state: State) -> None:
    done = run(state)
    assert done.waits == Waits("decision", "axis", "orders/reaction")
    assert done.events == []


def test_play_does_not_wait_where_nothing_is_possible(state: State) -> None:
    for aid in (ME, ME2, MC):
        other = state.copy()
        for one in {ME, ME2, MC} - {aid}:
            del other.air[one]
        assert run(other).waits.why == ("over" if aid == MC else "decision")
        other.air[aid].operative = False
        assert run(other).waits.why == "over"
        assert run(other).events == []


def test_nobody_reacts_in_the_surprise_turn(state: State) -> None:
    state.surprise = True
    assert run(state).waits.why == "over"


def test_nobody_is_waited_for_without_take_offs(state: State) -> None:
    del state.air[MC]
    state.take_offs[at(state, "Tobruk")] = 99
    assert run(state).waits.why == "over"


def test_flights_that_were_turned_back_are_nobodys_aim(state: State) -> None:
    sortie = state.air[BLEN].sortie
    assert sortie is not None
    state.air[BLEN].sortie = Sortie(sortie.mission, sortie.over, 1, fate=air.TURNED_BACK)
    assert run(state).waits.why == "over"


def test_a_reaction_that_was_written_ahead_is_void_where_nothing_is_possible(state: State) -> None:
    """Its orders, sent with the answer at an earlier stop of the player turn, are not passed over in silence."""
    sortie = state.air[BLEN].sortie
    assert sortie is not None
    state.air[BLEN].sortie = Sortie(sortie.mission, sortie.over, 1, fate=air.TURNED_BACK)
    ahead = Message(4, "axis", tuple(orders(SECTION, intercept(state, ME))))
    done = play(OneStep(), Checkpoint(state, at=5, since=4, answered=(4, 5)), [ahead], Assume())
    assert (done.waits.why, voided(done)) == ("over", ["no_enemies"])


def test_at_night_only_night_fighters_intercept(state: State) -> None:
    """WD 20.A, 24.E."""
    send(state, BLEN, "Tobruk", air.PORT, night=True)
    assert run(state).waits.why == "over"


# --- by orders --------------------------------------------------------------------------------------------------


def test_the_section_speaks_for_the_whole_step(state: State) -> None:
    done = run(state, [SECTION, intercept(state, ME, land=[hex_of(state, "Derna")])])
    assert done.waits.why == "over"
    assert flown(done) == {ME: (air.INTERCEPT, hex_of(state, "Tobruk"))}
    (event,) = done.events
    assert (event.by, event.on, event.data["order"], event.data["distance"]) == ((6,), 6, "1", "0")
    assert flight_of(done.state, ME).target == at(state, "Tobruk")
    assert done.state.air[ME].sortie.land == (at(state, "Derna"),)  # type: ignore[union-attr]
    assert book_of(done.state).used == {at(state, "Tobruk"): 1}


def test_an_empty_section_keeps_all_on_the_ground(state: State) -> None:
    for rows in ([SECTION], [SECTION, {"type": "pass"}]):
        assert run(state, rows).events == []


def test_a_fighter_scrambles_to_a_base_that_is_not_attacked(state: State) -> None:
    """WD 20.B, 20.B.dest."""
    done = run(state, [SECTION, {"type": "scramble", "air": ME, "hex": hex_of(state, "Derna")}])
    assert flown(done) == {ME: (air.SCRAMBLE, hex_of(state, "Derna"))}
    send(state, WELL, "Derna")
    assert voided(run(state, [SECTION, {"type": "scramble", "air": ME, "hex": hex_of(state, "Derna")}])) == ["raided"]


def test_take_offs_are_counted_by_base(state: State) -> None:
    state.take_offs[at(state, "Tobruk")] = base_capacity(state, at(state, "Tobruk")) - 1
    done = run(state, [SECTION, intercept(state, ME), intercept(state, ME2)])
    assert list(flown(done)) == [ME]
    assert voided(done) == ["capacity"]
    both = run(state, [SECTION, intercept(state, ME, ME2)])
    assert (flown(both), voided(both)) == ({}, ["capacity"])


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"type": "intercept", "air": [ME], "hex": "18/4817"}, "no_enemies"),
        ({"type": "intercept", "air": [HURRI], "hex": "18/4817"}, "side"),
        ({"type": "intercept", "air": [MC], "hex": "Tobruk"}, "range"),
        ({"type": "intercept", "air": [ME], "hex": "Tobruk", "night": "yes"}, "night"),
        ({"type": "harass", "air": [ME], "hex": "Tobruk"}, "type"),
        ({"type": "scramble", "air": [MC], "hex": "Derna"}, "not_raided"),
        ({"type": "split", "hex": "Tobruk", "screen": "all"}, "no_interceptor"),
        ({"type": "targets", "hex": "Tobruk", "order": "weakest"}, "no_interceptor"),
    ],
)
def test_unlawful_orders_are_void(state: State, row: dict[str, object], code: str) -> None:
    where = str(row["hex"])
    row = {**row, "hex": where if "/" in where else hex_of(state, where)}
    done = run(state, [SECTION, row])
    assert (voided(done), flown(done)) == ([code], {})
    assert done.problems[0].hint


def test_how_they_fight_is_said_once(state: State) -> None:
    tobruk = hex_of(state, "Tobruk")
    split: Row = {"type": "split", "hex": tobruk, "screen": [ME]}
    targets: Row = {"type": "targets", "hex": tobruk, "order": "bombers"}
    good: list[Row] = [SECTION, intercept(state, ME), split, {**targets, "air": [ME]}]
    assert voided(run(state, good)) == []
    more: list[Row] = [split, targets, {**targets, "air": [ME2]}]
    assert voided(run(state, [*good, *more])) == ["twice", "twice", "no_interceptor"]


def test_what_does_not_belong_in_the_message_is_void(state: State) -> None:
    rows: list[Row] = [
        {"type": "pass"},
        SECTION,
        intercept(state, ME),
        {"type": "losses", "hex": "18/4817", "units": ["it-62"]},
        {"type": "section", "name": "air"},
        intercept(state, ME2),
        SECTION,
        intercept(state, ME2),
    ]
    done = run(state, rows)
    assert list(flown(done)) == [ME]
    assert voided(done) == ["unasked"] * 3


def test_targets_that_do_not_come_are_told(state: State) -> None:
    rows = [SECTION, intercept(state, ME), {"type": "targets", "hex": hex_of(state, "Tobruk"), "order": [BLEN, WELL]}]
    told = [Message(5, "allied", ()), Message(6, "axis", tuple(orders(*rows)))]
    start_at = Checkpoint(state, at=5, since=5, answered=(5,))
    done: Run[State] = play(OneStep(), start_at, told, Assume(), remarks=True)
    (remark,) = done.remarks
    assert (remark.field, "Well 1C" in remark.text) == ("order[1]", True)


def test_night_fighters_intercept_at_night() -> None:
    state = start()
    state.phase, state.step, state.player = "air", "reaction", "axis"
    h = at(state, "Alexandria")
    state.air["air-ju-88a-1"] = Air(at(state, "Derna"), sortie=Sortie(air.PORT, h, 1, night=True))
    for aid in ("air-beau-6f-1", HURRI):
        state.air[aid] = Air(h)
    assert may_intercept(state, "allied")
    assert [(plan.air, plan.night) for plan in usual_interception(state, "allied")] == [("air-beau-6f-1", True)]
    assert not may_scramble(state, "allied")
    rows = {"type": "intercept", "air": HURRI, "hex": state.board.name(h), "night": "yes"}
    ((_order, (problem,), _plans),) = reactions(state, "allied", orders(rows))
    assert problem.rule == "WD 24.E.missions"


# --- by standing orders and defaults ----------------------------------------------------------------------------


def test_a_bare_answer_means_the_defaults(state: State) -> None:
    done = run(state, [])
    assert done.waits.why == "over"
    kinds = [event.kind for event in done.events]
    assert kinds == ["reacts", "flight", "reacts", "flight"]
    first, second = (event for event in done.events if event.kind == "reacts")
    assert (first.data["topic"], first.data["with"], first.data["choice"]) == ("intercept", [ME], "default")
    assert (second.data["topic"], second.data["with"], second.data["hex"]) == ("scramble", [ME2], second.data["hex"])
    assert flown(done)[ME2][0] == air.SCRAMBLE


def test_the_default_sends_one_for_each_escort_and_one_more(state: State) -> None:
    send(state, HURRI, "Tobruk", air.ESCORT)
    done = run(state, [])
    assert {aid: mission for aid, (mission, _hex) in flown(done).items()} == {ME: air.INTERCEPT, ME2: air.INTERCEPT}


def test_the_default_goes_for_the_heaviest_bombs(state: State) -> None:
    send(state, WELL, "Derna", air.AIRBASE)
    done = run(state, [])
    assert flown(done)[MC] == (air.INTERCEPT, hex_of(state, "Derna"))
    assert {mission for aid, (mission, _hex) in flown(done).items() if aid != MC} <= {air.SCRAMBLE}


def test_auto_stops_for_what_no_standing_order_settles(state: State) -> None:
    """Interception is settled; scrambling is not."""
    done = run(state, standing=[AUTO])
    assert done.waits == Waits("decision", "axis", "orders/scramble")
    assert flown(done) == {ME: (air.INTERCEPT, hex_of(state, "Tobruk"))}
    late = run(state, [SECTION, intercept(state, ME2)], standing=[AUTO])
    assert voided(late) == ["unasked"]


FAST: list[Row] = [AUTO, {**AUTO, "topic": "scramble"}]


def test_standing_orders_on_both_topics_keep_play_going(state: State) -> None:
    done = run(state, standing=FAST)
    assert done.waits.why == "over"
    assert {event.by for event in done.events} == {(4,)}
    assert {event.data["choice"] for event in done.events if event.kind == "reacts"} == {"standing"}


def test_ask_stops(state: State) -> None:
    standing: list[Row] = [{**AUTO, "rules": "ask"}, {**AUTO, "topic": "scramble"}]
    assert run(state, standing=standing).waits == Waits("decision", "axis", "orders/reaction")
    assert list(flown(run(state, [SECTION, intercept(state, ME2)], standing=standing))) == [ME2]


def by_rules(state: State, intercepts: Tree, scrambles: Tree = "auto") -> Run[State]:
    """The step by standing orders on both topics."""
    done = run(state, standing=[{**AUTO, "rules": intercepts}, {**AUTO, "topic": "scramble", "rules": scrambles}])
    assert done.waits.why == "over"
    return done


@pytest.mark.parametrize(
    ("clauses", "who"),
    [
        ([{}], [ME]),
        ([{"most": "5"}], [ME, ME2]),
        ([{"most": "5", "keep": "1"}], [ME]),
        ([{"hex": "ports", "air": [ME2]}], [ME2]),
        ([{"hex": "18/4817"}], []),
        ([{"missions": "bomb_port, harass"}], []),
        ([{"missions": "bomb_airbase"}], [ME]),
        ([{"most": "0"}, {"air": [ME2]}], [ME2]),
        ([{"air": [ME2]}, {"air": [ME], "most": "1"}], [ME2]),
    ],
)
def test_clauses_on_interception(state: State, clauses: Tree, who: list[str]) -> None:
    done = by_rules(state, clauses, [{"do": "stay"}])
    assert sorted(flown(done)) == sorted(who)
    (event,) = [event for event in done.events if event.data.get("topic") == "intercept"]
    assert str(event.data["clause"]).startswith("intercept clause" if who else "no intercept clause")


@pytest.mark.parametrize(("ratio", "number"), [("1", 2), ("2", 2), ("2.5", 0)])
def test_too_few_for_the_escorts_stay(state: State, ratio: str, number: int) -> None:
    send(state, HURRI, "Tobruk", air.ESCORT)
    assert len(flown(by_rules(state, [{"min_ratio": ratio}], [{"do": "stay"}]))) == number


@pytest.mark.parametrize(
    ("clauses", "where"),
    [
        ([{"do": "stay"}], None),
        ([{"base": "18/4817"}], None),
        ([{"to": ["Derna"]}], "Derna"),
        ([{"to": ["Matruh", "Tobruk", "Derna"]}], "Derna"),
        ([{"air": [ME2], "do": "stay"}, {"to": ["Derna"]}], None),
        ([{"air": [ME], "do": "stay"}, {"to": ["Derna"]}], "Derna"),
    ],
)
def test_clauses_on_scrambles(state: State, clauses: list[dict[str, Any]], where: str | None) -> None:
    rules: Tree = [
        {**clause, **({"to": [hex_of(state, name) for name in clause["to"]]} if "to" in clause else {})}
        for clause in clauses
    ]
    done = by_rules(state, [{"air": [ME]}], rules)
    assert flown(done).get(ME2) == ((air.SCRAMBLE, hex_of(state, where)) if where else None)


def test_the_three_ways_give_the_same_flights(state: State) -> None:
    """Orders at the stop, standing orders, and the default, where all of them say the same."""
    where = flown(run(state, []))[ME2][1]
    rows = [SECTION, intercept(state, ME), {"type": "scramble", "air": ME2, "hex": where}]
    ways = [run(state, rows), run(state, []), run(state, standing=FAST)]
    ways.append(by_rules(state, [{"air": [ME]}], [{"to": [where]}]))
    positions = [sorted((aid, unit.hex, unit.sortie) for aid, unit in done.state.air.items()) for done in ways]
    assert all(position == positions[0] for position in positions)
    assert [done.state.take_offs for done in ways] == [ways[0].state.take_offs] * len(ways)


def test_what_was_written_ahead_is_on_file(state: State) -> None:
    """A message that answered an earlier stop of the player turn may hold the section; a later one comes too late."""
    told = [
        Message(5, "allied", ()),
        Message(6, "axis", tuple(orders(SECTION, intercept(state, ME)))),
        Message(8, "axis", tuple(orders(SECTION, intercept(state, ME2)))),
    ]
    start_at = Checkpoint(state, at=8, since=5, answered=(5, 6, 8))
    done: Run[State] = play(OneStep(), start_at, told, Assume())
    assert list(flown(done)) == [ME]
    assert voided(done) == ["bound"]
    assert "reacts" not in [event.kind for event in done.events]
