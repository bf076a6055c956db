"""The words of conditions, place sets and effects: which there are, and what each of their fields may hold.

A form maps the keys of a record to what they hold: the name of a kind of value (``space``, ``event``, ``number`` ...)
or of a record; ``[x]`` is a list of x, ``x?`` may be left out, ``=a|b`` is one of these words.
"""

from __future__ import annotations

from typing import Final

Form = dict[str, str]

SEASONS: Final = ("Winter", "Spring", "Summer", "Fall")
TURNS: Final = tuple(f"{season} {year}" for year in range(1940, 1944) for season in SEASONS)[2:14]
"""Summer 1940 to Spring 1943; Winter opens a year."""
SIDES: Final = ("axis", "allied")
AXIS: Final = ("GE", "IT", "VF", "IR", "EG")
BRITISH: Final = ("BR", "AUS", "IND", "NZ", "SA", "FF_BR", "GK", "POL")
ALLIED: Final = (*BRITISH, "US", "FF_US")
NATIONS: Final = (*AXIS, *ALLIED)
NEUTRALS: Final = ("VF", "IR")
POOLS: Final = {"axis": ("GE", "IT"), "allied": ("BR", "CW", "A")}
"""Pools of replacement points that cards give (SS 15.1); US points come by Torch (SS 7.416)."""
ALL_POOLS: Final = ("GE", "IT", "BR", "CW", "A", "US")
CLASSES: Final = {"axis": ("GE", "IT", "T"), "allied": ("BR", "CW", "T")}
TERRAIN: Final = ("clear", "marsh", "mountain", "oasis", "deep_desert")
USERS: Final = ("axis", "ge_it", "it", "vf", "ir", "eg", "allied", "british_group", "ff_br", "lrdg")
BOXES: Final = ("reserve", "replacement")

_OF_STATE: Final[tuple[Form, ...]] = (
    {"played": "event"},
    {"not_played": "event"},
    {"played_this_turn": "event"},
    {"if_played": "event", "then_played": "event"},
    {"controls": "controls"},
    {"units_at": "units_at"},
    {"turn_min": "turn"},
    {"turn_max": "turn"},
    {"round_max": "=1|2|3|4|5"},
    {"year": "[year]"},
    {"season": "[season]"},
    {"option": "option"},
    {"any_of": "[condition]"},
    {"not": "[condition]"},
)
_OF_PLAY: Final[tuple[Form, ...]] = ({"with_card": "event", "from": "=hand", "if_played": "event"},)
_OF_COMBAT: Final[tuple[Form, ...]] = (
    {"own": "who"},
    {"enemy": "who"},
    {"terrain": "[terrain]"},
    {"fort": "=yes|no"},
    {"region": "[region]"},
    {"own_spaces": "[terrain]"},
    {"flank": "[flank]"},
)


def _forms(forms: tuple[Form, ...], within: str) -> tuple[Form, ...]:
    """Forms that may name their rule; what stands within them is read in the same place."""
    told = ({key: spec.replace("[condition]", f"[{within}]") for key, spec in form.items()} for form in forms)
    return tuple({**form, "rule": "rule?"} for form in told)


STATE, PLAYED, REQUIRED = "condition", "condition_of_play", "condition_of_combat"
CONDITIONS: Final[dict[str, tuple[Form, ...]]] = {
    STATE: _forms(_OF_STATE, STATE),
    PLAYED: _forms((*_OF_STATE, *_OF_PLAY), STATE),
    REQUIRED: _forms((*_OF_STATE, *_OF_COMBAT), REQUIRED),
}
"""The conditions that can be read in a place, and the forms of each: a condition has the keys of exactly one of them.

``condition``: everywhere; ``condition_of_play``: of an event or a reinforcement, as it is played from the hand;
``condition_of_combat``: what a combat card requires of the combat.
"""
READ_IN: Final = {
    STATE: "everywhere",
    PLAYED: "in the conditions of an event or reinforcement and its switches only, by itself",
    REQUIRED: "in the requires of a combat effect only",
}
"""Where conditions of a kind can be read."""

RECORDS: Final[dict[str, Form]] = {
    "controls": {"space": "space", "side": "side"},
    "units_at": {"space": "space", "counters": "[unit]"},
    "who": {"nation": "nation?", "type": "=infantry|armor?"},
    "vp_move": {"vp": "=-1|1"},
    "select": {
        "terrain": "[terrain]?",
        "region": "[region]?",
        "control": "side?",
        "port": "=yes|no?",
        "vp": "=yes|no?",
        "occupied": "=yes|no?",
    },
}

PLACES: Final[tuple[Form, ...]] = (
    {"spaces": "[space]", "if": "[condition]?"},
    {"box": "=reserve|replacement", "if": "[condition]?"},
    {"include": "place_set", "if": "[condition]?"},
    {"select": "select", "if": "[condition]?"},
)
"""A member of a place set has the keys of one of these forms."""

EFFECTS: Final[dict[str, Form]] = {
    "place": {
        "unit": "unit",
        "count": "number",
        "where": "place_set",
        "step": "=full|reduced",
        "if": "[condition]?",
        "not_together": "[spaces]?",
    },
    "upgrade": {"unit": "unit", "to": "unit"},
    "vp": {"delta": "number", "at": "=now|end_of_turn", "unless": "[condition]?", "once_per_game": "=yes?"},
    "mandate": {
        "side": "side",
        "attack_with": "=division",
        "region": "[region]",
        "from": "=next_own_round",
        "until": "until",
        "else": "vp_move",
        "cancelled_if": "[condition]?",
    },
    "activate": {"markers": "number", "region": "[region]", "supply": "[status]", "each_costs": "number"},
    "flag": {"flag": "=poor_morale", "rule": "rule"},
    "open": {
        "side": "=axis|allied|both",
        "region": "[region]?",
        "terrain": "[terrain]?",
        "size": "=division|battlegroup?",
        "rule": "rule",
    },
    "release": {"nations": "[neutral]"},
    "range": {"nations": "[nation]", "region": "[region]", "combat_cards": "=yes|no", "rule": "rule"},
    "control": {"side": "side", "spaces": "spaces_or_placed", "occupied_by": "[nation]?"},
    "full_supply": {"region": "[region]", "side": "side", "rule": "rule"},
    "source": {"spaces": "[space]", "user": "user", "rule": "rule"},
    "supply_port": {"spaces": "[space]", "user": "user", "rule": "rule"},
    "rd_ports": {"side": "side", "spaces": "[space]", "rule": "rule"},
    "rd_points": {"points": "number", "counts_as": "=rd", "nations": "[nation]?"},
    "rd_company": {
        "unit": "unit",
        "per_turn": "number",
        "region": "[region]",
        "nations": "[nation]",
        "units": "[unit]",
        "rule": "rule",
    },
    "rp_now": {"rp": "rp", "optional": "=yes|no", "counts_as": "=rp"},
    "rp_income": {"side": "side", "pools": "[pool]", "amount": "number"},
    "rp_per_card": {"side": "side", "rp": "rp", "rule": "rule"},
    "rp_pool": {"pool": "pool", "nations": "[nation]", "rule": "rule"},
    "rp_ban": {"side": "side", "lifted_by": "[event]", "unless_played": "[event]?"},
    "lift_ban": {"reason": "event"},
    "siege": {},
    "nothing": {},
    "cancel": {"event": "event"},
    "setup": {"name": "setup"},
    "t_cards": {"side": "=axis|allied|both", "rule": "rule"},
    "victory": {"variant": "=torch", "rule": "rule"},
    "no_markers": {
        "side": "side",
        "marker": "=move|attack",
        "west_of_tripoli": "=yes",
        "until": "until",
        "rule": "rule",
    },
    "confine": {"side": "side", "region": "[region]", "until": "until"},
    "hand_limit": {"side": "side", "value": "number", "at": "=next_draw"},
    "show_hand": {"side": "side", "cards": "=all"},
    "flank_auto": {"side": "side", "scope": "=round"},
    "drm": {
        "side": "side",
        "role": "=attacker|defender|either",
        "region": "[region]",
        "value": "number",
        "until": "until",
    },
    "end_drm": {"nations": "[nation]", "rule": "rule"},
    "stacking": {
        "nations": "[nation_or_group]",
        "limit": "number",
        "region": "[region]",
        "spaces": "=1|all",
        "rule": "rule",
    },
    "rommel_shift": {"value": "=0|1|2", "rule": "rule"},
    "remove_divisions": {
        "side": "side",
        "count": "number",
        "nations": "[nation_or_any]",
        "types": "[type]",
        "battlegroup_instead": "=yes|no",
        "step": "=any",
        "chooser": "=owner",
        "permanent": "=yes|no",
        "as_many_as_available": "=yes|no",
    },
    "remove_bg": {"unit": "unit", "from": "[remove_from]", "if_none": "vp_move", "permanent": "=yes|no"},
    "remove_units": {"side": "side", "where": "space", "units": "=all", "permanent": "=yes|no"},
    "combat": {
        "role": "=attacker|defender|either",
        "requires": "[condition_of_combat]?",
        "drm": "number?",
        "ignore": "[ignored]?",
        "terrain_becomes": "terrain?",
        "not_with": "[event]?",
        "cancel_retreat": "=yes?",
        "cancel_flank": "=yes?",
        "forced_retreat": "number?",
        "end_adjacent": "=yes|no?",
        "cf_zero": "[nation]?",
        "fires_first": "=yes?",
    },
}
"""What an effect may do (its ``do``), and the other keys of its record."""

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "side": SIDES,
    "nation": NATIONS,
    "neutral": NEUTRALS,
    "nation_or_group": (*NATIONS, "british_group"),
    "nation_or_any": (*NATIONS, "any"),
    "pool": ALL_POOLS,
    "user": USERS,
    "terrain": TERRAIN,
    "turn": TURNS,
    "year": ("1940", "1941", "1942", "1943"),
    "season": SEASONS,
    "type": ("infantry", "armor"),
    "status": ("full", "limited", "oos"),
    "flank": ("none", "success", "failure", "cancelled"),
    "until": ("end_of_round", "end_of_turn"),
    "remove_from": ("map", "reserve"),
    "ignored": ("terrain", "fort"),
}
"""Kinds of value with a fixed list of words. The others (space, event ...) are the names of the pack itself."""


def side_of(nation: str) -> str:
    """The side a nation fights for (SS 2.4)."""
    return "axis" if nation in AXIS else "allied"
