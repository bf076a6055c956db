"""Runner of the form ``retreat`` (CASE-FORMS 6): a small map is laid out so that exactly the hexes listed touch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from adjudicator.engine.casecheck import Check, Found, NotBuilt
from adjudicator.engine.core import Answer, Ask, Ctx
from adjudicator.engine.dice import Assume, DiceSource, Scripted
from adjudicator.western_desert import hexes
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.board import Board, HexInfo
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.clashes import owners, place_units, states_of, stock, supply_values
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, as_texts, form
from adjudicator.western_desert.cases.drive import context, dice_of, drive, settled
from adjudicator.western_desert.combat_charts import ATTACKER_RESULTS
from adjudicator.western_desert.results import Battle, carry_out
from adjudicator.western_desert.retreat import stands, ways
from adjudicator.western_desert.state import State, other
from adjudicator.western_desert.strength import ZERO
from adjudicator.western_desert.units import Unit

HOME = "T"
FULL = 6
GUNS = 2
OUTCOMES_AT_MOST = 2000
AS_RESULT = {"EX": "DE", "HX": "DE"}


# --- the map ----------------------------------------------------------------------------------------------------


class Layout:
    """Where the named hexes lie: neighbours of T in ``hexes``, hexes behind them in ``beyond``, enemies ``near``."""

    def __init__(self, case: Case) -> None:
        given = case.given
        self.first = {name: as_record(row) for name, row in as_record(given.get("hexes")).items()}
        self.behind: dict[str, str] = {}
        self.rows: dict[str, Record] = dict(self.first)
        for parent, children in as_record(given.get("beyond")).items():
            for name, row in as_record(children).items():
                self.behind[str(name)] = str(parent)
                self.rows.setdefault(str(name), as_record(row))
        self.enemies = {**as_record(given.get("enemy_at")), **as_record(given.get("advanced_to"))}
        self.outside = [str(name) for name in self.enemies if str(name) not in self.rows and str(name) != HOME]
        self.at = self._lay_out()

    def touching(self) -> Iterator[tuple[str, str]]:
        """Pairs of named hexes that must touch."""
        for name in self.first:
            yield HOME, name
        for name, parent in self.behind.items():
            yield parent, name
        for name, row in self.rows.items():
            for enemy in as_texts(row.get("near")):
                if enemy in self.outside or (enemy in self.rows and enemy != self.behind.get(name)):
                    yield name, enemy

    def _lay_out(self) -> dict[str, int]:
        """A place for each hex, so that all pairs that must touch do. Found by trying, in a fixed order."""
        pairs = list(self.touching())
        names = [*self.first, *(n for n in self.behind if n not in self.first), *self.outside]
        found = self._place(names, {HOME: build.CENTRE}, pairs)
        if found is None:
            raise NotBuilt("a map with these neighbours can't be laid out")
        return found

    def _place(
        self, names: Sequence[str], at: dict[str, int], pairs: Sequence[tuple[str, str]]
    ) -> dict[str, int] | None:
        if not names:
            return at
        name, rest = names[0], names[1:]
        partners = [b if a == name else a for a, b in pairs if name in (a, b)]
        known = [at[p] for p in partners if p in at]
        choices = hexes.neighbours(known[0]) if known else list(hexes.within(build.CENTRE, 3))
        for h in choices:
            if h not in at.values() and all(hexes.adjacent(h, k) for k in known):
                found = self._place(rest, {**at, name: h}, pairs)
                if found is not None:
                    return found
        return None


def board_of(layout: Layout) -> Board:
    """Land where hexes are named, closed sides wherever two of them touch by chance only."""
    board = Board()
    board.names = {h: name for name, h in layout.at.items()}
    for name, h in layout.at.items():
        region = layout.rows.get(name, {}).get("region")
        board.land[h] = HexInfo(regions=(str(region).title(),) if region else ())
    wanted = {frozenset(pair) for pair in layout.touching()}
    for a, ha in layout.at.items():
        for b, hb in layout.at.items():
            if a < b and hexes.adjacent(ha, hb) and frozenset((a, b)) not in wanted:
                build.set_side(board, ha, hb, "impassable")
    ways_in = [*((name, HOME) for name in layout.first), *layout.behind.items()]
    for name, parent in ways_in:
        over = layout.rows[name].get("over")
        if over and (name in layout.first) == (parent == HOME):
            build.set_side(board, layout.at[parent], layout.at[name], str(over))
    return board


# --- the position -----------------------------------------------------------------------------------------------


def _position(case: Case, layout: Layout) -> tuple[State, str, list[str]]:
    given = case.given
    enemy_records = [r for records in layout.enemies.values() for r in as_records(records)]
    enemy_records += as_records(given.get("shared_hex"))
    result = str(given.get("result"))
    records = as_records(given.get("units"))
    guess = ("allied", "axis") if result in ATTACKER_RESULTS else ("axis", "allied")
    sides = owners(case, records, enemy_records) if _tells(case, [*records, *enemy_records]) else guess
    player = sides[0] if result in ATTACKER_RESULTS else sides[1]
    state = build.new_state(board_of(layout), player, "combat", sides[0])
    for name, row in layout.rows.items():
        _furnish(case, state, layout.at[name], row, sides[0])
    for name, group in layout.enemies.items():
        place_units(case, state, as_records(group), sides[1], layout.at[str(name)])
    place_units(case, state, as_records(given.get("shared_hex")), sides[1], layout.at[HOME])
    placed = place_units(case, state, records, sides[0], layout.at[HOME])
    return state, sides[0], [uid for uid, _record in placed]


def _tells(case: Case, records: Sequence[Record]) -> bool:
    fulls = [build.full_record(case, record) for record in records]
    return any(full.get("owner") or full.get("nat") for full in fulls)


def _furnish(case: Case, state: State, h: int, row: Record, side: str) -> None:
    """What a retreat hex holds: zone of control, friends, enemy supply."""
    if row.get("ezoc") is True:
        state.overlay_zoc.setdefault(other(side), set()).add(h)
    place_units(case, state, as_records(row.get("units")), side, h)
    places = row.get("places")
    if row.get("full") is True or places is not None:
        _fill(state, h, side, 0 if places is None else int(str(places)))
    stock(state, h, other(side), row.get("enemy_supply"))


def _fill(state: State, h: int, side: str, places: int) -> None:
    """Friendly units until only so many places are free, artillery places taken too."""
    there = [state.unit(uid) for uid in state.friends_at(h, side)]
    ordinary = FULL - places - sum(not unit.artillery for unit in there)
    guns = GUNS - sum(unit.artillery for unit in there)
    for number in range(max(0, ordinary)):
        _friend(state, h, side, f"friend-{h}-{number}", False)
    for number in range(max(0, guns)):
        _friend(state, h, side, f"gun-{h}-{number}", True)


def _friend(state: State, h: int, side: str, uid: str, gun: bool) -> None:
    kind, size = ("artillery", "regiment") if gun else ("infantry", "battalion")
    one = Fraction(1)
    unit = Unit(uid, side, "", kind, size, one, one, 6, re2=1, artillery=gun, giver=gun)
    build.put(state, unit, h)


# --- the run ----------------------------------------------------------------------------------------------------


@form("retreat")
def retreat_case(case: Case) -> Found:
    """Where units retreat and what it costs: the retreat itself, by the defaults, and every other way it can end."""
    vichy = as_record(case.given.get("vichy"))
    if vichy and vichy.get("held_by", "none") != "none":
        raise NotBuilt("WD 28.C: Vichy forces in play")
    layout = Layout(case)
    state, side, units = _position(case, layout)
    first = ways_out(state, units)
    values: dict[str, object] = {"choices": [state.board.name(h) for h in first]}
    script = case.dice.left_over() if case.dice is not None else None
    askers: list[tuple[str, str]] = []
    ctx, ends = _run(case, state.copy(), side, units, dice_of(case), lambda ask: _listen(ask, askers))
    values["chooser"] = "owner" if all(by == side for by, _key in askers) else "enemy"
    values["after"] = ends
    if "outcomes" in case.expect:
        values["outcomes"] = list(_outcomes(case, state, side, units, script))
    values |= supply_values(ctx, layout.at[HOME])
    return Found(values)


def ways_out(state: State, units: Sequence[str]) -> list[int]:
    """The first hexes that are lawful for any of the units."""
    able = [uid for uid in units if not stands(state, uid)]
    return sorted({h for uid in able for h in ways(state, uid, state.hex_of(uid)).hexes})


def _listen(ask: Ask[Any], askers: list[tuple[str, str]]) -> Answer[Any]:
    askers.append((ask.side, ask.key))
    return settled(ask)


def _run(
    case: Case, state: State, side: str, units: Sequence[str], dice: DiceSource, reply: Any
) -> tuple[Ctx[State], dict[str, object]]:
    result = str(case.given["result"])
    result = AS_RESULT.get(result, result)
    home = state.hex_of(units[0])
    before = states_of(state, units)
    if result in ATTACKER_RESULTS:
        battle = Battle(Attack(side, home, tuple(sorted(units))), (), (), (ZERO, ZERO))
    else:
        battle = Battle(Attack(other(side), home, ()), tuple(sorted(units)), (), (ZERO, ZERO))
    ctx = context(state)
    drive(carry_out(ctx, battle, result), dice, reply)
    return ctx, {uid: _end(ctx.state, uid) for uid in before}


@dataclass(frozen=True)
class End(Check):
    """How a unit ends: STATE or STATE@HEX, whichever the case writes."""

    text: str = ""

    def __str__(self) -> str:
        return self.text


def _end(state: State, uid: str) -> End:
    piece = state.pieces.get(uid)
    word = "eliminated" if piece is None else "cadre" if piece.cadre else "full"
    text = word if piece is None else f"{word}@{state.board.name(piece.hex)}"
    return End(lambda expected: "" if str(expected) in (word, text) else text, text)


def _outcomes(
    case: Case, state: State, side: str, units: Sequence[str], script: Mapping[str, Sequence[int]] | None
) -> Iterator[Mapping[str, object]]:
    """Every different end, by trying all answers to all choices. ``script`` are the dice that each run begins with."""
    seen: set[tuple[str, ...]] = set()
    path: list[int] = []
    for _try in range(OUTCOMES_AT_MOST):
        widths: list[int] = []

        def reply(ask: Ask[Any], path: list[int] = path, widths: list[int] = widths) -> Answer[Any]:
            atoms = ask.atoms()
            index = path[len(widths)] if len(widths) < len(path) else 0
            widths.append(len(atoms))
            return Answer(atoms[index], "order")

        dice: DiceSource = Assume() if script is None else Scripted(script)
        ctx, ends = _run(case, state.copy(), side, units, dice, reply)
        key = tuple(_word(ctx.state, uid) for uid in units)
        if key not in seen:
            seen.add(key)
            yield ends
        path = [path[i] if i < len(path) else 0 for i in range(len(widths))]
        while path and path[-1] + 1 >= widths[len(path) - 1]:
            path.pop()
        if not path:
            return
        path[-1] += 1
    raise NotBuilt(f"more than {OUTCOMES_AT_MOST} ways to retreat")


def _word(state: State, uid: str) -> str:
    piece = state.pieces.get(uid)
    return "eliminated" if piece is None else f"{piece.cadre}@{piece.hex}"
