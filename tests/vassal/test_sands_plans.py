"""Shifting Sands: markers and moves that a player recorded on the map come back as orders."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.draft import read_draft
from adjudicator.packs import load_pack
from adjudicator.vassal import export_save, import_log
from adjudicator.vassal.archive import read_archive, write_archive
from adjudicator.vassal.model import Placement
from adjudicator.vassal.savefile import (
    Writer,
    deobfuscate,
    log_step,
    move_command,
    obfuscate,
    remove_command,
    stream,
)
from adjudicator.vassal.sequence import ESC, decode
from adjudicator.vassal.shifting_sands import ShiftingSands

Tree = Mapping[str, Any]
MAP = "Shifting Sands"
UNITS = [{"id": "ind-4", "at": "Mersa Matruh"}, {"id": "br-7-arm", "at": "Cairo"}, {"id": "it-62", "at": "Bardia"}]


class Recorder:
    """A player with a save who records commands."""

    def __init__(self, folder: Path) -> None:
        self.pack = load_pack("shifting-sands").tree
        self.game = ShiftingSands(self.pack)
        self.writer = Writer(self.game.module(pictures=False))
        self.out = folder / "plan.vlog"
        export_save(self.pack, {"units": UNITS}, self.out, None, "x")
        self.steps: list[str] = []

    def push(self, name: str, start: str, end: str) -> None:
        """Moves a piece between two spaces."""
        here, there = self.game.layout.pixel(start), self.game.layout.pixel(end)
        self.record(move_command(name, MAP, there, MAP, here, "me"))

    def mark(self, name: str, marker: str, space: str) -> None:
        """Puts a marker out of the palette on a space."""
        x, y = self.game.layout.pixel(space)
        self.record(self.writer.piece_command(Placement(name, f"marker-{marker}", MAP, x, y)))

    def record(self, *commands: str, undone: bool = False) -> None:
        step = log_step(commands)
        self.steps.append(f"UNDO\ttrue\\{ESC}{step}\\{ESC}UNDO\tfalse" if undone else step)

    def draft(self, side: str = "allied") -> str:
        entries = dict(read_archive(self.out))
        text = stream(decode(deobfuscate(entries["savedGame"]), ESC))
        entries["savedGame"] = obfuscate(ESC.join([text, *self.steps]))
        write_archive(self.out, entries.items())
        return import_log(self.pack, self.out, side)

    def orders(self) -> list[dict[str, Any]]:
        """The orders of the draft after its section, as the program reads them."""
        read = read_draft(self.draft().encode())
        assert read.problems == []
        rows = [{"type": order.type, **order.data} for order in read.orders]
        assert rows[0] == {"type": "section", "name": "round"}
        return rows[1:]


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    return Recorder(tmp_path)


def test_pushes_from_space_to_space_are_a_path_with_its_start(recorder: Recorder) -> None:
    recorder.push("ind-4", "Mersa Matruh", "Bir el Kenaysis")
    recorder.push("ind-4", "Bir el Kenaysis", "Sofafi")
    assert recorder.orders() == [{"type": "move", "unit": "IND 4", "path": "Mersa Matruh, Bir el Kenaysis, Sofafi"}]


def test_a_push_over_several_spaces_is_its_end(recorder: Recorder) -> None:
    recorder.push("br-7-arm", "Cairo", "El Alamein")
    recorder.push("br-7-arm", "El Alamein", "Sidi Barrani")
    assert recorder.orders() == [{"type": "move", "unit": "BR 7 Arm", "to": "Sidi Barrani"}]


def test_units_that_go_together_have_an_order_each(recorder: Recorder) -> None:
    for unit in ("ind-4", "br-7-arm"):
        recorder.push(unit, "Mersa Matruh", "Fuka")
    assert [row["unit"] for row in recorder.orders()] == ["IND 4", "BR 7 Arm"]


def test_markers_come_first_and_as_they_were_put(recorder: Recorder) -> None:
    recorder.push("ind-4", "Mersa Matruh", "Fuka")
    recorder.mark("m1", "move", "Mersa Matruh")
    recorder.mark("m2", "attack", "Cairo")
    recorder.push("m2", "Cairo", "Suez")
    assert recorder.orders() == [
        {"type": "move_marker", "space": "Mersa Matruh"},
        {"type": "attack_marker", "space": "Suez"},
        {"type": "move", "unit": "IND 4", "to": "Fuka"},
    ]


def test_a_marker_that_was_taken_back_is_no_order_one_taken_off_is_told(recorder: Recorder) -> None:
    recorder.mark("m1", "move", "Mersa Matruh")
    recorder.record(remove_command("m1"), undone=True)
    recorder.mark("m2", "move", "Cairo")
    recorder.record(remove_command("m2"))
    draft = recorder.draft()
    assert "Mersa Matruh" not in draft
    assert "  # taken off the map again later\n  - type: move_marker\n    space: Cairo\n" in draft


def test_other_markers_units_of_the_enemy_and_pushes_into_boxes_are_no_orders(recorder: Recorder) -> None:
    recorder.mark("c1", "control-allied", "Bardia")
    recorder.push("it-62", "Bardia", "Halfaya")
    x, y = recorder.game.layout.cells(recorder.game.layout.box("reserve", "allied"))[0]
    recorder.record(move_command("ind-4", MAP, (x, y), MAP, (0, 0)))
    draft = recorder.draft()
    assert "  - type: m" not in draft
    assert "#   it-62: Bardia to Halfaya" in draft
    assert "#   ind-4: Mersa Matruh to beside the map" in draft
