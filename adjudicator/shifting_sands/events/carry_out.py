"""The interpreter of effects: for each ``do`` of the vocabulary what happens when the card is played (SS 7.51).

What lasts is written nowhere but in the list of events played: rules read it there (:mod:`effects`). Such words stand
in :data:`LASTING`, with the rule that reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from adjudicator.engine.core import Ctx, Order, Proc, Tree
from adjudicator.engine.sections import section
from adjudicator.shifting_sands.conditions import hold
from adjudicator.shifting_sands.control import release, take
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.events import mandates, withdrawals
from adjudicator.shifting_sands.events.placing import bring, newest, set_up, spaces_of
from adjudicator.shifting_sands.events.playable import bonus_barred, points_now
from adjudicator.shifting_sands.nations import ENEMY
from adjudicator.shifting_sands.rebuilding import add_points
from adjudicator.shifting_sands.replacement import half
from adjudicator.shifting_sands.state import State, other
from adjudicator.shifting_sands.strays import misplaced, refuse_strays
from adjudicator.shifting_sands.world import Record, rows, text, texts

RULE = "SS 7.51"


@dataclass
class Play:
    """A card being played as an event: its side, name and row, its order, the places wished, what was placed so far.

    ``gone`` are the units that the other side gives up, once it has said which, ``chosen`` how that was said; ``able``
    those it chose among for each of the effects that take any, as they stood when the card was played.
    """

    side: str
    name: str
    row: Record
    order: Order
    by: tuple[int, ...]
    wishes: list[Order] = field(default_factory=list)
    placed: list[str] = field(default_factory=list)
    gone: tuple[str, ...] | None = None
    able: list[tuple[str, ...]] = field(default_factory=list)
    chosen: dict[str, Tree] = field(default_factory=dict)


Done = Proc[None] | None


def carry_out(ctx: Ctx[State], play: Play) -> Proc[None]:
    """All effects of the card, in the order listed (SS 7.51)."""
    for effect in rows(play.row, "effects"):
        running = DO[text(effect, "do")](ctx, play, effect)
        if running is not None:
            yield from running


def rule_of(effect: Record) -> str:
    """The address of the rule that an effect names."""
    return f"SS {text(effect, 'rule')}" if text(effect, "rule") else RULE


def _place(ctx: Ctx[State], play: Play, effect: Record) -> Done:
    """Units come in, some of them with an optional rule only (SS 7.53, 11.71, 19.11)."""
    if hold(ctx.state, rows(effect, "if")):
        play.placed += bring(ctx, play.name, effect, play.wishes, play.by)
    return None


def _upgrade(ctx: Ctx[State], play: Play, effect: Record) -> Done:
    """The stronger counter takes the place of the one in use, unless that is lost for good (SS 7.54, 7.54d)."""
    state = ctx.state
    old, new = _counter(state, text(effect, "unit")), _counter(state, text(effect, "to"))
    if not old or not new:
        return None
    used = newest(state, old)
    at = state.pieces[used].at if used in state.pieces else ""
    if state.counter(used).cf[0] < state.counter(new).cf[0] and at != "@eliminated":
        ctx.emit("upgraded", "SS 7.54", play.by, unit=used, to=new, at=at)
    return None


def _counter(state: State, name: str) -> str:
    """The counter that is the only one of its kind, or has this id; "" for none."""
    found = sorted(uid for uid, unit in state.world.counters.items() if name in (unit.kind, uid))
    return found[0] if found else ""


def _vp(ctx: Ctx[State], play: Play, effect: Record) -> Done:
    if text(effect, "at") == "now":
        mandates.score(ctx, play.name, effect, play.by)
    return None


def _mandate(ctx: Ctx[State], play: Play, effect: Record) -> Done:
    ctx.emit("mandate", RULE, play.by, event=play.name, side=text(effect, "side"), status=mandates.OPEN)
    mandates.cancel(ctx, play.by)
    return None


def _release(ctx: Ctx[State], play: Play, effect: Record) -> Done:
    release(ctx, texts(effect, "nations"), "SS 10.41", play.by)
    return None


def _control(ctx: Ctx[State], play: Play, effect: Record) -> Done:
    """Spaces turn, with their points; one that holds a unit of the other active side does not (SS 7.531b, 10.321,
    faq.cards.7)."""
    state, side = ctx.state, text(effect, "side")
    spaces = list(play.placed) if effect.get("spaces") == "placed" else texts(effect, "spaces")
    nations = texts(effect, "occupied_by")
    held = [state.pieces[uid].at for uid in sorted(state.pieces) if state.counter(uid).nation in nations]
    spaces += [place for place in held if place in state.world.spaces]
    able = [place for place in spaces if not any(map(state.active_unit, state.friends(place, ENEMY[side])))]
    boxes: list[Tree] = [p for p in able if state.world.spaces[p].box and state.owner(p) != side]
    if boxes:
        ctx.emit("control", RULE, play.by, side=side, spaces=boxes)
    take(ctx, side, able, RULE, play.by)
    return None


def _setup(ctx: Ctx[State], play: Play, effect: Record) -> Done:
    """A set-up of the pack: control, then units, and the spaces they stand in (SS 10.52, torch.control, torch.it,
    torch.ge)."""
    name = text(effect, "name")
    row = ctx.state.world.setups.get(name, {})
    rule = f"SS {next(iter(texts(row, 'rules')), '10.52')}"
    for part in rows(row, "control"):
        take(ctx, text(part, "side"), spaces_of(part), rule, play.by)
    for uid, at in set_up(ctx, name, rule, play.by):
        take(ctx, ctx.state.counter(uid).side, [at], rule, play.by)
    return None


def _rd_points(ctx: Ctx[State], play: Play, effect: Record) -> Done:
    """Points of redeployment for this round, unless the last one was one of redeployment (SS 7.33)."""
    if effect in points_now(ctx.state, play.side, play.row, "rd_points"):
        data: dict[str, Tree] = {"points": text(effect, "points"), "nations": [*texts(effect, "nations")]}
        ctx.emit("counts", "SS 7.33", play.by, "public", side=play.side, use="rd", event=play.name, **data)
    return None


def _rp_now(ctx: Ctx[State], play: Play, effect: Record) -> Done:
    """Points of replacement: the round counts as one for them, and may not follow one (SS 7.43, ruling A52)."""
    refused = play.order.text("take_rp") == "no" and text(effect, "optional") == "yes"
    if refused or bonus_barred(ctx.state, play.side):
        return None
    if effect not in points_now(ctx.state, play.side, play.row, "rp_now"):
        return None
    ctx.emit("counts", "SS 7.43", play.by, "public", side=play.side, use="rp", event=play.name)
    add_points(ctx, play.side, points_of(effect), "SS 7.43", play.by)
    return None


def points_of(effect: Record) -> dict[str, int]:
    """The half points of an effect, by pool."""
    value = effect.get("rp")
    if isinstance(value, dict):
        return {str(pool): half(str(points)) for pool, points in value.items()}
    return {text(row, "pool"): half(text(row, "points")) for row in rows({"rp": value}, "rp")}


def _show_hand(ctx: Ctx[State], play: Play, effect: Record) -> Done:
    """A side shows its hand, which is dealt anew afterwards (as SS 11.73, PROTOCOL 6)."""
    side, state = text(effect, "side"), ctx.state
    cards: list[Tree] = [*state.hands.get(side, [])]
    if cards:
        ctx.emit("cards-seen", RULE, play.by, "public", side=side, cards=cards, event=play.name)
    return None


# --- what the other side gives up ---------------------------------------------------------------------------------


def _remove(ctx: Ctx[State], play: Play, effect: Record) -> Done:
    return _give_up(ctx, play, effect)


def _give_up(ctx: Ctx[State], play: Play, effect: Record) -> Proc[None]:
    """Divisions or a battlegroup go; their owner has said which at one stop for all of them (SS faq.cards.23,
    faq.cards.25, pbem D8)."""
    if play.gone is None:
        yield from _choose(ctx, play, text(effect, "side", other(play.side)))
    able = play.able.pop(0)
    going = [uid for uid in play.gone or () if uid in able]
    for uid in going:
        _withdraw(ctx, play, effect, uid)
    move = effect.get("if_none")
    if not going and isinstance(move, dict):
        change = int(text(move, "vp"))
        why = f"{play.name}: no {text(effect, 'unit')} to give up"
        ctx.emit("vp", "SS faq.cards.25", play.by, to=str(ctx.state.vp + change), change=str(change), why=why)


def _choose(ctx: Ctx[State], play: Play, side: str) -> Proc[None]:
    effects = [e for e in rows(play.row, "effects") if text(e, "do") in ("remove_divisions", "remove_bg")]
    needs = [withdrawals.need_of(ctx.state, effect) for effect in effects]
    play.gone, play.able = withdrawals.default(needs), [need.able for need in needs]
    if not withdrawals.open_choice(needs):
        return
    before = ctx.on
    answer = yield from ctx.ask(withdrawals.ask(ctx.state, side, play.name, needs))
    play.gone = answer.value
    play.chosen = {"choice": answer.source, "clause": answer.clause}
    if answer.source != "forced":
        play.by = (*play.by, *answer.by)
    if ctx.on != before:
        _hear(ctx, answer.message, answer.value, needs)


def _hear(
    ctx: Ctx[State], message: Sequence[Order], units: Sequence[str], needs: Sequence[withdrawals.Need]
) -> None:
    """What the message of the stop says besides is void, and a choice that is unlawful too."""
    refuse_strays(ctx, message, (withdrawals.SECTION,), (ctx.on,))
    found = section(message, withdrawals.SECTION)
    named = tuple(order.text("unit") for order in (found.orders if found else ()) if order.type == withdrawals.ORDER)
    for order in found.orders if found else ():
        if order.type != withdrawals.ORDER:
            ctx.void(order, [misplaced(order, "only orders withdraw are asked for now")], (ctx.on,))
        elif tuple(units) != named:
            ctx.void(order, withdrawals.problems_of(needs, named), (ctx.on,))


def _withdraw(ctx: Ctx[State], play: Play, effect: Record, uid: str) -> None:
    """A unit leaves; a battlegroup takes a division's place where the card says so (SS faq.cards.26)."""
    state, at = ctx.state, ctx.state.pieces[uid].at
    instead = text(effect, "battlegroup_instead") == "yes" and at in state.world.spaces
    ctx.emit(
        "withdrawn", withdrawals.RULE, play.by, "public", unit=uid, to=withdrawals.end_of(effect), why=play.name,
        **{"from": at}, **play.chosen,
    )
    group = withdrawals.substitute(state, uid, play.gone or ()) if instead else ""
    if group:
        ctx.emit("substituted", "SS faq.cards.26", play.by, unit=group, at=at, division=uid)


def _remove_units(ctx: Ctx[State], play: Play, effect: Record) -> Done:
    """All units of a side in a space go for good (SS 10.321, faq.rules.36)."""
    end = withdrawals.end_of(effect)
    for uid in list(ctx.state.friends(text(effect, "where"), text(effect, "side"))):
        at = ctx.state.pieces[uid].at
        ctx.emit("withdrawn", "SS 10.321", play.by, unit=uid, to=end, why=play.name, **{"from": at})
    return None


# --- what others read ---------------------------------------------------------------------------------------------


def _lasts(_ctx: Ctx[State], _play: Play, _effect: Record) -> Done:
    """The event stands in the list of those played, where the rules read it."""
    return None


LASTING = (
    "activate", "flag", "open", "range", "full_supply", "source", "supply_port", "rd_ports", "rd_company",
    "rp_income", "rp_per_card", "rp_pool", "rp_ban", "lift_ban", "siege", "cancel", "t_cards", "victory", "no_markers",
    "confine", "hand_limit", "flank_auto", "drm", "end_drm", "stacking", "rommel_shift", "nothing",
)  # fmt: skip
"""Words of which nothing happens at once."""

DO: dict[str, Callable[[Ctx[State], Play, Record], Done]] = {
    **dict.fromkeys(LASTING, _lasts),
    "place": _place,
    "upgrade": _upgrade,
    "vp": _vp,
    "mandate": _mandate,
    "release": _release,
    "control": _control,
    "setup": _setup,
    "rd_points": _rd_points,
    "rp_now": _rp_now,
    "show_hand": _show_hand,
    "remove_divisions": _remove,
    "remove_bg": _remove,
    "remove_units": _remove_units,
}
"""One function for each word of the vocabulary. A test holds that the vocabulary of `pack check` is this one."""


def siege_active(state: State) -> bool:
    """Whether the siege of Malta keeps its convoys in port (SS 7.521)."""
    return any(True for _found in in_force(state, "siege"))
