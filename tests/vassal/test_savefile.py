"""Obfuscation, commands, positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.vassal.model import Board, Map, Module, Palette, Piece, Placement, Save, TurnLevel, TurnTracker
from adjudicator.vassal.reader import read_stream
from adjudicator.vassal.savefile import (
    SaveError,
    Writer,
    change_command,
    chat_command,
    deobfuscate,
    log_step,
    move_command,
    notes_command,
    obfuscate,
    stream,
    turn_state,
)
from adjudicator.vassal.sequence import decode
from adjudicator.vassal.traits import Label, Layer, Mark, NoStack

text = st.text(alphabet=st.characters(codec="utf-8"))


@given(text)
def test_obfuscated_text_comes_back(content: str) -> None:
    assert deobfuscate(obfuscate(content)) == content


@given(text)
def test_obfuscated_text_is_not_plain(content: str) -> None:
    written = obfuscate(content)
    assert written.startswith(b"!VCSK")
    assert written[5:7] != b"00"


def test_the_newer_form_and_plain_text_are_read() -> None:
    data = "begin_save é".encode()
    assert deobfuscate(b"VOBS" + bytes([7]) + bytes(b ^ 7 for b in data)) == "begin_save é"
    assert deobfuscate(data) == "begin_save é"


@pytest.mark.parametrize("data", [b"!VCSKzz00", b"!VCSK0", b"!VCSK10zz", b"VOBS", b"\xff\xfe", b"!VCSK00ff"])
def test_broken_saves_are_refused(data: bytes) -> None:
    with pytest.raises(SaveError):
        deobfuscate(data)


def test_a_move_names_both_places() -> None:
    command = move_command("u/1", "Main Map", (5, 6), "Main Map", (1, 2), "")
    assert command == "M/u\\/1/Main Map/5/6/null/Main Map/1/2/null/"


def test_a_change_carries_both_states() -> None:
    assert decode(change_command("u", "2\tx", "1\tx")[2:], "/") == ["u", "2\tx", "1\tx"]


def test_chat_lines_carry_no_markup() -> None:
    assert chat_command("* <Erwin> & co") == "CHAT* &lt;Erwin&gt; &amp; co"


def test_notes_keep_their_lines() -> None:
    save = read_stream(stream(["begin_save", notes_command("NOTES", "one|two\nthree\\"), "end_save"]))
    assert save.notes["NOTES"] == "one|two\nthree\\"


def test_a_step_is_one_token() -> None:
    save = read_stream(stream(["begin_save", "end_save", log_step(["CHAT* a", "-/x"]), log_step(["CHAT* b"])]))
    assert save.steps == [["LOG\tCHAT* a", "LOG\t-/x"], ["LOG\tCHAT* b"]]
    assert not save.unknown


def test_unknown_commands_are_found() -> None:
    save = read_stream(stream(["begin_save", "NOTE\tmistyped", "end_save", log_step(["X/nothing"])]))
    assert save.unknown == ["NOTE\tmistyped", "LOG\tX/nothing"]


def test_tracker_state_of_nested_lists() -> None:
    assert turn_state((3, 1), (4, 2)) == "0|3;0;0;true,true,true,true;1\\;0\\;0\\;true,true"


def _module() -> Module:
    layer = Layer("Step", ("a.svg", "b.svg"), ("", "+ (back)"), "Flip", "70,130")
    unit = Piece("unit", 1, "Unit", (layer, Mark((("PieceLayer", "Unit"),)), Label("Note", "Note", "")), layer="Unit")
    ring = Piece("ring", 2, "Ring", (NoStack(),), "r.svg", layer="Terrain", stacks=False)
    flag = Piece("flag", 3, "Flag", (), "f.svg", layer="Terrain")
    board = Board("Board", "board.png", 100, 100)
    tracker = TurnTracker("Turn", TurnLevel("T", "T", ("one", "two")), "$level1$")
    window = Map("Main Map", (board,), layers=("Terrain", "Unit"))
    palette = Palette("panel", "All", pieces=("unit", "ring", "flag"))
    return Module("M", "1", "", ("A",), (), (unit, ring, flag), palette, (window,), 4, tracker)


def test_stacks_follow_their_pieces_and_keep_to_one_layer() -> None:
    places = [("u1", "unit"), ("f", "flag"), ("u2", "unit"), ("r", "ring")]
    placements = tuple(Placement(name, key, "Main Map", 10, 20) for name, key in places)
    save = read_stream(stream(Writer(_module()).position_commands(Save("x", placements))))
    assert {(s.layer, s.pieces) for s in save.stacks.values()} == {(1, ("u1", "u2")), (0, ("f",))}
    assert set(save.pieces) == {"u1", "f", "u2", "r"}


@given(st.text(alphabet=st.sampled_from("a;/\\\t'|,$<é\x1b"), max_size=12))
def test_awkward_labels_come_back(note: str) -> None:
    placement = Placement("u", "unit", "Main Map", 1, 2, {"Note": note, "Step": "2"})
    save = read_stream(stream(Writer(_module()).position_commands(Save("x", (placement,)))))
    piece = save.pieces["u"]
    assert piece.traits[2].state == note.replace("\x1b", "")
    assert piece.layers() == {"Step": 2}
    assert (piece.basic.x, piece.basic.y, piece.basic.properties) == (1, 2, {"UniqueID": "u"})


def test_an_id_is_used_once() -> None:
    twice = tuple(Placement("u", "unit", "Main Map", n, 0) for n in range(2))
    with pytest.raises(SaveError, match="u: placed twice"):
        Writer(_module()).position_commands(Save("x", twice))


def test_a_piece_must_be_in_the_module() -> None:
    with pytest.raises(SaveError, match="no counter 'other'"):
        Writer(_module()).position_commands(Save("x", (Placement("u", "other", "Main Map", 0, 0),)))


@pytest.mark.parametrize("turn", [(2,), (0, 0), (-1,)])
def test_a_turn_must_be_on_the_tracker(turn: tuple[int, ...]) -> None:
    with pytest.raises(SaveError, match="not on the tracker"):
        Writer(_module()).position_commands(Save("x", (), turn))
