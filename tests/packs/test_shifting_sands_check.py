# ruff: noqa: E501
"""The checker finds planted faults of Shifting Sands, all at once, each with file and line, and none in the pack."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from adjudicator.packs import check_pack
from adjudicator.packs.check import check_files
from adjudicator.packs.faults import Fault
from adjudicator.packs.files import PackFiles, read_pack
from adjudicator.packs.reading import Record, Rows
from tests.packs.shifting_sands import FOLDER
from tests.packs.test_check import plant

CAMPAIGN, SONNENBLUME = "scenarios/campaign.yaml", "scenarios/sonnenblume.yaml"

PLANTED = {
    # what: (file, text in the line, text to put there, fault)
    "space twice": ("map.yaml", "- {name: Zuara, slug: zuara,", "- {name: Tarhuna, slug: zuara,", "twice"),
    "slug that is none": ("map.yaml", "slug: misurata,", "slug: Misurata,", "slug"),
    "unknown terrain": ("map.yaml", "{name: Msus, slug: msus, area: Libya, region: Libya, terrain: clear,", "{name: Msus, slug: msus, area: Libya, region: Libya, terrain: lava,", "word"),
    "unknown region": ("map.yaml", "{name: Gazala, slug: gazala, area: Libya, region: Libya,", "{name: Gazala, slug: gazala, area: Libya, region: Lybia,", "region"),
    "unknown area": ("map.yaml", "{name: Gambut, slug: gambut, area: Libya,", "{name: Gambut, slug: gambut, area: Marmarica,", "area"),
    "unknown side": ("map.yaml", "slug: el-adem, area: Libya, region: Libya, terrain: clear, control: axis,", "slug: el-adem, area: Libya, region: Libya, terrain: clear, control: vichy,", "word"),
    "space without source": ("map.yaml", "lat: 24.18, lon: 23.31, source: inferred,", "lat: 24.18, lon: 23.31,", "source"),
    "space with unknown source": ("map.yaml", "lat: 29.8, lon: 20.6, source: rulebook, terrain_source: inferred,", "lat: 29.8, lon: 20.6, source: rulebook, terrain_source: guess,", "word"),
    "fort without source": ("map.yaml", "terrain: clear, fort: 2, port: yes, vp: yes, control: axis, lat: 32.08, lon: 23.96, sources: [{user: british_group, conditions: [{played: Montgomery}], rule: 13.25}], source: rulebook, terrain_source: inferred, fort_source: inferred,", "terrain: clear, fort: 2, port: yes, vp: yes, control: axis, lat: 32.08, lon: 23.96, sources: [{user: british_group, conditions: [{played: Montgomery}], rule: 13.25}], source: rulebook, terrain_source: inferred,", "source"),
    "port source without port": ("map.yaml", "lat: 29.03, lon: 21.55, source: rulebook,", "lat: 29.03, lon: 21.55, source: rulebook, port_source: history,", "source"),
    "latitude off the globe": ("map.yaml", "lat: 31.67, lon: 24.9,", "lat: 131.67, lon: 24.9,", "degrees"),
    "unknown user of a source": ("map.yaml", "{user: lrdg, conditions: []", "{user: scouts, conditions: []", "word"),
    "source with unknown event": ("map.yaml", "[{user: axis, conditions: [{played: Torch}], rule: 13.32}]", "[{user: axis, conditions: [{played: Lamp}], rule: 13.32}]", "name"),
    "source that no card opens": ("map.yaml", "slug: casablanca, area: Morocco, region: West Africa, terrain: mountain, port: yes, control: axis, west_of_tripoli: yes, lat: 33.57, lon: -7.59, sources: [{user: allied, conditions: [{played: Torch}]", "slug: casablanca, area: Morocco, region: West Africa, terrain: mountain, port: yes, control: axis, west_of_tripoli: yes, lat: 33.57, lon: -7.59, sources: [{user: allied, conditions: [{played: Montgomery}]", "supply-source"),
    "hold from afar": ("map.yaml", "hold_from: Aden,", "hold_from: Nairobi,", "apart"),
    "alias of another space": ("map.yaml", "aliases: [Agheila]", "aliases: [Buerat]", "twice"),
    "closed without rule": ("map.yaml", "- {name: Tunisia, closed_until: [{played: Torch}], rule: 10.51, source: rulebook}", "- {name: Tunisia, closed_until: [{played: Torch}], source: rulebook}", "missing"),
    "region that no card opens": ("map.yaml", "- {name: Algeria, closed_until: [{played: Torch}]", "- {name: Algeria, closed_until: [{played: Patton}]", "region"),
    "line to nowhere": ("map.yaml", "- {a: Harar, b: Jijiga,", "- {a: Harar, b: Jigjiga,", "space"),
    "line twice": ("map.yaml", "- {a: Aleppo, b: Hanssetche,", "- {a: Palmyra, b: Rutbah,", "twice"),
    "line to itself": ("map.yaml", "- {a: Tunis, b: Mateur,", "- {a: Tunis, b: Tunis,", "apart"),
    "unknown dotted line": ("map.yaml", "- {a: Jarabub, b: Siwa, only: battlegroups,", "- {a: Jarabub, b: Siwa, only: camels,", "word"),
    "solid line into the Deep Desert": ("map.yaml", "- {a: Siwa, b: Deep Desert, only: lrdg,", "- {a: Siwa, b: Deep Desert,", "only"),
    "line to a box": ("map.yaml", "- {a: Oran, b: Casablanca,", "- {a: Oran, b: Malta,", "box"),
    "line without source": ("map.yaml", "- {a: Lugh, b: Mogadishu, source: history}", "- {a: Lugh, b: Mogadishu}", "source"),
    "unknown nation": ("units.yaml", "{kind: POL inf BG, id: pol-inf-bg, nation: POL,", "{kind: POL inf BG, id: pol-inf-bg, nation: PL,", "word"),
    "counter twice": ("units.yaml", "- {kind: SA 2, id: sa-2,", "- {kind: SA 2, id: sa-1,", "twice"),
    "two of a division": ("units.yaml", "{kind: NZ 2, id: nz-2, nation: NZ, size: division, type: infantry,", "{kind: NZ 2, id: nz-2, nation: NZ, size: division, type: infantry, count: 2,", "count"),
    "more reduced than full": ("units.yaml", "name: German 999th Light Division, cf_full: 2,", "name: German 999th Light Division, cf_full: 0,", "figures"),
    "figure that is no number": ("units.yaml", "name: American 34th Division, cf_full: 4,", "name: American 34th Division, cf_full: four,", "number"),
    "unit without source": ("units.yaml", "lf: 2, mf: 3, source: history, cf_source: inferred, lf_source: inferred, mf_source: inferred, note: lf as the 27th; mf as the 27th}\n- {kind: IT 16,", "lf: 2, mf: 3, cf_source: inferred, lf_source: inferred, mf_source: inferred, note: lf as the 27th; mf as the 27th}\n- {kind: IT 16,", "source"),
    "dot without source": ("units.yaml", "dot: yes, option: 19.11,", "option: 19.11,", "source"),
    "unknown option": ("units.yaml", "option: 19.13,", "option: 19.14,", "option"),
    "upgrade of another arm": ("units.yaml", "mf: 5, upgrade_of: BR 7 Arm, source: rulebook, cf_source: rulebook, cf_reduced_source: inferred, lf_source: rulebook, mf_source: rulebook, note: FAQ counters}\n- {kind: BR 2 Arm,", "mf: 5, upgrade_of: BR 70, source: rulebook, cf_source: rulebook, cf_reduced_source: inferred, lf_source: rulebook, mf_source: rulebook, note: FAQ counters}\n- {kind: BR 2 Arm,", "upgrade"),
    "battlegroup that never comes": ("units.yaml", "nation: VF, size: battlegroup, type: infantry, count: 9,", "nation: VF, size: battlegroup, type: infantry, count: 10,", "mix"),
    "too few battlegroups": ("units.yaml", "nation: GE, size: battlegroup, type: infantry, count: 6,", "nation: GE, size: battlegroup, type: infantry, count: 5,", "mix"),
    "card of a wrong year": ("cards.yaml", "  number: 53\n  name: British Reinforcements (50th)\n  year: 1942", "  number: 53\n  name: British Reinforcements (50th)\n  year: 1941", "year"),
    "card id without its number": ("cards.yaml", "- id: ultra-24\n", "- id: ultra\n", "id"),
    "card number twice": ("cards.yaml", "  number: 54\n  name: Luftwaffe\n", "  number: 49\n  name: Luftwaffe\n", "twice"),
    "deck with a gap": ("cards.yaml", "  number: 46\n  name: Fall Blau\n", "  number: 56\n  name: Fall Blau\n", "gap"),
    "card without effects": ("cards.yaml", "  - {do: show_hand, side: allied, cards: all}\n", "", "missing"),
    "unknown effect": ("cards.yaml", "  - {do: rp_income, side: axis,", "  - {do: rp_gain, side: axis,", "effect"),
    "unknown key of an effect": ("cards.yaml", "{do: rd_points, points: 3, counts_as: rd}", "{do: rd_points, points: 3, counts_as: rd, free: yes}", "key"),
    "effect that lacks a key": ("cards.yaml", "- {do: rommel_shift, value: 0, rule: 11.274}", "- {do: rommel_shift, value: 0}", "missing"),
    "unknown unit of an effect": ("cards.yaml", "{do: place, unit: BR 70,", "{do: place, unit: BR 71,", "name"),
    "unknown place set": ("cards.yaml", "unit: IT AFR, count: 1, where: it_afr,", "unit: IT AFR, count: 1, where: it_africa,", "name"),
    "unknown condition": ("cards.yaml", "[{turn_min: Fall 1941}]", "[{not_before: Fall 1941}]", "form"),
    "unknown turn": ("cards.yaml", "[{turn_min: Summer 1941, rule: 19.42}]", "[{turn_min: Autumn 1941}]", "name"),
    "combat asked of an event": ("cards.yaml", "  name: Supercharge\n  year: 1942\n", "  name: Supercharge\n  switches: [{option: 19.22, adds: [{own: {nation: BR}}]}]\n  year: 1942\n", "elsewhere"),
    "combat asked of a placement": ("cards.yaml", "{spaces: [Jerusalem], if: [{year: [1940]}]}", "{spaces: [Jerusalem], if: [{terrain: [clear]}]}", "elsewhere"),
    "combat asked of what holds points off": ("cards.yaml", "  - {do: vp, delta: -1, at: now, unless: [{option: 19.3}]}", "  - {do: vp, delta: -1, at: now, unless: [{not: [{fort: yes}]}]}", "elsewhere"),
    "combat asked of a mandate": ("cards.yaml", "cancelled_if: [{controls: {space: Tripoli, side: allied}}]", "cancelled_if: [{flank: [none]}]", "elsewhere"),
    "hand asked of a combat": ("cards.yaml", "requires: [{enemy: {type: armor}}]", "requires: [{with_card: Ultra, from: hand, if_played: Spitfires}]", "elsewhere"),
    "hand asked of a part of a condition": ("cards.yaml", "{with_card: Air Support, from: hand, if_played: Spitfires, rule: 10.322}", "{any_of: [{with_card: Air Support, from: hand, if_played: Spitfires}]}", "elsewhere"),
    "misspelt key of a requirement": ("cards.yaml", "requires: [{own: {nation: IT}}]", "requires: [{own: {nations: IT}}]", "key"),
    "misspelt key within a part": ("cards.yaml", "requires: [{any_of: [{terrain: [mountain]}, {fort: yes}]}]", "requires: [{any_of: [{terain: [mountain]}, {fort: yes}]}]", "form"),
    "misspelt second event": ("cards.yaml", "role: attacker, requires: [{own: {nation: GE, type: armor}}]", "role: attacker, requires: [{if_played: Rommel, than_played: Torch}]", "form"),
    "requirement of nothing": ("cards.yaml", "requires: [{season: [Summer]}, {own_spaces: [clear]}]", "requires: [{season: [Summer]}, {own_spaces: []}]", "missing"),
    "square with its own markers": ("cards.yaml", "  - {do: activate, markers: 4, region: [Tunisia], supply: [full, limited], each_costs: 1}", "  - {do: activate, markers: 4, region: [Tunisia], supply: [full, limited], each_costs: 1}\n  - {do: activate, markers: 1, region: [Libya], supply: [full], each_costs: 1}", "square"),
    "points of the enemy": ("cards.yaml", "  rp: {GE: 1, IT: 2}\n", "  rp: {GE: 1, BR: 2}\n", "word"),
    "reinforcement without class": ("cards.yaml", "  kind: reinforcement\n  reinforcement_class: IT\n  rp: {IT: 2}\n  conditions: [{controls:", "  kind: reinforcement\n  rp: {IT: 2}\n  conditions: [{controls:", "class"),
    "T card before Torch": ("cards.yaml", "  conditions: [{played: Torch}]\n  effects:\n  - {do: place, unit: BR 46,", "  conditions: []\n  effects:\n  - {do: place, unit: BR 46,", "class"),
    "combat card that fights not": ("cards.yaml", "  effects:\n  - {do: combat, role: either, drm: 2}\n", "  effects:\n  - {do: nothing}\n", "combat"),
    "points without end": ("cards.yaml", "unless: [{played_this_turn: Mediterranean Fleet}], once_per_game: yes}", "unless: [{played_this_turn: Mediterranean Fleet}]}", "vp"),
    "circle of cards": ("cards.yaml", "  name: Crusader Tanks\n  year: 1941\n  ops: 3\n  square: no\n  asterisk: yes\n  red_name: yes\n  t_card: no\n  kind: event\n  rp: {BR: 2}\n  conditions: []\n", "  name: Crusader Tanks\n  year: 1941\n  ops: 3\n  square: no\n  asterisk: yes\n  red_name: yes\n  t_card: no\n  kind: event\n  rp: {BR: 2}\n  conditions: [{played: Sherman Tanks}]\n", "circle"),
    "card barred for ever": ("cards.yaml", "  conditions: [{played: Montgomery}]\n  effects:\n  - {do: activate, markers: 5,", "  conditions: [{played: Montgomery}, {not_played: Montgomery}]\n  effects:\n  - {do: activate, markers: 5,", "never"),
    "red name that nothing needs": ("cards.yaml", "  name: Vulcan\n  year: 1942\n  ops: 5\n  square: no\n  asterisk: yes\n  red_name: no\n", "  name: Vulcan\n  year: 1942\n  ops: 5\n  square: no\n  asterisk: yes\n  red_name: yes\n", "red-name"),
    "ban that nothing lifts": ("cards.yaml", "  - {do: lift_ban, reason: Barbarossa}\n", "", "ban"),
    "place set in a circle": ("cards.yaml", "- {name: it_afr, rule: 7.532b, any: [{spaces: [Addis Ababa]}]}", "- {name: it_afr, rule: 7.532b, any: [{include: it_afr}]}", "circle"),
    "short row of a fire table": ("tables.yaml", "    - {row: 5, cells: [1, 1, 1, 2, 2, 2, 3, 3, 4],", "    - {row: 5, cells: [1, 1, 1, 2, 2, 2, 3, 3],", "cells"),
    "falling row": ("tables.yaml", "    - {row: 2, cells: [0, 0, 0, 1, 1, 1, 1, 2],", "    - {row: 2, cells: [0, 0, 0, 1, 1, 1, 2, 1],", "falling"),
    "cell against the rulebook": ("tables.yaml", "    - {row: 3, cells: [1, 2, 2, 3, 3, 4, 4, 5, 5, 7],", "    - {row: 3, cells: [1, 1, 2, 3, 3, 4, 4, 5, 5, 7],", "pinned"),
    "gap between columns": ("tables.yaml", "    columns: [0, 1, 2, 3, 4, 5, 6, 7+]", "    columns: [0, 1, 2, 3, 4, 5, 7, 8+]", "columns"),
    "bold that is no column": ("tables.yaml", "    - {row: 2, cells: [1, 1, 2, 2, 3, 3, 4, 4, 5], bold: [15+]}", "    - {row: 2, cells: [1, 1, 2, 2, 3, 3, 4, 4, 5], bold: [15]}", "bold"),
    "modifier over no line": ("tables.yaml", "link: [Aswan, Khartoum]", "link: [Aswan, Kassala]", "link"),
    "modifier of a nation that is none": ("tables.yaml", "nations: [US, FF_US], drm: -1", "nations: [US, FF_USA], drm: -1", "name"),
    "unknown raid": ("tables.yaml", "  - {die: 2, intelligence: 1, raid: lose_step}", "  - {die: 2, intelligence: 1, raid: lose_face}", "word"),
    "terrain twice": ("tables.yaml", "- {terrain: oasis, attacker_shift: 0,", "- {terrain: clear, attacker_shift: 0,", "twice"),
    "four units in a space": (CAMPAIGN, "- {unit: IT 27, at: Tripoli, source: rulebook}", "- {unit: IT 27, at: Tripoli, source: rulebook}\n- {unit: IT 102, at: Tripoli, source: rulebook}\n- {unit: IT 132 Arm, at: Tripoli, source: rulebook}", "stacking"),
    "unknown unit": (CAMPAIGN, "- {unit: IT 61, at: Tobruk,", "- {unit: IT 161, at: Tobruk,", "unit"),
    "unit nowhere": (CAMPAIGN, "- {unit: IT 1BS, at: Buerat,", "- {unit: IT 1BS, at: Bweirat,", "space"),
    "unit in enemy land": (CAMPAIGN, "- {unit: IT 2BS, at: Buerat,", "- {unit: IT 2BS, at: Sofafi,", "control"),
    "both sides in a space": (CAMPAIGN, "- {unit: IND 4, at: Mersa Matruh, step: reduced,", "- {unit: IND 4, at: Bardia, step: reduced,", "sides"),
    "unit in a closed region": (CAMPAIGN, "- {unit: IT 62, at: Bardia,", "- {unit: IT 62, at: Tunis,", "closed"),
    "division in Chad": (CAMPAIGN, "- {unit: BR inf BG, at: Jerusalem, source: rulebook}", "- {unit: BR inf BG, at: Chad, source: rulebook}", "closed"),
    "too many of a kind": (CAMPAIGN, "- {unit: POL inf BG, at: reserve,", "- {unit: POL inf BG, count: 2, at: reserve,", "count"),
    "set-up without source": (CAMPAIGN, "- {unit: IT inf BG, at: Gondar, source: rulebook}", "- {unit: IT inf BG, at: Gondar}", "source"),
    "start without turn": (CAMPAIGN, "turn: Summer 1940\nlast_turn:", "turn: Summer 1939\nlast_turn:", "word"),
    "wrong points": (SONNENBLUME, "vp: 5\n", "vp: 8\n", "vp"),
    "unknown event at the start": (SONNENBLUME, "- Taranto Raid\n", "- Taranto Rage\n", "name"),
    "card of another number": (SONNENBLUME, "- {side: allied, number: 13, name:", "- {side: allied, number: 14, name:", "card"),
    "control that changes nothing": (SONNENBLUME, "- {side: allied, spaces: [Agedabia,", "- {side: allied, spaces: [Cairo, Agedabia,", "control"),
    "torch out of supply": ("setups.yaml", "  - {unit: FF_US inf BG, at: Fondouk,", "  - {unit: FF_US inf BG, at: Sousse,", "sides"),
    "default that is no value": ("rulings.yaml", "values: [pog, btb], default: pog", "values: [pog, btb], default: own", "switch"),
    "switch that can't be a key": ("rulings.yaml", "name: fort_blocks_entry,", "name: fort.blocks,", "switch"),
    "ruling twice": ("rulings.yaml", "- {n: 84, id: A84,", "- {n: 84, id: A83,", "twice"),
    "assumption without reason": ("assumptions.yaml", "why: a real harbor used in 1940 and 1941", "why: ''", "missing"),
    "decks that overlap": ("pack.yaml", "- {year: 1941, first: 15,", "- {year: 1941, first: 14,", "deck"),
}  # fmt: skip

ELSEWHERE = ("gap", "stacking", "sides", "mix", "twice")
"""Faults of several records, shown at another of them."""


def copied(folder: Path) -> Path:
    """A copy of the data files of the pack."""
    (folder / "scenarios").mkdir(parents=True)
    for path in [*FOLDER.glob("*.yaml"), *FOLDER.glob("scenarios/*.yaml")]:
        shutil.copy(path, folder / path.relative_to(FOLDER))
    return folder


def lines_of(path: Path, first: int, added: int) -> set[int]:
    """Lines at which a fault planted there may be shown: its own, that of its record, that of the file's top."""
    text = path.read_text(encoding="utf-8").splitlines()
    record = next((n for n in range(first, 0, -1) if text[n - 1].startswith("- ")), first)
    inner = next((n for n in range(first, 0, -1) if text[n - 1].lstrip().startswith("- ")), first)
    top = next(n for n, line in enumerate(text, 1) if line and not line.startswith("#"))
    return {record, inner, top, *range(first, first + added + 1)}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, set[int]], list[Fault]]:
    """All faults planted at once: the lines they may be shown at, and what the checker says."""
    folder = copied(tmp_path_factory.mktemp("pack") / "shifting-sands")
    for file, old, new, _ in PLANTED.values():
        plant(folder, file, old, new)
    lines = {}
    for what, (file, _, new, _) in PLANTED.items():
        text = (folder / file).read_text(encoding="utf-8")
        first = text[: text.index(new)].count("\n") + 1 if new else 0
        lines[what] = lines_of(folder / file, first, new.count("\n")) if new else set()
    return lines, check_pack(folder)


@pytest.mark.parametrize("what", sorted(PLANTED))
def test_planted_fault(what: str, found: tuple[dict[str, set[int]], list[Fault]]) -> None:
    lines, faults = found
    file, _, new, code = PLANTED[what]
    here = [fault for fault in faults if (fault.file, fault.code) == (file, code)]
    if new and code not in ELSEWHERE:
        here = [fault for fault in here if fault.line in lines[what]]
    assert here, [str(fault) for fault in faults if fault.file == file][:30]


def test_fault_line_reads_well(found: tuple[dict[str, set[int]], list[Fault]]) -> None:
    for fault in found[1]:
        assert str(fault).startswith(f"{fault.file}:{fault.line}:{fault.column}: error[pack.{fault.code}]: ")
        assert fault.text and not fault.text.endswith("."), fault


def test_the_pack_is_sound() -> None:
    assert check_pack(FOLDER) == []


def changed(tmp_path: Path, *plants: tuple[str, str, str]) -> list[str]:
    """What the checker says when only these changes are made."""
    folder = copied(tmp_path / "shifting-sands")
    for file, old, new in plants:
        plant(folder, file, old, new)
    return [str(fault) for fault in check_pack(folder)]


def test_unit_without_supply(tmp_path: Path) -> None:
    faults = changed(tmp_path, ("map.yaml", "{user: ff_br, conditions: []", "{user: vf, conditions: []"))
    (fault,) = faults
    assert "FF inf BG in Chad can trace no supply (SS 13.5)" in fault and fault.startswith(CAMPAIGN)


def test_ships_do_not_supply_italian_east_africa(tmp_path: Path) -> None:
    """SS 13.43, faq.rules.27: without Addis Ababa as a source not even its ports are supplied."""
    faults = changed(tmp_path, ("map.yaml", "{user: it, conditions: []", "{user: vf, conditions: []"))
    assert any("IT inf BG in Kismayu can trace no supply (SS 13.5)" in fault for fault in faults)


def test_closed_line_cuts_a_stack_off(tmp_path: Path) -> None:
    plants = [("map.yaml", f"- {{a: {a}, b: {b}, source", f"- {{a: {a}, b: {b}, only: lrdg, source") for a, b in (
        ("Bardia", "Halfaya"), ("Halfaya", "Sidi Suleiman"), ("Halfaya", "Sidi Barrani"),
    )]  # fmt: skip
    (one, other) = changed(tmp_path, *plants)
    assert "BR inf BG in Halfaya can trace no supply" in one
    assert one.startswith(CAMPAIGN) and other.startswith(SONNENBLUME)


def test_isolated_space(tmp_path: Path) -> None:
    plants = [("map.yaml", f"- {{a: {a}, b: {b}, source: history}}\n", "") for a, b in (
        ("Obbia", "Galladi"), ("Mogadishu", "Obbia"),
    )]  # fmt: skip
    assert any("no chain of lines joins Obbia to" in fault for fault in changed(tmp_path, *plants))


def test_reinforcement_without_a_lawful_space(tmp_path: Path) -> None:
    old = "{name: it_afr, rule: 7.532b, any: [{spaces: [Addis Ababa]}]}"
    (fault,) = changed(tmp_path, ("cards.yaml", old, old.replace("Addis Ababa", "Khartoum")))
    assert "brings IT AFR to it_afr, where no space is axis" in fault


def test_card_too_late(tmp_path: Path) -> None:
    plants = ("cards.yaml", "[{turn_min: Fall 1941}]", "[{turn_min: Fall 1941}, {turn_max: Summer 1941}]")
    (fault,) = changed(tmp_path, plants)
    assert "Rising Sun can't be played before Fall 1941, which is too late" in fault


COMPASS = "  name: Compass\n  aliases: ['Wavell/O''Connor Compass']\n  year: 1940\n  ops: "
RED = f"{COMPASS}4\n  square: no\n  asterisk: yes\n  red_name: "


def test_a_card_that_is_missing(tmp_path: Path) -> None:
    """SS 2.3: fifty-five cards a side, none left out."""
    faults = changed(tmp_path, ("pack.yaml", "last: 55,", "last: 56,"))
    assert [any(f"the {side} deck has no card 56" in fault for fault in faults) for side in ("axis", "allied")] == [
        True,
        True,
    ]


def test_a_card_worth_more_than_five(tmp_path: Path) -> None:
    """SS 3.ops."""
    faults = changed(tmp_path, ("cards.yaml", f"{COMPASS}4", f"{COMPASS}6"))
    assert any("ops 6 is no number from 2 to 5" in fault for fault in faults)


def test_where_a_condition_is_read_is_told(tmp_path: Path) -> None:
    asked = "- {do: combat, role: either, requires: [{own: {nation: IT}}], drm: 1}"
    both = asked.replace("nation: IT", "").replace("drm: 1", "drm: 1, ignore: [fort]")
    faults = changed(
        tmp_path,
        ("cards.yaml", "{spaces: [Jerusalem], if: [{year: [1940]}]}", "{spaces: [Jerusalem], if: [{own: {nation: BR}}]}"),
        ("cards.yaml", asked, f"{both}\n  - {{do: nothing}}"),
    )
    for said in (
        "own: such a condition is read in the requires of a combat effect only; move it there or take it out",
        "own asks for nothing; say what, or take the condition out",
        "a combat card is no event: all its effects are combat effects (SS 7.61); take the others out",
    ):
        assert sum(fault.endswith(said) for fault in faults) == 1, faults


def test_a_square_that_gives_nothing(tmp_path: Path) -> None:
    """SS 7.13: a square goes with other effects than markers; most cards that have one bring units."""
    faults = changed(tmp_path, ("cards.yaml", f"{COMPASS}4\n  square: no", f"{COMPASS}4\n  square: yes"))
    (fault,) = faults
    assert "a square gives nothing to an event that activates by its own markers (SS 7.13)" in fault


def test_a_name_in_red_that_nobody_needs(tmp_path: Path) -> None:
    """SS 3.red-name, 7.511."""
    faults = changed(tmp_path, ("cards.yaml", f"{RED}no", f"{RED}yes"))
    assert any("SS 7.511" in fault for fault in faults)


def test_more_counters_than_the_box_holds(tmp_path: Path) -> None:
    (fault,) = changed(tmp_path, ("pack.yaml", "large: 264, small: 130", "large: 264, small: 100"))
    assert "106 battlegroups are more than the 100 small counters" in fault


SCRAMBLED: tuple[Any, ...] = ("", "x", "-", "no such thing", [], {}, ["x"], {"x": "y"})


def scrambled(value: Any, rng: random.Random) -> None:
    """Replace one value deep in a tree of records by something of another form, in place."""
    keys: list[Any] = list(value) if isinstance(value, Record) else list(range(len(value)))
    if not keys:
        return
    key = rng.choice(keys)
    if isinstance(value[key], Record | Rows) and rng.random() < 0.8:
        scrambled(value[key], rng)
        return
    replacement = rng.choice(SCRAMBLED)
    record = Record("x", 1, 1)
    record.update(replacement if isinstance(replacement, dict) else {})
    rows = Rows("x", 1)
    rows.extend(replacement if isinstance(replacement, list) else [])
    rows.lines.extend([1] * len(rows))
    value[key] = record if isinstance(replacement, dict) else rows if isinstance(replacement, list) else replacement


@pytest.mark.parametrize("seed", range(60))
def test_scrambled_data_are_faults_and_no_crash(seed: int) -> None:
    """Whatever form a value has, the checker reports and does not stop."""
    rng = random.Random(seed)
    files: PackFiles = read_pack(FOLDER)
    for _ in range(8):
        name = rng.choice(sorted(set(files.files) - {"sources.yaml", "assumptions.yaml"}))
        scrambled(rng.choice([files.files[name], *files.scenarios]), rng)
    files.files["pack.yaml"]["system"] = "shifting-sands"
    for fault in check_files(files):
        assert fault.text
