"""Rows of the optional mechanics of theatre and air war for test_options (WD 33.B to 33.I)."""

from __future__ import annotations

from adjudicator.western_desert.state import Air
from tests.western_desert.optional import Game, option
from tests.western_desert.sorties import BLEN, BLEN_2
from tests.western_desert.turns import COMBAT, MOVEMENT, NO_EXPLOITATION

SECTION = {"type": "section", "name": "air"}


@option(
    "33.I",
    events=(
        "- void code=option, order=3, type=aa_suppress, ...",
        "+ flight air=air-blen-4-1, base=19/1326, distance=15, mission=aa_suppress, order=3, over=18/4818, ...",
        # the fire at the one that suppresses, then that at the one that comes after, its dice one higher
        "+ aa-fire air=air-blen-4-1, column=4, dice/3=there, dice/4=there, fate=, hex=18/4818, "
        "label=aa/18.4818/air-blen-4-1, modifier=1, result=none, roll=7, side=axis, strength=4, used=8, when=aa",
        "aa-fire modifier: 1 -> 2",
        "aa-fire used: 11 -> 12",
        "+ bombing column=2-4, die=5, effect=aa-suppressed, hex=18/4818, label=bomb/18.4818/air-blen-4-1, ...",
        "+ air-landed air=air-blen-4-1, base=19/1326, ...",
    ),
)
def suppression(options: str) -> Game:
    """WD 33.I: the antiaircraft of Tobruk is suppressed before its port is bombed."""
    game = Game("Mar I 41", "allied", options, chance=0)
    h = game.state.board.find("19/1326")
    game.state.airfields[h] = "allied"
    game.state.air |= {aid: Air(h) for aid in (BLEN, BLEN_2)}
    flights = (
        {"type": "aa_suppress", "air": [BLEN], "hex": "18/4818"},
        {"type": "bomb_port", "air": [BLEN_2], "hex": "18/4818"},
    )
    game.go({"type": "pass"}, MOVEMENT, SECTION, *flights, COMBAT, NO_EXPLOITATION)
    return game
