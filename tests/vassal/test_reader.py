"""The samples, which the engine itself opens, are read without loss."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.vassal.archive import read_archive, write_archive
from adjudicator.vassal.reader import ReadError, flat_commands, parse_xml, read_module, read_save, read_stream
from adjudicator.vassal.savefile import add_command, deobfuscate, stream
from adjudicator.vassal.sequence import decode, nest
from tests.vassal.structure import module_problems, save_problems

SAMPLES = Path(__file__).parent / "samples"


def test_the_sample_module_is_sound() -> None:
    module = read_module(SAMPLES / "sample.vmod")
    assert module.name == "Smoke Test"
    assert module.sides == ["Axis", "Allies", "Referee"]
    assert len(module.slots) == 7
    assert module_problems(module) == []


@pytest.mark.parametrize("name", ["sample.vsav", "sample.vlog"])
def test_the_sample_positions_are_sound(name: str) -> None:
    save = read_save(SAMPLES / name)
    assert save_problems(save, read_module(SAMPLES / "sample.vmod")) == []
    assert save.pieces["1000"].name == "21 Pz Inf"
    assert save.pieces["1000"].layers() == {"Step": 2}
    assert save.pieces["1000"].traits[8].state == "/ tricky; te\\xt, with $signs$ é"
    assert save.stacks["1008"].pieces == ("1001", "1000")
    assert save.roster == [("axispw", "Erwin", "Axis"), ("alliespw", "Bernard", "Allies")]


def test_the_sample_log_has_its_steps() -> None:
    save = read_save(SAMPLES / "sample.vlog")
    assert [len(step) for step in save.steps] == [3, 1, 2, 2, 2, 2, 2]
    assert save.steps[0][0].startswith("LOG\tM/1000/Main Map/455/280/")


@pytest.mark.parametrize("name", ["sample.vsav", "sample.vlog"])
def test_pieces_of_the_samples_are_written_as_they_were(name: str) -> None:
    text = deobfuscate(read_archive(SAMPLES / name)["savedGame"])
    save = read_save(SAMPLES / name)
    for command in flat_commands(text):
        if command.startswith("+/") and decode(command[2:], "/")[0] in save.pieces:
            piece = save.pieces[decode(command[2:], "/")[0]]
            types, states = nest([t.type for t in piece.traits]), nest([t.state for t in piece.traits])
            assert add_command(piece.id, types, states) == command


def test_commands_in_commands_are_found() -> None:
    inner = stream(["+/s/stack/M;1;2;@@-1", "CHAThello"])
    assert list(flat_commands(stream(["begin_save", inner, "end_save"]))) == [
        "begin_save",
        "+/s/stack/M;1;2;@@-1",
        "CHAThello",
        "end_save",
    ]


def test_endless_nesting_is_refused() -> None:
    text = "CHATx"
    for _ in range(40):
        text = stream(["", text])
    with pytest.raises(ReadError, match="nested"):
        list(flat_commands(text))


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("+/a/piece;;;x;X", "cut short"),
        ("+/a/mark;A\tpiece;;;x;X/only", "2 traits but 1 states"),
        ("+/a/mark;A/x", "not a basic piece"),
        ("+/s/stack/M;1;2;ghost;@@-1", "names ghost before"),
        ("+/s/stack/M;here", "no place"),
    ],
)
def test_broken_pieces_are_refused(command: str, fault: str) -> None:
    with pytest.raises(ReadError, match=fault):
        read_stream(stream(["begin_save", command, "end_save"]))


@pytest.mark.parametrize(
    "document",
    [
        b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
        b'<!DOCTYPE a SYSTEM "http://127.0.0.1/x.dtd"><a/>',
        b"<a>",
        b"",
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    ],
)
def test_dangerous_or_broken_xml_is_refused(document: bytes) -> None:
    with pytest.raises(ReadError):
        parse_xml(document)


def test_files_of_the_wrong_kind_are_named(tmp_path: Path) -> None:
    write_archive(tmp_path / "x.zip", [("hello", b"")])
    with pytest.raises(ReadError, match=r"x\.zip: no saved game"):
        read_save(tmp_path / "x.zip")
    with pytest.raises(ReadError, match=r"x\.zip: no buildFile"):
        read_module(tmp_path / "x.zip")
