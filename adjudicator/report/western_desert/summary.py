"""The message in short: what moved, what was attacked with which result, what it cost, what was won."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from adjudicator.engine.core import Event
from adjudicator.report.document import Block, line, para, strong
from adjudicator.report.western_desert.names import hex_words, people, side_word
from adjudicator.report.western_desert.scene import get, items, of_kind
from adjudicator.report.words import counted, figure, joined
from adjudicator.western_desert.state import State

SIDES = ("allied", "axis")
FINISHED = {"fort": "a fort", "fortress": "an improved fortress", "airfield": "an airfield"}
OUTCOMES = {
    "AE": ("destroys the attackers", "destroy the attackers"),
    "AH": ("costs the attackers half their strength", "cost the attackers half their strength"),
    "AR": ("is thrown back", "are thrown back"),
    "NE": ("settles nothing", "settle nothing"),
    "DR": ("drives the defenders out", "drive the defenders out"),
    "HX": ("ends in a half exchange", "end in half exchanges"),
    "EX": ("ends in an exchange", "end in exchanges"),
    "DH": ("halves the defence and drives it out", "halve the defence and drive it out"),
    "DE": ("wipes out the defence", "wipe out the defence"),
    "auto": ("meets no resistance", "meet no resistance"),
}


def summary_blocks(before: State, events: Sequence[Event]) -> list[Block]:
    """One paragraph in front of the story; none where nothing of the kind happened."""
    parts = [
        _moves(before, of_kind(events, "move")),
        _overruns(before, of_kind(events, "overrun")),
        _works(events),
        _flights(before, events),
        _attacks(before, of_kind(events, "result")),
        _called_off(before, events),
        _losses(before, events),
        _booty(events),
        _voids(events),
    ]
    told = [part for part in parts if part]
    return [para(line(strong("In short: "), f"{'; '.join(told)}."))] if told else []


def _moves(before: State, events: Sequence[Event]) -> str:
    counts = []
    for side in SIDES:
        units = {get(event, "unit") for event in events if before.world.units[get(event, "unit")].side == side}
        if units:
            counts.append(f"{counted(len(units), f'{side_word(side)} unit')} {'moves' if len(units) == 1 else 'move'}")
    return joined(counts)


def _works(events: Sequence[Event]) -> str:
    """``a fort and an airfield are finished; one work is begun``."""
    done = [FINISHED[get(event, "what")] for event in of_kind(events, "work-done")]
    begun, lost = len(of_kind(events, "work-begun")), len(of_kind(events, "work-lost"))
    parts = [f"{joined(done)} {'is' if len(done) == 1 else 'are'} finished"] if done else []
    parts += [f"{counted(begun, 'work')} {'is' if begun == 1 else 'are'} begun"] if begun else []
    parts += [f"{counted(lost, 'work')} {'is' if lost == 1 else 'are'} given up"] if lost else []
    return "; ".join(parts)


def _overruns(before: State, events: Sequence[Event]) -> str:
    places = joined([_target(before, event) for event in events])
    return f"{places} {'is' if len(events) == 1 else 'are'} overrun" if events else ""


def _flights(before: State, events: Sequence[Event]) -> str:
    """``six Allied air units fly; the bombs hit three times; the Axis loses two air units``."""
    parts = []
    flown = of_kind(events, "flight")
    for side in SIDES:
        units = {get(event, "air") for event in flown if get(event, "side") == side}
        if units:
            verb = "flies" if len(units) == 1 else "fly"
            parts.append(f"{counted(len(units), f'{side_word(side)} air unit')} {verb}")
    hits = sum(get(event, "result") == "H" for event in of_kind(events, "bombing"))
    parts += [f"{counted(hits, 'bombing attack')} {'hits' if hits == 1 else 'hit'}"] if hits else []
    return "; ".join([*parts, *(words for side in SIDES if (words := _air_losses(before, events, side)))])


def _air_losses(before: State, events: Sequence[Event], side: str) -> str:
    """``the Axis loses two air units, and one is inoperative``."""
    gone, hurt = set(), set()
    for event in events:
        aid = get(event, "air")
        if before.world.air.get(aid, {}).get("side") != side:
            continue
        shot = event.kind in ("air-hit", "air-bombed") and get(event, "fate") == "eliminated"
        if shot or event.kind == "air-lost" or (event.kind == "air-escape" and get(event, "result") == "eliminated"):
            gone.add(aid)
        if get(event, "state" if event.kind == "air-landed" else "fate") == "inoperative":
            hurt.add(aid)
    loses = "lose" if side == "allied" else "loses"
    parts = [f"{people(side)} {loses} {counted(len(gone), 'air unit')}"] if gone else []
    is_ = "is" if len(hurt) == 1 else "are"
    parts += [f"{counted(len(hurt), f'{side_word(side)} air unit')} {is_} inoperative"] if hurt else []
    return joined(parts)


def _attacks(before: State, results: Sequence[Event]) -> str:
    """``the attack on Sidi Barrani (19/0725) is thrown back (AR at 1:1)``; attacks with one result together."""
    last: dict[str, Event] = {get(event, "hex"): event for event in results}
    by_result: dict[str, list[Event]] = {}
    for event in last.values():
        by_result.setdefault(get(event, "result"), []).append(event)
    shown = [_outcome(before, result, found) for result, found in by_result.items()]
    if len(last) == 1:
        return f"the attack {shown[0].removeprefix('that ')}"
    return f"of {counted(len(last), 'attack')} {joined(shown)}" if last else ""


def _outcome(before: State, result: str, events: Sequence[Event]) -> str:
    """``those on A (4:1) and B (3:1) wipe out the defence (DE)``."""
    one, many = OUTCOMES.get(result, ("ends", "end"))
    code = "no die" if result == "auto" else result
    if len(events) == 1:
        return f"that on {_target(before, events[0])} {one} ({code}{_column(events[0])})"
    places = joined([f"{_target(before, event)}{_column(event)}" for event in events])
    return f"those on {places} {many} ({code})"


def _target(before: State, event: Event) -> str:
    return hex_words(before.board, before.board.find(get(event, "hex")))


def _column(event: Event) -> str:
    column = get(event, "column")
    return {"auto": "", "none": " below 1:3"}.get(column, f" at {column}")


def _called_off(before: State, events: Sequence[Event]) -> str:
    called = [set(items(event, "with")) for event in of_kind(events, "skipped")]
    flights = sum(bool(units & before.world.air.keys()) for units in called)
    attacks = sum(bool(units) for units in called) - flights
    parts = [
        f"{counted(number, what)} {'is' if number == 1 else 'are'} called off"
        for number, what in ((flights, "flight"), (attacks, "attack"))
        if number
    ]
    return "; ".join(parts)


def _losses(before: State, events: Sequence[Event]) -> str:
    parts = [part for side in SIDES if (part := _side_losses(before, events, side))]
    fought = bool(of_kind(events, "result"))
    return "; ".join(parts) if parts else ("nobody loses a unit" if fought else "")


def _side_losses(before: State, events: Sequence[Event], side: str) -> str:
    units = before.world.units
    gone = [u for event in of_kind(events, "eliminated") if units[u := get(event, "unit")].side == side]
    cut = [u for event in of_kind(events, "reduced") if units[u := get(event, "unit")].side == side and u not in gone]
    size = Fraction(sum(units[uid].re2 for uid in gone), 2)
    loses = "lose" if side == "allied" else "loses"
    parts = [f"{people(side)} {loses} {counted(len(gone), 'unit')} of {figure(size)} RE{'' if size <= 1 else 's'}"]
    cadres = f"{counted(len(cut), f'{side_word(side)} division')} {'is' if len(cut) == 1 else 'are'} reduced to cadre"
    return joined((parts if gone else []) + ([cadres] if cut else []))


def _booty(events: Sequence[Event]) -> str:
    parts = []
    for side in SIDES:
        steps = sum(int(get(e, "captured", "0")) for e in of_kind(events, "captured") if get(e, "side") == side)
        verb = "capture" if side == "allied" else "captures"
        if steps:
            parts.append(f"{people(side)} {verb} {counted(steps, 'supply step')}")
    return joined(parts)


def _voids(events: Sequence[Event]) -> str:
    count = len(of_kind(events, "void"))
    return f"{counted(count, 'order')} {'is' if count == 1 else 'are'} void" if count else ""
