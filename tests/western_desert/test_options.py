"""Each optional rule by itself: the same game, on the same dice, with and without it (WD 32, 33).

Each function with ``@option`` plays a game and names what the rule changes in it. All that differs must be named, and
all that is named must differ. The bundled example is played with each rule too: there nothing else differs either.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.western_desert.position import position
from adjudicator.western_desert.state import turn_number
from adjudicator.western_desert.switches import OPTIONS_BUILT
from tests.western_desert import history_rows, option_rows
from tests.western_desert.optional import ROWS, Game, changes, differing, example, flat, option, told
from tests.western_desert.turns import AIR, COMBAT, MOVEMENT, NO_EXPLOITATION

# --- 33.A: artillery ---------------------------------------------------------------------------------------------

UNSUPPORTED = ("factor:  -> 1/2", "rule:  -> WD 11", "what:  -> unsupported")
SPARED = ("br-1-arm-a", "br-16", "in-11")


@option(
    "33.A",
    events=(
        "attack against: 8 -> 13/2",
        "attack column: 1:2 -> 1:1",
        *(f"attack defending/{n}/effects/0/{line}" for n in (2, 3) for line in UNSUPPORTED),
        "attack defending/2/value:  -> 1",
        "attack defending/3/value: 1 -> 1/2",
        "result column: 1:2 -> 1:1",
        "result means: attacker half eliminated -> attacker retreats",
        "result result: AH -> AR",
        "- losses choice=default, ...",
        *(f"- eliminated hex=19/1330, step=, unit={uid}" for uid in SPARED),
        *["+ retreat choice=default, clause=no order and no standing rule, from=19/1330, path/19/1329=there, ..."] * 3,
    ),
    after=[line for uid in SPARED for line in (f"gone/{uid}/why: eliminated -> ", f"units/{uid}/hex:  -> 19/1329")],
)
def artillery(options: str) -> Game:
    """WD 33.A: regiments and an artillery battalion are attacked. The order of battle has none: one is cut for it."""
    game = Game("Mar I 41", "allied", options)
    gun = replace(game.state.world.units["ge-221a"], size="battalion")
    game.state.world = replace(game.state.world, units={**game.state.world.units, gun.id: gun}, cache={})
    for uid in ("ge-125", "ge-382", "it-cnm", gun.id):
        game.at(uid, "19/1230")
    attackers = ["in-4-hq", "in-5", "in-11", "br-16", "br-7-arm-a", "br-1-arm-a"]
    for uid in attackers:
        game.at(uid, "19/1330")
    attack = {"type": "attack", "hex": "19/1230", "with": attackers}
    game.go({"type": "pass"}, MOVEMENT, AIR, COMBAT, attack, NO_EXPLOITATION)
    return game


# --- 33.C: garrisons off the map ----------------------------------------------------------------------------------


@option(
    "33.C",
    events=(
        "- void code=option, order=1, type=list_garrison, ...",
        "+ garrison-listed area=delta, hex=19/3127, message=3, order=1, side=allied, units/br-22=there",
        "+ garrison-shown area=delta, choice=forced, ...",
        "+ told side=allied, what=garrison, why=3 REs of the pool stand for 1 of Palestine's garrison",
        "- vp ...",
    ),
    after=(
        "tally/0/points: -1 -> ",
        "tally/0/rule: WD 28.B.2 -> ",
        "tally/0/side: allied -> ",
        "vp/0/points: -1 -> ",
        "vp/0/side: allied -> ",
    ),
)
def off_the_map(options: str) -> Game:
    """WD 33.C: a brigade in Cairo goes off the map, and is shown when an enemy comes near; a garrison that lacks an RE
    is made good by three of the pool."""
    game = Game("Mar I 41", "allied", options)
    state = game.state
    there = [uid for uid in state.side_units("allied") if state.board.in_region(state.hex_of(uid), "Palestine")]
    for uid in there:
        state.take_off(uid, "spare")
    for uid, where in (("in-5", "19/4312"), ("in-7", "19/4312"), ("br-22", "19/3127"), ("ge-8mg", "19/1626")):
        game.at(uid, where)
    for uid in ("in-11", "nz-4", "au-16"):
        state.take_off(uid, "eliminated")
    game.go(moves=[{"type": "list_garrison", "unit": "br-22"}])
    game.go(moves=[{"type": "move", "unit": "ge-8mg", "to": "19/1927"}])
    return game


# --- 33.D: divisional engineers ----------------------------------------------------------------------------------

REFUSED = "- void code=option, order=1, type=div_engineers, ..."
MARCHED = "au-16 au-6-hq br-16 br-22 br-4-arm-a br-7-arm-a br-7-sg br-7rt br-w-art in-11 in-4-hq in-5 in-7 nz-4"


@option(
    "33.D",
    events=(
        REFUSED,
        REFUSED,
        "+ div-engineers hex=19/1326, order=1, side=allied, task=start_fort, unit=in-4-hq",
        "+ div-engineers hex=19/1326, order=1, side=allied, task=finish_fort, unit=in-4-hq",
        "+ work-begun divisional=yes, hex=19/1326, order=1, side=allied, unit=in-4-hq, what=fort",
        "+ work-done divisional=yes, hex=19/1326, order=1, side=allied, unit=in-4-hq, what=fort",
    ),
    after=("forts/19/1326/side:  -> allied",),
    example=[f"units/{uid}/acted:  -> yes" for uid in MARCHED.split(" ")],
)
def engineers(options: str) -> Game:
    """WD 33.D: a headquarters begins a fort and finishes it; without the rule it may do neither."""
    game = Game("Mar I 41", "allied", options)
    game.at("in-4-hq", "19/1326")
    game.go(moves=[{"type": "div_engineers", "unit": "in-4-hq", "what": "start_fort"}])
    game.go()
    game.go(moves=[{"type": "div_engineers", "unit": "in-4-hq", "what": "finish_fort"}])
    return game


# --- 33.E: the railroad of the Levant ----------------------------------------------------------------------------


@option(
    "33.E",
    events=(
        "+ rail-extended built=8, from=19/4312, hex=19/4404, line=Levant coast railway",
        "move cost: 1 entraining, 1 rail, 4 road -> 1 entraining, 1 rail",
        "move left: 2 -> 6",
        "move means: normal -> rail",
        "move mp: 6 -> 2",
        *("move path/19/4312: there -> ", "move path/19/4313: there -> "),
        "move rail: 1 -> 3",
        "move roads/Kantara - Haifa; Palestine coast; Tel Aviv - Haifa: there -> ",
        "move roads/Levant coast: there -> ",
        "move spent: 6 -> 2",
        "move steps/foot: there -> ",
    ),
    after=("built/Levant coast railway/hexes:  -> 8",),
)
def railroad(options: str) -> Game:
    """WD 33.E: the Levant has been held since May I 41; on Nov I 42 a brigade goes up the coast from Haifa by rail."""
    game = Game("Nov I 42", "allied", options)
    levant_held(game, "May I 41")
    game.at("in-5", "19/4312")
    game.go(moves=[{"type": "move", "unit": "in-5", "to": "19/4309", "by": "rail"}])
    return game


def levant_held(game: Game, since: str) -> None:
    """The Allied player controls the Levant, and its forces are gone."""
    state = game.state
    for uid in [uid for uid in state.pieces if state.world.units[uid].nat == "vichy"]:
        state.take_off(uid, "eliminated")
    state.levant, state.theatre = "open", replace(state.theatre, held=turn_number(since))
    state.control.update({h: "allied" for h in state.board.land if state.board.in_region(h, "Levant")})
    state.world.cache.clear()


# --- 33.H: airfields in parts ------------------------------------------------------------------------------------


@option(
    "33.H",
    events=(
        "- void code=points, order=1, type=build_airfield, why=2 MP build no airfield; it takes 6",
        "+ work-done costs/0/left=2, costs/0/mp=2, costs/0/spent=2, costs/0/unit=br-const1, hex=19/1126, hits=2, ...",
    ),
    after=("airbase_hits/19/1126/hits:  -> 2", "airfields/19/1126/side:  -> allied"),
)
def airfields(options: str) -> Game:
    """WD 33.H: two movement points give an airfield with two hits; without the rule that is no work."""
    game = Game("Mar I 41", "allied", options)
    game.at("br-const1", "19/1126")
    game.go(moves=[{"type": "build_airfield", "unit": "br-const1", "points": "2"}])
    return game


OTHER_ROWS = (history_rows, option_rows)
"""Where rows of other rules stand."""


# --- the tests ---------------------------------------------------------------------------------------------------


def test_every_optional_rule_that_is_built_has_its_row() -> None:
    assert OTHER_ROWS
    assert sorted(ROWS) == sorted(OPTIONS_BUILT)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_an_option_changes_what_it_should_and_nothing_else(name: str) -> None:
    row = ROWS[name]
    without, with_it = row.play(""), row.play(name)
    told(differing(without.story, with_it.story), row.events)
    told(changes(flat(position(without.state)), flat(position(with_it.state))), row.after)
    assert row.events, "a game that shows nothing of the rule"
    same = without.rolled.keys() & with_it.rolled.keys()
    assert all(without.rolled[label] == with_it.rolled[label] for label in same)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_the_example_is_the_same_but_for_what_is_said(name: str) -> None:
    events, after, dice = example("")
    others, otherwise, rolled = example(name)
    told([*differing(events, others), *changes(after, otherwise)], ROWS[name].example)
    assert dice
    assert dice == rolled or ROWS[name].example
