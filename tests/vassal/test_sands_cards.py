"""Cards of Shifting Sands: piles beside the map, hands, and what happens to them in logs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudicator.packs import load_pack
from adjudicator.vassal import ExportError, export_log, export_save, export_vmod
from adjudicator.vassal.archive import read_archive
from adjudicator.vassal.reader import ReadModule, ReadSave, parse_xml, read_module, read_save, read_stream
from adjudicator.vassal.savefile import deobfuscate
from adjudicator.vassal.sequence import decode
from adjudicator.vassal.steps import LogStep
from adjudicator.vassal.svg import NS
from tests.vassal.playback import Table
from tests.vassal.structure import module_problems, save_problems

Tree = Mapping[str, Any]
CARDS = ["matildas-1", "taranto-raid-3", "compass-6"]


@pytest.fixture(scope="module")
def pack() -> Tree:
    return load_pack("shifting-sands").tree


@pytest.fixture(scope="module")
def module(pack: Tree, tmp_path_factory: pytest.TempPathFactory) -> ReadModule:
    out = tmp_path_factory.mktemp("vmod") / "sands.vmod"
    export_vmod(pack, out)
    return read_module(out)


def _cards(zone: str, cards: list[str], side: str = "allied", **more: str) -> dict[str, Any]:
    return {"cards": [{"zone": zone, "side": side, "cards": cards, **more}]}


def _save(pack: Tree, position: Tree, folder: Path, viewer: str | None = None) -> ReadSave:
    export_save(pack, position, folder / "x.vsav", viewer, "a position")
    return read_save(folder / "x.vsav")


def _pile(save: ReadSave, name: str) -> list[str]:
    fields = decode(save.decks[name], ";")
    return decode(fields[4], ",") if len(fields) > 4 else []


def test_every_card_is_in_the_draw_pile_of_its_side(module: ReadModule, pack: Tree) -> None:
    for side in ("axis", "allied"):
        (pile,) = [e for e in module.elements(".DrawPile") if e.get("name") == f"{side.capitalize()} draw pile"]
        gpids = [slot.get("gpid", "") for slot in pile]
        ids = {module.slots[gpid].marks()["CounterId"] for gpid in gpids}
        assert ids == {f"card-{row['id']}" for row in pack["cards"] if row["side"] == side}
        assert (pile.get("faceDown"), pile.get("shuffle")) == ("Always", "Never")
    assert len(module.elements(".DrawPile")) == 8


def test_a_hand_is_of_its_side_and_lies_open(module: ReadModule) -> None:
    hands = [(e.get("mapName"), e.get("side"), e.get("visible")) for e in module.elements("module.PlayerHand")]
    assert hands == [("Axis hand", "Axis,Solitaire", "true"), ("Allied hand", "Allied,Solitaire", "true")]


def test_a_card_shows_what_the_pack_says(module: ReadModule, pack: Tree) -> None:
    for row in pack["cards"]:
        picture = parse_xml(module.entries[f"images/card-{row['id']}.svg"])
        texts = [str(element.text) for element in picture.iter(f"{{{NS}}}text")]
        said = " ".join(texts)
        assert row["name"] in said and str(row["ops"]) in texts
        assert f"{row['side'].capitalize()} {row['number']}" in texts
        assert ("effect" in texts[-1] and "reconstructed" in texts[-1]) == (row["known"] != "exact"), row["id"]


def test_the_last_card_of_a_pile_is_on_top(pack: Tree, module: ReadModule, tmp_path: Path) -> None:
    save = _save(pack, _cards("discards", CARDS), tmp_path)
    assert save_problems(save, module) == []
    assert _pile(save, "deck.allied.discards") == [f"card-{card}" for card in CARDS]
    assert len(save.decks) == 8
    assert _pile(save, "deck.allied.piles") == []


def test_a_hand_is_one_stack_in_its_window(pack: Tree, module: ReadModule, tmp_path: Path) -> None:
    save = _save(pack, _cards("hands", CARDS), tmp_path)
    assert save_problems(save, module) == []
    (stack,) = [stack for stack in save.stacks.values() if stack.map == "Allied hand"]
    assert stack.pieces == tuple(f"card-{card}" for card in CARDS)


@pytest.mark.parametrize(("viewer", "seen"), [(None, 0), ("axis", 0), ("allied", 3)])
def test_a_hand_that_only_its_side_may_see_is_in_its_file_only(
    viewer: str | None, seen: int, pack: Tree, tmp_path: Path
) -> None:
    _save(pack, _cards("hands", CARDS, visibility="allied"), tmp_path, viewer)
    text = deobfuscate(read_archive(tmp_path / "x.vsav")["savedGame"])
    assert sum(card in text for card in CARDS) == seen


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (_cards("hands", ["nonsense-1"]), "card 'nonsense-1' is not in the pack"),
        (_cards("sleeves", CARDS), "'sleeves' of 'allied' is no place for cards"),
        (_cards("hands", CARDS, "vichy"), "'hands' of 'vichy'"),
        (_cards("hands", [CARDS[0], CARDS[0]]), "placed twice"),
    ],
)
def test_cards_that_do_not_fit_are_told(position: Tree, said: str, pack: Tree, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=said):
        export_save(pack, position, tmp_path / "x.vsav", None, "x")


def test_cards_go_from_pile_to_hand_to_pile_in_a_log(pack: Tree, module: ReadModule, tmp_path: Path) -> None:
    a, b, c = CARDS
    steps = [
        {"cards": [*_cards("piles", [a, c])["cards"], *_cards("hands", [b])["cards"]]},
        {"cards": [*_cards("piles", [a])["cards"], *_cards("hands", [b, c])["cards"]]},
        {"cards": [*_cards("hands", [c])["cards"], *_cards("discards", [b])["cards"], *_cards("piles", [a])["cards"]]},
        _cards("discards", [b, c, a]),
        _cards("piles", [a, b, c]),
        _cards("piles", [c, a, b]),
    ]
    made = [LogStep((f"step {n}",), after) for n, after in enumerate(steps)]
    export_log(pack, _cards("piles", CARDS), made, tmp_path / "x.vlog", None, "x")
    log = read_save(tmp_path / "x.vlog")
    assert save_problems(log, module) == []
    table = Table(log)
    for number, (step, after) in enumerate(zip(log.steps, steps, strict=True)):
        table.step(step)
        assert table.picture() == Table(_save(pack, after, tmp_path)).picture(), number
    assert [command[4:6] for command in log.steps[-1]] == ["D/", "CH"], "cards that only change places do not move"


SAVE_FAULTS = {
    "another pile": (";Axis discards;", ";Axis discord;", "the module has no pile 'Axis discord'"),
    "a pile is missing": ("+/deck.axis.removed/", "-/deck.axis.removed/", "the save has the piles"),
    "face": (";Never;Never;false;true;", ";Always;Never;false;true;", "its fields are not those of the module's"),
    "place of a card": ("\tShifting Sands;2388;2836;", "\tShifting Sands;2388;2837;", "does not lie where its pile is"),
}


@pytest.mark.parametrize("name", SAVE_FAULTS)
def test_a_fault_of_a_pile_is_found(name: str, pack: Tree, module: ReadModule, tmp_path: Path) -> None:
    old, new, said = SAVE_FAULTS[name]
    _save(pack, _cards("discards", CARDS), tmp_path)
    text = deobfuscate(read_archive(tmp_path / "x.vsav")["savedGame"])
    assert old in text
    problems = save_problems(read_stream(text.replace(old, new, 1)), module)
    assert any(said in problem for problem in problems), problems


def test_faults_of_piles_and_hands_of_a_module_are_found(module: ReadModule) -> None:
    pile, hand = module.elements(".DrawPile")[0], module.elements("module.PlayerHand")[0]
    kept = pile.get("owningBoard", ""), hand.get("side", "")
    pile.set("owningBoard", "Nowhere")
    hand.set("side", "Vichy")
    found = module_problems(module)
    pile.set("owningBoard", kept[0])
    hand.set("side", kept[1])
    assert any("lies on no board" in fault for fault in found)
    assert any("is of no side" in fault for fault in found)
    assert module_problems(module) == []
