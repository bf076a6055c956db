"""Moves recorded on the map come back as orders."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.turnfile.nodes import tree
from adjudicator.turnfile.reader import read
from adjudicator.vassal import ImportFault, export_log, export_save, import_log
from adjudicator.vassal.archive import read_archive, write_archive
from adjudicator.vassal.plans import Hop, PlannedMove, planned_moves
from adjudicator.vassal.savefile import (
    add_command,
    deobfuscate,
    log_step,
    move_command,
    obfuscate,
    remove_command,
    stack_command,
    stream,
)
from adjudicator.vassal.sequence import ESC, decode
from adjudicator.vassal.steps import LogStep
from adjudicator.vassal.western_desert import WesternDesert

Tree = Mapping[str, Any]
MAP = "Western Desert"
UNITS = [
    {"id": "br-7-sg", "hex": "19/1127"},
    {"id": "br-4-arm-a", "hex": "19/1127"},
    {"id": "au-16", "hex": "19/2423"},
    {"id": "it-17", "hex": "19/0725"},
]


class Recorder:
    """A player with a save who records commands."""

    def __init__(self, pack: Tree, game: WesternDesert, folder: Path) -> None:
        self.pack, self.game, self.out = pack, game, folder / "plan.vlog"
        export_save(pack, {"units": UNITS}, self.out, None, "x")
        self.steps: list[str] = []

    def push(self, name: str, start: str, end: str) -> None:
        """Moves a piece or a stack between two hexes."""
        here, there = self.game.layout.pixel(start), self.game.layout.pixel(end)
        self.record(move_command(name, MAP, there, MAP, here, "me"))

    def record(self, *commands: str) -> None:
        self.steps.append(log_step(commands))

    def orders(self, side: str = "allied") -> list[dict[str, str]]:
        """The move orders of the draft, read by the turn file reader itself."""
        text = self.draft(side)
        document: Any = tree(read(text.encode()).root)
        return [dict(row) for row in document["orders"] if row["type"] == "move"]

    def draft(self, side: str = "allied") -> str:
        entries = dict(read_archive(self.out))
        commands = [*decode(deobfuscate(entries["savedGame"]), ESC), *self.steps]
        entries["savedGame"] = obfuscate(stream(commands))
        write_archive(self.out, entries.items())
        self.steps = []
        return import_log(self.pack, self.out, side)


@pytest.fixture
def recorder(pack: Tree, game: WesternDesert, tmp_path: Path) -> Recorder:
    return Recorder(pack, game, tmp_path)


def test_one_push_is_one_order(recorder: Recorder) -> None:
    recorder.push("au-16", "19/2423", "19/1225")
    assert recorder.orders() == [{"type": "move", "unit": "16 Aus X", "to": "19/1225"}]


def test_pushes_from_hex_to_hex_are_a_path(recorder: Recorder) -> None:
    recorder.push("br-7-sg", "19/1127", "19/1026")
    recorder.push("br-7-sg", "19/1026", "19/0927")
    assert recorder.orders() == [{"type": "move", "unit": "7 SG", "path": "19/1026, 19/0927"}]


def test_a_stack_is_one_order(recorder: Recorder, game: WesternDesert) -> None:
    x, y = game.layout.pixel("19/1127")
    recorder.push(f"stack.Western-Desert.{x}.{y}.1", "19/1127", "19/0927")
    (order,) = recorder.orders()
    assert order["to"] == "19/0927"
    assert sorted(str(order["units"]).split(", ")) == ["4 Arm X", "7 SG"]


def test_what_was_taken_back_is_no_order(recorder: Recorder) -> None:
    recorder.push("br-7-sg", "19/1127", "19/1026")
    recorder.push("au-16", "19/2423", "19/2323")
    recorder.push("br-7-sg", "19/1026", "19/1127")
    assert [order["unit"] for order in recorder.orders()] == ["16 Aus X"]


def test_units_of_the_other_side_and_pushes_off_the_map_are_told(recorder: Recorder) -> None:
    recorder.push("it-17", "19/0725", "19/0726")
    recorder.record(move_command("au-16", MAP, (20, 20), MAP, (0, 0)))
    draft = recorder.draft()
    assert "#   it-17: 19/0725 to 19/0726" in draft
    assert "#   au-16: 19/2423 to beside the map" in draft
    assert "type: move" not in draft


def test_pushes_inside_a_hex_are_nothing(recorder: Recorder, game: WesternDesert) -> None:
    x, y = game.layout.pixel("19/2423")
    recorder.record(move_command("au-16", MAP, (x + 20, y - 10), MAP, (x, y)))
    assert recorder.orders() == []


def test_a_new_stack_and_a_removed_piece_are_understood(recorder: Recorder, game: WesternDesert) -> None:
    there = game.layout.pixel("19/1026")
    recorder.record(
        move_command("br-7-sg", MAP, there, MAP, (0, 0)), stack_command("1701", MAP, there, ("br-7-sg",), 1)
    )
    recorder.push("1701", "19/1026", "19/0926")
    recorder.record(remove_command("br-4-arm-a"))
    assert recorder.orders() == [{"type": "move", "unit": "7 SG", "path": "19/1026, 19/0926"}]


def test_a_counter_from_the_palette_is_known_by_its_mark(recorder: Recorder, game: WesternDesert) -> None:
    state = f"x,au-17\t{MAP};%d;%d;1;0" % game.layout.pixel("19/2423")
    recorder.record(add_command("1700", "mark;Side,CounterId\tpiece;;;x.svg;X", state))
    recorder.push("1700", "19/2423", "19/2323")
    assert recorder.orders() == [{"type": "move", "unit": "17 Aus X", "to": "19/2323"}]


def test_our_own_log_of_a_move_comes_back_as_its_order(pack: Tree, tmp_path: Path) -> None:
    after = {"units": [{**UNITS[0], "hex": "19/0927"}, *UNITS[1:]]}
    step = LogStep(("7 SG moves",), after, {"br-7-sg": ("19/1127", "19/1026", "19/0927")})
    export_log(pack, {"units": UNITS}, [step], tmp_path / "x.vlog", None, "x")
    assert "unit: 7 SG\n    to: 19/0927" in import_log(pack, tmp_path / "x.vlog", "allied")


def test_units_that_go_together_are_joined() -> None:
    pushes = [Hop("a", "1", "2"), Hop("b", "1", "2"), Hop("c", "3", "2"), Hop("a", "2", "4"), Hop("a", None, "4")]
    assert planned_moves(pushes) == [
        PlannedMove(("a", "b"), "1", ("2",)),
        PlannedMove(("c",), "3", ("2",)),
        PlannedMove(("a",), "2", ("4",)),
    ]


def test_a_log_of_another_module_is_refused(pack: Tree, tmp_path: Path) -> None:
    sample = Path(__file__).parent / "samples" / "sample.vlog"
    with pytest.raises(ImportFault, match="of the module 'Smoke Test'"):
        import_log(pack, sample, "axis")
    (tmp_path / "x.vlog").write_bytes(b"nothing")
    with pytest.raises(ImportFault, match=r"x\.vlog: "):
        import_log(pack, tmp_path / "x.vlog", "axis")


@pytest.mark.parametrize("command", ["M/au-16/Map/here/there/null/Map/1/2/null/", "+/s/stack/Map", "D/stack/x"])
def test_broken_commands_end_in_one_message(command: str, recorder: Recorder) -> None:
    recorder.record(command)
    try:
        recorder.draft()
    except ImportFault as fault:
        assert "\n" not in str(fault)


@given(st.data())
def test_a_point_is_in_its_hex(game: WesternDesert, data: st.DataObject) -> None:
    layout = game.layout
    name, u, v = data.draw(st.sampled_from(list(layout.hexes())))
    x, y = layout.centre(u, v)
    dx = data.draw(st.integers(-41, 41))
    reach = max(0, int(layout.dy / 2 * min(1, 2 - abs(dx) / 22)) - 2)
    dy = data.draw(st.integers(-reach, reach))
    assert layout.hex_at(x + dx, y + dy) == name


@given(st.integers(0, 6735), st.integers(0, 3201))
def test_beside_the_map_is_no_hex(game: WesternDesert, x: int, y: int) -> None:
    name = game.layout.hex_at(x, y)
    if name is not None:
        cx, cy = game.layout.pixel(name)
        assert abs(x - cx) <= 44
        assert abs(y - cy) <= 38
