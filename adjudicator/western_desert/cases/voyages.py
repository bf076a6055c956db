"""The form voyage (CASE-FORMS 6): items are shipped from one place to another, past what threatens them (WD 26)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from adjudicator.engine.casecheck import Found, Ordered
from adjudicator.engine.core import Problem, Roll
from adjudicator.engine.dice import Assume, DiceSource
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case, Record, as_records, as_texts, form
from adjudicator.western_desert.cases.drive import context, dice_of, drive
from adjudicator.western_desert.cases.harbours import cargo_of, re_of
from adjudicator.western_desert.cases.overseas import to_tunisia
from adjudicator.western_desert.cases.walks import set_moment
from adjudicator.western_desert.sea import malta
from adjudicator.western_desert.sea.crossing import MALTA_KIND, Passage, cross
from adjudicator.western_desert.sea.tables import AFFECTED, sea_tables
from adjudicator.western_desert.sea.voyages import (
    BACK,
    COUNTER,
    CYPRUS,
    MALTA,
    PAST_MALTA,
    RUN,
    UNIT,
    Item,
    danger,
    port_capacity2,
    port_problems,
    route_problems,
    sea_problems,
    status_for,
    turned_problems,
)
from adjudicator.western_desert.state import State, other, turn_number
from adjudicator.western_desert.theatre.seaborne import second_wave_problems, waves_problems

OFF_MAP = ("Europe", "Egypt")
USUAL_TURN = "Jul I 42"
"""A date at which no dated rule stands in the way."""
PORT_ON = {18: "Tripoli", 19: "Haifa"}
REFUSED = "refused"
INVASION, VALLETTA = "invasion_hex", "Valletta"


class Voyage:
    """The position of a case: who ships what, from where to where."""

    def __init__(self, case: Case) -> None:
        given = case.given
        self.case, self.side = case, str(given["player"])
        board = build.real_world().board
        self.state = build.new_state(board, self.side, "movement", self.side)
        set_moment(self.state, {"turn": USUAL_TURN, **given})
        self.to = build.find_hex(board, _place(given))
        start = str(given.get("from", OFF_MAP[0]))
        self.start = start
        self.origin = None if start in OFF_MAP else build.find_hex(board, start)
        self.items = cargo_of(case)
        self._situation(given)

    def _situation(self, given: Record) -> None:
        """Who holds what, hits, and the status of Malta as repair and bombing leave it (WD 28.D)."""
        state, side = self.state, self.side
        _give(state, MALTA, str(given.get("malta_held_by", "allied")))
        if "allied_holds" in given:
            held = as_texts(given["allied_holds"])
            for name in (CYPRUS, "Alexandria"):
                _give(state, name, "allied" if name in held else "axis")
        if "to_held_by" in given:
            state.control[self.to] = str(given["to_held_by"])
        if given.get("held_at_start") is False:
            state.taken[self.to] = other(side)
        state.port_hits[self.to] = int(str(given.get("port_hits", 0)))
        state.shipped2 = int(2 * Fraction(str(given.get("limit_used", 0))))
        works = malta.Works(int(str(given.get("status", 0))), 0, 0, int(str(given.get("repaired", 0))))
        works.mend(malta.STATUS, works.points)
        state.malta = malta.bombed(state.world, works.status, int(str(given.get("status_hits", 0))))

    def problems(self, items: list[Item]) -> list[Problem]:
        """What is wrong with a voyage of these items."""
        state, re2 = self.state, sum(item.re2 for item in items)
        found = turned_problems(state, [item.name for item in items])
        if self.origin is not None:
            return found + route_problems(state, self.side, self.origin, self.to, re2)
        return found + port_problems(state, self.side, self.to, re2) + sea_problems(state, self.side, None, self.to)


def _place(given: Record) -> str:
    to = str(given.get("to", PORT_ON[int(str(given.get("map", 18)))]))
    return VALLETTA if to == INVASION else to


def _give(state: State, place: str, side: str) -> None:
    board = state.board
    hexes = [h for h in board.land if board.in_region(h, place)] or [build.find_hex(board, place)]
    state.control.update(dict.fromkeys(hexes, side))


@form("voyage")
def run_voyage(case: Case) -> Found:
    """Shipping, with the Malta table, the shipping results and the run to Malta."""
    if case.given.get("to") == "Tunisia":
        return to_tunisia(case)
    voyage = Voyage(case)
    if case.given.get("to") == INVASION:
        return _second_wave(voyage)
    state, found = voyage.state, Found()
    if case.orders:
        found.verdicts = [_at_moment(case, voyage, record) for record in case.orders]
        return found
    found.verdicts = [voyage.problems(voyage.items)]
    what = danger(state, voyage.side, voyage.origin, voyage.to)
    found.values = {
        "status_used": status_for(state, what),
        "malta_rolls": len(voyage.items) if what not in ("", RUN) else 0,
        "item_re": re_of(voyage.items),
        "limit_used": Fraction(state.shipped2 + _shipped2(voyage), 2),
    }
    ends = [_carry(case, voyage, item) for item in voyage.items]
    found.values["results"] = Ordered([end.end.result if end else REFUSED for end in ends])
    counters = [end for end, item in zip(ends, voyage.items, strict=True) if item.kind == COUNTER]
    found.values["steps_left"] = Ordered([end.end.steps if end else 0 for end in counters])
    found.values["at"] = Ordered([_where(voyage, end) for end in ends])
    found.values["left"] = Fraction(port_capacity2(state, voyage.to), 2)
    return found


def _second_wave(voyage: Voyage) -> Found:
    """The second wave of a landing: its limits, and how often the Malta table is rolled on (WD 27.C.wave2)."""
    state, found = voyage.state, Found()
    re2 = sum(item.re2 for item in voyage.items if item.kind == UNIT)
    steps = sum(item.steps for item in voyage.items if item.kind == COUNTER)
    found.verdicts = [[*second_wave_problems(state.owner(voyage.to)), *waves_problems(0, re2, steps)]]
    ctx = context(state)
    for item in voyage.items:
        drive(cross(ctx, voyage.side, item, None, voyage.to, PAST_MALTA), Assume())
    found.values["malta_rolls"] = sum(event.kind == "malta-roll" for event in ctx.events)
    return found


def _shipped2(voyage: Voyage) -> int:
    return 0 if voyage.origin is None else sum(item.re2 for item in voyage.items)


def _where(voyage: Voyage, end: Passage | None) -> str:
    if end is None or end.end.result == BACK:
        return voyage.start
    return str(voyage.case.given.get("to", "")) if end.end.result == "arrives" else end.end.result


def _carry(case: Case, voyage: Voyage, item: Item) -> Passage | None:
    """One item after the other: each uses the port whatever comes of it (ruling CAPACITY-USED)."""
    state = voyage.state
    if voyage.problems([item]):
        return None
    dice = _fixed(dice_of(case), voyage) if "malta_result" in case.given else dice_of(case)
    end = drive(cross(context(state), voyage.side, item, voyage.origin, voyage.to), dice)
    state.used2[voyage.to] = state.used2.get(voyage.to, 0) + item.re2
    return end


def _fixed(dice: DiceSource, voyage: Voyage) -> DiceSource:
    """Dice that give the Malta roll which the case says was made."""
    state, wanted = voyage.state, voyage.case.given.get("malta_result") == AFFECTED
    status = status_for(state, danger(state, voyage.side, voyage.origin, voyage.to))
    both = next(n for n in range(2, 13) if sea_tables(state.world).affected(status, n) == wanted)

    def source(seq: int, roll: Roll) -> tuple[int, ...]:
        return (both // 2, both - both // 2) if roll.kind == MALTA_KIND else dice(seq, roll)

    return source


def _at_moment(case: Case, voyage: Voyage, record: Mapping[str, object]) -> list[Problem]:
    """A voyage tried at some moment: what was turned back in the same player turn stays where it is."""
    turn, player, phase = _moment(str(record.get("at_moment", "")))
    voyage.state.turn, voyage.state.player, voyage.state.phase = turn, player, phase
    back = as_records(case.given.get("items"))
    turned = [
        item.name
        for item, told in zip(voyage.items, back, strict=True)
        if "turned_back" in told and _moment(str(told["turned_back"]))[:2] == (turn, player)
    ]
    voyage.state.turned = frozenset(turned)
    return voyage.problems(voyage.items)


def _moment(text: str) -> tuple[int, str, str]:
    turn, player, phase = text.rsplit(" ", 2)
    return turn_number(turn), player, phase
