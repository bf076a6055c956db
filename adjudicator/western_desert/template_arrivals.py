"""What a turn file to fill in says of the initial phase: arrivals, withdrawals, the pool, conversions (template.py)."""

from __future__ import annotations

from adjudicator.engine.counting import counted
from adjudicator.western_desert.converting import conversion, open_rows
from adjudicator.western_desert.fifth_army import boxed, draw_problems
from adjudicator.western_desert.landing import waiting
from adjudicator.western_desert.leaving import candidates, due_withdrawals
from adjudicator.western_desert.orderbook import area_title, last_turn, rows_of, short
from adjudicator.western_desert.pool import points_text, pool_of, rebuildable, replacement_place, rp_words, spare8
from adjudicator.western_desert.pool import replace_problems as problems_of
from adjudicator.western_desert.sea.siege import Repairs
from adjudicator.western_desert.sea.tunisia import OPTION as TUNISIA
from adjudicator.western_desert.sea.tunisia import in_europe
from adjudicator.western_desert.state import State, turn_name
from adjudicator.western_desert.theatre.listed import SIDE as LISTS
from adjudicator.western_desert.theatre.listed import areas_kept
from adjudicator.western_desert.theatre.phase import raided_bases
from adjudicator.western_desert.theatre.plans import topics_of
from adjudicator.western_desert.theatre.raids import victims
from adjudicator.western_desert.theatre.special import LEAD, SIDE
from adjudicator.western_desert.theatre.tripolitania import boxed as garrison_boxed
from adjudicator.western_desert.theatre.tripolitania import release_problems
from adjudicator.western_desert.theatre.vichy import FULL, roll_problems
from adjudicator.western_desert.world import text


def initial_hints(state: State, side: str) -> list[str]:
    """Comments and examples above the first section, for the initial phase only."""
    if state.phase != "initial" or state.surprise or state.player != side:
        return []
    theatre = (_malta(state, side), _raid(state, side), _pressure(state, side), _fifth_army(state, side))
    secret = (_plans(state, side), _lists(state, side))
    coming = (*secret, *theatre, _garrison(state, side), _coming(state, side), _going(state))
    return [line for part in (*coming, _pool(state, side), _converting(state, side)) for line in part]


def _plans(state: State, side: str) -> list[str]:
    """Special operations that may be planned, while there is time for one before the end (WD 27.A)."""
    soonest = state.turn + LEAD
    if side != SIDE or not topics_of(state.world) or soonest > last_turn(state):
        return []
    return [
        f"  # A special operation may be planned in secret (WD 27.A), for {turn_name(soonest)} or later. It goes into",
        "  # your sealed book; the other player gets nothing of it. `cancel_special` with units: or air: undoes it.",
        "  # What is due and not cancelled is carried out: the program writes the order, and its plans lie open then.",
        "  # - type: plan_special",
        "  #   units: 1 Para III",
        "  #   air: Ju 52 Sp 1",
        "  #   at: Nicosia",
        f"  #   turn: {turn_name(soonest)}",
        "",
    ]


def _lists(state: State, side: str) -> list[str]:
    """What may be done with garrisons that are off the map (WD 33.C)."""
    kept = state.theatre.listed if side == LISTS else ()
    if not kept:
        return []
    areas = ", ".join(areas_kept(state))
    return [
        f"  # Garrisons off the map (WD 33.C), areas {areas}: they move in secret, within their area, by your",
        "  # sealed book; `show_garrison` puts all of an area back onto the map, before they move there.",
        "  # - type: move_garrison",
        f"  #   unit: {short(state.world, kept[0].unit)}",
        f"  #   to: {state.board.name(kept[0].hex)}",
        "  # - type: show_garrison",
        f"  #   area: {kept[0].area}",
        "",
    ]


def _malta(state: State, side: str) -> list[str]:
    """The repair points of Malta that the turn brings (WD 28.D)."""
    points = Repairs(state, side).points
    if not points:
        return []
    status = f"its status is {state.malta}"
    return [
        f"  # Malta has {counted(points, 'repair point')} in this phase (WD 28.D); {status}. Left out, they lower it.",
        "  # - type: malta_repair",
        "  #   what: status",
        "",
    ]


def _fifth_army(state: State, side: str) -> list[str]:
    """What is left of the Fifth Army (WD 28.A.1)."""
    if draw_problems(state, side):
        return []
    return [
        f"  # Fifth Army (WD 28.A.1): one of {len(boxed(state))} units comes to Tripoli; draw: no leaves it.",
        "  # - type: fifth_army",
        "  #   draw: no",
        "",
    ]


def _raid(state: State, side: str) -> list[str]:
    """Where a raid would find operative air units (WD 28.B.4)."""
    places = raided_bases(state, side)
    if not places:
        return []
    return [
        "  # A raid (WD 28.B.4): on 5 or 6 one operative air unit of the airbase becomes inoperative, drawn at random.",
        *(f"  #   {state.board.feature_names(h)}: {counted(len(victims(state, h)), 'air unit')}" for h in places),
        "  # - type: raid",
        f"  #   at: {state.board.name(places[0])}",
        "",
    ]


def _pressure(state: State, side: str) -> list[str]:
    """The roll for the favor of Vichy France, while there is more to be gained (WD 28.C.1)."""
    kept = state.theatre
    if roll_problems(state.turn, side, state.phase, kept.vichy) or kept.grant == FULL:
        return []
    return [
        f"  # Pressure on Vichy France (WD 28.C.1): granted so far {kept.grant or 'nothing'}. Left out, nobody rolls.",
        "  # - type: vichy_roll",
        "",
    ]


def _garrison(state: State, side: str) -> list[str]:
    """The garrison of Tripolitania, where it may appear (WD 28.A.2)."""
    if release_problems(state, side):
        return []
    names = ", ".join(short(state.world, uid) for uid in garrison_boxed(state))
    return [
        f"  # The garrison of Tripolitania may appear (WD 28.A.2): {names}. Left out, it stays in its box.",
        "  # - type: tripolitania",
        "",
    ]


def _coming(state: State, side: str) -> list[str]:
    """What comes now, and what has waited: it is placed by itself where nothing is said."""
    due = [(text(row, "unit"), text(row, "area")) for row in rows_of(state, "reinforce", "return")]
    due += [(uid, state.boxes[uid].box) for uid in waiting(state, side)]
    ground = [(uid, area) for uid, area in due if uid in state.world.units]
    counters = [(sid, depot.box) for sid, depot in sorted(state.depots.items()) if depot.side == side]
    if not ground and not counters:
        return []
    via_tunisia = state.world.plays(TUNISIA) and bool(in_europe(state))
    first = f"units: {short(state.world, ground[0][0])}" if ground else f"counter: {counters[0][0]}"
    return [
        "  # Arrivals (WD 29.A). Left out, each comes in at the first place that takes it; delay: yes keeps it off.",
        *(f"  #   {short(state.world, uid)}: {area_title(state.world, area)}" for uid, area in ground),
        *(f"  #   counter {sid}: {area_title(state.world, area)}" for sid, area in counters),
        *(["  # via: tunisia sends to Tunisia what waits in Europe (WD 32.C)."] if via_tunisia else []),
        "  # - type: reinforce",
        f"  #   {first}",
        "  #   at: 19/0000",
        "",
    ]


def _going(state: State) -> list[str]:
    rows = due_withdrawals(state)
    if not rows:
        return []
    lines = ["  # Withdrawals (WD 29.C). Left out, the unit itself goes, or the first one alike."]
    for row in rows:
        able = ", ".join(short(state.world, uid) for uid in candidates(state, row)) or "nobody"
        lines.append(f"  #   {short(state.world, text(row, 'unit'))}; may go: {able}")
    what = short(state.world, text(rows[0], "unit"))
    return [*lines, "  # - type: withdraw", f"  #   what: {what}", f"  #   offer: {what}", ""]


def _pool(state: State, side: str) -> list[str]:
    """Replacement points and what they could do (WD 29.B)."""
    points = [f"{points_text(have)} {rp_words(key)}" for key, have in spare8(state, side).items()]
    if not points:
        return []
    able = [
        uid for uid in pool_of(state, side) if not problems_of(state, side, uid, replacement_place(state, side, uid))
    ]
    lines = [f"  # Replacement points (WD 29.B): {', '.join(points)}. Left out, they are kept."]
    for kind, units in (("replace", able), ("rebuild", list(rebuildable(state, side)))):
        if units:
            lines += [f"  # - type: {kind}", f"  #   unit: {short(state.world, units[0])}"]
    return [*lines, ""]


def _converting(state: State, side: str) -> list[str]:
    """Conversions that may be made now and must not (WD 29.D.1, 29.D.2)."""
    found = [conversion(state, row) for row in open_rows(state, side)]
    free = [made for made in found if made.free and made.units and not made.problems]
    lines = ["  # Conversions you may make (WD 29.D):"] if free else []
    for made in free:
        kind = "upgrade" if text(made.row, "rule") == "WD 29.D.2" else "convert"
        lines += [f"  # - type: {kind}", f"  #   unit: {short(state.world, made.units[0])}"]
    return [*lines, ""] if lines else []
