"""Turn files for the stops inside a combat: the defender's reaction, losses, retreats, the attacker's follow-up.

What is open is listed by the same functions that judge the answers (losses.fulfilments, retreat.ways_back ..).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from adjudicator.shifting_sands.advance import advances
from adjudicator.shifting_sands.capture import TOWNS, flip_default, restorable
from adjudicator.shifting_sands.card_rules import playable, title_of
from adjudicator.shifting_sands.card_words import choices_lines
from adjudicator.shifting_sands.designate import attackable
from adjudicator.shifting_sands.exchange import sequence_of
from adjudicator.shifting_sands.fight import Fight, opening_of
from adjudicator.shifting_sands.fire import fighters
from adjudicator.shifting_sands.losses import Outcome, default, fulfilments, replacements
from adjudicator.shifting_sands.prospects import both_fires, faces_line, fire_words, numbers_of, under_way
from adjudicator.shifting_sands.relocate import relocations
from adjudicator.shifting_sands.retreat import best_path, can_hold, holders, ways_back
from adjudicator.shifting_sands.situation import fight_lines
from adjudicator.shifting_sands.stacking import excess
from adjudicator.shifting_sands.state import State, other
from adjudicator.shifting_sands.words import card_name, figures, place_name, short_name, shorts, side_name, space_note

WIDTH = 110
TIE = "\N{NO-BREAK SPACE}"
_NUMBERS = re.compile(r"(?<=[\d*]) (?=\d\b)")
MAX_WAYS = 6
DISTANCES = (1, 2)


def stop_lines(state: State, side: str, key: str) -> list[str]:
    """The template for a stop's key. The state stands inside the combat."""
    fight = state.fight
    kind = key.split("/")[0]
    if fight is None:
        return ["orders: []"]
    head = [line for words in fight_lines(state) for line in comment(0, words)]
    return [*head, *STOPS[kind](state, side, key, fight)]


def comment(indent: int, words: str, hang: int = 2) -> list[str]:
    """A comment of one or more lines between orders or above them, what runs over indented."""
    return wrapped(words, " " * indent + "# ", " " * indent + "#" + " " * (hang + 1))


def wrapped(words: str, first: str, rest: str) -> list[str]:
    """Lines of a comment; the loss numbers of the six dice stay on one line."""
    tied = _NUMBERS.sub(TIE, words)
    lines = wrap(tied, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
    return [line.replace(TIE, " ") for line in lines]


def standing_lines() -> list[str]:
    """How standing orders for these choices are written."""
    return [
        "  # Open standing orders, for choices in the other side's action; in force from the next message on, until",
        "  # the same topic is sent again. They stand above the first section (docs/standing-orders.md).",
        "  # - type: standing",
        "  #   topic: losses               # or cards, hold, retreat, relocate, flip, withdraw",
        "  #   rules:",
        "  #     - first: UNIT, UNIT",
        "  #       keep: UNIT",
        "",
    ]


# --- the defender's reaction ------------------------------------------------------------------------------------


def _reaction(state: State, side: str, _key: str, fight: Fight) -> list[str]:
    return [
        *_prospects(state, side, fight),
        "orders:",
        "  - type: section",
        "    name: reaction",
        *_cards(state, side, fight),
        *_reaction_losses(state, side, fight),
        *_hold(state, fight),
        *_retreats(state, side, fight),
        *_relocations(state, side, fight),
        *_wait(state, fight),
    ]


def _prospects(state: State, side: str, fight: Fight) -> list[str]:
    """Both fires as they stand before the cards."""
    combat = under_way(state)
    if combat is None:
        return []
    lines = [f"# {fight.combat.target} is {space_note(state, fight.combat.target)}."]
    sides = {"attacker": combat.attacker, "defender": other(combat.attacker)}
    for role, fire in both_fires(state, combat).items():
        whose = "Your" if sides[role] == side else "Their"
        lines += comment(0, f"{whose} fire: {fire_words(state, combat, fire)}; losses {faces_line(state, fire)}.")
    first = sequence_of(state, combat)
    if first is not None:
        rule = "11.341" if first[0] == "attacker" else "11.342"
        lines.append(f"# The {first[0]}s fire first, the {first[1]}s with what is left (SS {rule}).")
    units = ", ".join(f"{short_name(state, uid)} {figures(state, uid)}" for uid in fighters(state, combat, "defender"))
    return [*lines, *comment(0, f"Defenders, combat-loss-movement factors: {units}.")]


def _cards(state: State, side: str, fight: Fight) -> list[str]:
    """The combat cards of a side, what each does, and why the others may not be used."""
    combat = under_way(state)
    if combat is None:
        return []
    role = "attacker" if side == fight.combat.attacker else "defender"
    able, barred = choices_lines(state, combat, role)
    first = next((card for card, problems in playable(state, combat, role).items() if not problems), "CARD")
    name = card_name(state, title_of(state, side, first))
    return [
        "",
        "  # Combat cards (SS 11.25): any number, in the order written. Kept face up after a won combat, else",
        "  # discarded (SS 7.611, 7.613); each once in an action round. Default: none.",
        *([] if able else ["  # None may be used now."]),
        *[line for said in able for line in comment(2, said, hang=4)],
        *[line for said in barred for line in comment(2, f"not now: {said}", hang=4)],
        *(["  # - type: combat_card", f"  #   card: {name}"] if able else []),
    ]


def _attack_cards(state: State, side: str, _key: str, fight: Fight) -> list[str]:
    """The attacker's cards, the flank die being known; the defender answers after them."""
    return [
        *_prospects(state, side, fight),
        "orders:",
        "  - type: section",
        "    name: followup",
        *_cards(state, side, fight),
    ]


def _reaction_losses(state: State, side: str, fight: Fight) -> Iterator[str]:
    """Every loss number that may come, with the ways to satisfy it."""
    combat = under_way(state)
    if combat is None:
        return
    units = fighters(state, combat, "defender")
    yield ""
    yield "  # Losses (SS 11.43): as many points as possible, never more. The number is not rolled yet: say who is hit"
    yield "  # `first` and whom to `keep`, or give the `steps` for one number, unit by unit; of several orders the"
    yield "  # first that fits is taken. Default: fewest divisions lost, then the cheapest to replace, then by id."
    for number in numbers_of(state, both_fires(state, combat)["attacker"]):
        outcomes = fulfilments(state, units, number)
        ways = _ways(state, outcomes) if number else "nothing is lost"
        yield from comment(2, f"{number}: {ways}", hang=4)
    yield "  # - type: losses"
    yield f"  #   first: {short_name(state, units[0]) if units else 'UNIT'}"


def _ways(state: State, outcomes: Sequence[Outcome]) -> str:
    """The lawful ways, the default first; what is forced says so."""
    if len(outcomes) == 1:
        only = outcomes[0]
        return f"forced: {_steps(state, only)}" if only.steps else "no step, every loss factor is higher"
    best = default(state, outcomes)
    shown = [_steps(state, outcome) for outcome in outcomes if outcome != best][: MAX_WAYS - 1]
    more = len(outcomes) - 1 - len(shown)
    rest = f"; or {'; or '.join(shown)}" if shown else ""
    return f"{_steps(state, best)} (default){rest}" + (f"; and {more} more" if more > 0 else "")


def _steps(state: State, outcome: Outcome) -> str:
    """``steps IT 62, IT 62 - IT 62 lost, IT inf BG 3 in its place``."""
    ends = dict(outcome.ends)
    taken = {bg: uid for uid, bg in outcome.replaced}
    parts = []
    for uid, end in outcome.ends:
        if uid in taken:
            parts.append(f"{short_name(state, uid)} in place of {short_name(state, taken[uid])}")
        elif end.startswith("@"):
            parts.append(f"{short_name(state, uid)} lost" + (" for good" if ends[uid] == "@eliminated" else ""))
        else:
            parts.append(f"{short_name(state, uid)} {end}")
    return f"{shorts(state, outcome.steps) or 'no step'}" + (f" [{', '.join(parts)}]" if parts else "")


def _hold(state: State, fight: Fight) -> list[str]:
    if not can_hold(state, fight.combat):
        return []
    units = state.friends(fight.combat.target, other(fight.combat.attacker))
    return [
        "",
        f"  # {fight.combat.target} may be held by one more step (SS 11.53), if a defending step remains. Default: no.",
        "  # - type: hold",
        f"  #   unit: {short_name(state, units[0]) if units else 'UNIT'}",
    ]


def _retreats(state: State, side: str, fight: Fight) -> Iterator[str]:
    """Ends of a retreat of one and of two spaces for every defender; the state is as before the losses."""
    target = fight.combat.target
    units = [uid for uid in state.friends(target, side) if state.active_unit(uid)]
    yield ""
    yield "  # Retreats (SS 11.55): one space if beaten by 1, two if by more. Default: full before limited supply, then"
    yield "  # the nearest source, then by name. As things stand, the ways for either distance:"
    for uid in units:
        for spaces in DISTANCES:
            paths = ways_back(state, fight.combat, uid, spaces)
            yield from comment(2, f"{short_name(state, uid)}, {spaces}: {_path_words(state, uid, paths)}", hang=4)
    if units:
        ways = [ways_back(state, fight.combat, units[0], spaces) for spaces in DISTANCES]
        ends = list(dict.fromkeys(best_path(state, units[0], paths)[-1] for paths in ways if paths))
        yield "  # - type: retreat"
        yield f"  #   unit: {short_name(state, units[0])}"
        yield f"  #   to: {', '.join(ends) or 'SPACE'}   # the first end that is open; `path` names a whole way"


def _path_words(state: State, uid: str, paths: Sequence[tuple[str, ...]]) -> str:
    if not paths:
        return "none, the unit would be lost (SS 11.56)"
    best = best_path(state, uid, paths)
    rest = [" - ".join(path[1:]) for path in paths if path != best]
    shown = rest[: MAX_WAYS - 1]
    more = f"; and {len(rest) - len(shown)} more" if len(rest) > len(shown) else ""
    word = " (default)" if rest else " (the only way)"
    return f"{' - '.join(best[1:])}{word}{''.join(f'; {path}' for path in shown)}{more}"


def _relocations(state: State, side: str, fight: Fight) -> Iterator[str]:
    """Where units go in an overrun, if the attackers' fire can bring one."""
    combat = under_way(state)
    if combat is None or "*" not in faces_line(state, both_fires(state, combat)["attacker"]):
        return
    units = state.friends(fight.combat.target, side)
    yield ""
    yield "  # If the space is overrun, units are relocated instead (SS 11.47). Default: the first place."
    for uid in units:
        places = ", ".join(map(place_name, relocations(state, uid, fight.combat.target)))
        yield from comment(2, f"{short_name(state, uid)}: {places}", hang=4)
    if units:
        yield "  # - type: relocate"
        yield f"  #   unit: {short_name(state, units[0])}"
        yield f"  #   to: {_written(relocations(state, units[0], fight.combat.target)[0])}"


def _wait(state: State, fight: Fight) -> list[str]:
    later = [str(planned.number) for planned in state.ordered if planned.number > fight.combat.number]
    ahead = [
        "",
        "  # The attacks that follow may be answered here as well, then there is no stop for them. Each order for one",
        f"  # of them has a line `combat:` with its number: {', '.join(later)}.",
    ]
    return [
        *(ahead if later else []),
        "",
        "  # To decide one when it arises (two more messages each): topic losses, hold, retreat or relocate. A line",
        "  # `ask: losses, retreat` below the name of the section says the same.",
        "  # - type: wait",
        "  #   topic: losses",
    ]


# --- single choices ---------------------------------------------------------------------------------------------


def _losses(state: State, _side: str, key: str, fight: Fight) -> list[str]:
    """The losses of one side, its number rolled."""
    role = key.split("/")[-1]
    combat = under_way(state)
    number = fight.number("defender" if role == "attacker" else "attacker") or 0
    outcomes = fulfilments(state, fighters(state, combat, role), number) if combat else []
    lines = [f"# You must satisfy a loss number of {number} (SS 11.43). Lawful, the default first:"]
    ordered = sorted(outcomes, key=lambda outcome: outcome != default(state, outcomes))
    lines += [line for outcome in ordered for line in comment(0, f"  {_steps(state, outcome)}", hang=4)]
    return [
        *lines,
        "orders:",
        "  - type: section",
        f"    name: {'followup' if role == 'attacker' else 'reaction'}",
        "  - type: losses",
        f"    steps: {shorts(state, ordered[0].steps) if ordered else ''}",
    ]


def _hold_stop(state: State, side: str, _key: str, fight: Fight) -> list[str]:
    payers = holders(state, fight.combat)
    paying = [f"{short_name(state, uid)} {figures(state, uid)}" for uid in payers]
    return [
        *comment(
            0, f"A retreat of {fight.retreat} is due. One more step cancels it (SS 11.53), of {', '.join(paying)}."
        ),
        "# Default: nobody pays, the units retreat.",
        "orders:",
        "  - type: section",
        "    name: reaction",
        "  # - type: hold",
        f"  #   unit: {short_name(state, payers[0]) if payers else 'UNIT'}",
    ]


def _retreat_stop(state: State, side: str, key: str, fight: Fight) -> list[str]:
    uid = key.split("/")[-1]
    if uid == "order":
        return _order_stop(state, side, key, fight)
    paths = ways_back(state, fight.combat, uid, fight.retreat)
    ordered = sorted(paths, key=lambda path: path != best_path(state, uid, paths))
    return [
        f"# {short_name(state, uid)} retreats {fight.retreat} (SS 11.55). Lawful, the default first:",
        *[f"#   {', '.join(path)}" for path in ordered],
        "orders:",
        "  - type: section",
        "    name: reaction",
        "  - type: retreat",
        f"    unit: {short_name(state, uid)}",
        f"    path: {', '.join(ordered[0]) if ordered else ''}",
    ]


def _order_stop(state: State, side: str, key: str, fight: Fight) -> list[str]:
    units = state.friends(fight.combat.target, side)
    return [
        "# Several units retreat, and room or supply for one may hang on the others: say who goes first (SS 11.55).",
        f"# Default: {shorts(state, units)}.",
        *_answer_lines(key, "units", shorts(state, units)),
    ]


def _answer_lines(key: str, name: str, value: str) -> list[str]:
    """An order that answers a choice by its key."""
    return ["orders:", "  - type: answer", f"    to: {key}", f"    {name}: {value}"]


def _replace_stop(state: State, _side: str, key: str, _fight: Fight) -> list[str]:
    uid = key.split("/")[-1]
    groups = replacements(state, uid)
    which = f"{shorts(state, groups)}; the first is the default"
    return [
        *comment(0, f"A battlegroup takes the place of {short_name(state, uid)} (SS 11.44): {which}."),
        *_answer_lines(key, "unit", short_name(state, groups[0])),
    ]


def _captured_stop(state: State, _side: str, key: str, _fight: Fight) -> list[str]:
    """Captured supply: which reduced units recover (SS 13.9)."""
    town = next(name for name in TOWNS if state.world.spaces[name].slug == key.split("/")[-1])
    best, able = flip_default(state, town), shorts(state, restorable(state))
    return [
        *comment(0, f"{town} is taken (SS 13.9): {TOWNS[town][0]} of these may recover, or fewer: {able}."),
        f"# Default: {shorts(state, best) or 'nobody'}. For nobody write `say: no` in place of the units.",
        *_answer_lines(key, "units", shorts(state, best)),
    ]


def _overstack_stop(state: State, side: str, key: str, _fight: Fight) -> list[str]:
    """Which units die where retreats have left a space too full (SS 8.2, ruling A21)."""
    place = next(name for name, space in state.world.spaces.items() if space.slug == key.split("/")[-1])
    units, number = state.friends(place, side), excess(state, place, side)
    return [
        *comment(0, f"{place} holds {number} too many (SS 8.2): name {number} of {shorts(state, units)}."),
        "# Default: fewest divisions, then the cheapest to replace, then by id.",
        *_answer_lines(key, "units", shorts(state, units[:number])),
    ]


def _relocate_stop(state: State, _side: str, key: str, fight: Fight) -> list[str]:
    uid = key.split("/")[-1]
    places = relocations(state, uid, fight.combat.target)
    named = ", ".join(map(_written, places))
    return [
        f"# {short_name(state, uid)} is overrun (SS 11.47). Open to it, the default first: {named}",
        "orders:",
        "  - type: section",
        "    name: reaction",
        "  - type: relocate",
        f"    unit: {short_name(state, uid)}",
        f"    to: {_written(places[0])}",
    ]


def _written(place: str) -> str:
    """A place as a turn file takes it: a box begins with a sign that YAML keeps for itself."""
    return f"'{place}'" if place.startswith("@") else place


# --- the attacker's follow-up -----------------------------------------------------------------------------------


def _followup(state: State, side: str, _key: str, fight: Fight) -> list[str]:
    units = [uid for uid in fight.combat.attackers if state.on_map(uid)]
    unit, at = (short_name(state, units[0]), state.pieces[units[0]].at) if units else ("UNIT", "SPACE")
    return [
        *_advances(state, side, fight),
        *_next_attacks(state, side),
        "orders:",
        "  - type: section",
        "    name: followup",
        "  # Default: nobody advances, nothing more is attacked; the action is over.",
        "  # - type: advance",
        f"  #   unit: {unit}",
        f"  #   path: {at}, {fight.combat.target}",
        "  # - type: attack",
        "  #   units: UNIT, UNIT",
        "  #   target: SPACE",
        "  # - type: end_round",
    ]


def _advances(state: State, side: str, fight: Fight) -> Iterator[str]:
    """Who may advance where, by the number of spaces entered."""
    opening = opening_of(state, fight)
    if not opening.category:
        yield f"# {fight.combat.target} is not cleared: nobody may advance (SS 11.61)."
        return
    yield f"# {fight.combat.target} is cleared. Ends of an advance (SS 11.6) by the number of spaces entered:"
    for uid in [u for u in fight.combat.attackers if state.on_map(u)]:
        by_steps: dict[int, list[str]] = {}
        for path in advances(state, opening, uid):
            by_steps.setdefault(len(path) - 1, []).append(path[-1])
        ways = "; ".join(f"{steps} to {', '.join(ends)}" for steps, ends in sorted(by_steps.items())) or "nowhere"
        yield from comment(0, f"  {short_name(state, uid)} in {state.pieces[uid].at}: {ways}", hang=4)


def _next_attacks(state: State, side: str) -> Iterator[str]:
    found = attackable(state, side)
    if not found:
        yield "# No other attack is possible in this round."
        return
    yield f"# {side_name(side)} units under Attack markers that have not fought may attack:"
    for target, units in sorted(found.items()):
        yield from comment(0, f"  {target} ({space_note(state, target)}): {shorts(state, units)}", hang=4)


STOPS: dict[str, Callable[[State, str, str, Fight], list[str]]] = {
    "react": _reaction,
    "cards": _attack_cards,
    "followup": _followup,
    "losses": _losses,
    "hold": _hold_stop,
    "retreat": _retreat_stop,
    "relocate": _relocate_stop,
    "replace": _replace_stop,
    "captured": _captured_stop,
    "overstack": _overstack_stop,
}
"""The stops of a combat by the first part of their key."""
