"""The facts of a combat as its events tell them: flank, fire, numbers, losses, winner, what may follow."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.core import Event, Tree
from adjudicator.shifting_sands.cases.core import as_text, as_texts
from adjudicator.shifting_sands.cases.session import Session
from adjudicator.shifting_sands.exchange import sequence_of
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, may_overrun
from adjudicator.shifting_sands.played import forced_retreat
from adjudicator.shifting_sands.retreat import can_hold

Data = Mapping[str, Tree]


def combat_facts(session: Session) -> None:
    """Add what is known of the combat under way to the facts."""
    bout = session.bout
    if bout is None or not bout.played:
        return
    events = _since_designation(session)
    combat, course = bout.course.combat, bout.course
    session.fact("flank", combat.flank)
    sequence = sequence_of(session.state, combat)
    if sequence is not None:
        session.fact("first_fire", sequence[0])
    session.fact("forced", bool(forced_retreat(session.state.world, combat.cards)))
    for role in (ATTACKER, DEFENDER):
        if role in course.numbers:
            session.fact(f"by_{role}", course.numbers[role])
    for event in events:
        _told(session, event)
    session.fact("order", _sequence(events))
    session.facts.setdefault("steps_lost", 0)
    session.facts.setdefault("attacker_steps_lost", 0)
    session.fact("retreat_cancellable", can_hold(session.state, combat))
    session.fact("overrun_possible", may_overrun(session.state, combat))
    if sequence is not None and len(course.numbers) == len(sequence):
        second = sequence[1]
        fired = any(event.kind == "fire" and event.data.get("role") == second for event in events)
        session.fact("return_fire", fired)


def _since_designation(session: Session) -> list[Event]:
    events = session.ctx.events
    starts = [n for n, event in enumerate(events) if event.kind == "designate"]
    return events[starts[-1] :] if starts else list(events)


def _told(session: Session, event: Event) -> None:
    data = event.data
    if event.kind == "flank":
        total = as_text(data.get("total"))
        session.fact("flank_roll", int(total) if total else None)
    elif event.kind == "fire":
        role = as_text(data.get("role"))
        session.fact(f"{role}_strength", int(as_text(data.get("strength"))))
        session.fact(f"{role}_column", as_text(data.get("column")))
    elif event.kind == "losses":
        steps = len(as_texts(data.get("steps")))
        session.fact("attacker_steps_lost" if data.get("role") == ATTACKER else "steps_lost", steps)
    elif event.kind == "winner":
        _winner(session, data)


def _winner(session: Session, data: Data) -> None:
    winner, retreat = as_text(data.get("winner")), int(as_text(data.get("retreat")))
    session.facts |= {
        "winner": winner or None,
        "difference": int(as_text(data.get("difference"))),
        "retreat_spaces": retreat,
        "overrun": data.get("overrun") == "yes",
        "advance_allowed": winner == ATTACKER or data.get("forced") == "yes",
    }
    if retreat:
        session.facts |= {"infantry_advance": "vacated", "armor_advance": "any"}


def _sequence(events: list[Event]) -> list[str]:
    """What happened in which order: fire and losses by role, or losses and retreat where no fire was seen."""
    fired = any(event.kind == "fire" for event in events)
    found: list[str] = []
    for event in events:
        role = as_text(event.data.get("role"))
        name = {
            "fire": f"{role}_fire",
            "losses": f"{role}_losses" if fired else "losses",
            "retreat": "" if fired else "retreat",
            "overrun": "relocation" if fired else "",
        }.get(event.kind, "")
        if name and name not in found:
            found.append(name)
    return found
