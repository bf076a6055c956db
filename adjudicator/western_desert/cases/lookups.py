"""Runners of the forms lookup, figures and allowed (CASE-FORMS 6). Each table and order kind has a function of its own.

Other modules of cases add theirs with :func:`table` and :func:`permission`; what nobody has added is skipped by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from adjudicator.engine.casecheck import Found, NotBuilt, Ordered
from adjudicator.engine.core import Order, Problem
from adjudicator.western_desert import battle, hexes
from adjudicator.western_desert.cases.aircraft import flights_from_records
from adjudicator.western_desert.cases.build import (
    find_hex,
    full_record,
    is_cadre,
    new_state,
    put,
    real_world,
    strip_board,
    unit_from_record,
)
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, as_texts, form
from adjudicator.western_desert.cases.walks import set_moment, set_vichy
from adjudicator.western_desert.charts import Charts, charts_of
from adjudicator.western_desert.graph import LEVANT, side_kind
from adjudicator.western_desert.moves import plan
from adjudicator.western_desert.rail import most_hexes
from adjudicator.western_desert.reach import Searches
from adjudicator.western_desert.state import State
from adjudicator.western_desert.strength import figures_of
from adjudicator.western_desert.units import Unit, division_re2

Asked = tuple[object, ...]
Table = Callable[[Asked], Asked]
TableOfCase = Callable[[Case, Asked], Asked]
Permission = Callable[[Case, Record, Found], list[Problem]]
_tables: dict[str, tuple[TableOfCase, tuple[str, ...]]] = {}
_permissions: dict[str, Permission] = {}


def table(name: str, *answers: str) -> Callable[[Table], Table]:
    """Register the answers of a table: a function from the cells asked to the cells answered, in columns so named."""

    def register(function: Table) -> Table:
        _tables[name] = (lambda _case, asked: function(asked)), answers
        return function

    return register


def table_of_case(name: str, *answers: str) -> Callable[[TableOfCase], TableOfCase]:
    """The same for a table that hangs on the case, as on its options."""

    def register(function: TableOfCase) -> TableOfCase:
        _tables[name] = function, answers
        return function

    return register


def permission(kind: str) -> Callable[[Permission], Permission]:
    """Register the judge of an order kind of the form allowed; it may add values to what was found."""

    def register(function: Permission) -> Permission:
        _permissions[kind] = function
        return function

    return register


# --- lookup -----------------------------------------------------------------------------------------------------


@form("lookup")
def run_lookup(case: Case) -> Found:
    """Rows of a table or of the map: each row of the expectation is one question."""
    name = str(case.given.get("table"))
    if name not in _tables:
        raise NotBuilt(f"table {name}: the rules that read it are not built in this version")
    function, answers = _tables[name]
    inputs = int(str(case.given.get("inputs", 1)))
    wanted = as_texts(case.given.get("columns"))[inputs:]

    def answer(row: Asked) -> list[object]:
        found = function(case, row)
        named = dict(zip(answers, found, strict=False))
        if not set(wanted) <= named.keys():
            return list(found)
        return [named[column] for column in wanted]

    rows = case.expect.get("rows")
    asked = [tuple(row[:inputs]) for row in rows if isinstance(row, list)] if isinstance(rows, list) else []
    return Found({"rows": Ordered([[*row, *answer(row)] for row in asked])})


def _charts() -> Charts:
    return charts_of(real_world())


def _mp(points2: int | None) -> object:
    return "closed" if points2 is None else Fraction(points2, 2)


@table("zoc_costs", "leave", "zone_to_zone")
def _zoc_costs(asked: Asked) -> Asked:
    leave, across = _charts().zoc[str(asked[0])]
    return _mp(leave), _mp(across)


@table("rail", "hexes_per_mp", "max_hexes")
def _rail(asked: Asked) -> Asked:
    charts, rating = _charts(), int(str(asked[0]))
    return charts.rail_rate(rating), most_hexes(charts, rating, charts.movement(rating, True))


@table("terrain_movement", "mot_or_art", "other", "cavalry")
def _terrain_movement(asked: Asked) -> Asked:
    costs = _charts().terrain
    return tuple(_mp(costs[(str(asked[0]), column)]) for column in ("mot_or_art", "other", "cavalry"))


@table("hexside_movement")
def _hexside_movement(asked: Asked) -> Asked:
    return (_mp(_charts().sides[side_kind(str(asked[0]))]),)


@table("region")
def _region(asked: Asked) -> Asked:
    board = real_world().board
    return (board.lies_in(find_hex(board, str(asked[0])), str(asked[1])),)


@table("place_name")
def _place_name(asked: Asked) -> Asked:
    """The place that a name means, written with its country where another place has the same name (WD 3.C)."""
    board, name = real_world().board, str(asked[0])
    h = find_hex(board, name)
    place = next(p for p in board.places.values() if p.hex == h and (name in (p.name, p.slug) or name in p.aliases))
    bare = place.name.split(" (")[0]
    twins = [p for p in board.places.values() if p.name.split(" (")[0] == bare]
    info = board.info(h)
    return (f"{bare}, {info.country}" if len(twins) > 1 and info else bare,)


@table("overlap")
def _overlap(asked: Asked) -> Asked:
    h = hexes.parse(str(asked[0]))
    return (next((name for name in hexes.names(h) if name != asked[0]), hexes.name(h)),)


@table("adjacent")
def _adjacent(asked: Asked) -> Asked:
    return (hexes.adjacent(hexes.parse(str(asked[0])), hexes.parse(str(asked[1]))),)


# --- figures ----------------------------------------------------------------------------------------------------

_FIGURES = ("attack", "defense", "overrun", "re", "heavy", "is_division")


@form("figures")
def run_figures(case: Case) -> Found:
    """Derived figures of units, judged one by one in order; of air units those of their flights."""
    found = Found({key: [] for key in (*_FIGURES, "movement")})
    charts, combat = charts_of(real_world()), battle.charts_of(State(real_world()))
    for record in as_records(case.given.get("units")):
        full = full_record(case, record)
        general = full.get("gs", True) is not False
        for unit in unit_from_record(case, record):
            face = unit.back if is_cadre(case, record) and unit.back is not None else unit
            row: dict[str, object] = {**figures_of(combat, face, general, full.get("as") is True)}
            row["movement"] = Fraction(charts.movement(face.movement, general), 2)
            for key, value in row.items():
                _column(found, key).append(value)
    for flight in flights_from_records(as_records(case.given.get("air"))):
        for key, figure in (("attack", flight.attack), ("defense", flight.defense)):
            _column(found, key).append(figure)
    found.values = {key: Ordered(_column(found, key)) for key in found.values}
    _divisions(case, found)
    return found


def _column(found: Found, key: str) -> list[object]:
    column = found.values[key]
    assert isinstance(column, list)
    return column


def _divisions(case: Case, found: Found) -> None:
    """Sizes of component sets (WD 3.E.division)."""
    sets = case.given.get("divisions")
    if isinstance(sets, list):
        sizes = [_size(case, as_records(parts)) for parts in sets]
        found.values["re"] = Ordered([Fraction(size, 2) for size in sizes])


def _size(case: Case, parts: list[Record]) -> int:
    units: list[Unit] = [unit for part in parts for unit in unit_from_record(case, part)]
    return division_re2(units)


# --- allowed ----------------------------------------------------------------------------------------------------


@form("allowed")
def run_allowed(case: Case) -> Found:
    """Is each order allowed at this moment; each is judged alone."""
    found = Found()
    for record in case.orders:
        kind = str(record.get("order"))
        judge = _permissions.get(kind)
        if judge is None:
            raise NotBuilt(f"the order {kind} is not built in this version")
        found.verdicts.append(judge(case, record, found))
    return found


@permission("move")
def _may_move(case: Case, record: Record, found: Found) -> list[Problem]:
    """One unit moves one clear hex; only the moment and the unit can make that unlawful."""
    return _one_hex(case, record, "movement", {})


@permission("exploit")
def _may_exploit(case: Case, record: Record, found: Found) -> list[Problem]:
    """One combat/motorized unit moves one clear hex in the exploitation phase."""
    return _one_hex(case, record, "exploitation", {"type": "motorized", "size": "brigade"})


def _from_egypt(case: Case, state: State, path: Sequence[int], to: str) -> None:
    """The unit stands in Egypt and goes into another country, under the options of the case."""
    land = state.board.land
    for h, country in zip(path, ("Egypt", to.title()), strict=True):
        land[h] = land[h]._replace(country=country)
    state.world = replace(state.world, switches=case.switches)


def _one_hex(case: Case, record: Record, phase: str, plain: Record) -> list[Problem]:
    given = case.given
    vichy = as_record(given.get("vichy"))
    player = str(given.get("player") or vichy.get("held_by", "allied"))
    board, path = strip_board(2)
    state = new_state(board, player=player, owner=player)
    set_moment(state, {**given, "player": player, "phase": phase})
    if vichy:
        for h in path if "units" in given else path[1:]:
            board.land[h] = board.land[h]._replace(regions=(LEVANT,))
    moment = str(record.get("in", "")).split()
    if len(moment) == 2:
        state.player, state.phase = moment
    if "attack_force" in given:
        state.world.scenario = {"attack_force": as_texts(given["attack_force"])}
    told = next(iter(as_records(given.get("units"))), {})
    unit = unit_from_record(case, {**plain, **told, "n": 1, "id": str(record.get("unit", "U"))}, player)[0]
    put(state, unit, path[0], told)
    if vichy:
        set_vichy(state, vichy, "")
    if "to" in record:
        _from_egypt(case, state, path, str(record["to"]))
    order = Order(0, "move", {"unit": unit.id, "to": board.name(path[1])})
    return plan(Searches(state, state.player), state.player, order).problems
