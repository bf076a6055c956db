"""A game over a corrected pack: the overlay travels with the offer, changes the rules hash, and both play by it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from adjudicator.cli import chance
from adjudicator.match.match import Match
from tests.cli.conftest import ALLIED, AXIS, Pair, cli, good, set_up
from tests.cli.test_bad_turns import assert_clear

MINE = """\
overlay: western-desert
title: My copy
counters:
- {id: br-7rt, attack: 3}
- {id: br-150, attack: 2}
hexes:
- {hex: 19/1026, terrain: rough}
"""
OTHER = "overlay: western-desert\ncounters:\n- {id: br-7rt, attack: 4}\n"


def offered(root: Path, text: str = MINE) -> Pair:
    (root / "mine.yaml").write_text(text, encoding="utf-8")
    pair = Pair(root)
    words = ("--name", "Alice", "--title", "Compass", "--overlay", root / "mine.yaml")
    good("new", "western-desert", "compass", pair.folder(AXIS), *words)
    return pair


def bob(pair: Pair) -> tuple[object, ...]:
    """What the Allied player types to take the offer up."""
    return "accept", pair.folder(AXIS) / "outbox" / "offer.turn", pair.folder(ALLIED), "--name", "Bob"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with an overlay, set up."""
    root = tmp_path_factory.mktemp("overlay")
    with chance.fixed("overlay"):
        pair = offered(root)
        good(*bob(pair), "--overlay", pair.folder(AXIS) / "outbox" / "overlay.yaml")
        good("receive", pair.folder(AXIS), pair.folder(ALLIED) / "outbox" / "genesis.turn")
        set_up(pair)
    return root


@pytest.fixture
def game(begun: Path, tmp_path: Path) -> Pair:
    return Pair(Path(shutil.copytree(begun, tmp_path / "game")))


def test_offer_and_overlay_are_two_files_to_mail(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(MINE, encoding="utf-8")
    words = ("--name", "Alice", "--overlay", tmp_path / "mine.yaml")
    result = good("new", "western-desert", "compass", tmp_path / "axis", *words)
    assert re.search(r"^Mail both files: \S+offer\.turn and \S+overlay\.yaml$", result.out, re.MULTILINE)
    assert "counters br-7rt: attack 2 -> 3" in result.out and "br-150" not in result.out
    text = (tmp_path / "axis" / "outbox" / "overlay.yaml").read_text(encoding="utf-8")
    assert text == MINE.replace("- {id: br-150, attack: 2}\n", "")
    assert (tmp_path / "axis" / "overlay.yaml").read_text(encoding="utf-8") == text
    (tmp_path / "axis" / "outbox" / "overlay.yaml").unlink()
    assert "overlay.yaml" in good("resend", tmp_path / "axis").out
    assert (tmp_path / "axis" / "outbox" / "overlay.yaml").read_text(encoding="utf-8") == text


def test_faults_stop_before_anything_is_written(tmp_path: Path) -> None:
    wrong = "overlay: western-desert\ncounters:\n- {id: br-7rt, attack: x}\n"
    (tmp_path / "mine.yaml").write_text(wrong, encoding="utf-8")
    mine = ("--overlay", tmp_path / "mine.yaml")
    words = ("new", "western-desert", "compass", tmp_path / "axis", "--name", "Alice", *mine)
    result = cli(*words)
    assert_clear(result, r"mine\.yaml:3:3: error\[pack\.number\]: attack x is no whole number", 1)
    assert not (tmp_path / "axis").exists()
    (tmp_path / "mine.yaml").write_text("overlay: western-desert\ntitle: '\U0001f600'\n", encoding="utf-8")
    result = cli(*words)
    assert_clear(result, r"mine\.yaml:2:9: error\[pack\.file\]: the character", 1)


def test_without_the_overlay_the_offer_says_which_pack_it_names(tmp_path: Path) -> None:
    pair = offered(tmp_path)
    result = cli(*bob(pair))
    body = (pair.folder(AXIS) / "outbox" / "offer.turn").read_text(encoding="utf-8")
    named = re.search(r"pack: (\w{64})", body)
    assert named
    assert_clear(result, rf"names the pack {named[1][:12]}, this program has \w{{12}}; give the overlay", 2)
    assert not pair.folder(ALLIED).exists()


def test_another_overlay_is_told_from_the_right_one(tmp_path: Path) -> None:
    pair = offered(tmp_path)
    (tmp_path / "other.yaml").write_text(OTHER, encoding="utf-8")
    result = cli(*bob(pair), "--overlay", tmp_path / "other.yaml")
    assert_clear(result, r"the overlay gives the pack \w{12}, the offer names \w{12}; take the file that came", 2)


def test_an_overlay_for_an_offer_without_one(tmp_path: Path) -> None:
    pair = Pair(tmp_path)
    (tmp_path / "mine.yaml").write_text(MINE, encoding="utf-8")
    good("new", "western-desert", "compass", pair.folder(AXIS), "--name", "Alice")
    assert_clear(cli(*bob(pair), "--overlay", tmp_path / "mine.yaml"), "leave --overlay out", 2)


def test_the_rules_hash_is_another(game: Pair, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    good("new", "western-desert", "compass", plain, "--name", "Alice")
    texts = [(folder / "outbox" / "offer.turn").read_text(encoding="utf-8") for folder in (game.folder(AXIS), plain)]
    hashes = [re.search(r"rules: (\w{64})", text) for text in texts]
    assert hashes[0] and hashes[1] and hashes[0][1] != hashes[1][1]


def test_both_sides_play_by_the_corrected_data(game: Pair) -> None:
    for side in (AXIS, ALLIED):
        match = Match.load(game.folder(side))
        assert match.resolver.table.start().world.units["br-7rt"].attack == 3
        assert [row["what"] for row in match.pack.tree["overlay"]["corrections"]] == ["br-7rt", "19/1026"]
        assert "2 corrections, see overlay.yaml" in (game.folder(side) / "game.yaml").read_text(encoding="utf-8")


def test_a_turn_is_checked_and_signed_over_it(game: Pair) -> None:
    section = "  - type: section\n    name: movement\n"
    orders = game.write(f"orders:\n{section}  - type: move\n    unit: 7 RTR\n    to: 19/1026\n")
    assert good("check", orders).out.startswith("1 order: 1 legal")
    good("sign", orders, "--yes")
    game.deliver(ALLIED)
    game.bare(AXIS)


def test_verify_lays_the_overlay_anew(game: Pair) -> None:
    folder = game.folder(ALLIED)
    assert "with the overlay overlay.yaml beside the log" in good("verify", folder).out
    (folder / "overlay.yaml").write_text(OTHER, encoding="utf-8")
    assert_clear(cli("verify", folder), "this overlay gives the pack", 1)
    (folder / "overlay.yaml").unlink()
    assert_clear(cli("verify", folder), r"begun with other data.*beside the log as overlay\.yaml", 1)


def test_the_compiled_pack_can_be_made_again(game: Pair) -> None:
    folder = game.folder(ALLIED)
    kept = folder / "state" / "pack.json"
    before = kept.read_bytes()
    kept.unlink()
    good("status", folder)
    assert kept.read_bytes() == before
    kept.write_bytes(b"{}")
    good("status", folder)
    assert kept.read_bytes() == before


def test_a_folder_that_lost_its_overlay_says_so(game: Pair) -> None:
    folder = game.folder(ALLIED)
    (folder / "overlay.yaml").unlink()
    assert_clear(cli("status", folder), r"begun with other data of western-desert.*overlay\.yaml", 2)
    (folder / "overlay.yaml").write_text(OTHER, encoding="utf-8")
    (folder / "state" / "pack.json").unlink()
    assert_clear(cli("status", folder), "this overlay gives the pack", 2)
    (folder / "overlay.yaml").write_text("overlay: chess\n", encoding="utf-8")
    assert_clear(cli("status", folder), "bring back the overlay that both players agreed on", 2)


def test_exports_show_the_corrected_counters(game: Pair, tmp_path: Path) -> None:
    good("export", "save", game.folder(ALLIED), "-o", tmp_path / "x.vsav")
    good("export", "vmod", game.folder(ALLIED), "-o", tmp_path / "x.vmod")
    assert (tmp_path / "x.vmod").stat().st_size > 100_000


def test_accepting_tells_what_is_corrected(tmp_path: Path) -> None:
    pair = offered(tmp_path)
    result = good(*bob(pair), "--overlay", tmp_path / "mine.yaml")
    assert "hexes 19/1026: terrain clear -> rough" in result.out
    tree = json.loads((pair.folder(AXIS) / "state" / "pack.json").read_text(encoding="utf-8"))
    assert tree["overlay"]["title"] == "My copy"
