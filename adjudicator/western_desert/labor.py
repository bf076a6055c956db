"""Work that is paid with movement points: who may work, from whose points, what it costs (WD 7.C, 14.A, 17.D)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from adjudicator.engine.core import Order, Problem, Tree
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.eligible import carry_problems, may_move
from adjudicator.western_desert.mover import CARRIED, NORMAL, Mover, mover_of
from adjudicator.western_desert.retreating import DISARRAY_NATIONS, DISARRAY_TURN
from adjudicator.western_desert.standing import hex_in
from adjudicator.western_desert.state import State, turn_name

ENGINEERS = "construction_engineer"
NOT_NOW = ("not_phasing", "exploitation")


class Payer(NamedTuple):
    """Who works and how many half MPs its mover pays for it: the unit, or the transport counter that carries it."""

    unit: str
    mover: Mover
    cost2: int


@dataclass
class Work:
    """What an order of work comes to: the event it makes, who pays how much where, or problems.

    ``data`` is what the event says besides hex, workers and costs. A work that would change nothing has no payer and
    says so under ``remarks``.
    """

    kind: str
    rule: str
    hex: int = -1
    payers: list[Payer] = field(default_factory=list)
    data: dict[str, Tree] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Problem] = field(default_factory=list)

    @property
    def costs(self) -> list[Tree]:
        """A row for every unit that pays, with what it has spent in the phase by then."""
        return [row for payer in self.payers for row in cost_rows(payer.mover, payer.cost2)]


def cost_rows(mover: Mover, cost2: int, **more: str) -> list[Tree]:
    """What a mover, and what carries it, have spent after paying so many half MPs; ``more`` stands in each row."""
    spent2 = mover.spent2 + cost2
    row: dict[str, Tree] = {
        "mp": mp_text(cost2),
        "spent": mp_text(spent2),
        "left": mp_text(mover.allowance2 - spent2),
        **more,
    }
    if mover.mode == CARRIED:
        row["transport"] = mover.ids[-1]
    return [{"unit": uid, **row} for uid in mover.ids]


def workers_named(order: Order) -> list[str]:
    """The units of an order, each once."""
    return list(dict.fromkeys(order.texts("units") or order.texts("unit")))


def worker(state: State, uid: str, transport: str = "") -> Mover:
    """The mover that pays for the work of a unit: the unit, or the transport counter it moves with in this phase; with
    ``transport``, the one it moves with from now on (WD 6.C)."""
    carrier = state.pieces[uid].carrier or transport
    if not carrier:
        return mover_of(state, uid)
    load = [u for u, piece in sorted(state.pieces.items()) if piece.carrier == carrier and u != carrier]
    return mover_of(state, carrier, CARRIED, load or [uid])


def worker_problems(state: State, side: str, uid: str, order: Order, rule: str) -> list[Problem]:
    """What keeps a unit from spending movement points now, or there (WD 4.B, 4.A.5, 6.C; ruling ADMIN-WORK)."""
    transport = order.text("transport")
    carried = bool(transport) or (uid in state.pieces and bool(state.pieces[uid].carrier))
    found = may_move(state, side, uid, CARRIED if carried else NORMAL)
    if any(problem.code in NOT_NOW for problem in found):
        text = "work is paid with movement points, in own movement and exploitation phases by units that move in them"
        found.append(Problem("no_points", rule, text, "leave the order out", field="unit"))
    if not found and state.pieces[uid].admin:
        text = f"{state.unit(uid).short or uid} has moved administratively: by road only that turn, and no work"
        found.append(Problem("admin_work", "WD 6.B.1", text, "move it normally before it works", field="unit"))
    if found:
        return found
    if transport:
        found += carry_problems(state, side, [uid], transport)
    return found + elsewhere_problems(state, uid, order, rule)


def elsewhere_problems(state: State, uid: str, order: Order, rule: str) -> list[Problem]:
    """A hex named by the order in which the unit does not stand."""
    named = order.text("hex")
    if not named or hex_in(state, named) == state.hex_of(uid):
        return []
    here = state.board.name(state.hex_of(uid))
    text = f"{state.unit(uid).short or uid} stands in {here}, not in {named}; work is done where the unit stands"
    return [Problem("elsewhere", rule, text, "move it there first", field="hex")]


def engineer_problems(state: State, uid: str, rule: str) -> list[Problem]:
    """Only construction engineers build, demolish and repair; assault engineers have no such abilities (WD 14.B)."""
    unit = state.unit(uid)
    if unit.type == ENGINEERS:
        return []
    name = unit.short or uid
    found = [Problem("engineer", rule, f"{name} is no construction engineer", "let one do it", field="unit")]
    if unit.assault:
        text = f"{name} is an assault engineer, which has no construction abilities"
        found.append(Problem("assault", "WD 14.B", text, "let a construction engineer do it", field="unit"))
    return found


def supply_problems(state: State, uid: str, rule: str) -> list[Problem]:
    """Work that asks for general supply (WD 14.A, 12.B)."""
    if state.pieces[uid].gs:
        return []
    text = f"{state.unit(uid).short or uid} is out of general supply, which this work asks for"
    return [Problem("supply", rule, text, "bring it into supply first", field="unit")]


def disarray_problems(state: State, uid: str, what: str) -> list[Problem]:
    """Italian units destroy nothing on the first game turn (WD 28.A.3.turn)."""
    unit = state.unit(uid)
    if state.turn != DISARRAY_TURN or unit.nat not in DISARRAY_NATIONS:
        return []
    text = f"{unit.short or uid} is Italian; Italian units {what} on {turn_name(state.turn)}"
    return [Problem("disarray", "WD 28.A.3.turn", text, "do it later", field="unit")]


def short_problem(state: State, rule: str, uids: Sequence[str], cost2: int, order: Order) -> Problem:
    """Too few movement points for a work."""
    movers = {m.ids[-1]: m for m in (worker(state, uid, order.text("transport")) for uid in uids)}
    left2 = sum(mover.left2 for mover in movers.values())
    names = " and ".join(dict.fromkeys(mover.name for mover in movers.values()))
    has = "has" if len(movers) == 1 else "have"
    needs = "needs" if len(movers) == 1 else "need"
    text = f"{names} {needs} {mp_text(cost2)} MP for the work and {has} {mp_text(left2)} left"
    return Problem("mp", rule, text, "move less before it", field="unit")


def one_payer(state: State, uid: str, order: Order, cost2: int) -> Payer:
    """The unit pays all of it."""
    return Payer(uid, worker(state, uid, order.text("transport")), cost2)


def purses(state: State, uids: Iterable[str], transport: str) -> list[tuple[str, Mover]]:
    """The workers with their movers, in the order named; who shares a transport counter shares its points."""
    seen: Counter[str] = Counter()
    found = []
    for uid in uids:
        mover = worker(state, uid, transport)
        seen[mover.ids[-1]] += 1
        if seen[mover.ids[-1]] == 1:
            found.append((uid, mover))
    return found
