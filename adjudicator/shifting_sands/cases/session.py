"""A case being played: its position, what the rules found, and the combat under way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.engine.casecheck import NotBuilt
from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Proc, Roll, Tree
from adjudicator.shifting_sands.cases.board import card_id, context
from adjudicator.shifting_sands.cases.bout import Bout, enter
from adjudicator.shifting_sands.cases.core import Case, Record, as_record, as_text, as_texts
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.state import State

ORDER, INDEX = "order", 0


@dataclass
class Session:
    """One run of a case. ``facts`` and ``choices`` are those found so far; ``captured`` the town just taken."""

    case: Case
    ctx: Ctx[State]
    facts: dict[str, object] = field(default_factory=dict)
    choices: dict[str, object] = field(default_factory=dict)
    bout: Bout | None = None
    captured: str = ""
    captor: str = ""
    upcoming: Sequence[Record] = ()
    costs: dict[str, int] = field(default_factory=dict)

    @property
    def state(self) -> State:
        """The position now."""
        return self.ctx.state

    def side(self, record: Record) -> str:
        """The side that gives an order: named, active, or that of the units it speaks of."""
        if "side" in record:
            return as_text(record.get("side"))
        if "active" in self.case.given:
            return as_text(self.case.given.get("active"))
        return self._side_of_units(record) or self.state.active

    def _side_of_units(self, record: Record) -> str:
        named = [*as_texts(record.get("unit")), *as_texts(record.get("units")), *as_texts(record.get("eliminate"))]
        space = as_text(record.get("space"))
        there = self.state.units_in(space) if space else [] if named else sorted(self.state.pieces)
        known = [uid for uid in (*named, *there) if uid in self.state.world.counters]
        return self.state.counter(known[0]).side if known else ""

    def fact(self, name: str, value: object) -> None:
        """Note a fact that a report must show."""
        self.facts[name] = value

    def merge(self, name: str, values: Mapping[str, object]) -> None:
        """Add entries to a fact that is a map."""
        found = self.facts.get(name)
        self.facts[name] = {**(found if isinstance(found, dict) else {}), **values}


def start(case: Case) -> Session:
    """The position of a case, with what has just happened and the combat in progress."""
    session = Session(case, context(case))
    trigger = as_record(case.given.get("trigger"))
    if trigger:
        if trigger.get("type") != "captured":
            raise NotBuilt(f"trigger {trigger.get('type')}")
        session.captured, session.captor = as_text(trigger.get("space")), as_text(trigger.get("by"))
        take(session.ctx, session.captor, [session.captured], "SS 3.control")
    if "combat" in case.given:
        session.bout = enter(session.ctx, as_record(case.given.get("combat")), case.dice)
    return session


def engine_order(session: Session, record: Record, **more: Tree) -> Order:
    """A case's order as an order of the game: ids of cards in place of names, yes and no in place of flags."""
    side = session.side(record)
    data: dict[str, Tree] = {}
    for name, value in record.items():
        if name not in ("type", "side", "role"):
            data[name] = _tree(value)
    if "card" in record:
        data["card"] = card_id(session.state.world, side, as_text(record.get("card")))
    return Order(INDEX, as_text(record.get("type")), {**data, **more})


def _tree(value: object) -> Tree:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return [_tree(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _tree(item) for key, item in value.items()}
    return str(value)


def run(proc: Proc[object], reply: Callable[[Ask[object] | Roll], Answer[object] | tuple[int, ...]]) -> None:
    """Run a procedure to its end; ``reply`` settles its choices and says how its dice fall."""
    answer: object = None
    while True:
        try:
            request = proc.send(answer)
        except StopIteration:
            return
        answer = reply(request)


def drawn_by_chance(request: Ask[object] | Roll) -> tuple[int, ...]:
    """Which card is drawn or picked is left to chance by the case: the first."""
    if isinstance(request, Roll):
        return request.assume
    raise NotBuilt(f"the choice {request.key}")


def voided(session: Session, before: int) -> list[Problem]:
    """The problems that an order has brought since then."""
    return session.ctx.problems[before:]
