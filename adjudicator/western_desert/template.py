"""The orders of a turn file to fill in (DESIGN, `template`): YAML lines, and comments with all that a player needs."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.engine.counting import counted
from adjudicator.engine.driver import Waits
from adjudicator.western_desert.air.answers import FIELDS, ONES, read_key
from adjudicator.western_desert.air.support import supported
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.attack_check import target_problems, unit_problems
from adjudicator.western_desert.bases import port_row
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.divisions import assemblies, breakdowns
from adjudicator.western_desert.eligible import may_move
from adjudicator.western_desert.haul import smp_left2
from adjudicator.western_desert.hexes import neighbours
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.odds import odds
from adjudicator.western_desert.overrun import overrun_options
from adjudicator.western_desert.pool import EIGHTHS
from adjudicator.western_desert.railworks import extend_problems, railhead
from adjudicator.western_desert.sea.voyages import limit2
from adjudicator.western_desert.situation import touching
from adjudicator.western_desert.state import MALTA_POOL, State
from adjudicator.western_desert.supply import counters_in_reach
from adjudicator.western_desert.template_air import (
    AIR_KEY,
    REACTION_KEYS,
    air_section,
    air_standing,
    own_air,
    reaction_section,
    sealed_standing,
)
from adjudicator.western_desert.template_arrivals import initial_hints
from adjudicator.western_desert.template_setup import deploy_lines
from adjudicator.western_desert.template_works import fort_lines, work_lines
from adjudicator.western_desert.units import number
from adjudicator.western_desert.words import (
    may_act,
    moment,
    mp_left,
    out_of_supply,
    short_name,
    side_name,
    supply_name,
)

MOVEMENT_KEYS = ("orders/initial", "orders/movement")
COMBAT_KEY, EXPLOITATION_KEY = "orders/combat", "orders/exploitation"
DEPLOY_KEY = "orders/deploy"
WIDTH = 22
OVERRUN_HEAD = 2


def template(state: State, side: str, waits: Waits) -> str:
    """A turn file's list of orders for a side, due or not. It passes `check` as it stands."""
    asked = waits.side == side and waits.why == "decision"
    lines = [f"# {moment(state)}.", *_own(state, side), *_enemies(state, side), *_counters(state, side)]
    lines += own_air(state, side)
    if not asked:
        lines += ["#", "# Nothing is asked of you now. Standing orders may be given at any time:", *_standing()]
        return "\n".join([*lines, "orders: []"])
    return "\n".join([*lines, "orders:", *_orders(state, side, waits.key)])


def _orders(state: State, side: str, key: str) -> list[str]:
    if key == DEPLOY_KEY:
        return [*deploy_lines(state, side), *_standing()]
    if key in MOVEMENT_KEYS:
        above = [*initial_hints(state, side), *_railroad(state, side), *fort_lines(state, side)]
        moving = [*above, *_movement(state, side), *_overruns(state, side), *_supply(state, side)]
        moving += _ships(state, side)
        moving += [*work_lines(state, side), *_assemblies(state, side)]
        return [*moving, *air_section(state, side), *_early_combat(), *_choices(), *_standing()]
    if key == AIR_KEY:
        return [*air_section(state, side), *_early_combat(), *_choices(), *_standing()]
    if key in REACTION_KEYS:
        return [*reaction_section(state, side), *sealed_standing(), *_standing()]
    if key == COMBAT_KEY:
        return [*_combat(state, side), *_choices(), *_after_combat(state), *_standing()]
    if key == EXPLOITATION_KEY:
        moving = [*_movement(state, side, "exploitation"), *_overruns(state, side), *work_lines(state, side)]
        return [*moving, *_assemblies(state, side), *_standing()]
    return [
        "  # Answer by its key; left out, the default is taken. Choices that follow may be answered here as well.",
        "  # - type: answer",
        f"  #   to: {key}",
        f"  #   {_answering(key)}",
    ]


def _answering(key: str) -> str:
    """The line in which a choice is answered."""
    found = read_key(key)
    if found is not None:
        return f"{FIELDS[found.topic][0]}: ...        # {ONES[found.topic]}"
    topic, _, who = key.split("/")[:3]
    if topic == "supply":
        return "use: yes"
    return "path: HEX" if topic == "retreat" and not who.startswith("order-") else "units: UNIT, UNIT"


# --- what stands where ------------------------------------------------------------------------------------------


def _own(state: State, side: str) -> list[str]:
    """Own units by hex: designation, figures, MPs left, state. In the surprise turn only those that may act."""
    shown = [uid for uid in state.side_units(side) if may_act(state, uid)] if _only_force(state, side) else []
    ids = shown or list(state.side_units(side))
    out = set(out_of_supply(state, side))
    lines = ["#", f"# Your units, {side_name(side)}, by hex: figures, movement points left."]
    for h in sorted({state.hex_of(uid) for uid in ids}):
        lines.append(f"#   {_where(state, h)}")
        lines += [_unit_line(state, uid, uid in out) for uid in state.friends_at(h, side) if uid in ids]
    rest = sum(1 for _ in state.side_units(side)) - len(ids)
    others = f"#   {counted(rest, 'other unit')} may not act in the surprise turn (WD 28.B.3)."
    return [*lines, others] if rest else lines


def _only_force(state: State, side: str) -> bool:
    return state.surprise and side == state.player


def _unit_line(state: State, uid: str, out: bool) -> str:
    unit, piece = state.unit(uid), state.pieces[uid]
    marks = ["out of general supply"] if out else []
    marks += ["cadre"] if piece.cadre else []
    marks += ["has attacked"] if piece.attacked else []
    points = f"{mp_left(state, uid, not out)} MP" if unit.movement else "no movement"
    return f"#     {short_name(state, uid):{WIDTH}} {unit.figures:8} {points:12} {', '.join(marks)}".rstrip()


def _enemies(state: State, side: str) -> list[str]:
    """Enemy stacks next to own units."""
    found = list(touching(state, side))
    lines = ["#", "# Enemy units next to yours:" if found else "# No enemy unit stands next to yours."]
    for h, _ in found:
        who = [f"{short_name(state, uid)} {state.unit(uid).figures}" for uid in state.enemies_at(h, side)]
        lines.append(f"#   {_where(state, h)}: {', '.join(who)}")
    return lines


def _counters(state: State, side: str) -> list[str]:
    own = [(sid, counter) for sid, counter in sorted(state.supply.items()) if counter.side == side]
    lines = ["#", "# Your supply counters (attack supply, WD 12.C):" if own else "# You have no supply counter."]
    called = {sid: supply_name(state, sid) + " " if supply_name(state, sid) != sid else "" for sid, _counter in own}
    lines += [
        f"#   {sid:{WIDTH}} {called[sid]}in {_where(state, counter.hex)}, steps: {counter.steps}"
        for sid, counter in own
    ]
    return lines


def _where(state: State, h: int) -> str:
    return state.board.feature_names(h)


# --- the sections -----------------------------------------------------------------------------------------------


def _movement(state: State, side: str, phase: str = "movement") -> list[str]:
    free = [uid for uid in state.side_units(side) if may_act(state, uid) and state.unit(uid).movement]
    if phase == "exploitation":
        free = [uid for uid in free if state.unit(uid).motorized]
    name = short_name(state, free[0]) if free else "UNIT"
    return [
        "  - type: section",
        f"    name: {phase}",
        *(["  # Only combat/motorized units, and what transport counters carry."] if phase == "exploitation" else []),
        *_breakdowns(state, side),
        "  # One entry for each unit, or stack with `units: A, B`. `to` alone takes the cheapest way, `path` names the",
        "  # hexes one by one. `by: road`, `by: rail`, `mode: admin` or `carried` (with `transport`) if you want them.",
        "  # Default: a unit without an order stays where it is.",
        "  # - type: move",
        f"  #   unit: {name}",
        "  #   to: 19/0000",
    ]


def _breakdowns(state: State, side: str) -> list[str]:
    """What may break down as things stand (WD 15)."""
    able = list(dict.fromkeys(uid for uid, _form in breakdowns(state, side)))
    if not able:
        return []
    return [
        "  # Divisions that may break down (WD 15), before anything else is done:",
        *(f"  # - type: break_down\n  #   unit: {short_name(state, uid)}" for uid in able),
    ]


def _assemblies(state: State, side: str) -> list[str]:
    """What may be assembled as things stand, at the end of the section."""
    able = {uid: units for uid, _h, units in assemblies(state, side)}
    if not able:
        return []
    lines = ["", "  # Divisions that could be assembled where their components stand (WD 15), behind all other orders:"]
    for uid, units in able.items():
        named = ", ".join(short_name(state, part) for part in units)
        lines += ["  # - type: assemble", f"  #   into: {short_name(state, uid)}", f"  #   units: {named}"]
    return lines


def _overruns(state: State, side: str) -> list[str]:
    """The overruns that stacks can make where they stand now."""
    lines = [
        "",
        "  # Overruns (WD 13): units of one hex, 10:1 or more; who enters the hex stands under `advance`.",
        *([] if state.phase == "initial" else _overruns_now(state, side)),
    ]
    return lines if len(lines) > OVERRUN_HEAD else [*lines, *_overrun_example("UNIT, UNIT", "19/0000")]


def _overruns_now(state: State, side: str) -> list[str]:
    options = overrun_options(Field(state, side), side)
    return [
        line
        for (_origin, h), units in sorted(options.items())
        for line in _overrun_example(", ".join(short_name(state, uid) for uid in units), state.board.name(h))
    ]


def _overrun_example(units: str, where: str) -> list[str]:
    return ["  # - type: overrun", f"  #   units: {units}", f"  #   hex: {where}", "  #   advance: all"]


def _supply(state: State, side: str) -> list[str]:
    """Supply counters on the move, with what SMPs there are."""
    own = [sid for sid in sorted(state.supply) if state.supply[sid].side == side]
    if not own or state.surprise:
        return []
    left = mp_text(smp_left2(state, side))
    return [
        "",
        f"  # Supply counters move with {left} supply movement points (WD 12.D); `supply_merge`, `supply_split` and",
        "  # `supply_destroy` are there too.",
        "  # - type: supply_move",
        f"  #   counter: {own[0]}",
        "  #   to: 19/0000",
    ]


def _ships(state: State, side: str) -> list[str]:
    """What lies in a port and may be shipped (WD 26.B.2)."""
    left = limit2(state, side)
    ports = [h for h in sorted({state.hex_of(uid) for uid in state.side_units(side)}) if port_row(state, h)]
    units = [uid for h in ports for uid in state.friends_at(h, side) if not may_move(state, side, uid)]
    if not left or not units or state.phase == "exploitation":
        return []
    return [
        "",
        f"  # Ships carry {number(Fraction(left, 2))} more REs from port to port in this player turn (WD 26.B.2).",
        "  # - type: ship",
        f"  #   unit: {state.unit(units[0]).short or units[0]}",
        "  #   to: 19/0000",
        *(_points_to_malta(state) if side == "allied" else ()),
    ]


def _points_to_malta(state: State) -> list[str]:
    """Replacement points that may be shipped, where Malta has a pool of its own (WD 33.B)."""
    able = [key for key, have in sorted(state.points.items()) if have >= EIGHTHS and not key.endswith("_air")]
    if not able or not state.world.plays(MALTA_POOL):
        return []
    return [
        "  # Replacement points go from a port in Egypt to Malta, for the pool there (option 33.B).",
        "  # - type: ship",
        f"  #   rp: {able[0]}",
        "  #   from: Port Said",
        "  #   to: Valletta",
    ]


def _railroad(state: State, side: str) -> list[str]:
    """The railroad beyond Matruh, once it may be built; the order stands above the first section."""
    head = railhead(state)
    if state.phase != "initial" or extend_problems(state, side, head, (), False) or head is None or head.next is None:
        return []
    where = _where(state, head.next)
    return [f"  # The railroad may be built on to {where} (WD 7.D).", "  # - type: extend_rail", ""]


def _after_combat(state: State) -> list[str]:
    """How exploitation is left out or put off (PROTOCOL 9.1)."""
    if state.surprise:
        return []
    return [
        "",
        "  # Exploitation. Orders may stand here already; `say: none` gives it up, `say: ask` or no section waits",
        "  # until the combats are known.",
        "  # - type: section",
        "  #   name: exploitation",
        "  #   say: none",
    ]


def _early_combat() -> list[str]:
    return [
        "",
        "  # Attacks come in your next message. Take the # away to order them in this one already: then there is no",
        "  # stop between movement and combat, and a section without attacks means that you attack nobody.",
        "  # - type: section",
        "  #   name: combat",
        *_attack_example("19/0000", "UNIT, UNIT"),
    ]


def _attack_example(where: str, units: str, supply: str = "COUNTER:1") -> list[str]:
    return [
        "  # - type: attack",
        f"  #   hex: {where}",
        f"  #   with: {units}",
        f"  #   {f'supply: {supply}':27} # counter and steps; left out, no attack supply (WD 12.C)",
        "  #   min_odds: 2:1               # called off below; left out, made at any odds",
        "  #   advance: all                # or names; left out, nobody advances",
    ]


def _combat(state: State, side: str) -> list[str]:
    lines = [
        "  - type: section",
        "    name: combat",
        "  # Attacks are made in the order of this list, each at once with all its results (WD 9.B.6).",
        "  # Default: no attack.",
    ]
    if any(counter.side == side for counter in state.supply.values()):
        lines.append("  # Between them own supply may be merged, split, destroyed (WD 12.D): `supply_destroy` ...")
    for h, _ in touching(state, side):
        lines += _target(state, side, h)
    return lines


def _target(state: State, side: str, h: int) -> list[str]:
    """A hex that may be attacked: by whom, and at what odds if all of them attack."""
    near = [uid for n in sorted(neighbours(h)) for uid in state.friends_at(n, side)]
    able = [uid for uid in near if not unit_problems(state, side, uid, h)]
    if not able or target_problems(state, side, h):
        return []
    found = odds(state, supported(state, Attack(side, h, tuple(sorted(able)), frozenset(able))))
    units = ", ".join(short_name(state, uid) for uid in able)
    against = ", ".join(short_name(state, uid) for uid in state.enemies_at(h, side))
    return [
        "",
        f"  # {_where(state, h)}, held by {against}.",
        f"  # All together and in attack supply: {found.ratio_text()}, die {found.drm:+d}.",
        *_attack_example(state.board.name(h), units, _supply_for(state, side, able)),
    ]


def _supply_for(state: State, side: str, units: list[str]) -> str:
    """The counter in reach of most of the units, with the steps that all of them need at most."""
    reach: dict[str, int] = {}
    for uid in units:
        for sid in counters_in_reach(state, side, state.hex_of(uid)):
            reach[sid] = reach.get(sid, 0) + state.unit(uid).re2
    if not reach:
        return "COUNTER:1"
    best = min(reach, key=lambda sid: (-reach[sid], sid))
    needed = -(-reach[best] // (2 * charts_of(state.world).limits["re_per_step"]))
    return f"{best}:{min(max(needed, 1), state.supply[best].steps)}"


def _choices() -> list[str]:
    return [
        "",
        "  # Choices you may make ahead, in the section combat. Defaults: losses fall on the set that exceeds the need",
        "  # least; a retreat goes toward supply and the best terrain, the strongest unit first (WD 9.C, 9.F.1).",
        "  # - type: losses",
        "  #   hex: 19/0000",
        "  #   units: UNIT, UNIT           # in order of sacrifice",
        "  # - type: retreat",
        "  #   unit: UNIT",
        "  #   to: 19/0000",
    ]


def _standing() -> list[str]:
    return [
        "",
        "  # Open standing orders, for choices in the other side's turn; in force from the next message on, until the",
        "  # same topic is sent again. They stand above the first section.",
        "  # - type: standing",
        "  #   topic: retreat              # or losses, supply",
        "  #   rules:",
        "  #     - prefer: toward_supply",
        *air_standing(),
    ]
