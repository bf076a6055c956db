"""Runner of the form supply (CASE-FORMS 6).

A position of the form supply is a chain of hexes in the sea: the units, the hexes of the line, those of the road, the
terminal. Nothing can go round it, so that what a case says of a hex decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from adjudicator.engine.casecheck import Found, NotBuilt, as_number
from adjudicator.engine.core import Answer, Ask, Ctx, Order, Roll
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.attack_supply import SupplyPlan, Wish, plan_supply
from adjudicator.western_desert.board import Board, HexInfo
from adjudicator.western_desert.cases.build import (
    find_hex,
    full_record,
    lone,
    new_state,
    put,
    put_all,
    real_world,
    set_hex,
    set_line,
    set_side,
    strip,
    unit_from_record,
)
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, as_texts, form
from adjudicator.western_desert.cases.drive import context, drive
from adjudicator.western_desert.cases.special_forces import enter
from adjudicator.western_desert.cases.walks import expand, side_of
from adjudicator.western_desert.initial import NONE, USE, initial_phase
from adjudicator.western_desert.state import ENEMY, VICHY, State, Supply
from adjudicator.western_desert.supply import counters_in_reach, net
from adjudicator.western_desert.theatre.forces import attack_supplied
from adjudicator.western_desert.units import Unit

START = strip(1)[0]
BRANCHES = (0, 3, 5, 4)  # directions of the chains that lead to supply counters


@form("supply")
def run_supply(case: Case) -> Found:
    """General supply and attack supply of units."""
    _refuse(case)
    if "lines" in case.given:
        lines = case.given["lines"]
        cases = [Position(case, as_records(line)) for line in lines] if isinstance(lines, list) else []
        return Found({"general": [_general(position)[0] for position in cases]})
    position = Position(case, case.given.get("line"))
    found = Found()
    if "attackers" in case.given:
        _attack_supply(position, found)
    else:
        found.values["checked"] = _checked(case)
        found.values["general"] = _general(position)
        reached = [
            counters_in_reach(position.state, position.side_of(uid), position.hex_of(uid)) for uid in position.ids
        ]
        free = attack_supplied(position.state, position.ids)
        served = zip(position.ids, reached, strict=True)
        found.values["attack_supply"] = [bool(counters) or uid in free for uid, counters in served]
    found.values["steps_left"] = _steps_left(position)
    return found


def _refuse(case: Case) -> None:
    for record in as_records(case.given.get("units")):
        if "arrived" in record and not as_number(record.get("arrived_turns_ago")):
            raise NotBuilt("rule 29.A.supply, units that arrive, is not built in this version")
    if as_record(case.given.get("vichy")).get("held_by", "none") != "none":
        raise NotBuilt("rule 28.C, Vichy forces, is not built in this version")


# --- the position -----------------------------------------------------------------------------------------------


@dataclass
class Position:
    """The chain of one case and what stands on it."""

    case: Case
    line: object
    state: State = field(init=False)
    side: str = field(init=False)
    ids: list[str] = field(default_factory=list)
    counters: list[str] = field(default_factory=list)
    named: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given = self.case.given
        units = as_records(given.get("units"))
        self.side = side_of(self.case, units, str(given.get("player") or _owner(given)))
        board = real_world().board if "at" in given else Board()
        player = str(given.get("player") or (self.side if self.side in ENEMY else "allied"))
        self.state = new_state(board, player, str(given.get("phase", "initial")))
        self.start = find_hex(board, str(given["at"])) if "at" in given else START
        if "at" not in given:
            self._draw()
        for index, record in enumerate(as_records(given.get("counters"))):
            self._counter(index, record)
        for record in units:
            self._unit(record)
        self._others("enemy_at", ENEMY.get(self.side, "axis"))
        self._others("advanced_to", self.side)

    def side_of(self, uid: str) -> str:
        """The side of a unit."""
        return self.state.world.units[uid].side

    def hex_of(self, uid: str) -> int:
        """The hex of a unit."""
        return self.state.hex_of(uid)

    def _land(self, h: int, record: Record | None = None) -> None:
        """Print a hex of the chain, and what the record says of it."""
        record = record or {}
        region = str(record.get("region", "Levant" if self.side == VICHY else ""))
        self.state.board.land[h] = HexInfo(str(record.get("terrain", "clear")), regions=(region,) if region else ())
        self.state.control[h] = self.side
        enemy = ENEMY.get(self.side, "")
        if record.get("ezoc") is True:
            self.state.overlay_zoc.setdefault(enemy, set()).add(h)
        if record.get("broken") is True:
            self.state.broken.add(h)
        if "hex" in record:
            self.named[str(record["hex"])] = h
        for unit in as_records(record.get("units")):
            self._friend(unit, h)
        near = as_records(record.get("adjacent_enemy"))
        if near:
            set_hex(self.state.board, lone(h))
            put_all(self.case, self.state, near, lone(h), enemy)

    def _friend(self, record: Record, h: int) -> None:
        if record.get("type") == "supply_counter":
            self.state.supply[f"with-{len(self.state.supply)}"] = Supply(h, self.side, 1)
        else:
            put_all(self.case, self.state, [record], h, self.side)

    def _draw(self) -> None:
        """Units, line, road and terminal in a row. A case that speaks of counters only has no terminal in reach."""
        given, board = self.case.given, self.state.board
        self._land(START)
        silent = not any(key in given for key in ("line", "lines", "road", "terminal"))
        if self.line == "none" or "island" in given or (silent and ("counters" in given or "attackers" in given)):
            return
        line, road = expand(self.line), expand(given.get("road"))
        chain = strip(len(line) + len(road) + 2)
        for index, record in enumerate([*line, *road, {}], 1):
            self._land(chain[index], record)
            set_side(board, chain[index - 1], chain[index], str(record.get("hexside", "")))
            if index > len(line):
                set_line(board, "rail" if record.get("broken") is True else "road", chain[index - 1], chain[index])
        self._terminal(chain[-1])

    def _terminal(self, h: int) -> None:
        """The terminal at the end of the road: whose it is by the map, and who holds it."""
        told = as_record(self.case.given.get("terminal"))
        side = self.side
        if "name" in told:
            real = real_world().board
            info = real.info(find_hex(real, str(told["name"])))
            side = info.terminal if info else ""
        info = self.state.board.land[h]
        self.state.board.land[h] = HexInfo(info.terrain, regions=info.regions, terminal=side)
        self.state.control[h] = str(told.get("held_by", self.side))

    def _counter(self, index: int, record: Record) -> None:
        if "arrived" in record:
            raise NotBuilt("rule 26.B.1, supply that arrives, is not built in this version")
        sid = str(record.get("id", f"S{index + 1}"))
        way = expand(record.get("line")) or [{}] * int(str(record.get("distance", 0)))
        owner = str(record.get("owner", self.side))
        at = self._away(len(way)) if "at" in self.case.given else self._branch(index, way)
        self.state.supply[sid] = Supply(at, owner, int(str(record.get("steps", 1))))
        self.counters.append(sid)

    def _branch(self, index: int, way: Sequence[Record]) -> int:
        """A chain of its own from the units to a counter."""
        h = self.start
        for record in way:
            before, h = h, hexes.neighbours(h)[BRANCHES[index % len(BRANCHES)]]
            self._land(h, record)
            set_side(self.state.board, before, h, str(record.get("hexside", "")))
        return h

    def _away(self, distance: int) -> int:
        """A hex of the real map at the end of an open line of that length."""
        around = net(self.state, self.side).around(self.start)
        return min(h for h, length in around.items() if length == distance)

    def _unit(self, record: Record) -> None:
        full = full_record(self.case, record)
        for unit in unit_from_record(self.case, record, self.side):
            self.ids.append(unit.id)
            if "special" in full:
                enter(self.state, unit.id, str(full["special"]), int(str(full.get("operation_turn", 1))))
            put(self.state, unit, self._place(unit, full), full)
            if "status_initial" in self.case.given:
                self.state.pieces[unit.id].gs = self.case.given["status_initial"] is True
        near = as_records(record.get("adjacent_enemy"))
        if near:
            set_hex(self.state.board, lone(self.start))
            put_all(self.case, self.state, near, lone(self.start), ENEMY.get(self.side, ""))

    def _place(self, unit: Unit, full: Record) -> int:
        """Where a unit stands: with the others, at its distance from the counter, or apart as an enemy of theirs."""
        if unit.side != self.side:
            h = hexes.code(hexes.column(self.start), hexes.row(self.start) + 20)
            set_hex(self.state.board, h)
            return h
        return self.stand(full)

    def stand(self, full: Record) -> int:
        """Where a unit of the side stands: with the others, or at its distance from the counter with them."""
        distance = int(str(full.get("distance", 0)))
        chain = strip(distance + 1)
        for h in chain[1:]:
            if h not in self.state.board.land:
                self._land(h)
        return chain[-1] if distance else self.start

    def _others(self, key: str, side: str) -> None:
        for name, records in as_record(self.case.given.get(key)).items():
            h = self.named[name] if name in self.named else find_hex(self.state.board, name)
            put_all(self.case, self.state, as_records(records), h, side)


def _owner(given: Record) -> str:
    counters = as_records(given.get("counters"))
    return str(counters[0].get("owner", "allied")) if counters else "allied"


# --- general supply ---------------------------------------------------------------------------------------------


def _general(position: Position) -> list[bool]:
    """Run the initial phase, or leave the state of supply as it was found there."""
    state = position.state
    if state.phase == "initial":
        orders = _initial_orders(position)
        ctx = context(state)
        drive(initial_phase(ctx, state.player, orders, ()), _no_dice, _replies(position.case))
    return [state.pieces[uid].gs for uid in position.ids]


def _initial_orders(position: Position) -> list[Order]:
    """The orders of the phasing side; what the other side wants is answered when it is asked."""
    mine = [r for r in position.case.orders if r.get("order") == "general_supply"]
    if position.side != position.state.player:
        return []
    named = [sid for record in mine for sid in as_texts(record.get("counters")) + as_texts(record.get("counter"))]
    return [Order(i, "general_supply", {"counter": sid}) for i, sid in enumerate(named)]


def _no_dice(seq: int, roll: Roll) -> tuple[int, ...]:
    raise TypeError(f"supply rolls no dice, but asks for {roll}")


def _replies(case: Case) -> Any:
    """A counter is used where an order of the case says so, else not."""
    mine = [r for r in case.orders if r.get("order") == "general_supply"]
    wanted = {sid for r in mine for sid in as_texts(r.get("counters")) + as_texts(r.get("counter"))}

    def reply(ask: Ask[Any]) -> Answer[Any]:
        return Answer(USE if ask.key.rsplit("/", 1)[-1] in wanted else NONE, "order")

    return reply


def _checked(case: Case) -> list[str]:
    """The sides whose units the phase determines: the result does not depend on what was found before."""
    results = []
    for before in (True, False):
        position = Position(case, case.given.get("line"))
        for uid in position.ids:
            position.state.pieces[uid].gs = before
        _general(position)
        results.append(position)
    first, second = results
    sides = dict.fromkeys(first.side_of(uid) for uid in first.ids)
    same = [
        a for a, b in zip(first.ids, second.ids, strict=True) if first.state.pieces[a].gs == second.state.pieces[b].gs
    ]
    determined = {first.side_of(uid) for uid in same}
    return [side for side in sides if side in determined]


def _steps_left(position: Position) -> int:
    if not position.counters:
        return 0
    counter = position.state.supply.get(position.counters[0])
    return counter.steps if counter else 0


# --- attack supply ----------------------------------------------------------------------------------------------


def _attack_supply(position: Position, found: Found) -> None:
    """Attacks in turn, each drawing what the orders name for its target."""
    state = position.state
    state.phase = "combat"
    ctx = context(state)
    spent: dict[int, int] = {}
    supplied, short = [], []
    for record in as_records(position.case.given.get("attackers")):
        units = _attackers(position, record)
        wishes = _wishes(position.case, str(record.get("target")), spent)
        plan = plan_supply(state, position.side, units, [wish for _index, wish in wishes])
        _spend(ctx, plan, [(index, wish.counter) for index, wish in wishes], spent)
        total = sum(state.unit(uid).re2 for uid in units)
        drawn = sum(state.unit(uid).re2 for uid in plan.supplied)
        supplied.append(Fraction(drawn, 2))
        short.append(Fraction(total - drawn, 2))
    found.values.update({"attack_re": supplied, "unsupplied_re": short})


def _attackers(position: Position, record: Record) -> list[str]:
    """The units of an attack; bare REs become units of one RE and, for a half, a battalion."""
    records: list[Record] = as_records(record.get("units"))
    if not records:
        re2 = int(2 * (as_number(record.get("re")) or 0))
        full, half = divmod(re2, 2)
        records = [{"printed": 1, "n": full}] if full else []
        records += [{"printed": 1, "size": "battalion"}] if half else []
    made: list[str] = []
    for record in records:
        made += put_all(position.case, position.state, [record], position.stand(record), position.side)
    return made


def _wishes(case: Case, target: str, spent: Mapping[int, int]) -> list[tuple[int, Wish]]:
    """What the orders name for a target; a step given to several targets is spent once."""
    wishes = []
    for index, record in enumerate(case.orders):
        targets = as_texts(record.get("targets")) or as_texts(record.get("target"))
        if record.get("order") == "attack_supply" and target in targets:
            steps = int(str(record.get("steps", 1))) - spent.get(index, 0)
            wishes.append(
                (index, Wish(str(record.get("counter")), max(0, steps), tuple(as_texts(record.get("units")))))
            )
    return wishes


def _spend(ctx: Ctx[State], plan: SupplyPlan, named: Sequence[tuple[int, str]], spent: dict[int, int]) -> None:
    for draw in plan.draws:
        index = next(i for i, counter in named if counter == draw.counter)
        spent[index] = spent.get(index, 0) + draw.steps
        left, spare = str(draw.left), mp_text(draw.spare2)
        ctx.emit("supply-used", "WD 12.C", counter=draw.counter, use="attack", left=left, spare=spare)
