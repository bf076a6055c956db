"""What a combat card does, in words: for template, read-back, reports (SS 7.6, 11.25)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Problem
from adjudicator.shifting_sands.card_rules import EITHER, playable, title_of
from adjudicator.shifting_sands.fire import Combat
from adjudicator.shifting_sands.nations import WORDS
from adjudicator.shifting_sands.played import card_title, combat_effects
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Record, World, text, texts


def does(row: Record) -> str:
    """``+1 to the die``, ``the space counts as marsh`` ..; what a card does in a combat."""
    return "; ".join(part for effect in combat_effects(row) for part in _parts(effect)) or "nothing"


def _parts(effect: Record) -> list[str]:
    found = []
    if text(effect, "drm"):
        found.append(f"{int(text(effect, 'drm')):+d} to the die")
    if texts(effect, "ignore"):
        found.append(f"{' and '.join(texts(effect, 'ignore'))} of the space count for nothing")
    if text(effect, "terrain_becomes"):
        found.append(f"the space counts as {text(effect, 'terrain_becomes')}")
    if texts(effect, "cf_zero"):
        nations = " and ".join(WORDS.get(nation, nation) for nation in texts(effect, "cf_zero"))
        found.append(f"the combat factors of {nations} enemies do not count")
    simple = {
        "cancel_flank": "a flank attack that succeeded is undone",
        "cancel_retreat": "no retreat, unless overrun",
        "fires_first": "this side fires first",
    }
    found += [said for key, said in simple.items() if text(effect, key) == "yes"]
    if text(effect, "forced_retreat"):
        apart = ", not to end next to it" if text(effect, "end_adjacent") == "no" else ""
        found.append(f"the defenders retreat {text(effect, 'forced_retreat')} spaces whoever wins{apart}")
    return found


def role_words(row: Record) -> str:
    """``attack``, ``defence``, ``attack or defence``."""
    roles = {text(effect, "role") for effect in combat_effects(row)}
    if EITHER in roles or len(roles) > 1:
        return "attack or defence"
    return "attack" if "attacker" in roles else "defence"


def card_line(world: World, name: str) -> str:
    """``Minefields (the space counts as marsh)``."""
    return f"{card_title(world, name)} ({does(world.cards.get(name, {}))})"


def choices_lines(state: State, combat: Combat, role: str) -> tuple[list[str], list[str]]:
    """The combat cards of a side: those that may be used now with what they do, and the others with the reason."""
    able, barred = [], []
    for card, problems in playable(state, combat, role).items():
        name = title_of(state, combat.side_of(role), card)
        up = ", face up" if card in state.face_up.get(combat.side_of(role), []) else ""
        if problems:
            barred.append(f"{card_title(state.world, name)}{up}: {_why(problems)}")
        else:
            able.append(f"{card_line(state.world, name)}{up}")
    return able, barred


def _why(problems: Sequence[Problem]) -> str:
    problem = problems[0]
    return f"{problem.text} ({problem.rule})"
