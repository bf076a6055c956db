"""Replacement points: what cards bring, who may not, what they rebuild (SS 7.4, 15). Points are counted in halves.

:func:`rebuild_problems` is the one legality of an order ``replace`` or ``recreate``; it changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from adjudicator.engine.core import Order, Problem
from adjudicator.shifting_sands.access import CHAD, LRDG
from adjudicator.shifting_sands.cards import points_in
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.losses import REPLACEMENT, RESERVE
from adjudicator.shifting_sands.named import TORCH
from adjudicator.shifting_sands.nations import AMERICAN_GROUP, COMMONWEALTH, MINORS
from adjudicator.shifting_sands.places import fits, open_to, set_of
from adjudicator.shifting_sands.redeploy import ADDIS, DEEP_DESERT
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import OUT, serves, supply
from adjudicator.shifting_sands.world import Counter, rows, text, texts

POOLS = ("GE", "IT", "BR", "CW", "A", "US")
POOLS_OF = {"axis": ("GE", "IT"), "allied": ("BR", "CW", "A", "US")}
MASSAWA = "Massawa"
DIVISION_STEP2, GROUP_STEP2 = 2, 1
"""Half points for a step (SS 15.3)."""
STEPS, POINT2 = 2, 2
NATIVES = ("IT GDS", "IT AFR")
LIGHT_90 = "GE 90"
TORCH_SOURCES = ("Casablanca", "Oran")


# --- what cards bring ---------------------------------------------------------------------------------------------


def half(points: str) -> int:
    """A number of points in halves."""
    return int(2 * Fraction(points or "0"))


def said(halves: int) -> str:
    """Halves as points: ``1.5``."""
    return str(halves // 2) if halves % 2 == 0 else f"{halves / 2:.1f}"


def of_card(state: State, side: str, points: str) -> dict[str, int]:
    """The half points that a card brings its side now, by what it prints (SS 7.41, 7.415, 7.416, 15.2).

    Rules: SS 3.rp.
    """
    found = {pool: half(number) for pool, number in points_in(points).items()}
    if side == "allied" and state.owner(MASSAWA) == "allied":
        found["BR"] = found.get("BR", 0) + 2
    for _name, effect in in_force(state, "rp_per_card"):
        if text(effect, "side") == side:
            for pool, more in _listed(effect.get("rp")).items():
                found[pool] = found.get(pool, 0) + more
    return found


def _listed(value: object) -> dict[str, int]:
    """Points by pool: rows of ``pool`` and ``points``, or a mapping."""
    if isinstance(value, dict):
        return {str(pool): half(str(points)) for pool, points in value.items()}
    return {text(row, "pool"): half(text(row, "points")) for row in rows({"rp": value}, "rp")}


def bans(state: State, side: str) -> list[str]:
    """The events that bar a side from playing cards for replacement points (SS 7.44a, 7.44b, 7.44c, 7.44d, ruling A51).

    Each is by itself: in force from its play until one of those is played that lift it, and never if one was played
    before that pre-empts it (SS faq.cards.10, faq.cards.12, faq.cards.13, faq.cards.14, faq.cards.15, faq.cards.16,
    faq.rules.21, errata.card.A45).
    """
    order, lifters = list(state.events), dict[str, list[str]]()
    for other, effect in state.world.effects("lift_ban"):
        lifters.setdefault(text(effect, "reason"), []).append(other)
    found = []
    for name, effect in state.world.effects("rp_ban"):
        if name not in order or text(effect, "side") != side or name in found:
            continue
        since = order.index(name)
        pre_empted = any(other in order[:since] for other in texts(effect, "unless_played"))
        lifting = [*texts(effect, "lifted_by"), *lifters.get(name, [])]
        lifted = any(other in order[since:] for other in lifting)
        found += [] if pre_empted or lifted else [name]
    return found


def income(state: State, side: str) -> dict[str, tuple[str, ...]]:
    """The points of every replacement phase, by event: the pools of which one gets them (SS 7.413, 7.414)."""
    found = ((name, effect) for name, effect in in_force(state, "rp_income") if text(effect, "side") == side)
    return {name: tuple(texts(effect, "pools")) for name, effect in found}


# --- what they rebuild --------------------------------------------------------------------------------------------


def pool_of(state: State, unit: Counter) -> str:
    """The pool whose points rebuild a unit; "" for none now (SS 15.11 to 15.16, 15.12, 15.13, 15.14, 15.15).

    Rules: SS 3.minor, 7.411, 7.412.
    """
    if unit.nation in ("BR", "GE", "IT"):
        return unit.nation
    if unit.nation in COMMONWEALTH:
        return "CW"
    if unit.nation in MINORS:
        return "A"
    if unit.nation in AMERICAN_GROUP:
        return "US"
    opened = any(unit.nation in texts(effect, "nations") for _name, effect in in_force(state, "rp_pool"))
    return "GE" if opened else ""


def pool_rule(unit: Counter) -> str:
    """The rule that says which points rebuild a unit."""
    if unit.nation == "IT":
        return "SS 15.11"
    if unit.side == "axis":
        return "SS 15.12"
    if unit.nation == "BR":
        return "SS 15.13"
    if unit.nation in COMMONWEALTH:
        return "SS 15.14"
    return "SS 15.15" if unit.nation in MINORS else "SS 15.16"


def cost2(unit: Counter, steps: int) -> int:
    """Half points for steps of a unit (SS 15.3)."""
    return steps * (DIVISION_STEP2 if unit.division else GROUP_STEP2)


def left2(state: State, pool: str) -> int:
    """Half points on the track, none at the start (SS 4.13, torch.usrp)."""
    return half(state.rp.get(pool, "0"))


def rebuild_problems(state: State, side: str, order: Order) -> list[Problem]:
    """Why a unit may not take replacements as ordered (SS 15.412, 15.43).

    Rules: SS 3.rp.
    """
    uid = order.text("unit")
    if uid not in state.pieces:
        said_ = f"{uid} is not in play: only units of the replacement box are re-created"
        return [Problem("unit", "SS 15.4", said_, "leave it out", field="unit")]
    if state.counter(uid).side != side:
        return [Problem("unit", "SS 15.1", f"{uid} is not one of your units", "leave it out", field="unit")]
    unit = state.counter(uid)
    if unit.dot:
        said_ = f"{uid} has a black dot: it never takes replacements"
        return [Problem("dot", "SS 15.43", said_, "leave it out", field="unit")]
    where = _recreate(state, uid, order) if order.type == "recreate" else _replace(state, uid, order)
    return where or _paid(state, unit, order)


def _replace(state: State, uid: str, order: Order) -> list[Problem]:
    """A reduced unit that is in play takes a step, in supply if it is on the map (SS 13.11, 15.3, faq.map.8)."""
    piece = state.pieces[uid]
    if piece.at in (REPLACEMENT, "@eliminated", "@unplaced"):
        if piece.at == REPLACEMENT:
            return [Problem("box", "SS 15.4", f"{uid} is in the replacement box", "order recreate", field="unit")]
        gone = "is lost for good" if piece.at == "@eliminated" else "is not in play yet"
        return [Problem("box", "SS 15.4", f"{uid} {gone}", "leave it out", field="unit")]
    if not piece.reduced:
        return [Problem("full", "SS 15.3", f"{uid} is at full strength", "leave it out", field="unit")]
    if order.text("steps", "1") != "1":
        return [Problem("steps", "SS 15.3", f"{uid} lacks one step", "steps: 1", field="steps")]
    if state.on_map(uid) and supply(state, uid).status == OUT:
        return [Problem("supply", "SS 13.11", f"{uid} is out of supply", "leave it out", field="unit")]
    return []


def _recreate(state: State, uid: str, order: Order) -> list[Problem]:
    """A unit of the replacement box comes back at one or two steps, where its kind comes in (SS 15.4)."""
    unit, to = state.counter(uid), order.text("to")
    if state.pieces[uid].at != REPLACEMENT:
        gone = "is lost for good" if state.pieces[uid].at == "@eliminated" else "is not in the replacement box"
        return [Problem("box", "SS 15.4", f"{uid} {gone}", "leave it out", field="unit")]
    if order.text("steps", "2") not in ("1", "2"):
        return [Problem("steps", "SS 15.3", "a unit has two steps", "steps: 1 or 2", field="steps")]
    able = recreate_places(state, unit)
    if to in able:
        return []
    rule = _where_rule(unit)
    hint = f"open: {', '.join(able)}" if able else "leave it out: no place is open"
    return [Problem("where", rule, f"{uid} does not come back in {to or 'no place'}", hint, field="to")]


def _where_rule(unit: Counter) -> str:
    if unit.kind in NATIVES:
        return "SS 15.411"
    if unit.kind == LIGHT_90:
        return "SS 15.413"
    return "SS 15.41" if unit.division else "SS 15.42"


def recreate_places(state: State, unit: Counter) -> list[str]:
    """Where a unit of the replacement box may come back now (SS 15.41 to 15.422).

    Rules: SS 15.411, 15.413, 15.42, 15.421, faq.map.8.
    """
    if not unit.division:
        extra = [DEEP_DESERT] if unit.kind == LRDG else [CHAD] if unit.nation == "FF_BR" else []
        return [RESERVE, *(name for name in extra if name in state.world.spaces and fits(state, unit, name))]
    if unit.kind in NATIVES:
        return [name for name in (ADDIS,) if name in state.world.spaces and fits(state, unit, name)]
    places = "axis_division" if unit.kind == LIGHT_90 else set_of(state, unit)
    return sorted({*open_to(state, unit, places), *_across(state, unit)})


def _across(state: State, unit: Counter) -> Iterator[str]:
    """After Torch Allied units may come back at any source of theirs in the other theatre (SS 15.414)."""
    if unit.side != "allied" or not state.played(TORCH):
        return
    torch = set_of(state, unit) in ("t_division", "corps_franc")
    for name in state.world.spaces:
        if (name in TORCH_SOURCES) != torch and serves(state, unit, name) and fits(state, unit, name):
            yield name


def _paid(state: State, unit: Counter, order: Order) -> list[Problem]:
    """The points: of the right pool, and enough of them (SS 15.1)."""
    pool, wanted = pool_of(state, unit), order.text("pool")
    rule = pool_rule(unit)
    if not pool:
        return [Problem("pool", rule, f"no points rebuild {unit.id} yet", "leave it out", field="unit")]
    if wanted and wanted != pool:
        said_ = f"{wanted} points may not be spent on {unit.id}"
        return [Problem("pool", rule, said_, f"pool: {pool}", field="pool")]
    steps = int(order.text("steps") or (STEPS if order.type == "recreate" else 1))
    price, have = cost2(unit, steps), left2(state, pool)
    if price <= have:
        return []
    said_ = f"{unit.id} costs {said(price)} {pool}, {said(have)} {'is' if have == POINT2 else 'are'} left"
    step = steps == STEPS and cost2(unit, 1) <= have
    return [Problem("points", "SS 15.1", said_, "steps: 1, or leave it out" if step else "leave it out", field="unit")]
