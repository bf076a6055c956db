"""What a player must keep in mind, for `status`: points, hands, markers, combat, contact, supply, boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudicator.shifting_sands.access import hostile
from adjudicator.shifting_sands.card_rules import title_of
from adjudicator.shifting_sands.card_words import card_line
from adjudicator.shifting_sands.fire import Combat
from adjudicator.shifting_sands.losses import ELIMINATED, REPLACEMENT, RESERVE
from adjudicator.shifting_sands.nations import ENEMY, SIDES
from adjudicator.shifting_sands.provisos import proviso_words
from adjudicator.shifting_sands.stacking import overstacked
from adjudicator.shifting_sands.state import DRAW, State
from adjudicator.shifting_sands.supply import LIMITED, OUT, status
from adjudicator.shifting_sands.words import (
    capital,
    card_name,
    card_ops,
    joined,
    moment,
    names,
    points,
    short_name,
    shorts,
    side_name,
)


def situation(state: State, side: str) -> list[str]:
    """Lines for one side; for a folder without a side what both may know."""
    lines = [f"It is {moment(state)}.", *_round(state), *_points(state), *_hands(state)]
    if side not in ENEMY:
        return lines
    own = [*_own_hand(state, side), *_contact(state, side), *_supply(state, side)]
    return [*lines, *own, *_overfull(state, side), *_boxes(state, side)]


def _points(state: State) -> list[str]:
    """Victory points, replacement points on the track, and who has won."""
    lines = [f"Victory points: {state.vp}."]
    track = [f"{state.rp[pool]} {pool}" for pool in sorted(state.rp)]
    lines += [f"Replacement points (SS 15): {joined(track)}."] if track else []
    won = "a draw" if state.winner == DRAW else f"{side_name(state.winner)} victory"
    return lines + ([f"The game is over: {won} (SS 16)."] if state.winner else [])


SOURCES = {"card": "a card", "automatic": "the automatic operation"}


def _round(state: State) -> list[str]:
    """Points, markers and the combat of the round under way."""
    lines = []
    if state.ops.source and state.phase == "action":
        source = SOURCES.get(state.ops.source, "an event")
        spent = f"{state.ops.spent} of {points(state.ops.available)} spent"
        lines.append(f"{side_name(state.active)} operations by {source}: {spent}{_markers(state)}.")
    if state.rd_left is not None and state.phase == "action":
        lines.append(f"{side_name(state.active)} redeployment: {points(state.rd_left)} left.")
    return [*lines, *fight_lines(state)]


def _markers(state: State) -> str:
    words = {"move": "Move", "attack": "Attack"}
    placed = [f"{words[kind]} on {name}" for name, kind in sorted(state.markers.items())]
    return f"; markers: {', '.join(placed)}" if placed else ""


def asked(state: State, key: str) -> str:
    """What a choice asks of its side, by its key: ``your answer to the attack on Halfaya: losses, retreat``."""
    kind, _, rest = key.partition("/")
    if kind == "orders":
        return f"your action of round {state.round}: card, markers, moves, attacks, or redeployment"
    if kind == "replacement":
        return "your replacements of this turn, and what you discard before you draw"
    if kind == "withdraw":
        return "which of your units an event of the enemy takes"
    target = state.fight.combat.target if state.fight is not None else "the space"
    who = short_name(state, rest.split("/")[-1])
    words = {
        "react": f"your answer to the attack on {target}: combat cards, losses, holding, retreat",
        "cards": f"your combat cards in the attack on {target}, its flank die being known",
        "followup": f"what follows the combat for {target}: advances and further attacks",
        "losses": f"your losses in the combat for {target}",
        "hold": f"whether {target} is held for one more step",
        "retreat": f"who retreats first from {target}" if rest.endswith("/order") else f"where {who} retreats to",
        "relocate": f"where {who} goes, which is overrun",
        "replace": f"which battlegroup takes the place of {who}",
        "captured": "which units recover by captured supply",
        "overstack": "which units are lost in a space that is too full",
    }
    return words.get(kind, f"an answer to {key}")


def fight_lines(state: State) -> list[str]:
    """The combat under way, as far as it has come."""
    fight = state.fight
    if fight is None:
        return []
    combat = fight.combat
    attackers = [uid for uid in combat.attackers if state.on_map(uid)]
    verb = "attacks" if len(attackers) == 1 else "attack"
    flank = {
        "success": ", by a flank attack that succeeded",
        "failure": ", by a flank attack that failed",
        "cancelled": ", by a flank attack that a card has cancelled",
    }
    line = f"Combat {combat.number}: {names(state, attackers)} {verb} {combat.target}{flank.get(combat.flank, '')}."
    return [capital(line), *_in_play(state, combat), *_numbers(state), *_to_come(state, combat.number)]


def _in_play(state: State, combat: Combat) -> list[str]:
    """The combat cards in a combat, of both sides."""
    told = [f"{side_name(combat.side_of(one.role))} {card_line(state.world, one.name)}" for one in combat.cards]
    return [f"Combat cards in it: {'; '.join(told)}."] if told else []


def _to_come(state: State, number: int) -> list[str]:
    """The attacks that are ordered to follow, with the numbers by which the defender may answer them already."""
    later = [planned for planned in state.ordered if planned.number > number]
    told = [
        f"combat {planned.number}, {shorts(state, planned.units)} on {planned.target}{_provided(planned.provisos)}"
        for planned in later
    ]
    return [f"Ordered to follow: {'; '.join(told)}."] if told else []


def _provided(provisos: Sequence[str]) -> str:
    return f", {proviso_words(provisos)}" if provisos else ""


def _numbers(state: State) -> list[str]:
    fight = state.fight
    if fight is None or not fight.inflicted:
        return []
    side = {"attacker": fight.combat.attacker, "defender": ENEMY[fight.combat.attacker]}
    told = [f"{side_name(side[role])} fire inflicts {number}" for role, number in fight.inflicted]
    return [f"Loss numbers so far: {joined(told)}."]


def _hands(state: State) -> list[str]:
    if not any(state.hands.values()):
        return []
    held = [f"{side_name(side)} {len(state.hands.get(side, []))}" for side in SIDES]
    piles = [f"{side_name(side)} {len(state.piles.get(side, []))}" for side in SIDES]
    lines = [f"Cards in hand: {', '.join(held)}; in the draw piles: {', '.join(piles)}."]
    return [*lines, *_face_up(state)]


def _face_up(state: State) -> list[str]:
    """Combat cards that lie face up, which may be used again in a later round of the turn (SS 7.612)."""
    lines = []
    for side in SIDES:
        cards, used = state.face_up.get(side, []), state.used.get(side, [])
        named = [card_name(state, title_of(state, side, card)) + (" (used)" if card in used else "") for card in cards]
        lines += [f"Face up before the {side_name(side)} player: {', '.join(named)}."] if named else []
    return lines


def _own_hand(state: State, side: str) -> list[str]:
    hand = state.hands.get(side, [])
    if not hand:
        return []
    return [f"Your hand: {', '.join(f'{card_name(state, card)} ({card_ops(state, card)} OPS)' for card in hand)}."]


# --- contact and supply -----------------------------------------------------------------------------------------


def touching(state: State, side: str) -> Iterator[tuple[str, list[str]]]:
    """Each space with enemy units that may be attacked beside own active ones, with the own spaces, by name."""
    for name in sorted(state.at):
        if name in state.world.spaces and hostile(state, name, side):
            own = [n for n in state.world.neighbours(name) if any(map(state.active_unit, state.friends(n, side)))]
            if own:
                yield name, own


def _contact(state: State, side: str) -> list[str]:
    lines = []
    for name, own in touching(state, side):
        who = shorts(state, state.enemies(name, side))
        lines.append(f"In contact: {who} in {name}, next to your units in {joined(own)}.")
    return lines or ["No enemy unit stands next to yours."]


def in_status(state: State, side: str, wanted: str) -> dict[str, list[str]]:
    """Own active units on the map with a supply status, by space."""
    found: dict[str, list[str]] = {}
    for uid in state.side_units(side):
        if state.on_map(uid) and state.active_unit(uid) and status(state, uid) == wanted:
            found.setdefault(state.pieces[uid].at, []).append(uid)
    return dict(sorted(found.items()))


def _supply(state: State, side: str) -> list[str]:
    out, limited = in_status(state, side, OUT), in_status(state, side, LIMITED)
    lines = [f"Out of supply, lost in the attrition phase (SS 13.71, 5.3): {_where(state, out)}."] if out else []
    if limited:
        lines.append(f"In limited supply, a point each for combat (SS 13.611): {_where(state, limited)}.")
    return lines or ["All your units are in full supply."]


def _where(state: State, found: dict[str, list[str]]) -> str:
    return "; ".join(f"{shorts(state, units)} in {name}" for name, units in found.items())


def _overfull(state: State, side: str) -> list[str]:
    full = overstacked(state, side)
    return [f"More units than may stack (SS 8): {joined(full)}."] if full else []


def _boxes(state: State, side: str) -> list[str]:
    titles = ((RESERVE, "Reserve box"), (REPLACEMENT, "Replacement box"), (ELIMINATED, "Lost for good"))
    found = [(title, state.in_box(box, side)) for box, title in titles]
    return [f"{title}: {shorts(state, units)}." for title, units in found if units]
