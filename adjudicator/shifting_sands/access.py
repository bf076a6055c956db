"""Where a unit may go: lines, oases, closed regions, neutrals (SS 9.1, 9.2, 10)."""

from __future__ import annotations

from adjudicator.engine.core import Problem
from adjudicator.shifting_sands.conditions import hold
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.named import HERKULES
from adjudicator.shifting_sands.nations import ENEMY
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Counter, Link, Record, Space, rows, text, texts

LRDG = "BR LRDG"
MALTA = "Malta"
NEAR_EAST = "near_east"
CHAD = "Chad"
CLOSED_TERRAIN = ("oasis",)
"""Terrain that nobody enters before an event opens it (SS 9.21)."""


def crossing(link: Link | None, unit: Counter, a: str, b: str) -> Problem | None:
    """Why a unit may not cross from a to b as far as the line goes (SS 9.12, 9.13); None if it may.

    Rules: SS 10.21, 10.22, ex.dotted.
    """
    if link is None:
        return Problem("not-joined", "SS 9.12", f"no line joins {a} and {b}", "name every space of the path")
    if link.only == "battlegroups" and unit.division:
        return Problem("dotted", "SS 9.13", f"the dotted line {a} - {b} is for battlegroups only", "go another way")
    if link.only == "lrdg" and unit.kind != LRDG:
        return Problem("dotted", "SS 9.13", f"the dotted line {a} - {b} is for the LRDG only", "go another way")
    if link.only == "allied" and unit.side != "allied":
        rule = "SS 10.21" if link.whole_move else "SS 10.22"
        return Problem("dotted", rule, f"only Allied units may cross between {a} and {b}", "go another way")
    return None


def entry(state: State, unit: Counter, name: str) -> Problem | None:
    """Why a unit may not be in a space at all, whoever stands there; None if it may."""
    space = state.world.spaces.get(name)
    if space is None:
        return Problem("space", "SS 9.12", f"there is no space {name}", "name another space")
    return _desert(state, unit, space) or _region(state, unit, space) or _home(state, unit, space)


def attack_entry(state: State, unit: Counter, name: str) -> Problem | None:
    """Why a unit may not attack into a space whoever stands there (SS 9.22, 9.23, 10.32, 10.421, 10.431, 10.432).

    Chad may be attacked by those who may not stand in it (SS faq.map.3).
    """
    if name == MALTA:
        return Problem("malta", "SS 10.32", f"Malta is attacked by the event {HERKULES} only", "leave it out")
    problem = entry(state, unit, name)
    return None if problem is None or problem.code == "chad" else problem


def _desert(state: State, unit: Counter, space: Space) -> Problem | None:
    """Malta, Deep Desert, oases and Chad (SS 9.2, 10.11, 10.31, 13.52).

    Rules: SS 9.21, 9.22, 9.23.
    """
    if space.name == MALTA:
        return Problem("malta", "SS 10.31", "no unit may stand in Malta", "name another space")
    if space.terrain == "deep_desert" and unit.kind != LRDG:
        return Problem("deep-desert", "SS 9.23", f"only the LRDG may enter {space.name}", "go another way")
    if space.terrain in CLOSED_TERRAIN:
        return _oasis(state, unit, space)
    if space.name == CHAD and unit.nation != "FF_BR":
        said = "only British-controlled Free French battlegroups may stand in Chad"
        return Problem("chad", "SS 10.11", said, "name another space")
    return None


def _oasis(state: State, unit: Counter, space: Space) -> Problem | None:
    """Terrain that an event opens, to a side and to units of a size as it says (SS 9.21, 9.22)."""
    opened = [effect for _name, effect in in_force(state, "open") if _opens(effect, unit.side, space.terrain)]
    if not opened:
        openers = [name for name, effect in state.world.lasting("open") if _opens(effect, unit.side, space.terrain)]
        until = f"closed until {' or '.join(openers)} is played" if openers else "closed for the whole game"
        return Problem("oasis", "SS 9.21", f"{space.name} is an oasis, {until}", "go another way")
    if not any(text(effect, "size") in ("", unit.size) for effect in opened):
        return Problem("oasis", "SS 9.22", f"{space.name} is an oasis, no {unit.size} may enter", "go another way")
    return None


def _opens(effect: Record, side: str, terrain: str) -> bool:
    return text(effect, "side") in ("both", side) and terrain in texts(effect, "terrain")


def _region(state: State, unit: Counter, space: Space) -> Problem | None:
    """Regions closed to a side, or to both, until an event (SS 10.432, 10.51)."""
    region = state.world.regions.get(space.region)
    if region is None:
        return None
    closed_to = text(region, "closed_to")
    if closed_to and closed_to != unit.side:
        return None
    until = rows(region, "closed_until")
    if until and not hold(state, until):
        rule = f"SS {text(region, 'rule')}"
        said = f"{space.name} lies in {space.region}, closed to this unit for now"
        return Problem("closed", rule, said, "go another way")
    return None


def _home(state: State, unit: Counter, space: Space) -> Problem | None:
    """Vichy French, Iraqis and Egyptians stay in their lands (SS 10.421, 10.431, 10.44, ruling A81)."""
    if unit.nation == "EG" and space.region != "Egypt":
        said = f"Egyptian units stay in Egypt; {space.name} is {space.region}"
        return Problem("egyptians", "SS 10.44", said, "go another way")
    home = {"VF": ("Syria", "SS 10.431"), "IR": ("Iraq", "SS 10.421")}.get(unit.nation)
    if home is None or space.region == home[0]:
        return None
    if ranges(state, unit.nation, space.name):
        return None
    said = f"{unit.nation} units may not leave {home[0]}; {space.name} is in {space.region}"
    return Problem("neutral-home", home[1], said, "go another way")


def ranges(state: State, nation: str, name: str) -> bool:
    """Whether an event in force lets a nation into a space outside its home."""
    effects = (effect for _event, effect in in_force(state, "range") if nation in texts(effect, "nations"))
    return any(state.world.in_region(name, region) for effect in effects for region in texts(effect, "region"))


def blocked(state: State, unit: Counter, name: str, ending: bool) -> Problem | None:
    """Why the units in a space keep another one out (SS 8.12, 9.17, 10.422); None if they do not."""
    enemies = state.enemies(name, unit.side)
    if not enemies:
        return _fort(state, unit, name)
    if all(not state.active_unit(uid) for uid in enemies):
        if not ending and _pass_through(state, unit, name):
            return None
        return Problem("neutral", "SS 10.422", f"inactive neutral units stand in {name}", "go another way")
    return Problem("enemy", "SS 9.17", f"enemy units stand in {name}", "go another way")


def _fort(state: State, unit: Counter, name: str) -> Problem | None:
    """An empty enemy fort may be entered, unless the game has it otherwise (ruling A20)."""
    space = state.world.spaces.get(name)
    if space is None or not space.fort or state.owner(name) in ("", unit.side):
        return None
    if state.world.switch("fort_blocks_entry", "off") == "off":
        return None
    return Problem("fort", "SS 9.17", f"{name} is an enemy fort, which bars the way in this game", "go another way")


def _pass_through(state: State, unit: Counter, name: str) -> bool:
    """Allies may pass through spaces of inactive Iraqis (SS 10.422, ruling A41)."""
    in_iraq = state.world.in_region(name, "Iraq")
    return unit.side == "allied" and in_iraq and state.world.switch("iraq_pass_through", "on") == "on"


def step_problem(state: State, unit: Counter, a: str, b: str, ending: bool) -> Problem | None:
    """Why a unit may not step from a to b, enemy units included; None if it may."""
    return (
        crossing(state.world.link(a, b), unit, a, b)
        or entry(state, unit, b)
        or blocked(state, unit, b, ending)
    )


def hostile(state: State, name: str, side: str) -> bool:
    """True where units stand that the side may attack (SS 10.422)."""
    return any(state.active_unit(uid) for uid in state.friends(name, ENEMY[side]))
