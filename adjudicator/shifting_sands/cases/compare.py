"""Comparing what a case expects with what the rules found. Only what is named is compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from adjudicator.engine.casecheck import NotBuilt, as_number, show
from adjudicator.engine.core import Problem
from adjudicator.shifting_sands.cases.core import Record, as_record, as_records, as_text, as_texts
from adjudicator.shifting_sands.cases.session import Session
from adjudicator.shifting_sands.state import State, turn_name
from adjudicator.shifting_sands.world import text

NAMED_KEYS = ("supply", "distance", "placed", "stacks", "costs", "fort")
"""Facts that are maps of which only the named keys are compared."""
ORDERED = ("order", "turns")
FACTS = (
    "cost", "costs", "available", "remaining", "wasted", "markers", "ops_spent", "ops", "mf_left", "excess", "supply",
    "distance", "table", "strength", "shift", "terrain_shift", "oos_shift", "rommel_shift", "net_shift", "column",
    "drm", "row", "loss_number", "bold", "flank", "flank_roll", "success_on", "first_fire", "order", "by_attacker",
    "by_defender", "attacker_strength", "attacker_column", "defender_strength", "defender_column",
    "attacker_steps_lost", "steps_lost", "winner", "difference", "retreat_spaces", "overrun", "overrun_possible",
    "retreat_cancellable", "attacker_terrain_shift", "effective_terrain", "fort_counts", "advance_allowed",
    "infantry_advance", "armor_advance", "absorbed", "unabsorbed", "count", "divisions", "battlegroups", "infantry_bg",
    "armor_bg", "counters", "stacks", "at", "step", "cf", "lf", "mf", "max_stack", "violations", "axis_vp_spaces", "vp",
    "return_fire", "turn", "rounds", "first_player", "rp", "turns", "terrain", "region", "fort", "space", "released",
    "lost", "ban", "cards_shown", "allied_sees", "card_seen_by", "next_phase", "hand",
)  # fmt: skip
"""Facts that the rules built can find."""
CHOICES = ("losses", "retreat", "relocate", "places")
STATE = ("units", "control", "vp", "rp", "cards", "deck", "released", "turn", "phase", "round_box")
DECK = ("hand", "pile", "discard", "removed", "discard_added")
UNBUILT_PLACES = ("in combat", "axis face_up", "allied face_up")
KEYS = ("result", "at", "cite_any", "facts", "state", "choices", "steps", "reason", "why")


def known(expect: Record) -> None:
    """Raises NotBuilt for anything in an expectation that nothing here could find."""
    for key in expect:
        if key not in KEYS:
            raise NotBuilt(f"expect {key}")
    for part, names in (("facts", FACTS), ("choices", CHOICES), ("state", STATE)):
        for name in as_record(expect.get(part)):
            if name not in names:
                raise NotBuilt(f"{part} {name}")
    for deck in as_record(as_record(expect.get("state")).get("deck")).values():
        for name in as_record(deck):
            if name not in DECK:
                raise NotBuilt(f"state deck {name}")
    for place in as_record(as_record(expect.get("state")).get("cards")).values():
        if place in UNBUILT_PLACES:
            raise NotBuilt(f"cards {place}")
    for step in as_records(expect.get("steps")):
        known(step)


def differences(expect: Record, session: Session) -> list[str]:
    """Facts, state and choices that are not as expected."""
    lines = [line for name, value in as_record(expect.get("facts")).items() for line in _fact(session, name, value)]
    for name, value in as_record(expect.get("choices")).items():
        lines += _choice(session, name, value)
    return lines + _state(as_record(expect.get("state")), session.state)


def _fact(session: Session, name: str, wanted: object) -> list[str]:
    if name not in session.facts:
        return [f"{name}: expected {show(wanted)}, found nothing"]
    found = session.facts[name]
    if name in NAMED_KEYS and isinstance(wanted, dict) and isinstance(found, Mapping):
        found = {key: found.get(key) for key in wanted}
    same = _plain(wanted) == _plain(found) if name in ORDERED else canonical(wanted) == canonical(found)
    return [] if same else [f"{name}: expected {show(wanted)}, found {show(found)}"]


def _choice(session: Session, name: str, wanted: object) -> list[str]:
    found = session.choices.get(name)
    if found is None:
        return [f"choices {name}: expected {show(wanted)}, found nothing"]
    if canonical(wanted) == canonical(found) or (name == "retreat" and _paths(wanted) == _paths(found)):
        return []
    return [f"choices {name}: expected {show(wanted)}, found {show(found)}"]


def _paths(value: object) -> list[tuple[str, ...]]:
    return sorted(tuple(as_texts(path)) for path in value) if isinstance(value, list) else []


def _plain(value: object) -> object:
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else value


def canonical(value: object) -> object:
    """A value in a form in which equal ones are equal: lists as sets with repetition, numbers as numbers."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Mapping):
        return sorted((str(key), repr(canonical(item))) for key, item in value.items())
    if isinstance(value, (list, tuple, set)):
        return sorted(repr(canonical(item)) for item in value)
    number = as_number(value)
    return Fraction(number) if number is not None else str(value)


# --- state --------------------------------------------------------------------------------------------------------


def _state(wanted: Record, state: State) -> list[str]:
    lines: list[str] = []
    for uid, row in as_record(wanted.get("units")).items():
        lines += _unit(state, uid, as_record(row))
    for space, side in as_record(wanted.get("control")).items():
        lines += _same(f"control of {space}", side, state.owner(str(space)))
    for pool, points in as_record(wanted.get("rp")).items():
        lines += _same(f"rp {pool}", points, state.rp.get(pool, "0"))
    for side, deck in as_record(wanted.get("deck")).items():
        zones = {"hand": state.hands, "pile": state.piles, "discard": state.discards, "removed": state.removed}
        counts = {name: len(cards.get(str(side), [])) for name, cards in zones.items()}
        counts["discard_added"] = counts["discard"]
        for name, number in as_record(deck).items():
            lines += _same(f"{side} {name}", number, counts.get(str(name)))
    for card, place in as_record(wanted.get("cards")).items():
        lines += _same(f"card {card}", place, _place_of(state, str(card)))
    if "vp" in wanted:
        lines += _same("vp", wanted.get("vp"), state.vp)
    if "released" in wanted:
        lines += _same("released", wanted.get("released"), sorted(state.released))
    if "turn" in wanted:
        lines += _same("turn", wanted.get("turn"), turn_name(state.turn))
    if "round_box" in wanted:
        lines += _same("round_box", wanted.get("round_box"), "LRDG" if state.missions else None)
    if "phase" in wanted:
        lines += _same("phase", wanted.get("phase"), None if state.phase == "over" else state.phase)
    return lines


def _same(what: str, wanted: object, found: object) -> list[str]:
    if canonical(wanted) == canonical(found):
        return []
    return [f"{what}: expected {show(wanted)}, found {show(found)}"]


def _unit(state: State, uid: str, wanted: Record) -> list[str]:
    piece = state.pieces.get(uid)
    if piece is None:
        return [f"unit {uid}: expected {show(wanted)}, found no such unit"]
    found: dict[str, object] = {"at": piece.at, "step": state.step_of(uid), "cf": state.cf(uid)}
    return [line for key, value in wanted.items() for line in _same(f"unit {uid} {key}", value, found.get(key))]


def _place_of(state: State, name: str) -> str:
    for side in ("axis", "allied"):
        for zone, cards in (("discard", state.discards), ("removed", state.removed), ("hand", state.hands)):
            if any(text(state.world.cards.get(card, {}), "name") == name for card in cards.get(side, [])):
                return "removed" if zone == "removed" else f"{side} {zone}"
    return "nowhere"


# --- verdicts -----------------------------------------------------------------------------------------------------


def cited(cite_any: Sequence[str], problems: Sequence[Problem]) -> bool:
    """True where one of the problems names one of the rules, or without rules to name."""
    if not cite_any:
        return True
    found = [problem.rule.removeprefix("SS ") for problem in problems]
    return any(_matches(rule, one) for rule in cite_any for one in found)


def _matches(a: str, b: str) -> bool:
    """Equal, or one is the other with a letter."""
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    rest = longer.removeprefix(shorter)
    return a == b or (longer.startswith(shorter) and len(rest) == 1 and rest.isalpha())


def verdict(wanted: object, cite_any: Sequence[str], problems: Sequence[Problem]) -> list[str]:
    """A refusal or an acceptance that is not as expected."""
    said = "; ".join(f"[{problem.rule}] {problem.text}" for problem in problems)
    if wanted == "accept":
        return [f"expected accept, refused: {said}"] if problems else []
    if wanted != "reject":
        return []
    if not problems:
        return ["expected reject, accepted"]
    if not cited(cite_any, problems):
        return [f"refused, but cites {said}; expected one of {', '.join(cite_any)}"]
    return []


def cites(expect: Record) -> list[str]:
    """The rules of which a refusal must name one."""
    return [as_text(rule) for rule in as_texts(expect.get("cite_any"))]
