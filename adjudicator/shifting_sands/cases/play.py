"""Plays the orders of a case one by one and says what came out otherwise than expected."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adjudicator.engine.casecheck import NotBuilt
from adjudicator.engine.core import Problem
from adjudicator.shifting_sands.cases import afterwards, combats, rounds
from adjudicator.shifting_sands.cases.compare import cites, differences, known, verdict
from adjudicator.shifting_sands.cases.core import Case, Record, as_number, as_records, as_text
from adjudicator.shifting_sands.cases.outcome import combat_facts
from adjudicator.shifting_sands.cases.queries import query
from adjudicator.shifting_sands.cases.session import Session, start

HANDLERS: dict[str, Callable[[Session, Record], list[Problem]]] = {
    "play_card": rounds.play_card,
    "auto_op": rounds.play_card,
    "move_marker": rounds.marker,
    "attack_marker": rounds.marker,
    "move": rounds.move,
    "end_movement": rounds.end_movement,
    "captured_supply": rounds.captured_supply,
    "end_round": rounds.end_round,
    "rd": afterwards.redeploy,
    "replace": afterwards.rebuild,
    "recreate": afterwards.rebuild,
    "rp_choice": afterwards.rebuild,
    "phase": afterwards.phase,
    "lrdg": afterwards.lrdg,
    "place": afterwards.place_unit,
    "draw": afterwards.draw,
    "assume": rounds.assume,
    "attack": combats.attack,
    "resolve_combat": combats.resolve,
    "losses": combats.losses,
    "hold": combats.hold,
    "retreat": combats.retreat,
    "relocate": combats.relocate,
    "advance": combats.advance_unit,
}


def play_case(case: Case) -> list[str]:
    """What is otherwise than expected, a line each; none where the case holds. Raises NotBuilt and CaseFault."""
    known(case.expect)
    return _steps(case) if "steps" in case.expect else _whole(case)


def _give(session: Session, number: int) -> list[Problem]:
    """Carry out one order; returns why it is refused."""
    record = session.case.orders[number]
    session.upcoming = session.case.orders[number:]
    name = as_text(record.get("type"))
    if name == "query":
        query(session, record)
        return []
    handler = HANDLERS.get(name)
    if handler is None:
        raise NotBuilt(f"order {name}")
    problems = handler(session, record)
    combats.note_choices(session)
    return problems


def _whole(case: Case) -> list[str]:
    """All orders one after the other; the list is refused with the first that is."""
    session, refused, problems = start(case), 0, list[Problem]()
    for number in range(len(case.orders)):
        session = start(case) if case.independent and number else session
        problems = _give(session, number)
        if problems:
            refused = number + 1
            break
    if not problems:
        combats.play_on(session)
    combat_facts(session)
    lines = verdict(case.expect.get("result"), cites(case.expect), problems)
    wanted = as_number(case.expect.get("at"), len(case.orders))
    if problems and case.expect.get("result") == "reject" and refused != wanted:
        lines.append(f"expected order {wanted} to be refused, order {refused} was: {problems[0].text}")
    _unbuilt_before(case, refused)
    return lines + differences(case.expect, session)


def _unbuilt_before(case: Case, refused: int) -> None:
    """A case that was refused early still needs all of its orders to be built."""
    for record in case.orders[refused:] if refused else ():
        if as_text(record.get("type")) not in (*HANDLERS, "query"):
            raise NotBuilt(f"order {record.get('type')}")


def _steps(case: Case) -> list[str]:
    """One expectation for each order; a refused one does nothing and the next is tried."""
    session, lines = start(case), []
    for number, expect in enumerate(as_records(case.expect.get("steps"))):
        if case.independent and number:
            session = start(case)
        problems = _give(session, number)
        combat_facts(session)
        rules = cites(expect) or cites(case.expect)
        found = [*verdict(expect.get("result"), rules, problems), *differences(expect, session)]
        lines += [f"order {number + 1}: {line}" for line in found]
    return lines + differences(case.expect, session)


def orders_named(cases: Sequence[Case]) -> set[str]:
    """All types of orders that cases use."""
    return {as_text(record.get("type")) for case in cases for record in case.orders}
