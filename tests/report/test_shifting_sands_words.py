"""Every kind of event of Shifting Sands has words; single events are told in sentences that carry their facts."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Event, Tree
from adjudicator.report.document import plain
from adjudicator.report.shifting_sands.teller import TELLER
from adjudicator.shifting_sands.apply import APPLY
from adjudicator.shifting_sands.state import State
from tests.report.sands import scene
from tests.shifting_sands.rounds import first_rounds

SHOT: dict[str, Tree] = {
    "combat": "1", "target": "Halfaya", "role": "attacker", "side": "axis", "table": "division", "strength": "5",
    "base": "5", "column": "5", "shifts": [{"name": "terrain", "value": "-1", "rule": "SS 11.27"}],
    "drms": [{"name": "italians", "value": "-1", "rule": "SS 11.261"}], "die": "4", "row": "3", "number": "3",
    "label": "combat/halfaya/fire-attacker",
}
FIELDS: dict[str, dict[str, Tree]] = {
    "setup": {"scenario": "campaign", "title": "Campaign"},
    "deploy": {"unit": "it-62", "at": "Bardia", "step": "reduced"},
    "control": {"side": "allied", "spaces": ["Bardia", "Tobruk"]},
    "vp": {"to": "8", "change": "-2", "spaces": ["Bardia", "Tobruk"]},
    "pile": {"side": "axis", "cards": ["balbo-4"]},
    "draw": {"side": "axis", "card": "balbo-4", "label": "deck/axis-strategy/1/draw/1", "die": "3", "faces": "14"},
    "event": {"event": "Montgomery"},
    "released": {"nations": ["VF", "IR"]},
    "turn": {"turn": "Summer 1940", "phase": "attrition", "step": "attrition"},
    "round": {"round": "2", "active": "axis"},
    "end-round": {"side": "allied", "round": "1"},
    "action": {"side": "axis", "use": "ops", "card": "balbo-4", "ops": "3"},
    "marker": {
        "side": "axis", "space": "Bardia", "marker": "attack", "cost": "3", "left": "0",
        "supply": [{"unit": "it-62", "status": "limited"}, {"unit": "it-63", "status": "full"}],
    },
    "marker-gone": {"space": "Bardia"},
    "move": {"unit": "it-61", "path": ["Tobruk", "Gambut", "Bardia"], "left": "1"},
    "thrown-back": {"unit": "br-lrdg", "from": "Siwa", "to": "Cairo"},
    "ordered": {"side": "axis", "combats": [{"number": "1", "target": "Halfaya", "units": ["it-62", "nobody"]}]},
    "called-off": {"number": "2", "target": "Halfaya", "units": ["it-62"], "why": "the space is empty", "order": "4"},
    "designate": {"number": "1", "side": "axis", "target": "Halfaya", "units": ["it-62"], "spaces": ["Bardia"]},
    "flank": {
        "number": "1", "target": "Sofafi", "die": "3", "modifier": "1", "total": "4", "need": "4",
        "label": "combat/sofafi/flank", "result": "success",
    },
    "fire": SHOT,
    "losses": {
        "combat": "1", "target": "Halfaya", "role": "defender", "side": "allied", "number": "3", "absorbed": "2",
        "steps": ["br-inf-bg-5", "br-inf-bg-5"], "choice": "forced", "clause": "only one choice is lawful",
    },
    "reduced": {"unit": "it-62", "at": "Bardia"},
    "flipped": {"unit": "it-62", "at": "Bardia", "town": "Tobruk", "choice": "default", "clause": "as many as allowed"},
    "eliminated": {"unit": "it-62", "from": "Bardia", "to": "@eliminated", "why": "no retreat"},
    "replaced": {"unit": "it-arm-bg-1", "at": "Bardia", "division": "it-62", "fought": "yes"},
    "winner": {"combat": "1", "target": "Halfaya", "winner": "attacker", "difference": "2", "retreat": "2"},
    "hold": {"unit": "br-inf-bg-5", "at": "Halfaya", "choice": "standing", "clause": "hold: always"},
    "overrun": {"target": "Sidi Suleiman", "units": ["it-1lib", "it-2lib"]},
    "retreat": {"unit": "it-1lib", "path": ["Sidi Azeiz", "Gambut"], "choice": "default", "clause": "no order"},
    "relocate": {"unit": "it-1lib", "to": "El Agheila", "choice": "order"},
    "advance": {"unit": "it-62", "path": ["Bardia", "Halfaya"]},
    "stays": {"unit": "it-62", "why": "the space was not cleared"},
    "rd": {"unit": "it-17", "mode": "land", "from": "Tripoli", "to": "Buerat", "path": ["Tripoli", "Tarhuna", "Buerat"],
           "cost": "3", "left": "1", "order": "1"},
    "mission": {"unit": "br-lrdg", "at": "Deep Desert", "mission": "raid", "die": "1", "label": "lrdg/raid/fall-1940",
                "result": "lose_step", "cost": "1", "order": "2"},
    "cards-seen": {"side": "axis", "cards": ["balbo-4"]},
    "phase": {"phase": "victory", "step": "victory"},
    "victory": {"winner": "axis", "how": "automatic", "vp": "14"},
    "rp": {"side": "allied", "pools": [{"pool": "BR", "points": "2", "total": "3"}], "order": "1"},
    "rp-lost": {"side": "axis", "pools": [{"pool": "IT", "points": "0.5"}]},
    "restored": {"unit": "br-7-arm", "at": "Bir el Kenaysis", "pool": "BR", "cost": "1", "left": "0", "order": "1"},
    "recreated": {"unit": "it-62", "to": "Tripoli", "step": "reduced", "pool": "IT", "cost": "1", "left": "1",
                  "order": "2"},
    "arrived": {"side": "axis", "unit": "ge-999", "to": "Tunis", "step": "reduced", "order": "1"},
    "swapped": {"unit": "aus-6", "from": "Tobruk", "to": "Alexandria", "order": "1"},
    "discard": {"side": "axis", "cards": ["balbo-4"], "order": "1"},
    "taken": {"side": "axis", "card": "rommel-18", "name": "rommel-18", "order": "1"},
    "resorted": {"side": "axis", "cards": ["1.3", "1.5"], "hand": ["2.0", "2.1"]},
    "merge": {"side": "axis", "cards": ["balbo-4"], "new": ["rommel-18"], "pile": ["balbo-4", "rommel-18"]},
    "counts": {"side": "axis", "use": "rd", "points": "2", "nations": ["IT"], "event": "Kesselring"},
    "scored": {"event": "Italian Fleet"},
    "mandate": {"event": "Orders from Rome", "side": "axis", "status": "failed"},
    "upgraded": {"unit": "br-7-arm", "to": "br-7-arm-u1", "at": "Bir el Kenaysis"},
    "waits": {"side": "axis", "unit": "ge-90", "event": "German Reinforcements (90th)"},
    "withdrawn": {"unit": "aus-6", "from": "Tobruk", "to": "@eliminated", "why": "Rising Sun"},
    "substituted": {"unit": "br-inf-bg-1", "at": "Tobruk", "division": "aus-6"},
    "card-removed": {"side": "axis", "cards": ["balbo-4"]},
    "combat-card": {"side": "allied", "role": "defender", "card": "minefields-8", "name": "minefields-8",
                    "source": "hand", "target": "Halfaya", "combat": "1", "order": "1"},
    "card-kept": {"side": "allied", "card": "minefields-8", "name": "minefields-8", "combat": "1", "target": "Halfaya"},
    "card-gone": {"side": "axis", "card": "air-support-9", "name": "air-support-9", "to": "discard", "combat": "1",
                  "target": "Halfaya"},
    "put-down": {"side": "allied", "cards": ["minefields-8"]},
    "cards-shown": {"side": "allied", "cards": ["1.5"], "names": ["minefields-8"]},
    "combat-over": {"number": "1", "target": "Halfaya"},
    "void": {"order": "3", "type": "move", "code": "mf", "why": "too far", "side": "axis"},
    "standing": {"topic": "losses", "side": "allied"},
    "rules": {"rules": "02aec71aa9c6", "offered": "7", "accepted": "8"},
    "rules-later": {"step": "round"},
}
SAYS = {
    "control": "The Allies gain control of Bardia and Tobruk",
    "vp": "10 -2 = 8, for Bardia and Tobruk",
    "draw": "Balbo (3 OPS): 3 of 14",
    "released": "the Vichy French and the Iraqis fight for the Axis",
    "action": "Balbo",
    "marker": "Bardia is activated for combat: 3 points, 0 left; IT 62 in limited supply",
    "move": "from Tobruk by Gambut to Bardia: 2 of 3 movement factors",
    "ordered": "One attack is ordered: 1. Italian 62nd Division on Halfaya",
    "flank": "4 or more was needed, this had 4 chances in 6 (a 3 to 6): it succeeds, the attackers fire first",
    "losses": "must satisfy 3: the British infantry battlegroup 5 two steps of loss factor 1, 2 of 3 points",
    "eliminated": "eliminated for good: no retreat",
    "replaced": "The Italian armor battlegroup 1 (1-1-4) comes out of the reserve box into Bardia in place of",
    "flipped": "restored to strength 2 with supply captured in Tobruk (by default: as many as allowed)",
    "hold": "pays one more step, and Halfaya is held (by standing order, hold: always)",
    "retreat": "from Sidi Azeiz to Gambut (by default, full before limited supply, then the nearest source: no order)",
    "relocate": "to El Agheila (as ordered)",
    "rd": "The Italian 17th Division redeploys by land from Tripoli to Buerat: 3 points, 1 left",
    "mission": "The Long Range Desert Group in Deep Desert raids: it loses a step, by a 1",
    "victory": "The Axis wins the game: an automatic victory, with 14 victory points",
    "rp": "The Allies mark replacement points: 2 British",
    "recreated": "comes back in Tripoli, at reduced strength for 1 Italian, 1 left",
    "arrived": "The German 999th Light Division comes into play in Tunis, at reduced strength",
    "swapped": "The Australian 6th Division makes room and goes from Tobruk to Alexandria",
    "taken": "The Axis takes Rommel into its hand",
    "resorted": "Two cards in the hand of the Axis are dealt anew",
    "counts": "The round counts as one of redeployment too, 2 points for IT units",
    "mandate": "Orders from Rome: the Axis has not made the attack that it demands",
    "upgraded": "takes the place of the weaker counter in Bir el Kenaysis",
    "waits": "finds no place and waits for a later replacement phase",
    "withdrawn": "The Australian 6th Division in Tobruk leaves the game: Rising Sun",
    "substituted": "comes out of the reserve box into Tobruk for the Australian 6th Division",
    "card-removed": "The Axis takes the card of the event out of the game",
    "merge": "The Axis shuffles one discarded card into the draw pile, with one new card",
    "combat-card": "The Allies play Minefields: the space counts as marsh",
    "card-kept": "Minefields stays face up before the Allies",
    "card-gone": "Air Support of the Axis goes to the discards",
    "put-down": "The Allies discard one combat card that lay face up",
    "cards-shown": "The Allies show Minefields: a standing order names it",
    "void": "Void: entry 4 of the orders of the Axis (move): too far",
}


def state() -> State:
    """The position before the first orders."""
    return first_rounds().before(3)


def event(kind: str) -> Event:
    """An event of a kind."""
    return Event(kind, "SS 9.9", FIELDS[kind], on=3, by=(3,))


def test_every_kind_has_words() -> None:
    assert TELLER.kinds() == set(APPLY) == set(FIELDS)


@pytest.mark.parametrize("kind", sorted(FIELDS))
def test_each_kind_can_be_told_by_itself(kind: str) -> None:
    words = plain(scene(state()).tell(event(kind)).line)
    assert len(words) > 20
    assert "SS 9.9" in words or kind == "fire"
    assert "None" not in words
    assert "  " not in words
    assert words.endswith((".", ")"))


@pytest.mark.parametrize("kind", sorted(SAYS))
def test_its_facts_are_in_its_words(kind: str) -> None:
    assert SAYS[kind].lower() in plain(scene(state()).tell(event(kind)).line).lower()


def test_a_draw_is_nobodys_victory() -> None:
    """Ruling A48."""
    both = Event("victory", "SS 16.2b", {"winner": "draw", "how": "automatic", "vp": "9"}, on=3, by=(3,))
    assert "Both sides have won: a draw, with 9 victory points" in plain(scene(state()).tell(both).line)


def test_a_fire_tells_its_reckoning_die_and_chances() -> None:
    stage = scene(first_rounds().before(4))
    told = stage.tell(event("fire"))
    assert plain(told.line).startswith("The Axis fires. Attack strength 5: Italian 62nd and 63rd Divisions: 2 each; ")
    assert "column 5, shifted -1 mountain terrain (SS 11.27) to column 5" in plain(told.line)
    die, chances = (plain(item.line) for item in told.below)
    assert "Die 4, label combat/halfaya/fire-attacker" in die
    assert "-1 Italian units (SS 11.261) = 3: loss number 3 (SS 9.9)" in die
    assert chances == (
        "3 had 2 chances in 6 (a 3 or 4). A 5 or 6 would have brought more. "
        "Before the die: 2 (2 in 6), 3 (2 in 6) and 4 (2 in 6)."
    )


@pytest.mark.parametrize(
    ("winner", "retreat", "overrun", "said"),
    [
        ("attacker", "1", "", "; the defenders must retreat one space"),
        ("attacker", "2", "yes", ", with a number printed bold: an overrun"),
        ("defender", "0", "", "; nobody has to retreat"),
        ("", "0", "", "nobody wins"),
    ],
)
def test_a_winner_is_told_with_what_follows(winner: str, retreat: str, overrun: str, said: str) -> None:
    stage = scene(first_rounds().before(4))
    data: dict[str, Tree] = {
        "combat": "1", "target": "Halfaya", "winner": winner, "retreat": retreat, "overrun": overrun,
    }
    assert said in plain(stage.tell(Event("winner", "SS 11.282", data)).line)


def test_a_flank_attack_without_a_die_is_told() -> None:
    data: dict[str, Tree] = {"number": "1", "target": "Sofafi", "result": "success", "why": "Crusader"}
    told = plain(scene(state()).tell(Event("flank", "SS 11.33", data)).line)
    assert told == "Flank attack: no die is needed for Crusader, it succeeds (SS 11.33)."


def test_the_same_event_is_told_the_same_way() -> None:
    stage = scene(state())
    assert {plain(stage.tell(event("advance")).line) for _ in range(5)} == {plain(stage.tell(event("advance")).line)}
