"""Standing orders for combat, by topic (pbem-decisions 5, docs/standing-orders.md). The first clause that fits decides.

    cards      clauses {at: spaces, region, flank: success, failed, none, strength: least of the attackers, division,
               play: cards, unless: cards of the attacker}; none (or default): no combat card. The stop is waived
    losses     clauses {first: units, keep: units, prefer: words, nations: in turn, replace: battlegroups}; default
    hold       always, never, or clauses {at: spaces, difference: least, steps: least that remain, unit: payers}
    retreat    clauses {space: defended space or any, unit: units, to: spaces in order, prefer: words, near: spaces,
               order: units}; default
    relocate   eliminate, or clauses {unit: units, to: places in order, @replacement among them}; default
    flip       clauses {units: in order}; none, or default
    withdraw   clauses {event: names, first: units, keep: units, prefer: words, nations: in turn}; default
    ask        for any topic: the choice is asked when it arises
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from adjudicator.engine.core import Order, Problem, Tree, whole_number
from adjudicator.shifting_sands.card_rules import ORDER, card_problems, title_of, with_card
from adjudicator.shifting_sands.cards import NAME
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, Combat, fighters, fire_of
from adjudicator.shifting_sands.losses import Outcome, default
from adjudicator.shifting_sands.orders import ANY, CLAUSES_AT_MOST, NO_CLAUSE, WORDS, card_parts
from adjudicator.shifting_sands.played import PlayedCard, card_title
from adjudicator.shifting_sands.retreat import Path, best_by_keys, best_path
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.wishes import NO_WISH, Wish, crowd_out, given_up, preferred, stand_in

FATES = {"failure": "failed", "cancelled": "failed"}
"""The fate of a flank attack as a clause names it."""
BY_DEFAULT = "default, by standing order"


def names(value: Tree | None) -> list[str]:
    """A list of texts, or one text with commas."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def clauses(rules: Tree) -> Iterator[tuple[int, Mapping[str, Tree]]]:
    """The clauses of a standing order with their numbers, from 1."""
    found = rules if isinstance(rules, list) else [rules]
    return ((number, clause) for number, clause in enumerate(found, 1) if isinstance(clause, dict))


def cards(state: State, combat: Combat, rules: Tree) -> tuple[tuple[Order, ...], str] | None:
    """The combat cards of the first clause that fits and has one that may be used; a clause without one is skipped."""
    if rules in ("none", "default"):
        return (), "no combat card, by standing order"
    found = list(clauses(rules))
    for number, clause in found:
        orders = _plays(state, combat, clause) if _meets(state, combat, clause) else ()
        if orders:
            return orders, f"cards {number}"
    return ((), "cards: no clause fits") if found else None


def cards_by_part(
    state: State, combat: Combat, read: Callable[[str], Tree | None]
) -> tuple[tuple[Order, ...], str] | None:
    """The same of sealed clauses, each opened when those before it do not fit, and its cards only where it fits; those
    behind the one that is applied stay closed. None where a topic can't be read now (PROTOCOL 5, 6)."""
    for number in range(1, CLAUSES_AT_MOST + 1):
        when, plays = card_parts(number)
        clause = read(when)
        if clause is None:
            return None
        if clause == NO_CLAUSE:
            break
        if not isinstance(clause, dict) or not _meets(state, combat, clause):
            continue
        listed = read(plays)
        if listed is None:
            return None
        orders = _shown_plays(state, combat, listed)
        if orders:
            return orders, f"cards {number}"
    return (), "cards: no clause fits"


def _shown_plays(state: State, combat: Combat, listed: Tree) -> tuple[Order, ...]:
    """The cards of a sealed clause that are in hand and may be used; each came with its name (PROTOCOL 6)."""
    orders = list[Order]()
    for row in listed if isinstance(listed, list) else ():
        card, name = (str(row.get(key, "")) for key in ("card", "value")) if isinstance(row, dict) else ("", "")
        if name in state.world.cards and not card_problems(state, combat, DEFENDER, card, name):
            combat = with_card(state, combat, PlayedCard(DEFENDER, card, name))
            orders.append(Order(-1, ORDER, {"card": card}, shown={card: {NAME: name}}))
    return tuple(orders)


def _meets(state: State, combat: Combat, clause: Mapping[str, Tree]) -> bool:
    """True where a clause speaks of this combat: its space, flank attack, strength, defenders, the attacker's cards."""
    at, regions, fates = (names(clause.get(key)) for key in ("at", "region", "flank"))
    divisions = any(state.counter(uid).division for uid in fighters(state, combat, DEFENDER))
    said = {text for card in combat.cards for text in (card.name, card_title(state.world, card.name).lower())}
    barred = {name.lower() for name in names(clause.get("unless"))}
    return (
        (not at or ANY in at or combat.target in at)
        and (not regions or any(state.world.in_region(combat.target, region) for region in regions))
        and (not fates or FATES.get(combat.flank, combat.flank) in fates)
        and fire_of(state, combat, ATTACKER).strength >= _number(clause.get("strength"))
        and (divisions or clause.get("division") != "yes")
        and not barred & said
    )


def _plays(state: State, combat: Combat, clause: Mapping[str, Tree]) -> tuple[Order, ...]:
    """The cards of a clause that may be used, each after those before it."""
    side, orders = combat.side_of(DEFENDER), list[Order]()
    for card in names(clause.get("play")):
        name = title_of(state, side, card)
        if not card_problems(state, combat, DEFENDER, card, name):
            combat = with_card(state, combat, PlayedCard(DEFENDER, card, name))
            orders.append(Order(-1, ORDER, {"card": card}))
    return tuple(orders)


def losses(state: State, outcomes: Sequence[Outcome], rules: Tree) -> tuple[Outcome, str] | None:
    """The outcome that a clause prefers."""
    if rules == "default":
        return default(state, outcomes), BY_DEFAULT
    for number, clause in clauses(rules):
        return preferred(state, outcomes, Wish.of(clause)), f"losses {number}"
    return None


def crowd(state: State, ways: Sequence[tuple[str, ...]], rules: Tree) -> tuple[tuple[str, ...], str] | None:
    """Who is lost where a space is too full: the same clauses (pbem D7)."""
    if rules == "default":
        return crowd_out(state, ways, NO_WISH), BY_DEFAULT
    return next(((crowd_out(state, ways, Wish.of(clause)), f"losses {n}") for n, clause in clauses(rules)), None)


def replacing(state: State, groups: Sequence[str], rules: Tree) -> tuple[str, str] | None:
    """Who takes the place of a division lost outside a loss number: the same clauses (pbem D3)."""
    if rules == "default":
        return groups[0], BY_DEFAULT
    return next(((stand_in(state, groups, Wish.of(clause)), f"losses {n}") for n, clause in clauses(rules)), None)


def hold(
    state: State, combat: Combat, payers: Sequence[str], difference: int, rules: Tree
) -> tuple[str, str] | None:
    """Who pays for holding the space; nobody where no clause fits."""
    if rules in ("never", "default"):
        return "", f"hold: {rules}"
    if rules == "always":
        return payer(state, payers, []), "hold: always"
    found = list(clauses(rules))
    for number, clause in found:
        if _holds(state, combat, difference, clause):
            return payer(state, payers, names(clause.get("unit"))), f"hold {number}"
    return ("", "hold: no clause fits") if found else None


def _holds(state: State, combat: Combat, difference: int, clause: Mapping[str, Tree]) -> bool:
    units = fighters(state, combat, DEFENDER)
    left = sum(1 if state.pieces[uid].reduced else 2 for uid in units) - 1
    at = names(clause.get("at"))
    return (
        (not at or ANY in at or combat.target in at)
        and difference >= _number(clause.get("difference"))
        and left >= _number(clause.get("steps"))
    )


def _number(value: Tree | None) -> int:
    return whole_number(value) or 0


def payer(state: State, payers: Sequence[str], wanted: Sequence[str]) -> str:
    """The payer named, else the one whose step is cheapest and costs no unit, by id."""

    def rank(uid: str) -> tuple[bool, bool, str]:
        return state.pieces[uid].reduced, state.counter(uid).division, uid

    return next((uid for uid in wanted if uid in payers), min(payers, key=rank))


def retreat(
    state: State, combat: Combat, uid: str, paths: Sequence[Path], rules: Tree
) -> tuple[Path, str] | None:
    """The first of the named ends that is open, by the best path to it; else the end that the keys of a clause rank
    first."""
    if rules == "default":
        return best_path(state, uid, paths), BY_DEFAULT
    for number, clause in _of_unit(combat, uid, rules):
        for end in names(clause.get("to")):
            fits = [path for path in paths if path[-1] == end]
            if fits:
                return best_path(state, uid, fits), f"retreat {number}: to {end}"
        words, near = names(clause.get("prefer")), names(clause.get("near"))
        if words or near:
            best = best_by_keys(state, combat, uid, paths, words, near)
            return best, f"retreat {number}: {', '.join([*words, *(f'near {name}' for name in near)])}"
    return None


def _of_unit(combat: Combat, uid: str, rules: Tree) -> Iterator[tuple[int, Mapping[str, Tree]]]:
    """The clauses for a unit and the space it defends."""
    for number, clause in clauses(rules):
        here = {ANY, combat.target} & set(names(clause.get("space")) or [ANY])
        if here and (uid in names(clause.get("unit")) or not names(clause.get("unit"))):
            yield number, clause


def retreat_order(combat: Combat, units: Sequence[str], rules: Tree) -> tuple[tuple[str, ...], str] | None:
    """Who retreats first: those that a clause names, in turn, then the others as by default (ruling A24)."""
    if rules == "default":
        return tuple(units), BY_DEFAULT
    for number, clause in clauses(rules):
        front = [uid for uid in dict.fromkeys(names(clause.get("order"))) if uid in units]
        if front and {ANY, combat.target} & set(names(clause.get("space")) or [ANY]):
            return (*front, *(uid for uid in units if uid not in front)), f"retreat {number}: {', '.join(front)} first"
    return None


def relocate(combat: Combat, uid: str, places: Sequence[str], rules: Tree) -> tuple[str, str] | None:
    """The first of the named places that is open."""
    if rules == "default":
        return places[0], BY_DEFAULT
    if rules == "eliminate":
        return places[-1], "relocate: eliminate"
    for number, clause in _of_unit(combat, uid, rules):
        wanted = next((name for name in names(clause.get("to")) if name in places), None)
        if wanted:
            return wanted, f"relocate {number}: to {wanted}"
    return None


def withdraw(
    state: State, name: str, ways: Sequence[tuple[str, ...]], rules: Tree
) -> tuple[tuple[str, ...], str] | None:
    """Who is given up to an event of the enemy, by the first clause for that event; the ways stand in the order of the
    default (pbem D8)."""
    if rules == "default":
        return ways[0], BY_DEFAULT
    for number, clause in clauses(rules):
        events = [event.lower() for event in names(clause.get("event"))]
        if not events or name.lower() in events:
            return given_up(state, ways, Wish.of(clause)), f"withdraw {number}"
    return None


def rules_problems(topic: str, rules: Tree) -> list[Problem]:
    """A word that says nothing for this topic; the clauses are judged by their form."""
    known = WORDS.get(topic, ())
    if not isinstance(rules, str) or not rules or rules in known:
        return []
    return [Problem("word", "SS 11", f"{rules} says nothing for {topic}", f"known: {', '.join(known)}", field="rules")]
