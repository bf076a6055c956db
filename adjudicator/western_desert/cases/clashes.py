"""Runners of the forms of combat: ``combat``, ``attacks``, ``losses`` (CASE-FORMS 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from adjudicator.engine.casecheck import Check, Found, NotBuilt, as_number, show
from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.advance import advance_problems
from adjudicator.western_desert.air.flak import aa_of_attack
from adjudicator.western_desert.armor import ArmorEffects, Proportion
from adjudicator.western_desert.attack_check import attack_problems
from adjudicator.western_desert.battle import Attack, charts_of
from adjudicator.western_desert.board import Board
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, as_texts, form
from adjudicator.western_desert.cases.drive import context, dice_of, drive, settled
from adjudicator.western_desert.combat import advance, combat_phase, roll_result
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.losses import Duty, loss_problems
from adjudicator.western_desert.odds import DieModifier, Odds, odds, odds_column
from adjudicator.western_desert.results import Battle, Duties, battle_of, carry_out, duties, must_retreat
from adjudicator.western_desert.state import State, Supply, other
from adjudicator.western_desert.strength import printed_total

NOTHING = Proportion(Fraction(0), Fraction(0))
NO_ARMOR = ArmorEffects(0, 0, 0, NOTHING, NOTHING, NOTHING)
STEPS = 2
VICHY = "vichy"


# --- positions --------------------------------------------------------------------------------------------------


def owners(case: Case, first: Sequence[Record], second: Sequence[Record]) -> tuple[str, str]:
    """The sides of two groups of units; where one tells nothing it is the other side of the other."""
    a, b = _owner(case, first), _owner(case, second)
    if VICHY in (a, b):
        raise NotBuilt("WD 28.C: Vichy forces in combat")
    one = a or (other(b) if b else "allied")
    return one, b or other(one)


def _owner(case: Case, records: Sequence[Record]) -> str:
    for record in records:
        full = build.full_record(case, record)
        if full.get("owner") or full.get("nat"):
            return build.unit_from_record(case, {**record, "n": 1, "id": "owner"})[0].side
    return ""


def place_units(
    case: Case,
    state: State,
    records: Iterable[Record],
    owner: str,
    h: int | None = None,
    first: str = "A",
    **flags: bool,
) -> list[tuple[str, Record]]:
    """Put units where their records say (``hex``; ``first`` where they say nothing) or all into one hex."""
    placed: list[tuple[str, Record]] = []
    for record in records:
        where = h if h is not None else build.find_hex(state.board, str(record.get("hex", first)))
        for uid in build.put_all(case, state, [record], where, owner):
            full = build.full_record(case, record)
            piece = state.pieces[uid]
            piece.disrupted = full.get("disrupted") is True
            piece.seaborne = full.get("seaborne") is True
            piece.retreated = flags.get("retreated", False)
            placed.append((uid, full))
    return placed


def battlefield(case: Case) -> tuple[Board, int]:
    """The board of a combat and its target hex: the small map around T, or the real one with the facts of the case."""
    given = case.given
    if "at" in given:
        board = _own_copy(build.real_world().board)
        target = build.find_hex(board, str(given["at"]))
    else:
        board = build.mini_board()
        target = board.find("T")
    if "terrain" in given or "features" in given:
        build.set_hex(board, target, str(given.get("terrain", "clear")), as_texts(given.get("features")))
    for record in as_records(given.get("attackers")):
        if record.get("over"):
            build.set_side(board, build.find_hex(board, str(record.get("hex", "A"))), target, str(record["over"]))
    return board, target


def _own_copy(board: Board) -> Board:
    """The real map, to be changed by the facts of a case."""
    return Board(
        land=dict(board.land),
        sides=dict(board.sides),
        roads=set(board.roads),
        rails=set(board.rails),
        unbuilt=dict(board.unbuilt),
        places=dict(board.places),
        names=dict(board.names),
    )


def attack_of(case: Case) -> tuple[State, Attack]:
    """Position and attack of the form ``combat`` or ``losses``."""
    given = case.given
    board, target = battlefield(case)
    sides = owners(case, as_records(given.get("attackers")), as_records(given.get("defenders")))
    state = build.new_state(board, sides[0], "combat", sides[1])
    state.world = replace(state.world, switches=case.switches)
    build.set_features(state, target, as_texts(given.get("features")), sides[1])
    first = "T" if given.get("shared_hex") is True else "A"
    attackers = place_units(case, state, as_records(given.get("attackers")), sides[0], first=first)
    place_units(case, state, as_records(given.get("standing_by")), sides[0])
    there = place_units(case, state, as_records(given.get("defenders")), sides[1], target)
    place_units(case, state, as_records(given.get("retreated_in")), sides[1], target, retreated=True)
    attack = Attack(
        side=sides[0],
        hex=target,
        units=tuple(sorted(uid for uid, _record in attackers)),
        supplied=frozenset(uid for uid, record in attackers if record.get("as") is True),
        ground_support=as_number(given.get("ground_support")) or Fraction(0),
        defensive_support=as_number(given.get("defensive_support")) or Fraction(0),
        declare=_declared([*attackers, *there]),
    )
    return state, attack


def _declared(placed: Iterable[tuple[str, Record]]) -> dict[str, dict[str, str]]:
    return {
        uid: {key: str(value) for key, value in as_record(record["declare"]).items()}
        for uid, record in placed
        if "declare" in record
    }


# --- combat -----------------------------------------------------------------------------------------------------


@form("combat")
def combat_case(case: Case) -> Found:
    """One ground combat, strengths to result."""
    if "totals" in case.given or "column" in case.given:
        return _table_case(case)
    state, attack = attack_of(case)
    problems = attack_problems(state, attack)
    found = odds(state, attack)
    values = _figures(state, found)
    if not problems:
        _roll(case, state, found, values)
    return Found(values, [problems])


def _figures(state: State, found: Odds) -> dict[str, object]:
    armor = found.armor
    return {
        "attack": found.attack_total,
        "defense": found.defense_total,
        "ground_counted": found.ground_counted,
        "defensive_counted": found.defensive_counted,
        "column": found.column,
        "aeca": armor.aeca,
        "aecd": armor.aecd,
        "atec": armor.atec,
        "aeca_share": str(armor.attack.share),
        "aecd_share": str(armor.defense.share),
        "atec_share": str(armor.antitank.share),
        "aeca_re": armor.attack.capable,
        "aecd_re": armor.defense.capable,
        "drm": found.drm,
        "die_rolled": not found.settled,
        "aa": sum(aa_of_attack(state, found.attack.units)),
    }


def _roll(case: Case, state: State, found: Odds, values: dict[str, object]) -> None:
    """The die, where the case gives one or none is needed, and what the result asks."""
    if case.dice is None and not found.settled:
        return
    shared = any(state.hex_of(uid) == found.attack.hex for uid in found.attack.units)
    battle = battle_of(state, found)
    result = _results(case, state, found, shared or case.given.get("shared_hex") is True, values)
    asked = duties(state, battle, result)
    values["must_retreat"] = _who_retreats(state, asked)
    values["weaker"] = asked.weaker
    values["required"] = asked.choice.required if asked.choice else Fraction(0)


def _results(case: Case, state: State, found: Odds, shared: bool, values: dict[str, object]) -> str:
    ctx = context(state)
    result = drive(roll_result(ctx, found, (), shared), dice_of(case))
    told = [event.data for event in ctx.events if event.kind == "result"]
    values["result"] = result
    values["results"] = [str(data["result"]) for data in told]
    if "used" in told[-1]:
        values["die_used"] = int(str(told[-1]["used"]))
    return result


def _who_retreats(state: State, asked: Duties) -> object:
    found = must_retreat(state, asked)
    return "survivors" if found is None else list(found)


def _table_case(case: Case) -> Found:
    """Questions about the table: totals, or a column with a die modifier, in place of units."""
    given = case.given
    state = build.new_state(build.mini_board(), "allied", "combat", "axis")
    charts = charts_of(state)
    totals = as_record(given.get("totals"))
    column = str(given.get("column", ""))
    if totals:
        column = odds_column(charts, _number(totals, "attack"), _number(totals, "defense"))
    drm = int(str(given.get("drm", 0)))
    found = Odds(
        attack=Attack("allied", state.board.find("T"), ()),
        attackers=(),
        defenders=(),
        sharing=(),
        ground_counted=Fraction(0),
        defensive_counted=Fraction(0),
        column=column,
        armor=NO_ARMOR,
        die_modifiers=(DieModifier("given", drm, "WD 9.A.4"),) if drm else (),
        charts=charts,
    )
    values: dict[str, object] = {"column": column, "drm": drm, "die_rolled": not found.settled}
    if case.dice is not None or found.settled:
        values["results"] = []
        if found.settled:
            values["result"] = found.settled
        else:
            _results(case, state, found, given.get("shared_hex") is True, values)
    return Found(values, [[]])


def _number(record: Record, key: str) -> Fraction:
    value = as_number(record.get(key))
    if value is None:
        raise NotBuilt(f"totals without {key}")
    return value


# --- attacks ----------------------------------------------------------------------------------------------------


@form("attacks")
def attacks_case(case: Case) -> Found:
    """Are the attack orders of one phase lawful together: the combat phase itself, with the orders of the case."""
    units, enemies = as_records(case.given.get("units")), as_records(case.given.get("enemies"))
    sides = owners(case, units, enemies)
    state = build.new_state(_front(), sides[0], "combat", sides[1])
    own = [pair for record in units for pair in _at(case, state, record, sides[0])]
    for record in enemies:
        _at(case, state, record, sides[1])
    stocks = _stock_up(state, own, sides[0])
    orders = [_order(index, record, stocks) for index, record in enumerate(case.orders)]
    ctx = context(state)
    drive(combat_phase(ctx, sides[0], orders, ()), dice_of(case))
    verdicts = [[p for p in ctx.problems if p.order == order.index] + _not_made(ctx, order) for order in orders]
    return Found({"combats": sum(event.kind == "attack" for event in ctx.events)}, verdicts)


def _not_made(ctx: Ctx[State], order: Order) -> list[Problem]:
    """An advance that the dice leave no room for is no fault of the order in a game; in a case it is one."""
    called_off = [e for e in ctx.events if e.kind == "skipped" and e.data.get("order") == str(order.index)]
    if order.type != "advance":
        return []
    return [Problem("not_cleared", event.rule, str(event.data["clause"])) for event in called_off]


def _front() -> Board:
    """A touches X and Y, B touches X alone, X touches Y; Z touches none of them (no hex is two hexes from all)."""
    board = build.mini_board()
    x = build.CENTRE
    y, a, _se, _s, b, _nw = hexes.neighbours(x)
    z = next(h for h in sorted(board.land) if all(hexes.distance(h, n) >= STEPS for n in (x, y, a, b)))
    board.names = {x: "X", y: "Y", a: "A", b: "B", z: "Z"}
    return board


def _at(case: Case, state: State, record: Record, owner: str) -> list[tuple[str, Record]]:
    return place_units(case, state, [record], owner, state.board.find(str(record.get("at", "A"))))


def _stock_up(state: State, placed: Sequence[tuple[str, Record]], side: str) -> dict[str, list[str]]:
    """Supply counters beside the units that are in attack supply: the ids of the counters, by unit."""
    stocks: dict[str, list[str]] = {}
    for uid, record in placed:
        if record.get("as") is True:
            name = f"supply-{uid.lower()}"
            state.supply[name] = Supply(state.hex_of(uid), side, 1)
            stocks[uid] = [name]
    return stocks


def _order(index: int, record: Record, stocks: Mapping[str, list[str]]) -> Order:
    """An order of a case as an order of the game."""
    kind = str(record.get("order"))
    units = as_texts(record.get("units")) or as_texts(record.get("unit"))
    target = record.get("target")
    data: dict[str, Tree] = {"units": list(units)} if units else {}
    if kind == "attack":
        aims: Tree = [str(t) for t in target] if isinstance(target, list) else str(target)
        supply: list[Tree] = [
            {"counter": name, "steps": "1", "units": [uid]} for uid in units for name in stocks.get(uid, ())
        ]
        data = {"hex": aims, "with": list(units), "supply": supply}
        if "advance" in record:
            data["advance"] = list(as_texts(record["advance"]))
    for key in ("to", "share", "only", "by"):
        if key in record:
            data[key] = list(as_texts(record[key])) if key == "only" else str(record[key])
    return Order(index, kind, data)


# --- losses -----------------------------------------------------------------------------------------------------


class Choices:
    """The losses that a case orders, read when the rules ask for them; the verdict on each."""

    def __init__(self, orders: Sequence[tuple[int, Record]]) -> None:
        self._orders = list(orders)
        self.verdicts: dict[int, list[Problem]] = {}

    def __call__(self, ask: Ask[object]) -> Answer[object]:
        while ask.topic == "losses" and self._orders:
            index, record = self._orders.pop(0)
            chosen = tuple(sorted(as_texts(record.get("units"))))
            self.verdicts[index] = ask.problems(chosen)
            if not self.verdicts[index]:
                return Answer(chosen, "order")
        return settled(ask)

    def finish(self) -> None:
        """Losses ordered where the rules leave no choice are unlawful."""
        for index, _record in self._orders:
            text = "the result leaves no losses to choose"
            self.verdicts[index] = [Problem("no_choice", "WD 9.C", text, "leave the order out")]


@form("losses")
def losses_case(case: Case) -> Found:
    """Losses, retreat duty and advance after a combat result."""
    state, attack = attack_of(case)
    stock(state, attack.hex, attack.enemy, case.given.get("supply"))
    battle = battle_of(state, odds(state, attack))
    result = str(case.given["result"])
    asked = duties(state, battle, result)
    values = _asked(state, battle, asked)
    before = states_of(state, [*battle.attack.units, *battle.defenders, *battle.sharing])
    ctx = context(state)
    choices = Choices([(i, o) for i, o in enumerate(case.orders) if o.get("order") == "losses"])
    drive(carry_out(ctx, battle, result), dice_of(case), choices)
    choices.finish()
    if case.given.get("hex_cleared") is True:
        _clear(ctx, attack)
    verdicts = [
        choices.verdicts[i] if o.get("order") == "losses" else _advance(case, ctx, attack, o)
        for i, o in enumerate(case.orders)
    ]
    values["after"] = states_after_losses(ctx, before)
    values["air_lost"] = sum(event.kind.startswith("air") for event in ctx.events)
    values |= supply_values(ctx, attack.hex)
    return Found(values, verdicts)


def _clear(ctx: Ctx[State], attack: Attack) -> None:
    """No defender is left in T, whatever became of those that the result leaves there."""
    for uid in ctx.state.enemies_at(attack.hex, attack.side):
        ctx.state.take_off(uid, "left")
    settle(ctx, (attack.hex,))


def stock(state: State, h: int, side: str, steps: object) -> None:
    """Put supply counters with so many steps into a hex, two steps a counter."""
    left = int(str(steps or 0))
    while left > 0:
        number = len(state.supply) + 1
        state.supply[f"supply-{side}-{number}"] = Supply(h, side, min(STEPS, left))
        left -= STEPS


def _asked(state: State, battle: Battle, asked: Duties) -> dict[str, object]:
    duty = asked.choice
    gone = printed_total(state, battle.attack.units, True) if asked.result == "AE" else asked.lost
    if asked.result in ("DE", "auto"):
        gone = printed_total(state, battle.defenders, False)
    return {
        "weaker": asked.weaker,
        "lost": gone,
        "required": duty.required if duty else Fraction(0),
        "must_retreat": _who_retreats(state, asked),
        "sets_ok": Check(lambda sets: _judge(duty, asked, sets, lawful=True)),
        "sets_bad": Check(lambda sets: _judge(duty, asked, sets, lawful=False)),
    }


def _judge(duty: Duty | None, asked: Duties, sets: object, lawful: bool) -> str:
    """ "" where all listed sets are lawful, or all unlawful; else those that are not."""
    wrong = []
    for loss in sets if isinstance(sets, list) else []:
        units = as_texts(loss)
        good = not loss_problems(duty, units) if duty else sorted(units) == sorted(asked.eliminated)
        if good is not lawful:
            wrong.append(units)
    return f"{'unlawful' if lawful else 'lawful'}: {show(wrong)}" if wrong else ""


def _advance(case: Case, ctx: Ctx[State], attack: Attack, record: Record) -> list[Problem]:
    """An advance ordered after the result; an unlawful one changes nothing."""
    kind = str(record.get("order"))
    if kind == "pass":
        return []
    if kind != "advance":
        raise NotBuilt(f"order {kind} after a combat")
    units = as_texts(record.get("units")) or as_texts(record.get("unit"))
    problems = advance_problems(ctx.state, attack, units)
    if not problems:
        drive(advance(ctx, attack, units, False, ()), dice_of(case))
    return problems


def states_of(state: State, units: Iterable[str]) -> dict[str, str]:
    """Which side of each counter lies up."""
    return {uid: "cadre" if state.pieces[uid].cadre else "full" for uid in units}


def states_after_losses(ctx: Ctx[State], before: Mapping[str, str]) -> dict[str, str]:
    """State of each unit after losses and removals, retreats into zones of control left aside."""
    found = dict(before)
    for event in ctx.events:
        uid = str(event.data.get("unit", ""))
        if event.kind == "eliminated" and not event.rule.startswith("WD 9.F.1"):
            found[uid] = "eliminated"
        elif event.kind == "reduced" and not event.rule.startswith("WD 9.F.1"):
            found[uid] = "cadre"
    return found


def supply_values(ctx: Ctx[State], h: int) -> dict[str, object]:
    """What became of supply: dice of capture, and what lies in the hex afterwards."""
    rolls = [event.data for event in ctx.events if event.kind == "captured"]
    there = [counter for counter in ctx.state.supply.values() if counter.hex == h]
    values: dict[str, object] = {"supply_left": sum(counter.steps for counter in there)}
    if there:
        values["supply_owner"] = there[0].side
    values["supply"] = {key: sum(int(str(data[key])) for data in rolls) for key in ("captured", "eliminated")}
    return values
