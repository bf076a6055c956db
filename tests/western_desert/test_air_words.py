"""What players read of the air war: templates that pass, orders read back, what to keep in mind, what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from adjudicator.engine.core import Order
from adjudicator.engine.driver import Waits
from adjudicator.engine.game import message_of
from adjudicator.match.games import game
from adjudicator.packs.load import load_pack
from adjudicator.turnfile.nodes import tree
from adjudicator.turnfile.reader import read
from adjudicator.western_desert.air.words import air_names
from adjudicator.western_desert.readback import sentence
from adjudicator.western_desert.situation import situation
from adjudicator.western_desert.state import State
from adjudicator.western_desert.template import template
from adjudicator.western_desert.words import asked, moment
from tests.report.support import events, fixture, state_before, table
from tests.western_desert.skirmish import orders


def before_reaction() -> State:
    """The air phase of the golden report, when all flights of the Axis are in the air."""
    found = fixture("airphase")
    state: State = state_before(found)
    for event in events(found, "events"):
        table().apply(state, event)
        if event.kind == "air-step":
            break
    return state


def listed(text: str) -> list[dict[str, Any]]:
    """The orders of a template."""
    document: Any = tree(read(text.encode()).root)
    return list(document["orders"])


def uncommented(text: str) -> str:
    """The template with every example of a standing order taken in."""
    lines, inside = [], False
    for line in text.splitlines():
        inside = line == "  # - type: standing" or (inside and line.startswith("  #   "))
        lines.append(line.replace("  # ", "  ", 1) if inside else line)
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("side", "key", "section"),
    [
        ("axis", "orders/air", "air"),
        ("allied", "orders/reaction", "reaction"),
        ("allied", "orders/scramble", "reaction"),
    ],
)
def test_a_template_holds_the_section_that_is_asked_for(side: str, key: str, section: str) -> None:
    state = before_reaction()
    rows = listed(template(state, side, Waits("decision", side, key)))
    assert [(row["type"], row["name"]) for row in rows] == [("section", section)]


def test_the_reaction_shows_who_flies_where_and_who_reaches_it() -> None:
    text = template(before_reaction(), "allied", Waits("decision", "allied", "orders/reaction"))
    assert "Tobruk (18/4818): Ju 88A No. 2, Me 109F No. 1, Me 110C No. 1 and Ju 87D No. 2" in text
    assert "your fighters in reach: P-40E 1, P-40B 1, P-40B 2" in text
    assert "Sollum (19/0426) by night: Ju 52 No. 1" in text


def test_the_examples_of_standing_orders_are_sound() -> None:
    """Each clause that the template shows for the air war is one that the game takes."""
    state = before_reaction()
    play = game("western-desert").table(load_pack("western-desert").tree, "compass", {})
    text = template(state, "axis", Waits("decision", "axis", "orders/air"))
    rows = [row for row in listed(uncommented(text)) if row["type"] == "standing"]
    topics = [row["topic"] for row in rows]
    assert topics == ["retreat", "escape", "patrol", "intercept", "scramble", "jettison", "escorts"]
    for order in message_of(9, "axis", rows).orders:
        found, problems = play.resolve(state, "axis", order)
        assert problems == [], found


def test_the_situation_tells_the_air_war() -> None:
    state = before_reaction()
    axis, allied = "\n".join(situation(state, "axis")), "\n".join(situation(state, "allied"))
    assert "Ju 88A No. 1 over 18/4517, turned back" in axis
    assert "Enemy air units over Sollum (19/0426) by night: Ju 52 No. 1." in allied
    state.air["air-glad-1"].operative = False
    state.harassing[state.board.find("18/4819")] = 6
    lines = situation(state, "allied")
    assert "Inoperative until repaired (WD 23): Glad No. 1 at Sidi Barrani (19/0725)." in lines
    assert "Harassed in the next player turn, points: El Adem (18/4819) (6)." in lines


def readback(row: Mapping[str, object], kinds: tuple[str, ...] = ()) -> str:
    """An order read back with the events of the golden report that are of these kinds and of its air units."""
    found = fixture("airphase")
    order: Order = orders(row)[0]
    named = {*order.texts("air")}
    happened = [e for e in events(found, "events") if e.kind in kinds and {str(e.data["air"])} <= named]
    return sentence(before_reaction(), order, happened)


def test_flights_are_read_back() -> None:
    row = {"type": "bomb_port", "air": ["air-ju-88a-1", "air-ju-88a-2"], "hex": "18/4818", "together": "yes"}
    told = readback(row, ("flight", "patrol-attack"))
    start = "Ju 88A Nos. 1 and 2 fly 10 hexes from Cirene (18/3817) to bomb the port of Tobruk (18/4818), together"
    assert told.startswith(start)
    assert "; P-40E No. 1 attacks Ju 88A No. 1 over 18/4517, turned back" in told
    drop = {"type": "air_drop", "air": ["air-ju-52-special-1"], "tow": "air-dfs-230-special-1", "hex": "19/0426"}
    words = readback({**drop, "cargo": ["lw-1para"], "night": "yes", "land": ["18/4519"]})
    assert words == (
        "Ju 52 No. 1 flies to drop 1 Para III on Sollum (19/0426), by night and with DFS 230 No. 1 on tow; "
        "lands at Gazala (18/4519)"
    )


def test_what_is_said_of_air_combat_is_read_back() -> None:
    split = {"type": "split", "hex": "18/4818", "per_escort": "1"}
    assert readback(split).startswith("over Tobruk (18/4818) 1 for each escort attack the escorts")
    targets = {"type": "targets", "hex": "18/4818", "order": ["transports", "air-ju-88a-2"]}
    assert readback(targets).endswith("attack, first of all first: transports, Ju 88A No. 2")
    pairs = [{"air": "air-p-40b-1", "at": "air-me-109f-1"}]
    assert readback({"type": "answer", "to": "engage/18.4818", "pairs": pairs}).endswith("P-40B No. 1 at Me 109F No. 1")


def test_what_is_asked() -> None:
    assert moment(before_reaction()) == "Jun I 42, Axis player turn: air phase, reaction of the other side (WD 16.C.2)"
    assert asked("orders/air") == "orders from the air phase on"
    assert asked("orders/reaction") == "the reaction in the air phase: interceptions and scrambles"
    assert asked("split/18.4818").startswith("an answer to split/18.4818: which interceptors attack the escorts")
    assert asked("losses/18.4818/axis") == "an answer to losses/18.4818/axis"


def test_air_units_of_one_kind_are_named_together() -> None:
    world = before_reaction().world
    ids = ["air-blen-4-2", "air-hurri-1-1", "air-blen-4-1"]
    assert air_names(world, ids) == "Blen 4 Nos. 1 and 2 and Hurri 1 No. 1"
    assert air_names(world, ["nobody"]) == "nobody"
