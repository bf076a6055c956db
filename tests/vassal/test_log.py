"""Logs: each step leads from one position to the next, and the last is the save of where it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.engine.core import Event, Roll
from adjudicator.engine.driver import Checkpoint, Message, play
from adjudicator.engine.game import Table as GameTable
from adjudicator.engine.game import message_of
from adjudicator.match.games import game as game_of
from adjudicator.vassal import export_events, export_log, export_save
from adjudicator.vassal.logfile import LogWriter, Step, log_commands
from adjudicator.vassal.model import Board, Map, Module, Palette, Piece, Placement, Save
from adjudicator.vassal.reader import ReadModule, ReadSave, read_save, read_stream
from adjudicator.vassal.savefile import Writer, stream
from adjudicator.vassal.steps import LogStep, groups, log_steps, way_of
from adjudicator.vassal.traits import Layer, Mark, MarkMoved, Trail
from adjudicator.vassal.wd_words import STAGING, TELLERS, ChatWords
from adjudicator.vassal.western_desert import WesternDesert
from tests.report.support import events as told_events
from tests.report.support import fixture, state_before
from tests.vassal.playback import Table
from tests.vassal.structure import save_problems

Tree = Mapping[str, Any]
ORDERS: list[dict[str, Any]] = [
    {"type": "section", "name": "movement"},
    {"type": "move", "units": ["br-7-arm-a", "br-4-arm-a", "br-7-sg"], "to": "19/0626"},
    {"type": "move", "units": ["in-5", "in-11", "in-4-hq", "br-16", "br-w-art", "br-7rt"], "to": "19/0727"},
    {"type": "section", "name": "air"},
    {"type": "section", "name": "combat"},
    {"type": "attack", "hex": "19/0726", "with": ["in-5", "in-11", "br-16", "br-7rt", "br-7-arm-a", "br-4-arm-a"]},
]


def _dice(seed: int) -> Any:
    def source(seq: int, roll: Roll) -> tuple[int, ...]:
        random = Random(f"{seed} {roll.label}")
        return tuple(random.randint(1, roll.faces) for _ in range(roll.count))

    return source


@pytest.fixture(scope="module")
def table(pack: Tree) -> GameTable:
    return game_of("western-desert").table(dict(pack), "compass", {})


@pytest.fixture(scope="module")
def events(table: GameTable) -> list[Event]:
    """Set-up, a surprise turn with an attack, and what follows, out of the rules themselves."""
    start = play(table, Checkpoint(table.start()), [], _dice(5))
    resolved = []
    for order in message_of(3, "allied", ORDERS).orders:
        found, problems = table.resolve(start.state, "allied", order)
        assert not problems
        resolved.append(found)
    return play(table, Checkpoint(table.start()), [Message(3, "allied", tuple(resolved))], _dice(5)).events


def _log(pack: Tree, table: GameTable, events: Sequence[Event], folder: Path, first: int = 0) -> tuple[ReadSave, Tree]:
    """The log of the events from one on, and the position it ends in."""
    state = table.start()
    for event in events[:first]:
        table.apply(state, event)
    export_events(pack, table, state, events[first:], folder / "x.vlog", None, "a log", "compass")
    return read_save(folder / "x.vlog"), {**table.position(state), "scenario": "compass"}


@pytest.mark.parametrize("cut", [0, 0.9])
def test_a_log_of_the_rules_events_ends_in_the_save(
    cut: float, pack: Tree, table: GameTable, events: list[Event], tmp_path: Path, module: ReadModule
) -> None:
    first = int(len(events) * cut)
    log, end = _log(pack, table, events, tmp_path, first)
    assert save_problems(log, module) == []
    played = Table(log)
    for step in log.steps:
        played.step(step)
    export_save(pack, end, tmp_path / "end.vsav", None, "end")
    final = Table(read_save(tmp_path / "end.vsav"))
    assert played.picture() == final.picture()
    assert played.turn == final.turn


def test_there_is_a_step_for_each_move_and_each_says_so(
    pack: Tree, table: GameTable, events: list[Event], tmp_path: Path
) -> None:
    log, _ = _log(pack, table, events, tmp_path)
    moves = [event for event in events if event.kind == "move"]
    assert len(moves) > 5
    texts = ["\n".join(command for command in step if command.startswith("LOG\tCHAT")) for step in log.steps]
    for event in moves:
        name = ChatWords(pack).unit(str(event.data["unit"]))
        assert sum(f"CHAT* {name} moves" in text for text in texts) == 1
    assert all(texts), "a step without a word"


def test_units_that_moved_are_marked_with_their_way(
    pack: Tree, table: GameTable, events: list[Event], tmp_path: Path, game: WesternDesert
) -> None:
    until = max(i for i, event in enumerate(events) if event.kind == "move")
    event = events[until]
    log, _ = _log(pack, table, events[: until + 1], tmp_path)
    played = Table(log)
    for step in log.steps:
        played.step(step)
    unit = str(event.data["unit"])
    signs = played.signs(unit)
    assert signs["markmoved"] == "true"
    x, y = game.layout.pixel(str(event.data["from"]))
    assert signs["footprint"].startswith(f"true;Map0;{len(event.data['path']) + 1};{x},{y};")


def test_a_hidden_event_is_left_out(table: GameTable) -> None:
    events = [
        Event("deploy", "x", {"unit": "au-16", "hex": "19/1127"}, see="allied"),
        Event("deploy", "x", {"unit": "au-17", "hex": "19/1127"}),
    ]
    for viewer, seen in ((None, ["au-17"]), ("axis", ["au-17"]), ("allied", ["au-16", "au-17"])):
        (step,) = log_steps(table, table.start(), events, lambda event: str(event.data["unit"]), viewer, STAGING)
        assert list(step.lines) == seen


def test_what_belongs_together_is_one_step() -> None:
    kinds = ["deploy", "deploy", "phase", "move", "control", "move", "attack", "result", "losses", "eliminated"]
    found = [[event.kind for event in group] for group in groups([Event(kind, "x", {}) for kind in kinds], STAGING)]
    assert found == [
        ["deploy", "deploy"],
        ["phase"],
        ["move", "control"],
        ["move"],
        ["attack"],
        ["result", "losses"],
        ["eliminated"],
    ]


def test_ways_of_units() -> None:
    assert way_of(Event("move", "x", {"unit": "a", "from": "1", "path": ["2", "3"]})) == {"a": ("1", "2", "3")}
    assert way_of(Event("advance", "x", {"unit": "a", "from": "1", "to": "2"})) == {"a": ("1", "2")}
    assert way_of(Event("move", "x", {"unit": "a", "from": "1", "path": []})) == {}
    assert way_of(Event("phase", "x", {})) == {}


def test_ways_of_air_units_and_of_what_they_carry() -> None:
    flight: dict[str, Any] = {"air": "a", "tow": "g", "base": "1", "path": ["2", "3"]}
    assert STAGING.way(Event("flight", "x", flight)) == {"a": ("1", "2", "3"), "g": ("1", "2", "3")}
    assert STAGING.way(Event("air-landed", "x", {"air": "a", "from": "3", "base": "1"})) == {"a": ("3", "1")}
    assert STAGING.way(Event("air-escape", "x", {"air": "a", "hex": "1", "to": ""})) == {}
    assert STAGING.way(Event("unloaded", "x", {"units": ["u", "v"], "from": "1", "hex": "3"})) == {
        "u": ("1", "3"),
        "v": ("1", "3"),
    }
    assert STAGING.way(Event("advance", "x", {"unit": "u", "from": "1", "to": "2"})) == {"u": ("1", "2")}


def test_words_for_events_of_a_fight(pack: Tree) -> None:
    words = ChatWords(pack)
    data: dict[str, Any] = {"hex": "18/4818", "with": ["br-7-sg"], "defenders": ["au-16"], "strength": "9"}
    attack = Event("attack", "x", {**data, "against": "3", "column": "3:1", "drm": "-1"})
    assert words(attack) == "Attack on 18/4818 Tobruk: 7 SG (9) against 16 Aus X (3): 3:1, die -1"
    data = {"hex": "18/4818", "die": "5", "used": "4", "result": "DR", "means": "defender retreats"}
    result = Event("result", "x", data)
    assert words(result) == "Combat at 18/4818 Tobruk: die 5 read as 4: DR, defender retreats"
    assert words(Event("reduced", "x", {"unit": "br-7-arm-xx"})) == "7 Arm XX is reduced to its cadre"
    assert words(Event("unheard of", "x", {})) == ""


def test_words_for_events_of_an_air_battle(pack: Tree) -> None:
    words = ChatWords(pack)
    data: dict[str, Any] = {"air": "air-blen-4-1", "base": "19/1225", "over": "18/4818", "mission": "bomb_port"}
    flight = Event("flight", "x", {**data, "path": ["19/0222", "18/4818"], "distance": "2"})
    assert words(flight) == "Blen 4 1 from 19/1225 Matruh is to bomb the port of 18/4818 Tobruk (2 hexes)"
    data = {"air": "air-me-109f-4", "target": "air-blen-4-1", "differential": "6", "modifier": "-1"}
    shot = Event("air-shot", "x", {**data, "dice": ["3", "4"], "used": "6", "fate": "aborted"})
    assert words(shot) == "Me 109F 4 fires at Blen 4 1, differential 6, dice 3 + 4, -1, read as 6: aborted"
    data = {"air": "air-blen-4-1", "base": "19/1225", "state": "inoperative", "die": "6", "crash": "yes"}
    assert words(Event("air-landed", "x", data)) == "Blen 4 1 lands with a crash at 19/1225 Matruh, inoperative (die 6)"


def test_every_kind_of_event_that_changes_a_piece_has_words() -> None:
    from adjudicator.western_desert.apply import APPLY

    silent = {"deploy-works", "supply-spent", "standing", "unbuilt"}
    assert set(APPLY) - silent <= set(TELLERS)


# --- any sequence of positions -------------------------------------------------------------


def _module() -> Module:
    layer, mark = Layer("Step", ("a.svg", "b.svg"), ("", "+ (back)")), Mark((("PieceLayer", "Unit"),))
    unit = Piece("unit", 1, "Unit", (MarkMoved("m.gif"), Trail("84,130"), layer, mark), layer="Unit")
    flag = Piece("flag", 2, "Flag", (Mark((("PieceLayer", "Terrain"),)),), "f.svg", layer="Terrain")
    window = Map("Main Map", (Board("Board", "board.png", 100, 100),), layers=("Terrain", "Unit"))
    palette = Palette("panel", "All", pieces=("unit", "flag"))
    return Module("M", "1", "", ("A",), (), (unit, flag), palette, (window,), 3)


@st.composite
def _positions(draw: st.DrawFn) -> Save:
    """Up to six pieces on three spots, in a fixed order of height."""
    placements = []
    for name in sorted(draw(st.sets(st.sampled_from("abcdef")))):
        spot = draw(st.sampled_from([(0, 0), (10, 0), (20, 5)]))
        states = {"Step": draw(st.sampled_from("12"))} if name < "e" else {}
        placements.append(Placement(name, "unit" if name < "e" else "flag", "Main Map", *spot, states))
    return Save("x", tuple(placements))


@given(st.lists(_positions(), min_size=2, max_size=6), st.booleans())
def test_any_sequence_of_positions_plays_back(saves: list[Save], clear: bool) -> None:
    writer = Writer(_module())
    path = ((0, 0), (10, 0))
    steps = [Step(("x",), save, {p.id: path for p in save.placements}, clear) for save in saves[1:]]
    log = read_stream(stream(log_commands(writer, saves[0], steps)))
    played = Table(log)
    for step, after in zip(log.steps, saves[1:], strict=True):
        played.step(step)
        expected = Table(read_stream(stream(writer.position_commands(after))))
        assert played.picture() == expected.picture()


def test_a_step_without_effect_leaves_no_trace() -> None:
    save = Save("x", (Placement("a", "unit", "Main Map", 1, 1),))
    log = LogWriter(Writer(_module()), save)
    before = list(log.commands)
    log.add(Step((), save))
    assert log.commands == before


def test_a_log_of_nothing_has_a_step_that_says_so() -> None:
    save = Save("message 5", (Placement("a", "unit", "Main Map", 1, 1),))
    log = read_stream(stream(log_commands(Writer(_module()), save, [])))
    assert [list(step) for step in log.steps] == [["LOG\tCHAT* message 5: nothing happens on the map"]]


def test_a_log_is_the_same_bytes_twice(pack: Tree, table: GameTable, events: list[Event], tmp_path: Path) -> None:
    _log(pack, table, events, tmp_path)
    first = (tmp_path / "x.vlog").read_bytes()
    _log(pack, table, events, tmp_path)
    assert (tmp_path / "x.vlog").read_bytes() == first


def test_a_hand_made_step(pack: Tree, tmp_path: Path) -> None:
    before = {"units": [{"id": "au-16", "hex": "19/1127"}]}
    after = {"units": [{"id": "au-16", "hex": "19/1126", "out": "yes"}]}
    step = LogStep(("<16 Aus> marches",), after, {"au-16": ("19/1127", "19/1126")})
    export_log(pack, before, [step], tmp_path / "x.vlog", None, "t")
    log = read_save(tmp_path / "x.vlog")
    (commands,) = log.steps
    assert [c[4:6] for c in commands] == ["M/", "+/", "D/", "CH"]
    assert commands[-1] == "LOG\tCHAT* &lt;16 Aus&gt; marches"


@pytest.mark.parametrize("name", ["airphase", "airraid"])
def test_a_log_of_an_air_phase_ends_in_the_save(
    name: str, pack: Tree, table: GameTable, tmp_path: Path, module: ReadModule, game: WesternDesert
) -> None:
    """The air phases of the golden reports, step by step: each step has words, flights are over their targets."""
    tree = fixture(name)
    state = state_before(tree)
    happened = told_events(tree, "events")
    export_events(pack, table, state, happened, tmp_path / "x.vlog", None, "a log", "compass")
    log = read_save(tmp_path / "x.vlog")
    assert save_problems(log, module) == []
    played = Table(log)
    flights = {str(e.data["air"]): game.layout.pixel(str(e.data["over"])) for e in happened if e.kind == "flight"}
    reached: set[str] = set()
    for step in log.steps:
        assert any(command.startswith("LOG\tCHAT") for command in step), step
        played.step(step)
        spots = {aid: played.counters[aid] for aid in flights}
        reached |= {aid for aid, counter in spots.items() if (counter.x, counter.y) == flights[aid]}
    assert reached == set(flights)
    export_save(pack, {**table.position(state), "scenario": "compass"}, tmp_path / "end.vsav", None, "end")
    assert played.picture() == Table(read_save(tmp_path / "end.vsav")).picture()
