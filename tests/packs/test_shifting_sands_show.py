"""``pack show shifting-sands``: every part in words, and what is no part."""

from __future__ import annotations

import re

import pytest

from adjudicator.packs.show import parts, show_part
from tests.cli.conftest import cli, good
from tests.cli.test_bad_turns import assert_clear
from tests.packs.shifting_sands import pack

SANDS = "shifting-sands"


def shown(*words: str) -> str:
    return "\n".join(show_part(pack().tree, words[0], list(words[1:])).lines)


@pytest.mark.parametrize(
    ("words", "pattern"),
    [
        (("spaces", "Tobruk"), r"^Tobruk \(tobruk\): clear, fort 2, port, VP; Libya .*Axis at the start.*"
         r"british_group, if Montgomery was played \(13\.25\).*lines to Gazala, El Adem, Gambut.*fort inferred"),
        (("spaces", "Berbera"), r"holds if attacked from Aden alone; lines to .*Aden \(Allied only\)"),
        (("spaces", "Agheila"), r"^El Agheila .*marsh, VP"),
        (("spaces", "oasis"), r"^Jalo .*\n"),
        (("links", "Khartoum", "Aswan"), r"^Aswan - Khartoum: Allied only, takes the whole move, redeployment stops "
         r"behind it, attack -1; .*\[rulebook, exact\]"),
        (("links", "lrdg"), r"^Deep Desert - Kufra: LRDG only"),
        (("regions", "Syria"), r"^Syria \(near_east\): closed to the Allied side until Unternehmen Irak was played or "
         r".*Beirut, Sidon, Damascus"),
        (("areas", "Near East"), r"^Near East \(inset\): Sinai, Jerusalem"),
        (("boxes",), r"(?s)^India .*^Sicily Box .*^reserve: reserve box of each side; campaign: IT arm BG 1"),
        (("counters", "br-7-arm"), r"full 3-3-5, reduced 2-3-5 \(CF-LF-MF\)"),
        (("counters", "ge-5-mtn"), r"never takes replacements"),
        (("cards", "compass-6"), r"^Allied 6, Compass .*: 1940, OPS 4, RP BR 1, CW 1; event, removed when played; "),
        (("places", "axis_division"), r"^axis_division \(7\.532\): \{spaces: \[Tripoli\]\}; .*, if Torch was played"),
        (("charts",), r"^fire: fire tables, sets pog \(in use\), btb\n(.*\n)*lrdg: LRDG table, sets mild \(in use\)"),
        (("charts", "fire"), r"division table.*\n +die +1 +2 .*16\+\n +1 +0 .* 5\*\n"),
        (("charts", "fire", "btb"), r"Barbarossa to Berlin.*\n(.*\n)*battlegroup table"),
        (("charts", "lrdg", "harsh"), r"^LRDG table, set harsh \[inferred\]\ndie 1, intelligence 0, raid lose_two"),
        (("charts", "terrain"), r"attacker_shift -1, .*terrain marsh"),
        (("charts", "flank"), r"success_at 4"),
        (("scenarios", "campaign"), r"^campaign: Campaign, Summer 1940 to .*, 10 VP.*\n(.*\n)*  Bardia: IT 62"),
        (("scenarios", "sonnenblume"), r"(?s)replacement box: IT 60.*Allied control: Agedabia.*event played: Compass.*"
         r"card removed: .*card discarded: .*card may be taken into the hand: "),
        (("setups", "torch"), r"(?s)^torch: Torch landings \(10\.52\)\n.*  Oran: .*1 US 1.*Allied control: Algiers"),
        (("rulings", "A83"), r"^83 A83"),
        (("assumptions", "forts"), r"^forts: "),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)  # fmt: skip
def test_parts(words: tuple[str, ...], pattern: str) -> None:
    assert re.search(pattern, shown(*words), re.MULTILINE), shown(*words)[:2000]


def test_every_part_is_told_without_words_and_every_record_in_a_line_of_its_own() -> None:
    for part in parts(pack().tree):
        found = show_part(pack().tree, part, [])
        assert found.lines, part
        assert len(found.lines) >= len(found.rows), part
        assert not any("\n" in line for line in found.lines), part


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tables",), "has no part tables; use one of: "),
        (("spaces", "Paris"), "nothing among spaces fits Paris"),
        (("charts", "weather"), "there is no chart weather; use one of: fire, shifts"),
        (("charts", "fire", "own"), "there is no set own of fire tables; use one of: pog, btb"),
        (("scenarios", "compass"), "there is no scenario compass; use one of: campaign, sonnenblume"),
        (("vocabulary", "fly"), "nothing among vocabulary fits fly"),
        (("setups", "dragoon"), "there is no set-up dragoon; use one of: torch"),
    ],
)
def test_words_that_are_none(words: tuple[str, ...], said: str) -> None:
    assert_clear(cli("pack", "show", SANDS, *words), said, 2)


def test_the_overview_names_the_parts() -> None:
    text = good("pack", "show", SANDS).out
    assert re.search(r"^Show a part: .*boxes.*charts.*links.*setups.*spaces", text, re.MULTILINE)
