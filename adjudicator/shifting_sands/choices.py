"""The choices of a combat as Asks: reaction, losses, hold, retreat, relocation, what follows (SS 11, PROTOCOL 9.2).

Standing orders are short clauses per topic. ``losses``: ``[{first: [units], keep: [units]}]``. ``hold``: ``always`` or
``never``. ``retreat``: ``[{space: SPACE|any, to: [spaces]}]``. ``relocate``: ``[spaces, @replacement]``. ``cards``:
``none`` waives the stop for combat cards. The word ``default`` takes the default of any topic, ``ask`` the stop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adjudicator.engine.core import Ask, Order, Problem, Tree
from adjudicator.engine.sections import section
from adjudicator.shifting_sands.fire import Combat
from adjudicator.shifting_sands.losses import Outcome, default, matching
from adjudicator.shifting_sands.retreat import Path, best_path
from adjudicator.shifting_sands.state import State, other

Orders = tuple[Order, ...]
NOBODY = ""


def of_combat(orders: Sequence[Order], number: int, current: bool = True) -> list[Order]:
    """The orders of a list that speak of a combat: by its number, or by none where it is the one being fought."""
    return [o for o in orders if o.text("combat") == str(number) or (current and not o.text("combat"))]


def reaction_ask(state: State, combat: Combat, after: int) -> Ask[Orders]:
    """The defender's stop in every combat; only a hand without cards and nothing face up lifts it (PROTOCOL 9.2)."""
    side = other(combat.attacker)
    can_play = bool(state.hands.get(side) or state.face_up.get(side))

    def find(orders: Sequence[Order]) -> Orders | None:
        found = section(orders, "reaction")
        if found is None:
            return None
        own = of_combat(found.orders, combat.number)
        return tuple(own) if own or combat.number == 1 else None

    def clause(rules: Tree) -> tuple[Orders, str] | None:
        return ((), "no combat card, by standing order") if rules in ("none", "default") else None

    return Ask(
        f"react/{combat.number}", side, "SS 11.25", "cards", find, lambda _v: [], lambda: (), lambda: (), clause,
        stop=can_play, forced=False, after=after,
    )


def followup_ask(combat: Combat, after: int) -> Ask[Orders]:
    """What the attacker does after the last combat he ordered: advances, the next combat, or nothing."""

    def find(orders: Sequence[Order]) -> Orders | None:
        found = section(orders, "followup")
        return found.orders if found is not None else None

    return Ask(
        f"followup/{combat.number}", combat.attacker, "SS 11.284", "followup", find, lambda _v: [], lambda: (),
        lambda: (), stop=True, forced=False, after=after,
    )


def loss_ask(
    state: State, combat: Combat, role: str, outcomes: Sequence[Outcome], given: Orders, stop: bool, after: int
) -> Ask[Outcome]:
    """Which of the maximal fulfilments (SS 11.43). ``given`` are orders bound beforehand to this combat."""
    side = combat.attacker if role == "attacker" else other(combat.attacker)
    key = f"losses/{combat.number}/{role}"
    part = "followup" if role == "attacker" else "reaction"

    def wanted(orders: Sequence[Order]) -> list[str] | None:
        found = section(orders, part)
        own = of_combat(found.orders, combat.number, current=True) if found else []
        for order in (*given, *own):
            if order.type == "losses":
                return order.texts("steps")
        answer = _answer(orders, key)
        return answer.texts("units") if answer else None

    def find(orders: Sequence[Order]) -> Outcome | None:
        steps = wanted(orders)
        if steps is None:
            return None
        fits = matching(outcomes, steps)
        return default(state, fits) if fits else Outcome(tuple(steps), (), -1)

    def problems(outcome: Outcome) -> list[Problem]:
        return [] if outcome in outcomes else [_no_fulfilment(outcome, outcomes)]

    return Ask(
        key, side, "SS 11.43", "losses", find, problems, lambda: outcomes, lambda: default(state, outcomes),
        _loss_clause(state, outcomes), stop=stop, after=after,
    )


def _no_fulfilment(outcome: Outcome, outcomes: Sequence[Outcome]) -> Problem:
    most = outcomes[0].absorbed
    ways = "; ".join(", ".join(o.steps) or "no step" for o in list(outcomes)[:4])
    said = f"steps {', '.join(outcome.steps) or 'none'} do not satisfy the loss number as far as possible ({most})"
    return Problem("losses", "SS 11.43", said, f"lawful: {ways}")


def _loss_clause(state: State, outcomes: Sequence[Outcome]) -> Callable[[Tree], tuple[Outcome, str] | None]:
    def clause(rules: Tree) -> tuple[Outcome, str] | None:
        if rules == "default":
            return default(state, outcomes), "default, by standing order"
        for row in rules if isinstance(rules, list) else []:
            if isinstance(row, dict):
                first, keep = _names(row.get("first")), _names(row.get("keep"))
                best = min(outcomes, key=lambda o: (_hurt(o, keep), -_hurt(o, first), o.steps))
                return best, f"losses: first {', '.join(first) or 'anyone'}, keep {', '.join(keep) or 'nobody'}"
        return None

    return clause


def _names(value: Tree | None) -> list[str]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _hurt(outcome: Outcome, units: Sequence[str]) -> int:
    return sum(1 for uid in outcome.steps if uid in units)


def _answer(orders: Sequence[Order], key: str) -> Order | None:
    return next((o for o in orders if o.type == "answer" and o.text("to") == key), None)


def _reaction_orders(orders: Sequence[Order], combat: Combat, kind: str) -> list[Order]:
    found = section(orders, "reaction")
    return [o for o in of_combat(found.orders, combat.number) if o.type == kind] if found else []


def hold_ask(combat: Combat, payers: Sequence[str], stop: bool, after: int) -> Ask[str]:
    """Whether a unit pays a step to cancel the retreat, and which (SS 11.53). Nobody by default."""
    key = f"hold/{combat.number}"
    choices = (NOBODY, *payers)

    def find(orders: Sequence[Order]) -> str | None:
        for order in _reaction_orders(orders, combat, "hold"):
            return order.text("unit")
        answer = _answer(orders, key)
        if answer is None:
            return None
        return answer.text("unit") if answer.text("say") != "no" else NOBODY

    def problems(uid: str) -> list[Problem]:
        if uid in choices:
            return []
        named = ", ".join(payers) or "nobody"
        return [Problem("hold", "SS 11.53", f"{uid} may not pay the step", f"may pay: {named}")]

    def clause(rules: Tree) -> tuple[str, str] | None:
        if rules == "always" and payers:
            return payers[0], "hold: always"
        return (NOBODY, "hold: never") if rules in ("never", "default", "always") else None

    return Ask(
        key, other(combat.attacker), "SS 11.53", "hold", find, problems, lambda: choices, lambda: NOBODY, clause,
        stop=stop, after=after,
    )


def retreat_ask(state: State, combat: Combat, uid: str, paths: Sequence[Path], stop: bool, after: int) -> Ask[Path]:
    """Which of the equally good paths a unit takes (SS 11.55)."""
    key = f"retreat/{combat.number}/{uid}"

    def find(orders: Sequence[Order]) -> Path | None:
        for order in _reaction_orders(orders, combat, "retreat"):
            if order.text("unit") == uid:
                return tuple(order.texts("path"))
        answer = _answer(orders, key)
        return tuple(answer.texts("path")) if answer else None

    def problems(path: Path) -> list[Problem]:
        if path in paths:
            return []
        ways = "; ".join(", ".join(p) for p in list(paths)[:4])
        return [Problem("retreat", "SS 11.55", f"{', '.join(path)} is no lawful retreat of {uid}", f"lawful: {ways}")]

    def clause(rules: Tree) -> tuple[Path, str] | None:
        if rules == "default":
            return best_path(state, uid, paths), "default, by standing order"
        for row in rules if isinstance(rules, list) else []:
            if isinstance(row, dict) and row.get("space", "any") in ("any", combat.target):
                for end in _names(row.get("to")):
                    fits = [path for path in paths if path[-1] == end]
                    if fits:
                        return best_path(state, uid, fits), f"retreat to {end}"
        return None

    return Ask(
        key, other(combat.attacker), "SS 11.55", "retreat", find, problems, lambda: paths,
        lambda: best_path(state, uid, paths), clause, stop=stop, after=after,
    )


def relocate_ask(combat: Combat, uid: str, places: Sequence[str], stop: bool, after: int) -> Ask[str]:
    """Where an overrun unit is placed (SS 11.47)."""
    key = f"relocate/{combat.number}/{uid}"

    def find(orders: Sequence[Order]) -> str | None:
        for order in _reaction_orders(orders, combat, "relocate"):
            if order.text("unit") == uid:
                return order.text("to")
        answer = _answer(orders, key)
        return answer.text("place") if answer else None

    def problems(place: str) -> list[Problem]:
        if place in places:
            return []
        return [Problem("relocate", "SS 11.47", f"{uid} may not be placed in {place}", "open: " + ", ".join(places))]

    def clause(rules: Tree) -> tuple[str, str] | None:
        if rules == "default":
            return places[0], "default, by standing order"
        wanted = next((name for name in _names(rules) if name in places), None)
        return (wanted, f"relocate to {wanted}") if wanted else None

    return Ask(
        key, other(combat.attacker), "SS 11.47", "relocate", find, problems, lambda: places, lambda: places[0], clause,
        stop=stop, after=after,
    )
