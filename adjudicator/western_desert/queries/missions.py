"""``odds --mission``: what patrols, antiaircraft, bombs and the disruption die may make of a mission, or air combat of
an interception (WD 19 to 25).

The mission is judged and worked out by the rules that carry it out. All chances are exact. Patrol attacks are listed,
not counted: whether they are made is the other side's choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from adjudicator.engine.core import Order, Problem
from adjudicator.engine.counting import counted
from adjudicator.engine.queries import Reply, Scene, percent
from adjudicator.western_desert.air.bombing import (
    ROLLED,
    BombTable,
    Strike,
    bomb,
    bomb_table,
    breaks_line,
    chance_of,
    hits_that_count,
    strike_of,
)
from adjudicator.western_desert.air.book import book_of, flight_of, in_the_air
from adjudicator.western_desert.air.craft import (
    AIRBASE,
    BOMBING,
    CARRYING,
    DROP,
    INTERCEPT,
    PORT,
    RAIL,
    REACTIONS,
    SUPPRESS,
    TACTICAL_PORT,
    Flight,
)
from adjudicator.western_desert.air.drops import (
    FACES,
    by_glider,
    cargo_of,
    carriers_of,
    disrupted_on,
    disruption,
    site_of,
    stow,
)
from adjudicator.western_desert.air.facts import patrols_of, stands_at
from adjudicator.western_desert.air.missions import WORDS
from adjudicator.western_desert.air.patrol import turns_back_on
from adjudicator.western_desert.air.plans import Plan, checked, not_at_hand, plans_of, route
from adjudicator.western_desert.air.raiding import raises_status
from adjudicator.western_desert.air.shots import aim
from adjudicator.western_desert.air.tables import WAYS, air_tables, chances
from adjudicator.western_desert.bases import AIRBASE as BASE
from adjudicator.western_desert.bases import PORT as HARBOUR
from adjudicator.western_desert.queries.chances import (
    ONE,
    UNTOUCHED,
    ZERO,
    Course,
    Fates,
    Spread,
    course_of,
    fates_of,
)
from adjudicator.western_desert.queries.stage import in_air
from adjudicator.western_desert.queries.suppression import guns_before
from adjudicator.western_desert.sea.malta import bombed
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.units import number
from adjudicator.western_desert.words import moment, short_name


class Way(NamedTuple):
    """A flight with the hexes of its way, and how many they are; none are listed of a way that it can't fly."""

    flight: Flight
    path: tuple[int, ...]
    length: int

    @property
    def name(self) -> str:
        """The air unit as people say it."""
        return self.flight.craft.name or self.flight.id


def mission_reply(scene: Scene, asked: Order) -> Reply:
    """A mission with its figures and chances."""
    side, mission = scene.side, asked.text("mission")
    state = in_air(scene.state, side, mission == INTERCEPT)
    order = _order(asked)
    missing = [problem for aid in order.texts("air") for problem in not_at_hand(state, side, aid, "with")]
    if missing:
        return Reply(problems=missing)
    plans = plans_of(state, order)
    if mission == INTERCEPT:
        return _interception(scene, state, plans)
    reasons = checked(state, side, [order])[0][1]
    ways = [_way(state, plan) for plan in plans]
    return _mission(scene, state, ways, order, reasons)


def _order(asked: Order) -> Order:
    """The order that flies it."""
    data = {name: value for name, value in asked.data.items() if name not in ("subject", "mission", "with")}
    data |= {"hex": asked.text("subject"), "air": [*asked.texts("with")]}
    return Order(0, asked.text("mission"), data)


def _way(state: State, plan: Plan) -> Way:
    book = book_of(state)
    start = stands_at(state, plan.air, book)
    found = route(state, plan, start, book)
    return Way(plan.flight(state, start), found.path, found.length)


def _mission(scene: Scene, state: State, ways: Sequence[Way], order: Order, reasons: Sequence[Problem]) -> Reply:
    flights = [way.flight for way in ways]
    h, what = flights[0].target, flights[0].mission
    attacks = [list(flights)] if order.text("together") == "yes" else [[flight] for flight in flights]
    guns = guns_before(scene, state, flights)
    course = course_of(state, attacks, guns)
    lines = [f"{_title(what)} {state.board.feature_names(h)}. {moment(scene.state)}."]
    if scene.state.phase != "air" or scene.state.player != scene.side:
        lines.append("As if its air phase came now, all units where they stand.")
    lines += [_way_line(state, way) for way in ways]
    patrols = [row for way in ways for row in patrol_rows(state, way)]
    lines += _patrol_lines(patrols)
    lines += _gun_lines(guns)
    lines += _flak_lines(state, ways, course.fates)
    tree: dict[str, Any] = {"hex": state.board.name(h), "mission": what, "with": [flight.id for flight in flights]}
    tree["patrols"] = patrols
    tree["suppressed"] = {str(hits): str(chance) for hits, chance in sorted(guns.items())}
    tree["antiaircraft"] = {aid: _fates_tree(found) for aid, found in course.fates.items()}
    for part in (_bombs(state, attacks, course, order.text("hits")), _loads(state, flights, order, guns)):
        lines += part.lines
        tree |= part.tree
    return Reply(lines, tree, reasons=reasons)


def _title(mission: str) -> str:
    words = WORDS[mission]
    return f"{words[0].upper()}{words[1:]} over" if mission in (*BOMBING, DROP) else f"{words[0].upper()}{words[1:]} to"


def _way_line(state: State, way: Way) -> str:
    base = state.board.feature_names(way.flight.base)
    return f"  {way.name} from {base}: {counted(way.length, 'hex', 'hexes')}."


# --- patrols ----------------------------------------------------------------------------------------------------


def patrol_rows(state: State, way: Way) -> list[dict[str, Any]]:
    """The enemy fighters whose patrol zones a flight enters, and the rolls that turn it back (WD 19)."""
    flight, found = way.flight, patrols_of(state, ENEMY[way.flight.craft.side], book_of(state))
    rows = []
    for aid, patrol in sorted(found.items()):
        able = not patrol.attacks and (not flight.night or patrol.craft.night)
        if able and any(patrol.covers(h) for h in way.path):
            rolls = sorted(turns_back_on(state.world, patrol.craft.attack, flight.defense))
            rows.append({"fighter": aid, "name": patrol.craft.name or aid, "air": way.name, "rolls": rolls})
    return rows


def _patrol_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    if not rows:
        return ["Patrols (WD 19): none on the way."]
    said = [f"  {row['name']} turns {row['air']} back on {_faces(row['rolls'])}." for row in rows]
    return ["Patrols on the way, each once at most (WD 19):", *said]


def _faces(rolls: Sequence[int]) -> str:
    if len(rolls) > 1 and rolls == list(range(rolls[0], rolls[-1] + 1)):
        return f"{rolls[0]}-{rolls[-1]}"
    return ", ".join(map(str, rolls)) or "no roll"


# --- antiaircraft -----------------------------------------------------------------------------------------------


def _gun_lines(guns: Spread) -> list[str]:
    """What other orders of the section are to do to the guns first (WD 33.I)."""
    if guns == UNTOUCHED:
        return []
    said = "; ".join(f"{counted(hits, 'hit')} {percent(chance)}" for hits, chance in sorted(guns.items()))
    return [f"Suppression by other orders before it (WD 33.I): {said}; each adds 1 to the dice, counted here."]


def _flak_lines(state: State, ways: Sequence[Way], fates: Mapping[str, Fates]) -> list[str]:
    if all(not found.strength for found in fates.values()):
        return ["Antiaircraft (WD 22.B): none fires."]
    lines = ["Antiaircraft (WD 22.B), at each air unit once:"]
    lines.append(f"  {'air unit':24} {'points':6} {'dice':5} {'through':8} {'back':8} {'aborted':8} lost")
    for way in ways:
        found = fates[way.flight.id]
        shares = "".join(f" {percent(part):8}" for part in found[2:])
        lines.append(f"  {way.name:24} {found.strength:<6} {found.modifier:+d}    {shares}".rstrip())
    return lines


def _fates_tree(found: Fates) -> dict[str, str]:
    return {name: str(value) for name, value in found._asdict().items()}


# --- bombs ------------------------------------------------------------------------------------------------------


def _bombs(state: State, attacks: Sequence[Sequence[Flight]], course: Course, said: str = "") -> Reply:
    """The attacks with their columns and dice, and how many hits count (WD 20.F); ``said`` is what the order has hit on
    Valletta (WD 28.D.bomb)."""
    flights = [flight for party in attacks for flight in party]
    if not flights[0].bombing:
        return Reply()
    if flights[0].mission not in ROLLED:
        points = sum((flight.strength * course.fates[flight.id].through for flight in flights), ZERO)
        text = f"Points to be expected over the hex: {number(points)} of {number(_sum(flights))}."
        return Reply([text], {"points": str(points), "most": str(_sum(flights))})
    table, place = bomb_table(state.world), state.board.label(flights[0].target)
    lines = [f"Bombing attacks ({_rule(flights[0])}), if all come through:"]
    lines += [_strike_line(table, strike_of(table, place, party), party) for party in attacks]
    raises = raises_status(state, flights[0].target, flights[0].mission, said)
    spread = course.hits
    counts = raising(state, spread) if raises else counting(state, flights[0].target, flights[0].mission, spread)
    rows = [f"{counted(hits, 'hit')} {percent(chance)}" for hits, chance in sorted(counts.items()) if chance]
    mean = sum((hits * chance for hits, chance in counts.items()), ZERO)
    what = " for the status of Malta" if raises else ""
    lines.append(f"Hits that count{what}, antiaircraft included: {'; '.join(rows)}; to be expected {number(mean)}.")
    tree = {"hits": {str(hits): str(chance) for hits, chance in sorted(counts.items())}, "expected": str(mean)}
    return Reply(lines, tree)


def _rule(flight: Flight) -> str:
    if flight.mission == SUPPRESS:
        return "WD 33.I"
    return "WD 20.F.1" if flight.mission not in (AIRBASE, RAIL, TACTICAL_PORT) else "WD 20.F.2"


def _sum(flights: Iterable[Flight]) -> Fraction:
    return sum((flight.strength for flight in flights), ZERO)


def _strike_line(table: BombTable, strike: Strike, party: Sequence[Flight]) -> str:
    names = ", ".join(flight.craft.name or flight.id for flight in party)
    if not strike.column:
        return f"  {names}: strength {number(strike.strength)}, always a miss."
    rolls = [die for die in range(1, FACES + 1) if bomb(table, strike, die).hit]
    changed = "".join(f", {one.value:+d} {one.what} ({one.rule})" for one in strike.modifiers)
    chance = percent(Fraction(chance_of(table, strike), FACES))
    column = f"strength {number(strike.strength)}, column {strike.column}{changed}"
    return f"  {names}: {column}: a hit on {_faces(rolls)} ({chance})."


def raising(state: State, spread: Spread) -> Spread:
    """The hits on Valletta that raise the status of Malta, up to the highest (WD 28.D.bomb)."""
    found: Spread = {}
    for hits, chance in spread.items():
        kept = bombed(state.world, state.malta, hits) - state.malta
        found[kept] = found.get(kept, ZERO) + chance
    return found


def counting(state: State, h: int, mission: str, spread: Spread) -> Spread:
    """The hits that change something (WD 20.F.2.b, 20.F.2.f, 26.A.2)."""
    found: Spread = {}
    for hits, chance in spread.items():
        kept = hits
        if mission in (PORT, TACTICAL_PORT, AIRBASE):
            kept = hits_that_count(state, h, BASE if mission == AIRBASE else HARBOUR, hits)
        elif mission == RAIL:
            kept = min(hits, 1 if breaks_line(state, h) else 0)
        found[kept] = found.get(kept, ZERO) + chance
    return found


# --- transport and drops ----------------------------------------------------------------------------------------


def _loads(state: State, flights: Sequence[Flight], order: Order, guns: Spread) -> Reply:
    """For each unit carried the chances to come down, to be disrupted, to come back, to be lost (WD 20.E, 25.A); they
    hang together by what ``guns`` its transports all meet (WD 33.I)."""
    units = [uid for uid in order.texts("cargo") if uid in state.pieces]
    if flights[0].mission not in CARRYING or not units:
        return Reply()
    stowage = stow(flights, [cargo_of(state, uid, flights[0].base) for uid in units])
    lines, rows = ["Cargo (WD 20.E.fate):"], []
    for uid in units:
        down, kept = ZERO, ZERO
        for hits, chance in guns.items():
            crew = [fates_of(state, flight, hits) for flight in carriers_of(stowage, uid, flights)]
            down += chance * _all(found.through for found in crew)
            kept += chance * _all(1 - found.lost for found in crew)
        row = {"unit": uid, "down": str(down), "back": str(kept - down), "lost": str(1 - kept)}
        text = f"  {short_name(state, uid)}: comes down {percent(down)}, back {percent(kept - down)}"
        text += f", lost {percent(1 - kept)}"
        if flights[0].mission == DROP:
            site = site_of(state, flights[0].target, order_side(flights))
            rolls = disrupted_on(disruption(site, flights[0].night, by_glider(stowage, uid)))
            row["disrupted"] = str(Fraction(len(rolls), FACES))
            text += f"; once down disrupted on {_faces(list(rolls))} ({percent(Fraction(len(rolls), FACES))}, WD 25.A)"
        lines.append(f"{text}.")
        rows.append(row)
    return Reply(lines, {"cargo": rows})


def order_side(flights: Sequence[Flight]) -> str:
    """The side that flies."""
    return flights[0].craft.side


def _all(parts: Iterable[Fraction]) -> Fraction:
    """The chance that all of several things happen."""
    found = ONE
    for part in parts:
        found *= part
    return found


# --- interception -----------------------------------------------------------------------------------------------


def _interception(scene: Scene, state: State, plans: Sequence[Plan]) -> Reply:
    """Each interceptor against each enemy over the hex: one exchange of fire (WD 21.B.3)."""
    h = plans[0].target
    there = [flight_of(state, aid) for aid in in_the_air(state) if aid not in {plan.air for plan in plans}]
    enemies = [one for one in there if one.target == h and one.craft.side == ENEMY[scene.side] and not one.fate]
    enemies = [one for one in enemies if one.mission not in REACTIONS and one.night == plans[0].night]
    where = state.board.feature_names(h)
    if not enemies:
        text = f"no enemy air unit flies a mission of this air phase to {where}"
        return Reply(problems=[Problem("no_enemies", "WD 20.A", text, "ask when the enemy has flown")])
    lines = [f"Interception over {where}. {moment(scene.state)}.", "Each exchange of fire by itself (WD 21.B.3):"]
    rows = []
    for plan in plans:
        flight = plan.flight(state, stands_at(state, plan.air, book_of(state)))
        for enemy in enemies:
            for firer, target in ((flight, enemy), (enemy, flight)):
                rows.append(_shot_row(state, firer, target))
    lines += [_shot_line(row) for row in rows]
    return Reply(lines, {"hex": state.board.name(h), "mission": INTERCEPT, "shots": rows})


def _shot_row(state: State, firer: Flight, target: Flight) -> dict[str, Any]:
    tables = air_tables(state.world)
    one = aim(tables, "", state.board.label(target.target), firer, target)
    found = chances(tables.combat, one.differential, one.modifier)
    shares = {name: str(Fraction(ways, WAYS)) for name, ways in found._asdict().items()}
    names = {"air": firer.craft.name or firer.id, "target": target.craft.name or target.id}
    return {**names, "differential": one.differential, "modifier": one.modifier, **shares}


def _shot_line(row: Mapping[str, Any]) -> str:
    said = {name: percent(Fraction(row[name])) for name in ("none", "back", "abort", "kill")}
    return (
        f"  {row['air']} at {row['target']}, differential {row['differential']:+d}, dice {row['modifier']:+d}: "
        f"no effect {said['none']}, turned back {said['back']}, aborted {said['abort']}, eliminated {said['kill']}."
    )
