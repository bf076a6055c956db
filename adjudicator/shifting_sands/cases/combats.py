"""Orders of a case that speak of its combat: attack, losses, hold, retreat, relocate, advance, playing it on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adjudicator.engine.core import Answer, Ask, Order, Problem
from adjudicator.shifting_sands.advance import eligible_problems
from adjudicator.shifting_sands.card_rules import card_problems
from adjudicator.shifting_sands.cases.board import card_id
from adjudicator.shifting_sands.cases.bout import GOING, Bout, lists_for, numbers
from adjudicator.shifting_sands.cases.core import Record, as_record, as_text, as_texts
from adjudicator.shifting_sands.cases.session import Session, engine_order, run
from adjudicator.shifting_sands.combat import advance, begin, fix_modifiers, reaction_problems
from adjudicator.shifting_sands.combat_cards import use
from adjudicator.shifting_sands.designate import attack_problems
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, rommel_shift
from adjudicator.shifting_sands.groups import Group
from adjudicator.shifting_sands.played import ends_apart
from adjudicator.shifting_sands.retreat import hold_problems, path_problems

SILENT: Answer[Any] = Answer((), "default")


def kind(key: str) -> str:
    """What a choice is about: the first part of its key."""
    return key.split("/")[0]


def forced(session: Session, kinds: tuple[str, ...]) -> Callable[[Ask[Any]], Answer[Any] | None]:
    """Settles choices on the way: no cards, nobody holds, the order of retreat as the case's orders come, and what is
    forced among ``kinds``.
    """

    def reply(ask: Ask[Any]) -> Answer[Any] | None:
        what = kind(ask.key)
        if what == "react":
            return SILENT
        if ask.key.endswith("/order"):
            return _in_sequence(session, ask)
        if what == "hold" and "hold" in kinds:
            return Answer("", "default")
        atoms = ask.atoms()
        if what in kinds and len(atoms) == 1:
            return Answer(atoms[0], "forced")
        return None

    return reply


def _in_sequence(session: Session, ask: Ask[Any]) -> Answer[Any]:
    named = [as_text(record.get("unit")) for record in session.upcoming]
    usual = ask.default()
    front = [uid for uid in dict.fromkeys(named) if uid in usual]
    return Answer((*front, *(uid for uid in usual if uid not in front)), "order")


def play_on(session: Session) -> None:
    """Play a combat as far as dice and forced losses go; units go nowhere by themselves."""
    if session.bout is not None and session.bout.played:
        session.bout.run(session.ctx, _going, forced(session, ("losses",)))


def note_choices(session: Session) -> None:
    """Note what is open where the combat waits; what a query has found already stands."""
    ask = session.bout.request if session.bout is not None else None
    if not isinstance(ask, Ask) or ask.key.endswith("/order"):
        return
    what, uid = kind(ask.key), ask.key.split("/")[-1]
    if what == "losses":
        session.choices.setdefault("losses", [dict(outcome.ends) for outcome in ask.atoms()])
    elif what == "retreat":
        session.choices.setdefault("retreat", [list(path) for path in ask.atoms()])
    elif what == "relocate":
        found = as_record(session.choices.get("relocate"))
        session.choices["relocate"] = {uid: list(ask.atoms()), **found}


def _going(key: str) -> bool:
    return kind(key) in ("hold", "retreat", "relocate", "replace")


def attack(session: Session, record: Record) -> list[Problem]:
    """Designate a combat; the one before it is left as it is."""
    side, order = session.side(record), engine_order(session, record)
    if isinstance(record.get("target"), list):
        order = Order(order.index, order.type, {**order.data, "target": [*as_texts(record.get("target"))]})
    problems = attack_problems(session.state, side, order)
    if problems:
        return problems
    course = begin(session.ctx, side, Group(order, (), ()), session.state.combats + 1, bound=False)
    session.bout = Bout(course, dict(session.case.dice), played=True)
    if course.combat.rommel:
        session.fact("rommel_shift", rommel_shift(session.state))
    session.bout.run(session.ctx, lambda key: kind(key) == "react", lambda _ask: None)
    for name in as_texts(record.get("cards")):
        card = Order(order.index, "combat_card", {"card": card_id(session.state.world, side, name)})
        problems = _play(session, ATTACKER, card)
        if problems:
            return problems
    return []


def combat_card(session: Session, record: Record) -> list[Problem]:
    """Use a combat card (SS 11.25)."""
    bout, order = session.bout, engine_order(session, record)
    if bout is None:
        return [_nothing("SS 7.61", "there is no combat")]
    bout.played = True
    role = as_text(record.get("role"), ATTACKER)
    return _play(session, role, order)


def _play(session: Session, role: str, order: Order) -> list[Problem]:
    """Play a card in the combat under way; its modifiers count from now on."""
    bout, card = session.bout, order.text("card")
    assert bout is not None
    problems = card_problems(session.state, bout.course.combat, role, card, card)
    if not problems:
        use(session.ctx, bout.course, role, order, [card], ())
        fix_modifiers(session.state, bout.course)
    return problems


def resolve(session: Session, record: Record) -> list[Problem]:
    """Play the combat on; what is forced is taken, where units go only if that was the stage."""
    bout = session.bout
    if bout is None:
        return [_nothing("SS 11.2", "there is no combat to resolve")]
    numbers(bout.course, as_record(record.get("loss_numbers")), bout.stage)
    kinds = ("losses", "retreat", "relocate", "replace") if bout.stage in GOING else ("losses",)
    going = bout.stage in GOING
    bout.run(session.ctx, (lambda _key: False) if going else _going, forced(session, kinds), onward=going)
    return []


def _nothing(rule: str, said: str) -> Problem:
    return Problem("nothing", rule, said)


def _choose(session: Session, record: Record, role: str, key: str, rule: str) -> list[Problem]:
    """Let an order settle the choice of a key, if the combat comes to it."""
    bout = session.bout
    if bout is None:
        return [_nothing(rule, "there is no combat")]
    order, onward = engine_order(session, record), kind(key) != "losses"
    bout.run(session.ctx, lambda found: found == key, forced(session, ("losses", "hold")), onward)
    ask = bout.request
    if not isinstance(ask, Ask) or ask.key != key:
        return _late(bout, ask, key, rule, order)
    value = ask.find(lists_for(role, order))
    if value is None:
        return [_nothing(rule, "the order names none of the choices open")]
    problems = ask.problems(value)
    if not problems:
        bout.settle(Answer(value, "order"))
        play_on(session)
    return problems


def _late(bout: Bout, ask: object, key: str, rule: str, order: Order) -> list[Problem]:
    """The choice is not open: it was forced before, in the same way, or it never comes."""
    taken = bout.taken.get(key)
    if taken is not None and getattr(taken, "steps", None) == tuple(order.texts("steps")):
        return []
    waits = f"the combat waits for {ask.key}" if isinstance(ask, Ask) else "the combat does not come to it"
    return [_nothing(rule, f"this choice is not open: {waits}")]


def losses(session: Session, record: Record) -> list[Problem]:
    """Satisfy a loss number by steps (SS 11.4)."""
    role = as_text(record.get("role"), DEFENDER)
    number = session.bout.course.combat.number if session.bout else 1
    bout = session.bout
    if bout is not None:
        key = f"losses/{number}/{role}"
        bout.run(session.ctx, lambda found: found == key, forced(session, ("losses",)))
        if isinstance(bout.request, Ask) and bout.request.key == key:
            session.choices["losses"] = [dict(outcome.ends) for outcome in bout.request.atoms()]
    return _choose(session, record, role, f"losses/{number}/{role}", "SS 11.43")


def hold(session: Session, record: Record) -> list[Problem]:
    """Cancel the retreat by one more step (SS 11.53)."""
    bout, uid = session.bout, as_text(record.get("unit"))
    if bout is None:
        return [_nothing("SS 11.53", "there is no combat")]
    key = f"hold/{bout.course.combat.number}"
    bout.run(session.ctx, lambda found: kind(found) in ("hold", "retreat"), forced(session, ("losses",)), onward=True)
    problems = hold_problems(session.state, bout.course.combat, uid)
    return problems or _choose(session, record, DEFENDER, key, "SS 11.53")


def retreat(session: Session, record: Record) -> list[Problem]:
    """Retreat one unit (SS 11.5)."""
    bout, uid = session.bout, as_text(record.get("unit"))
    if bout is None:
        return [_nothing("SS 11.51", "there is no combat")]
    problems = reaction_problems(session.state, bout.course, engine_order(session, record))
    if problems:
        return problems
    key, path = f"retreat/{bout.course.combat.number}/{uid}", tuple(as_texts(record.get("path")))
    bout.run(session.ctx, lambda found: found == key, forced(session, ("losses", "hold")), onward=True)
    if isinstance(bout.request, Ask) and bout.request.key == key:
        apart = ends_apart(session.state.world, bout.course.combat.cards)
        problems = path_problems(session.state, uid, list(bout.request.atoms()), path, apart)
    rule = "SS 11.56" if bout.course.winner == ATTACKER else "SS 11.51"
    return problems or _choose(session, record, DEFENDER, key, rule)


def relocate(session: Session, record: Record) -> list[Problem]:
    """Place one overrun unit (SS 11.47)."""
    number = session.bout.course.combat.number if session.bout else 1
    return _choose(session, record, DEFENDER, f"relocate/{number}/{as_text(record.get('unit'))}", "SS 11.471")


def advance_unit(session: Session, record: Record) -> list[Problem]:
    """Advance one unit (SS 11.6)."""
    bout = session.bout
    if bout is None:
        return [_nothing("SS 11.61", "there is no combat to advance from")]
    kinds = ("losses", "hold", "retreat", "relocate", "replace")
    bout.run(session.ctx, lambda _key: False, forced(session, kinds), onward=True)
    if bout.course.opening is None:
        return [_nothing("SS 11.284", "the combat is not over")]
    problems = eligible_problems(session.state, bout.course.combat, as_text(record.get("unit")))
    if problems:
        return problems
    seen, problems_before = len(session.ctx.events), len(session.ctx.problems)
    order = engine_order(session, record)
    run(advance(session.ctx, bout.course, order, None, ()), lambda _ask: Answer((), "default"))
    stays = [event for event in session.ctx.events[seen:] if event.kind == "stays"]
    session.captured, session.captor = _taken(session, seen), bout.course.combat.attacker
    said = [_nothing("SS 11.61", str(event.data.get("why"))) for event in stays]
    return [*session.ctx.problems[problems_before:], *said]


def _taken(session: Session, seen: int) -> str:
    """The town of captured supply that changed hands since then."""
    for event in session.ctx.events[seen:]:
        for space in as_texts(event.data.get("spaces")) if event.kind == "control" else ():
            if space in ("Benghazi", "Tobruk"):
                return space
    return ""


def unsettled(session: Session) -> list[Problem]:
    """Compulsory choices that are left open when the round ends."""
    ask = session.bout.request if session.bout is not None and session.bout.played else None
    if isinstance(ask, Ask) and kind(ask.key) in ("losses", "retreat", "relocate", "replace"):
        return [Problem("unsettled", ask.rule, f"{ask.key} is not settled")]
    return []


def opposite(role: str) -> str:
    """The other role."""
    return DEFENDER if role == ATTACKER else ATTACKER
