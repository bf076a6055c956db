"""The orders of a turn file to fill in (DESIGN, `template`): YAML lines, and comments with all that a player needs."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.engine.driver import Waits
from adjudicator.shifting_sands.activation import ATTACK, MOVE, activation_cost
from adjudicator.shifting_sands.card_rules import title_of
from adjudicator.shifting_sands.card_words import card_line, role_words
from adjudicator.shifting_sands.designate import attackable, flank_problems
from adjudicator.shifting_sands.fire import fire_of
from adjudicator.shifting_sands.movement import reach
from adjudicator.shifting_sands.played import combat_effects
from adjudicator.shifting_sands.prospects import faces_line, fire_words, would_be
from adjudicator.shifting_sands.situation import touching
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.stops import STOPS, standing_lines, stop_lines, wrapped
from adjudicator.shifting_sands.stops import comment as below
from adjudicator.shifting_sands.supply import supply
from adjudicator.shifting_sands.template_events import event_lines, hand_lines, withdrawal_lines
from adjudicator.shifting_sands.template_upkeep import (
    arrivals_lines,
    points_of_card,
    redeployment,
    replacement_lines,
    setup_lines,
    uses,
)
from adjudicator.shifting_sands.words import (
    card_name,
    card_ops,
    figures,
    moment,
    short_name,
    shorts,
    side_name,
    space_note,
)
from adjudicator.shifting_sands.world import text

ORDERS = "orders/"


def template(state: State, side: str, waits: Waits) -> str:
    """A turn file's list of orders for a side, due or not. It passes `check` as it stands."""
    lines = [f"# {moment(state)}."]
    if state.phase == "setup":
        return "\n".join([*lines, *setup_lines(state, side)])
    if waits.side != side or waits.why != "decision":
        lines += ["#", "# Nothing is asked of you now. Standing orders may be given at any time:", *standing_lines()]
        return "\n".join([*lines, "orders: []"])
    kind = waits.key.split("/")[0]
    if kind == "replacement":
        return "\n".join([*lines, *replacement_lines(state, side)])
    if kind == "withdraw":
        return "\n".join([*lines, *withdrawal_lines(state)])
    if kind in STOPS:
        return "\n".join([*lines, *stop_lines(state, side, waits.key)])
    return "\n".join(
        [*lines, *_hand(state, side), *_spaces(state, side), *_attacks(state, side), *_orders(state, side)]
    )


def comment(indent: int, words: str, hang: int = 2) -> list[str]:
    """A comment of one or more lines, what runs over indented."""
    first, rest = "#" + " " * (indent + 1), "#" + " " * (indent + hang + 1)
    return wrapped(words, first, rest)


# --- what there is ----------------------------------------------------------------------------------------------


def _hand(state: State, side: str) -> list[str]:
    hand = state.hands.get(side, [])
    lines = ["#", "# Your hand: one card a round, or the automatic operation of 1 point (SS 6.12)."]
    for card in hand:
        kind = text(state.world.cards.get(card, {}), "kind")
        rp = points_of_card(state, side, card)
        lines.append(f"#   {card_name(state, card):42} {card_ops(state, card)} OPS   RP {rp or '-':12} {kind}")
        lines += hand_lines(state, side, card)
    return lines if hand else [*lines, "#   no card"]


def _spaces(state: State, side: str) -> list[str]:
    """Own spaces that may be activated: points, units with figures, supply and ends in reach."""
    lines = [
        "#",
        f"# {side_name(side)} spaces: points to activate for movement / for combat (SS 7.23, 13.611); units with",
        "# combat-loss-movement factors, supply (spaces to the nearest source), and the spaces they can end in, by",
        "# the number of spaces entered.",
    ]
    idle = []
    for name in sorted(state.at):
        units = [uid for uid in state.friends(name, side) if name in state.world.spaces]
        active = [uid for uid in units if state.active_unit(uid)]
        if active:
            lines += _space(state, side, name)
        elif units:
            idle.append(name)
    return [*lines, *comment(0, f"Not released yet (SS 10.41): units in {', '.join(idle)}.")] if idle else lines


def _space(state: State, side: str, name: str) -> list[str]:
    move, attack = (activation_cost(state, name, side, kind).points for kind in (MOVE, ATTACK))
    marked = state.copy()
    marked.markers[name] = MOVE
    alike: dict[tuple[str, str], list[str]] = {}
    for uid in state.friends(name, side):
        reduced = " reduced" if state.pieces[uid].reduced else ""
        key = (f"{figures(state, uid)}{reduced}, {_supply(state, uid)}", _ends(marked, side, uid))
        alike.setdefault(key, []).append(uid)
    lines = [f"#   {name} ({space_note(state, name)}): {move} / {attack}"]
    for (what, ends), units in alike.items():
        lines += comment(4, f"{shorts(state, units)}: {what}; {ends}", hang=4)
    return lines


def _ends(marked: State, side: str, uid: str) -> str:
    """The spaces a unit can end in, by the number of spaces it enters."""
    by_steps: dict[int, list[str]] = {}
    for end, path in reach(marked, side, uid).items():
        by_steps.setdefault(len(path) - 1, []).append(end)
    return "; ".join(f"{steps} to {', '.join(ends)}" for steps, ends in sorted(by_steps.items())) or "to nowhere"


def _supply(state: State, uid: str) -> str:
    found = supply(state, uid)
    where = f" ({found.distance})" if found.distance is not None else ""
    return {"oos": "OUT OF SUPPLY"}.get(found.status, f"{found.status}{where}")


def _attacks(state: State, side: str) -> list[str]:
    lines = [
        "#",
        "# Spaces that could be attacked (SS 11.1), from which of yours, and what all of them together would do:",
    ]
    found = [line for target, own in touching(state, side) for line in _target(state, side, target, own)]
    return lines + found if found else ["#", "# No space of the enemy's stands next to yours."]


def _target(state: State, side: str, target: str, own: list[str]) -> Iterator[str]:
    trial = state.copy()
    trial.markers = dict.fromkeys(own, ATTACK)
    able = attackable(trial, side).get(target, [])
    if not able:
        return
    held = ", ".join(f"{short_name(state, uid)} {figures(state, uid)}" for uid in state.enemies(target, side))
    yield from comment(2, f"{target} ({space_note(state, target)}), held by {held}")
    for name in own:
        units = [uid for uid in able if state.pieces[uid].at == name]
        cost = activation_cost(state, name, side, ATTACK).points
        if units:
            yield from comment(4, f"from {name} ({cost} to activate): {shorts(state, units)}")
    combat = would_be(state, side, able, target)
    for role, word in (("attacker", "yours"), ("defender", "theirs")):
        fire = fire_of(state, combat, role)
        yield from comment(4, f"{word}: {fire_words(state, combat, fire)}; losses {faces_line(state, fire)}")
    if not flank_problems(state, able, target):
        yield "#     a flank attack may be tried (SS 11.31)"


# --- the orders -------------------------------------------------------------------------------------------------


def _orders(state: State, side: str) -> list[str]:
    hand = sorted(state.hands.get(side, []), key=lambda card: (-(card_ops(state, card) or 0), card))
    card = card_name(state, hand[0]) if hand else "CARD"
    return [
        "orders:",
        *standing_lines(),
        "  - type: section",
        "    name: round",
        *arrivals_lines(state, side),
        "  # One action (SS 6.12). Default: the automatic operation. Take the # away of the lines you want.",
        "  # - type: play_card",
        f"  #   card: {card}",
        "  #   use: ops",
        *uses(state, side),
        *event_lines(state, side),
        "  # - type: auto_op",
        *_markers(state, side),
        *redeployment(state, side),
        *_fighting(state, side),
    ]


def _markers(state: State, side: str) -> list[str]:
    """All markers, which come first, then moves; a real space and unit as example."""
    attacking, _, _ = _fighters(state, side)
    elsewhere = (example for example in _movers(state, side) if example[0] != attacking)
    space, unit, path = next(elsewhere, ("SPACE", "UNIT", ["SPACE", "SPACE"]))
    return [
        "",
        "  # Markers, all of them before the first move (SS 7.25, 7.27). Default: nothing is activated.",
        "  # - type: move_marker",
        f"  #   space: {space}",
        "  # - type: attack_marker",
        f"  #   space: {attacking}",
        "",
        "  # Moves of units in spaces marked for movement (SS 9). Default: nobody moves. `to: SPACE` alone takes the",
        "  # shortest path, `path` names every space from start to end.",
        "  # - type: move",
        f"  #   unit: {unit}",
        f"  #   path: {', '.join(path)}",
    ]


def _movers(state: State, side: str) -> Iterator[tuple[str, str, list[str]]]:
    for name in sorted(state.at):
        if name in state.world.spaces:
            marked = state.copy()
            marked.markers[name] = MOVE
            for uid in state.friends(name, side):
                path = next(iter(reach(marked, side, uid).values()), None)
                if path:
                    yield name, short_name(state, uid), path


def _fighting(state: State, side: str) -> list[str]:
    _, target, units = _fighters(state, side)
    return [
        "",
        "  # Attacks out of spaces marked for combat (SS 11.22), one after the other. The defender answers each before",
        "  # its dice are rolled; after the last one you are asked for losses, advances and the next attack, unless",
        "  # `end_round` closes the list. With `if_won: 1`, or with `if_vacated` or `if_occupied` and a space, an",
        "  # attack is made only then.",
        "  # - type: attack",
        f"  #   units: {units}",
        f"  #   target: {target}",
        "  #   flank: no                   # yes: a die first, 4 or more succeeds (SS 11.33); `ask: cards` then",
        "  #                               # asks for your cards when it is known (two more messages)",
        *_cards(state, side),
        "  # - type: losses                # bound to the attack above it; default: fewest divisions, then cheapest",
        "  #   first: UNIT                 # hit first; `keep` spares units, `steps` names every step of one number;",
        "  # - type: advance               # bound as well; default: nobody advances",
        "  #   unit: UNIT",
        "  #   path: SPACE, SPACE",
        "  # - type: end_round             # nothing more after these attacks: what is open falls to the defaults",
    ]


def _cards(state: State, side: str) -> list[str]:
    """The combat cards that an attacker may play; whether they fit is judged with each combat (SS 11.25)."""
    names = [title_of(state, side, card) for card in (*state.hands.get(side, []), *state.face_up.get(side, []))]
    rows = {name: state.world.cards.get(name, {}) for name in names}
    able = [name for name, row in rows.items() if combat_effects(row) and "attack" in role_words(row)]
    if not able:
        return []
    return [
        "  # Your combat cards for an attack, as far as it fits them (SS 11.25):",
        *[line for name in able for line in below(2, f"  {card_line(state.world, name)}", hang=4)],
        "  # - type: combat_card           # bound to the attack above it, played before the defender answers",
        f"  #   card: {card_name(state, able[0])}",
        "  #   if: flank                   # or no_flank; only as the die of a flank attack falls",
    ]


def _fighters(state: State, side: str) -> tuple[str, str, str]:
    """The cheapest attack out of one space, for the example: the space, its target, the units."""
    found = list(_attackers(state, side))
    _, *example = min(found) if found else (0, "SPACE", "SPACE", "UNIT, UNIT")
    space, target, units = map(str, example)
    return space, target, units


def _attackers(state: State, side: str) -> Iterator[tuple[int, str, str, str]]:
    for target, own in touching(state, side):
        for name in own:
            trial = state.copy()
            trial.markers = {name: ATTACK}
            able = attackable(trial, side).get(target)
            if able:
                yield activation_cost(state, name, side, ATTACK).points, name, target, shorts(state, able)
