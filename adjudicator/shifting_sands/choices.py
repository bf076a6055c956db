"""The choices of a combat: reaction, losses, hold, retreat, relocation, what follows (SS 11, PROTOCOL 9.2).

Standing orders are short clauses by topic (standing.py). A choice knows how it is asked, which order of a list speaks
of it, and what that order means, so that orders bound to a combat and answers to a stop are read the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, pairwise, permutations
from typing import Generic, TypeVar

from adjudicator.engine.core import Ask, Order, Problem, Tree
from adjudicator.engine.sections import section
from adjudicator.shifting_sands import standing
from adjudicator.shifting_sands.access import step_problem
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, Combat
from adjudicator.shifting_sands.losses import RESERVE, Outcome, default, matching
from adjudicator.shifting_sands.orders import EACH
from adjudicator.shifting_sands.played import ends_apart
from adjudicator.shifting_sands.relocate import place_problems
from adjudicator.shifting_sands.retreat import Path, best_path, hold_problems, path_problems
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.wishes import NO_WISH, Wish, crowd_out, preferred

A = TypeVar("A")
Orders = tuple[Order, ...]
NOBODY = ""
ORDERS_AT_MOST = 120
PARTS = {ATTACKER: "followup", DEFENDER: "reaction"}
REACTION_TYPES = ("combat_card", "losses", "hold", "retreat", "relocate", "captured_supply", "wait", "answer")


@dataclass(frozen=True)
class Choice(Generic[A]):
    """A choice: its ask, ``read`` to find the order that speaks of it in a list, ``value`` to understand that order.

    ``soften`` makes the best of an order written before the dice which they have made unlawful; None where it can't.
    """

    ask: Ask[A]
    read: Callable[[Sequence[Order]], Order | None]
    value: Callable[[Order], A]
    soften: Callable[[Order], A | None] = lambda _order: None


@dataclass(frozen=True, slots=True)
class When:
    """How a choice is asked in a combat: whether it is a stop, up to which message nothing is on file for it, and
    whether a standing order `ask` makes it a stop."""

    stop: bool = False
    after: int = 0
    askable: bool = False


def spoken(orders: Sequence[Order], part: str, number: int) -> Orders:
    """The orders of a message that speak of a combat, by its number or by none, and its answers by key."""
    found = section(orders, part)
    own = [o for o in found.orders if o.text("combat") in ("", str(number))] if found else []
    return (*own, *(o for o in orders if o.type == "answer" and o not in own))


def numbered(orders: Sequence[Order], part: str, number: int) -> Orders:
    """The orders and answers of a message that name a combat by its number: they may be sent before it is fought."""
    found = section(orders, part)
    own = [o for o in found.orders if o.text("combat") == str(number)] if found else []
    answers = [o for o in orders if o.type == "answer" and o.text("to").split("/")[1:2] == [str(number)]]
    return (*own, *(o for o in answers if o not in own))


def _answer(orders: Sequence[Order], key: str) -> Order | None:
    return next((o for o in orders if o.type == "answer" and o.text("to") == key), None)


def _choice(
    combat: Combat,
    role: str,
    key: str,
    rule: str,
    topic: str,
    read: Callable[[Sequence[Order]], Order | None],
    value: Callable[[Order], A],
    problems: Callable[[A], list[Problem]],
    atoms: Callable[[], Sequence[A]],
    usual: Callable[[], A],
    clause: Callable[[Tree], tuple[A, str] | None],
    when: When,
) -> Choice[A]:
    def meant(order: Order) -> A:
        by_default = order.type == "answer" and order.text("say") == "default"
        return usual() if by_default else value(order)

    def find(orders: Sequence[Order]) -> A | None:
        order = read(spoken(orders, PARTS[role], combat.number))
        return None if order is None else meant(order)

    ask = Ask(
        key, combat.side_of(role), rule, topic, find, problems, atoms, usual, clause,
        stop=when.stop, after=when.after, askable=when.askable,
    )
    return Choice(ask, read, meant)


# --- the defender's stop, and what the attacker does next ---------------------------------------------------------


def react_key(number: int) -> str:
    """The key of the defender's stop in a combat."""
    return f"react/{number}"


def ahead_ask(combat: Combat) -> Ask[Orders]:
    """Whether the defender answered this combat in an earlier message of the round, by its number (batch)."""

    def find(orders: Sequence[Order]) -> Orders | None:
        return numbered(orders, PARTS[DEFENDER], combat.number) or None

    return Ask(
        react_key(combat.number), combat.side_of(DEFENDER), "SS 11.25", "ahead", find, lambda _v: [], lambda: (),
        lambda: (), forced=False,
    )


def reaction_ask(state: State, combat: Combat, after: int) -> Ask[Orders]:
    """The defender's stop in every combat; only a hand without cards and nothing face up lifts it (PROTOCOL 9.2)."""
    side = combat.side_of(DEFENDER)
    can_play = bool(state.hands.get(side) or state.face_up.get(side))

    def find(orders: Sequence[Order]) -> Orders | None:
        named = section(orders, PARTS[DEFENDER]) is not None or _answer(orders, react_key(combat.number)) is not None
        return spoken(orders, PARTS[DEFENDER], combat.number) if named else None

    return Ask(
        react_key(combat.number), side, "SS 11.25", "cards", find, lambda _v: [], lambda: (), lambda: (),
        lambda rules: standing.cards(state, combat, rules), stop=can_play, forced=False, after=after,
        parted=EACH, by_part=lambda read: standing.cards_by_part(state, combat, read),
    )


def cards_key(number: int) -> str:
    """The key of the attacker's stop for his cards, once the flank die is known."""
    return f"cards/{number}"


def cards_ask(combat: Combat, after: int) -> Ask[Orders]:
    """The attacker's cards after the flank die, where his attack asks for it (SS 11.25, PROTOCOL 9.2)."""
    key = cards_key(combat.number)

    def find(orders: Sequence[Order]) -> Orders | None:
        found, answer = section(orders, PARTS[ATTACKER]), _answer(orders, key)
        if found is None and answer is None:
            return None
        return (*(found.orders if found is not None else ()), *([answer] if answer is not None else []))

    return Ask(
        key, combat.attacker, "SS 11.25", "attack", find, lambda _v: [], lambda: (), lambda: (), stop=True,
        forced=False, after=after,
    )


def followup_ask(combat: Combat, after: int) -> Ask[Orders]:
    """What the attacker does after the last combat he ordered: advances, the next combat, or nothing."""

    def find(orders: Sequence[Order]) -> Orders | None:
        found = section(orders, PARTS[ATTACKER])
        return found.orders if found is not None else None

    return Ask(
        f"followup/{combat.number}", combat.attacker, "SS 11.284", "followup", find, lambda _v: [], lambda: (),
        lambda: (), stop=True, forced=False, after=after,
    )


# --- losses -------------------------------------------------------------------------------------------------------


def loss_choice(state: State, combat: Combat, role: str, outcomes: Sequence[Outcome], when: When) -> Choice[Outcome]:
    """Which of the maximal fulfilments (SS 11.43). A list of steps must be one; ``first`` and ``keep`` only prefer.

    Of several orders, as for several loss numbers, the first that is lawful counts.
    """
    key = f"losses/{combat.number}/{role}"

    def read(orders: Sequence[Order]) -> Order | None:
        mine = [o for o in orders if o.type == "losses"]
        lawful = next((o for o in mine if value(o) in outcomes), None)
        return lawful or (mine[0] if mine else None) or _answer(orders, key)

    def value(order: Order) -> Outcome:
        if order.type == "losses" and "steps" not in order.data:
            return preferred(state, outcomes, Wish.of(order.data))
        steps = order.texts("steps") if order.type == "losses" else order.texts("units")
        return matching(state, outcomes, steps) or Outcome(tuple(steps), (), -1)

    def soften(order: Order) -> Outcome | None:
        steps = order.texts("steps")
        return None if _strays(state, combat, role, steps) else preferred(state, outcomes, Wish(first=tuple(steps)))

    made = _choice(
        combat, role, key, "SS 11.43", "losses", read, value,
        lambda outcome: loss_problems(state, combat, role, outcomes, outcome), lambda: outcomes,
        lambda: default(state, outcomes), lambda rules: standing.losses(state, outcomes, rules), when,
    )
    return replace(made, soften=soften)


def loss_problems(
    state: State, combat: Combat, role: str, outcomes: Sequence[Outcome], outcome: Outcome
) -> list[Problem]:
    """Why steps do not settle a loss number: units out of the combat, or not as much as possible."""
    if outcome in outcomes:
        return []
    ways = "; ".join(", ".join(o.steps) or "no step" for o in list(outcomes)[:4])
    hint = f"lawful: {ways}"
    strays = _strays(state, combat, role, outcome.steps)
    if strays:
        said = f"{', '.join(strays)} took no part in the combat as {role} and can't take losses"
        return [Problem("bystander", "SS 11.16" if role == ATTACKER else "SS 11.43", said, hint, field="steps")]
    most = outcomes[0].absorbed
    said = f"steps {', '.join(outcome.steps) or 'none'} do not satisfy the loss number as far as possible ({most})"
    return [Problem("losses", "SS 11.43", said, hint, field="steps")]


def _strays(state: State, combat: Combat, role: str, steps: Sequence[str]) -> list[str]:
    """Units named for losses that neither fight in this combat nor may join it from the reserve box."""
    units = combat.attackers if role == ATTACKER else combat.defenders
    return [uid for uid in steps if uid not in units and uid not in state.in_box(RESERVE, combat.side_of(role))]


def replace_choice(
    state: State, combat: Combat, role: str, uid: str, bgs: Sequence[str], when: When
) -> Choice[str]:
    """Which battlegroup takes the place of a division lost outside a loss number (SS 11.44, pbem D3)."""
    key = f"replace/{combat.number}/{uid}"
    made = _choice(
        combat, role, key, "SS 11.44", "losses", lambda orders: _answer(orders, key), lambda order: order.text("unit"),
        lambda bg: [] if bg in bgs else [_not_among("replace", "SS 11.44", bg, bgs)], lambda: bgs, lambda: bgs[0],
        lambda rules: standing.replacing(state, bgs, rules), when,
    )
    return replace(made, soften=lambda _order: bgs[0])


def _not_among(code: str, rule: str, text: str, names: Sequence[str]) -> Problem:
    return Problem(code, rule, f"{text or 'nothing'} may not be chosen", "open: " + ", ".join(names))


# --- hold, retreat, relocation ------------------------------------------------------------------------------------


def hold_choice(state: State, combat: Combat, payers: Sequence[str], difference: int, when: When) -> Choice[str]:
    """Whether a unit pays a step to cancel the retreat, and which (SS 11.53). Nobody by default (pbem D4).

    Where the dice have taken the unit that was to pay, or left it too weak, nobody pays.
    """
    key = f"hold/{combat.number}"

    def read(orders: Sequence[Order]) -> Order | None:
        return next((o for o in orders if o.type == "hold"), None) or _answer(orders, key)

    def value(order: Order) -> str:
        if order.text("say") == "yes" and not order.text("unit"):
            return standing.payer(state, payers, [])
        return NOBODY if order.text("say") == "no" else order.text("unit")

    def problems(uid: str) -> list[Problem]:
        return hold_problems(state, combat, uid) if uid != NOBODY else []

    def soften(order: Order) -> str | None:
        return NOBODY if order.text("unit") in combat.defenders else None

    made = _choice(
        combat, DEFENDER, key, "SS 11.53", "hold", read, value, problems, lambda: (NOBODY, *payers), lambda: NOBODY,
        lambda rules: standing.hold(state, combat, payers, difference, rules), when,
    )
    return replace(made, soften=soften)


def order_choice(combat: Combat, units: Sequence[str], when: When) -> Choice[tuple[str, ...]]:
    """In which order units retreat, since each takes room (ruling A24): as their orders stand, else by id."""
    key = f"retreat/{combat.number}/order"

    def read(orders: Sequence[Order]) -> Order | None:
        answer = _answer(orders, key)
        named = [o.text("unit") for o in orders if o.type == "retreat" and o.text("unit") in units]
        return answer or (Order(-1, "answer", {"to": key, "units": [*named]}) if named else None)

    def value(order: Order) -> tuple[str, ...]:
        front = [uid for uid in dict.fromkeys(order.texts("units")) if uid in units]
        return (*front, *(uid for uid in units if uid not in front))

    return _choice(
        combat, DEFENDER, key, "SS 11.55g", "retreat", read, value, lambda _v: [],
        lambda: list(islice(permutations(units), ORDERS_AT_MOST)), lambda: tuple(units),
        lambda rules: standing.retreat_order(combat, units, rules), when,
    )


def retreat_choice(state: State, combat: Combat, uid: str, paths: Sequence[Path], when: When) -> Choice[Path]:
    """Which of the equally good paths a unit takes (SS 11.55).

    Of several orders for a unit, as for a retreat of one and of two spaces, the first that is lawful counts. Where the
    dice have closed a way written before them, the best one is taken.
    """
    key, apart = f"retreat/{combat.number}/{uid}", ends_apart(state.world, combat.cards)

    def read(orders: Sequence[Order]) -> Order | None:
        mine = [o for o in orders if o.type == "retreat" and o.text("unit") == uid]
        lawful = next((o for o in mine if value(o) in paths), None)
        fitting = next((o for o in mine if len(value(o)) == len(paths[0])), None)
        return lawful or fitting or _answer(orders, key)

    def value(order: Order) -> Path:
        ends = order.texts("to") if order.type == "retreat" else []
        for end in ends:
            fits = [path for path in paths if path[-1] == end]
            if fits:
                return best_path(state, uid, fits)
        return tuple(order.texts("path"))

    def soften(order: Order) -> Path | None:
        return best_path(state, uid, paths) if _is_way(state, combat.target, uid, value(order)) else None

    made = _choice(
        combat, DEFENDER, key, "SS 11.55", "retreat", read, value,
        lambda path: path_problems(state, uid, paths, path, apart), lambda: paths, lambda: best_path(state, uid, paths),
        lambda rules: standing.retreat(state, combat, uid, paths, rules), when,
    )
    return replace(made, soften=soften)


def _is_way(state: State, target: str, uid: str, path: Path) -> bool:
    """True for a way out of a space that may have been open before the dice: length, room and supply hang on them."""
    unit, last = state.counter(uid), len(path) - 1
    barred = any(step_problem(state, unit, a, b, n == last) for n, (a, b) in enumerate(pairwise(path), 1))
    return len(path) > 1 and path[0] == target and not barred and len(set(path)) == len(path)


def crowd_choice(
    state: State, combat: Combat, place: str, units: Sequence[str], number: int, when: When
) -> Choice[tuple[str, ...]]:
    """Which units die where retreats have left a space too full (SS 8.2, pbem D7); used under ruling A21's switch.

    By default fewest divisions, then those that are cheapest to replace, then by id.
    """
    key = f"overstack/{combat.number}/{state.world.spaces[place].slug}"
    ways = [tuple(chosen) for chosen in combinations(sorted(units), number)]

    def problems(chosen: tuple[str, ...]) -> list[Problem]:
        if chosen in ways:
            return []
        said = f"{place} holds {number} too many: {', '.join(chosen) or 'nobody'} can't be those that are eliminated"
        return [Problem("excess", "SS 8.2", said, f"name {number} of {', '.join(units)}", field="units")]

    return _choice(
        combat, DEFENDER, key, "SS 8.2", "losses", lambda orders: _answer(orders, key),
        lambda order: tuple(sorted(order.texts("units"))), problems, lambda: ways,
        lambda: crowd_out(state, ways, NO_WISH), lambda rules: standing.crowd(state, ways, rules), when,
    )


def relocate_choice(state: State, combat: Combat, uid: str, places: Sequence[str], when: When) -> Choice[str]:
    """Where an overrun unit is placed (SS 11.47); the first open place by default (pbem D6)."""
    key = f"relocate/{combat.number}/{uid}"

    def read(orders: Sequence[Order]) -> Order | None:
        mine = next((o for o in orders if o.type == "relocate" and o.text("unit") == uid), None)
        return mine or _answer(orders, key)

    def value(order: Order) -> str:
        return order.text("to") if order.type == "relocate" else order.text("place")

    made = _choice(
        combat, DEFENDER, key, "SS 11.47", "relocate", read, value,
        lambda place: place_problems(state, uid, combat.target, places, place), lambda: places, lambda: places[0],
        lambda rules: standing.relocate(combat, uid, places, rules), when,
    )
    return replace(made, soften=lambda _order: places[0])
