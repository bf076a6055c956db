"""Rows of the optional mechanics of theatre and air war for test_options (WD 33.B to 33.I)."""

from __future__ import annotations

from adjudicator.western_desert.air.facts import base_hexes
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


@option(
    "33.G",
    events=(
        # the order is refused; the move that is left is the one that makes good
        "+ void code=delta_aa, order=1, type=move, why=Cairo (19/3127) would be without antiaircraft: ...",
        "+ told side=allied, unit=br-haa-3, what=delta, why=68 hv AA II goes to Alexandria (19/2423), ...",
        "- move cost=1 road, 1 clear, from=19/3127, left=6, means=normal, mp=2, order=1, path/19/3026=there, ...",
        "+ move cost=2 clear, 1 road, from=19/2426, left=5, means=normal, mp=3, order=, path/19/2423=there, ...",
    ),
    after=("units/br-haa-3/hex: 19/2426 -> 19/2423", "units/br-laa-1/hex: 19/3026 -> 19/3127"),
)
def delta(options: str) -> Game:
    """WD 33.G: the last antiaircraft of Cairo is ordered away; what Alexandria has lost comes from where it can be
    spared."""
    game = Game("Mar I 41", "allied", options)
    for uid in ("br-haa-1", "paa-allied-01", "br-haa-3", "paa-allied-02"):
        game.state.take_off(uid, "spare")
        del game.state.gone[uid]
    game.at("br-haa-3", "19/2426")
    game.go(moves=[{"type": "move", "unit": "br-laa-1", "to": "19/3026"}])
    return game


@option(
    "33.F",
    events=(
        "- void code=option, order=3, type=stage, ...",
        "- void code=option, order=4, type=stage, ...",
        "+ staged air=air-ju-88a-1, hex=18/0304, order=3, side=axis, tow=, way=out",
        "+ staged air=air-ju-88a-2, hex=18/0504, order=3, side=axis, tow=, way=out",
        "+ staged air=air-ju-88a-1, hex=19/1003, order=4, side=axis, tow=, way=in",
        "+ air-landed air=air-ju-88a-1, base=19/1003, ...",
    ),
    after=(
        "air/air-ju-88a-1/hex: 18/0304 -> 19/1003",
        "air/air-ju-88a-2/hex: 18/0504 -> ",
        "boxes/air-ju-88a-2/box:  -> europe_base",
    ),
)
def staging(options: str) -> Game:
    """WD 33.F: an air unit goes from Sicily to Europe and on to Rhodes in one air phase, another stays in Europe."""
    game = Game("Jun I 41", "axis", options)
    sicily, rhodes = (
        [h for h in base_hexes(game.state, "axis") if game.state.board.in_region(h, island)]
        for island in ("Sicily", "Rhodes")
    )
    game.state.air |= {"air-ju-88a-1": Air(sicily[0]), "air-ju-88a-2": Air(sicily[1])}
    flights = (
        {"type": "stage", "air": ["air-ju-88a-1", "air-ju-88a-2"]},
        {"type": "stage", "air": ["air-ju-88a-1"], "hex": game.state.board.name(rhodes[0])},
    )
    game.go({"type": "pass"}, MOVEMENT, SECTION, *flights, COMBAT, NO_EXPLOITATION)
    return game


@option(
    "33.B",
    events=(
        "void code: place -> rp_short",
        "void rule: WD 29.B.2 -> WD 33.B",
        "void why: 16 Inf X may not appear in Valletta (18/0408) -> 16 Inf X costs 1 British non-armor (on Malta) ...",
        "- void code=option, order=2, type=ship, ...",
        "- void code=place, order=0, type=replace, why=16 Inf X may not appear in Valletta (18/0408)",
        "+ voyage danger=run, die=2, from=19/3420, item=british_non_armor, ...",
        "+ points left=, points=-1, rp=british_non_armor, side=allied, where=hand, why=shipped to Malta",
        "+ points left=1, points=1, rp=malta/british_non_armor, side=allied, where=hand, why=landed on Malta",
        "+ points left=, points=-1, rp=malta/british_non_armor, side=allied, where=hand, why=16 Inf X replaced",
        "+ replaced cost=1, hex=18/0408, order=0, step=, unit=br-16",
    ),
    after=(
        "gone/br-16/why: eliminated -> ",
        "points/0/points: 1 -> ",
        "points/0/rp: british_non_armor -> ",
        "theatre/malta_pool/br-16:  -> there",
        "units/br-16/hex:  -> 18/0408",
    ),
)
def malta_pool(options: str) -> Game:
    """WD 33.B: a brigade lost on Malta is replaced there with points that were shipped to it, and with no others."""
    game = Game("Mar I 41", "allied", options)
    valletta = next(place.hex for place in game.state.board.places.values() if place.name == "Valletta")
    game.state.shift("br-16", valletta)
    game.state.take_off("br-16", "eliminated")
    game.state.points["british_non_armor"] = 8
    replace = {"type": "replace", "unit": "br-16", "at": game.state.board.name(valletta)}
    ship = {"type": "ship", "rp": "british_non_armor", "from": "19/3420", "to": game.state.board.name(valletta)}
    game.go(replace, moves=[ship])
    game.go()
    game.go(replace)
    return game
