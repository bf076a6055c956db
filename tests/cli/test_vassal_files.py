"""VASSAL at the command line: logs out of messages, turn files out of logs, saves with what the scenario says."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.match.draft import read_draft
from adjudicator.vassal.reader import read_save
from tests.cli.conftest import ALLIED, Pair, cli, good, tree_of


def test_a_log_out_and_in_again_gives_the_moves(movement: Pair, tmp_path: Path) -> None:
    """The moves of a message come back as orders that the position before them takes."""
    movement.turn("1-movement.yaml")
    folder, log, draft = movement.folder(ALLIED), tmp_path / "m4.vlog", tmp_path / "again.yaml"
    assert good("export", "log", folder, "4", "-o", log).out == f"VASSAL log of message 4: {log}\n"
    told = good("import-log", log, "--game", folder, "-o", draft).out
    assert f"Turn file: {draft}" in told
    read = read_draft(draft.read_bytes())
    assert read.problems == []
    moved = [order for order in read.orders if order.type == "move"]
    listed = good("explain", "4", "--game", folder, "--json").json["lines"]
    assert sum(len(order.texts("unit") or order.texts("units")) for order in moved) == sum(
        row["kind"] == "move" for row in listed
    )
    assert good("import-log", log, "--game", folder).out == draft.read_text(encoding="utf-8")
    refused = cli("import-log", log, "--game", folder, "-o", draft)
    assert refused.code == 2 and "--force" in refused.err
    assert good("import-log", log, "--game", folder, "-o", draft, "--force", "--json").json["ok"] is True


def test_the_newest_message_is_the_default(movement: Pair, tmp_path: Path) -> None:
    movement.turn("1-movement.yaml")
    log = tmp_path / "newest.vlog"
    assert "log of message 5" in good("export", "log", movement.folder(ALLIED), "-o", log).out
    assert good("export", "log", movement.folder(ALLIED), "-o", log, "--json").json == {"ok": True, "file": str(log)}


def test_a_save_shows_what_only_the_scenario_says(movement: Pair, tmp_path: Path) -> None:
    """Airfields, and units that wait in boxes, are no part of the position."""
    save = tmp_path / "now.vsav"
    good("export", "save", movement.folder(ALLIED), "-o", save)
    names = [piece.marks().get("CounterId", piece.id) for piece in read_save(save).pieces.values()]
    assert any("airfield" in name for name in names), sorted(names)[:40]


def test_bad_files_are_told(movement: Pair, tmp_path: Path) -> None:
    folder = movement.folder(ALLIED)
    before = tree_of(folder)
    junk = tmp_path / "junk.vlog"
    junk.write_bytes(b"no zip at all")
    for words, code, said in (
        (["import-log", junk], 2, "not a readable zip archive"),
        (["import-log", tmp_path / "none.vlog"], 2, "there is no such file"),
        (["import-log", tmp_path], 2, "there is no such file"),
    ):
        result = cli(*words, "--game", folder)
        assert (result.code, result.out) == (code, "") and said in result.err
    for seq, code in (("0", 1), ("99", 1), ("4", 1)):
        result = cli("export", "log", folder, seq, "-o", tmp_path / "x.vlog")
        assert result.code == code and result.err.startswith("error["), result.all
    assert not (tmp_path / "x.vlog").exists()
    assert {name: data for name, data in tree_of(folder).items() if "lock" not in name} == {
        name: data for name, data in before.items() if "lock" not in name
    }


@pytest.fixture(scope="module")
def sands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game that the demo of Shifting Sands leaves."""
    root = tmp_path_factory.mktemp("sands")
    good("demo", root / "d", "--system", "shifting-sands")
    return root / "d"


def test_shifting_sands_has_its_files_too(sands: Path, tmp_path: Path) -> None:
    assert sorted(path.suffix for path in (sands / "exported").iterdir()) == [".vlog", ".vmod", ".vsav"]
    folder = sands / "bob" / "sands"
    for side in ("axis", "allied", "public"):
        good("export", "save", folder, "--for", side, "-o", tmp_path / f"{side}.vsav")
    log = tmp_path / "m6.vlog"
    good("export", "log", folder, "6", "-o", log)
    read = read_draft(good("import-log", log, "--game", folder).out.encode())
    assert read.problems == []
    written = [(order.type, order.text("space") or order.text("unit")) for order in read.orders]
    assert written == [
        ("section", ""),
        ("move_marker", "Bir el Kenaysis"),
        ("move_marker", "Mersa Matruh"),
        ("move_marker", "Alexandria"),
        ("move", "BR 7 Arm"),
        ("move", "IND 4"),
        ("move", "BR inf BG 2"),
    ]


def test_a_log_of_another_game_is_refused(movement: Pair, sands: Path, tmp_path: Path) -> None:
    log = tmp_path / "m6.vlog"
    good("export", "log", sands / "bob" / "sands", "6", "-o", log)
    result = cli("import-log", log, "--game", movement.folder(ALLIED))
    assert result.code == 2 and "a log of the module 'Shifting Sands', not of 'Western Desert'" in result.err
