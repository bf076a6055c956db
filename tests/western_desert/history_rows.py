"""Games with and without the historical options: what each changes in them (WD 32)."""

from __future__ import annotations

from tests.western_desert.optional import Campaign, Game, option

# --- 32.B: no expedition to Greece -------------------------------------------------------------------------------

EXPEDITION = {
    "br-4-arm-a": "19/1127",
    "br-haa-3": "19/3127",
    "nz-2-hq": "19/3127",
    "nz-4": "19/1326",
    "nz-6": "19/3127",
    "air-blen-4-1": "19/1526",
    "air-hurri-1-1": "19/1326",
    "au-16": "19/2423",
    "au-17": "19/2423",
    "au-19": "19/2423",
    "au-6-hq": "19/2423",
    "br-w-art": "19/1126",
    "nz-5": "19/3523",
}
"""Who goes to Greece in Mar 41, from where."""
LOST = [uid for uid in EXPEDITION if uid != "air-blen-4-1"]
LUFTWAFFE = {"air-he-111h-2": "18/0504", "air-ju-88a-3": "18/0704"}
MAY, JUNE = "11", "13"


@option(
    "32.B",
    events=(
        *(f"- withdrawn box=greece, choice=default, hex={h}, of=..." for h in EXPEDITION.values()),
        "- supply-withdrawn box=greece, counter=supply-allied-1, left=, side=allied, steps=2",
        *["greece result: inoperative -> eliminated"] * 2,
        "greece result: eliminated -> intact",
        *(f"greece die: {dice}" for dice in ("4 -> 2", "3 -> 1", "2 -> 5")),
        *[f"greece when: {JUNE} -> {MAY}"] * 3,
        *["- greece die=..."] * len(EXPEDITION),
        *["- landed box=greece_table, choice=default, ..."] * 3,
        "+ landed box=greece_table, choice=default, hex=19/2621, order=, re=, step=, unit=br-14",
        "control rule: WD 26.D -> WD 32.B",
        f"control when: {JUNE} -> {MAY}",
        *[f"due when: {JUNE} -> {MAY}"] * 2,
        *[f"landed when: {JUNE} -> {MAY}"] * 2,
        *(f"landed hex: 19/1003 -> {h}" for h in LUFTWAFFE.values()),
        "- void code=before_jun_i_41, order=2, type=ship, ...",
        "+ malta-roll danger=eastern, ...",
        "+ voyage danger=eastern, die=3, from=18/3122, item=it-136r, ...",
    ),
    after=(
        *(f"gone/{uid}/why: eliminated -> " for uid in LOST if not uid.startswith("air")),
        *(f"units/{uid}/hex:  -> {EXPEDITION[uid]}" for uid in LOST if not uid.startswith("air")),
        *("gone/br-14/why: eliminated -> ", "units/br-14/hex:  -> 19/2621"),
        *("boxes/air-hurri-1-1/box: air_pool -> ", "air/air-hurri-1-1/hex:  -> 19/1326"),
        *("air/air-blen-4-1/hex: 19/3127 -> 19/1526", "air/air-blen-4-1/state: inoperative -> "),
        *("air/air-blen-1-2/hex: 19/2423 -> ", "air/air-blen-1-2/state: inoperative -> "),
        *("air/air-glad-2/hex: 19/2621 -> ", "air/air-glad-2/state: inoperative -> "),
        *("boxes/air-blen-1-2/box:  -> air_pool", "boxes/air-glad-2/box:  -> air_pool"),
        *(f"air/{aid}/hex: 19/1003 -> {h}" for aid, h in LUFTWAFFE.items()),
        *(f"supply/supply-allied-1/{line}" for line in ("hex:  -> 19/1225", "side:  -> allied", "steps:  -> 2")),
    ),
)
def expedition(options: str) -> Game:
    """WD 32.B: from Mar I 41 to Jun I 41; on May I 41 the Axis ships to Bardia, on map 19, and is turned back."""
    game = Campaign("Mar I 41", "allied", options)
    for _turn in range(4):
        game.go({"type": "pass"})
        game.go({"type": "pass"})
    game.go({"type": "pass"})
    game.at("it-136r", "18/3122")
    game.go({"type": "pass"}, moves=[{"type": "ship", "unit": "it-136r", "to": "19/0325"}])
    for _turn in range(2):
        game.go({"type": "pass"})
        game.go({"type": "pass"})
    return game


# --- 32.C: Axis use of Tunisia -----------------------------------------------------------------------------------


BY_TUNISIA = (
    "danger: malta -> tunisia",
    "rule: WD 26.C -> WD 32.C",
    "status: 3 -> 9",
    "to: 18/0222 -> tunisia",
    "when: 12 -> 11",
)


@option(
    "32.C",
    events=(
        *(f"- void code={said}, type=..." for said in ("option, order=0", "option, order=1", "place, order=0")),
        "+ malta-roll danger=tunisia, dice/1=there, dice/2=there, item=ge-8pz, label=malta/tunisia/ge-8pz, ...",
        "+ voyage box=europe, choice=order, danger=tunisia, die=5, from=, item=ge-8pz, ...",
        "+ landed box=tunisia, choice=order, hex=18/0124, order=0, re=, step=, unit=ge-8pz",
        *(f"{kind} {line}" for kind in ("malta-roll", "voyage") for line in BY_TUNISIA),
        "malta-roll label: malta/18.0222/supply-axis-arrived-1 -> malta/tunisia/supply-axis-arrived-1",
        "malta-roll roll: 7 -> 4",
        *(f"malta-roll dice/{line}" for line in ("1:  -> there", "2: there -> ", "3:  -> there", "5: there -> ")),
        "voyage choice: default -> order",
        "voyage order:  -> 1",
        "supply-landed box: europe -> tunisia",
        "supply-landed hex: 18/0222 -> 18/0122",
        "supply-landed rule: WD 29.A -> WD 32.C.entry",
    ),
    after=(
        "boxes/ge-8pz/box: europe -> ",
        "supply/supply-axis-arrived-1/hex: 18/0222 -> 18/0122",
        "units/ge-8pz/hex:  -> 18/0124",
    ),
)
def tunisia(options: str) -> Game:
    """WD 32.C: a regiment and a supply counter are sent to Tunisia past Malta, whose status 4 counts as 9, and enter in
    the next turn. Without the rule the counter goes to Tripoli then, when the status is 3."""
    game = Campaign("May I 41", "axis", options)
    game.state.malta = 4
    game.go(
        {"type": "reinforce", "unit": "ge-8pz", "via": "tunisia"},
        {"type": "reinforce", "counter": "supply-axis-arrived-1", "via": "tunisia"},
    )
    game.go({"type": "pass"})
    game.go({"type": "reinforce", "unit": "ge-8pz", "at": "18/0124"})
    return game


# --- 32.A: Allied co-operation -----------------------------------------------------------------------------------

SICK = ("au-24", "au-25", "au-26")
"""Australian units in the replacement pool."""
LEVANT_HEXES = 85
"""The hexes of Lebanon and Syria that go to the Vichy forces' new friends when the Levant is invaded."""


@option(
    "32.A",
    events=(
        "- scrapped order=0, side=allied, units/sa-2=there",
        "- points left=1/2, points=1/2, rp=south_african_non_armor, ...",
        "+ void code=south_africans, order=0, type=scrap, why=2 SA X is South African and may not be scrapped",
        "+ vp side=allied, total=-1/2, vp=-1/2, why=no supply line leads overland from 20 Aus X to a terminal",
        "- invasion held=axis, order=2, side=allied, turn=Jul I 41",
        "+ void code=free_french, order=2, type=invade_levant, ...",
        "- control hexes/19/4310=there, hexes/19/4410=there, side=allied",
        "- control hexes/19/4309=there, hexes/19/4409=there, side=allied",
        *(f"- move cost=1 road, from=19/{h}, ..." for h in ("4311", "4218")),
        "+ void code=neutral, order=3, type=move, why=Sour (19/4310) is neutral ground",
        "+ void code=south_africans, order=4, type=move, ...",
    ),
    after=(
        "gone/sa-2/why: scrapped -> eliminated",
        *("points/0/points: 1/2 -> ", "points/0/rp: south_african_non_armor -> "),
        *(f"theatre/australians/{uid}:  -> there" for uid in SICK),
        *("units/ff-1/hex: 19/4310 -> 19/4311", "units/sa-1/hex: 19/4318 -> 19/4218"),
        *("tally/0/points:  -> -1/2", "tally/0/side:  -> allied", "tally/0/rule:  -> WD 32.A.aus"),
        *("vp/0/points:  -> -1/2", "vp/0/side:  -> allied"),
        *["theatre/vichy_cities/19/..."] * 10,
        *("theatre/invaded: Jul I 41 -> ", "theatre/vichy: axis -> "),
        *["control/0/hexes/19/4..."] * 4,
        *["control/1/hexes/19/..."] * LEVANT_HEXES,
    ),
)
def nations(options: str) -> Game:
    """WD 32.A: a South African brigade is ordered into Palestine and another is to be scrapped, an Australian
    brigade is cut off, the Levant is invaded with one Free French brigade of two."""
    game = Game("Jun II 41", "axis", options)
    for uid in SICK:
        game.state.gone[uid] = "eliminated"
    game.state.gone["sa-2"] = "eliminated"
    for uid, where in (("sa-1", "19/4218"), ("au-20", "18/4530"), ("ff-1", "19/4311"), ("ff-2", "19/4311")):
        game.at(uid, where)
    game.go()
    game.go(
        {"type": "scrap", "unit": "sa-2"},
        moves=[
            {"type": "invade_levant"},
            {"type": "move", "unit": "ff-1", "to": "19/4310"},
            {"type": "move", "unit": "sa-1", "to": "19/4318"},
        ],
    )
    return game
