"""The message in short: the card, who moved, who was attacked with which outcome, what it cost, what was won."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Event
from adjudicator.report.document import Block, line, para, strong
from adjudicator.report.fields import get, items, of_kind
from adjudicator.report.shifting_sands.names import SIDES, people, unit_count, verb
from adjudicator.report.words import counted, joined, signed
from adjudicator.shifting_sands.state import State, other
from adjudicator.shifting_sands.words import card_name, points


def summary_blocks(before: State, events: Sequence[Event]) -> list[Block]:
    """One paragraph in front of the story; none where nothing of the kind happened."""
    parts = [
        _action(before, events),
        _moves(before, of_kind(events, "move")),
        _combats(before, events),
        _losses(before, events),
        _ground(events),
        _points(before, of_kind(events, "vp")),
        _voids(events),
    ]
    told = [part for part in parts if part]
    return [para(line(strong("In short: "), f"{'; '.join(told)}."))] if told else []


def _action(before: State, events: Sequence[Event]) -> str:
    found = of_kind(events, "action")
    if not found:
        return ""
    side, card, ops = (get(found[0], key) for key in ("side", "card", "ops"))
    spent = sum(int(get(event, "cost")) for event in of_kind(events, "marker"))
    named = card_name(before, get(found[0], "name") or card, side)
    means = f"plays {named}" if card else "takes the automatic operation"
    means = means if side != "allied" else means.replace("plays", "play").replace("takes", "take")
    return f"{people(side)} {means} and {verb(side, 'spends')} {spent} of {points(int(ops or '0'))}"


def _moves(before: State, events: Sequence[Event]) -> str:
    units = sorted({get(event, "unit") for event in events})
    return f"{unit_count(before, units)} {'moves' if len(units) == 1 else 'move'}" if units else ""


def _combats(before: State, events: Sequence[Event]) -> str:
    """Combats that were decided, and the one that waits for an answer."""
    parts = [_decided(before, event, events) for event in of_kind(events, "winner")]
    over = {get(event, "target") for event in of_kind(events, "winner")}
    parts += [f"{get(e, 'target')} is attacked" for e in of_kind(events, "designate") if get(e, "target") not in over]
    return "; ".join(parts)


def _decided(before: State, event: Event, events: Sequence[Event]) -> str:
    """``at Halfaya the Axis wins by 3 to 1``."""
    number, target, winner = get(event, "combat"), get(event, "target"), get(event, "winner")
    shots = [e for e in of_kind(events, "fire") if get(e, "combat") == number]
    found = _fired_before(before, number) | {get(e, "role"): int(get(e, "number")) for e in shots}
    mine, theirs = found.get("attacker", 0), found.get("defender", 0)
    if not winner:
        return f"at {target} nobody wins, {mine} all"
    attacker = _attacker(before, events, number)
    side = attacker if winner == "attacker" else other(attacker)
    how = " and overruns the defence" if get(event, "overrun") == "yes" else ""
    how = how.replace("overruns", "overrun") if side == "allied" else how
    return f"at {target} {people(side)} {verb(side, 'wins')} by {max(mine, theirs)} to {min(mine, theirs)}{how}"


def _fired_before(before: State, number: str) -> dict[str, int]:
    """The loss numbers of a combat that an earlier message has told."""
    fight = before.fight
    return dict(fight.inflicted) if fight is not None and str(fight.combat.number) == number else {}


def _attacker(before: State, events: Sequence[Event], number: str) -> str:
    for event in of_kind(events, "designate"):
        if get(event, "number") == number:
            return get(event, "side")
    return before.fight.combat.attacker if before.fight is not None else before.active


def _losses(before: State, events: Sequence[Event]) -> str:
    parts = [part for side in SIDES if (part := _side_losses(before, events, side))]
    fought = bool(of_kind(events, "winner"))
    return "; ".join(parts) if parts else ("nobody loses a step" if fought else "")


def _side_losses(before: State, events: Sequence[Event], side: str) -> str:
    world = before.world
    gone = {u for e in of_kind(events, "eliminated") if world.counters[u := get(e, "unit")].side == side}
    cut = {u for e in of_kind(events, "reduced") if world.counters[u := get(e, "unit")].side == side} - gone
    parts = [f"{people(side)} {verb(side, 'loses', 'lose')} {unit_count(before, sorted(gone))}"] if gone else []
    if cut:
        parts.append(f"{unit_count(before, sorted(cut))} of {people(side)} {'is' if len(cut) == 1 else 'are'} reduced")
    return joined(parts)


def _ground(events: Sequence[Event]) -> str:
    parts = []
    for side in SIDES:
        names = [
            n for event in of_kind(events, "control") if get(event, "side") == side for n in items(event, "spaces")
        ]
        if names:
            shown = joined(names) if len(names) <= 3 else counted(len(names), "space")
            parts.append(f"{people(side)} {verb(side, 'gains')} {shown}")
    return "; ".join(parts)


def _points(before: State, events: Sequence[Event]) -> str:
    if not events:
        return ""
    now = int(get(events[-1], "to"))
    return f"victory points {before.vp} {signed(now - before.vp)} = {now}"


def _voids(events: Sequence[Event]) -> str:
    count = len(of_kind(events, "void"))
    return f"{counted(count, 'order')} {'is' if count == 1 else 'are'} void" if count else ""
