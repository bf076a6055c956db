"""The same game on the same dice, with and without an optional rule: games, rows of what it changes, differences."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from adjudicator.engine.core import Event, Roll
from adjudicator.engine.driver import Checkpoint, play
from adjudicator.engine.game import message_of
from adjudicator.match.games import game
from adjudicator.packs.load import load_pack
from adjudicator.western_desert.position import position
from adjudicator.western_desert.state import State
from tests.western_desert.turns import Turns

EXAMPLE = Path(__file__).resolve().parents[2] / "turnfiles/western-desert/compass-demo/log.jsonl"
OPEN = "..."
ABOUT = ("unit", "air", "item", "counter", "rp", "hex", "side", "line")


class Dice:
    """Dice that hang on the label of a roll and on nothing else; ``rolled`` keeps them."""

    def __init__(self, chance: object) -> None:
        self.chance = chance
        self.rolled: dict[str, tuple[int, ...]] = {}

    def __call__(self, seq: int, roll: Roll) -> tuple[int, ...]:
        digest = hashlib.sha256(f"{self.chance}/{seq}/{roll.label}".encode()).digest()
        values = tuple(digest[n] % roll.faces + 1 for n in range(roll.count))
        self.rolled[f"{seq}/{roll.label}"] = values
        return values


class Game(Turns):
    """Player turns of a game with one optional rule, or with none; keeps all events and dice."""

    def __init__(self, turn: str = "Mar I 41", player: str = "allied", options: str = "", chance: object = 0) -> None:
        super().__init__(turn, player, options)
        self.chance = chance
        self.story: list[Event] = []
        self.rolled: dict[str, tuple[int, ...]] = {}

    def go(self, *rows: Mapping[str, Any], moves: Sequence[Mapping[str, Any]] = ()) -> list[Event]:
        """The player turn of who is phasing."""
        dice = Dice(f"{self.chance}/{self.state.turn}/{self.state.player}")
        turn = self.state.turn
        events = self.play(*rows, moves=moves, dice=dice)
        self.story += [event._replace(on=turn) for event in events]
        self.rolled |= {f"{dice.chance}/{label}": values for label, values in dice.rolled.items()}
        return events


class Campaign(Game):
    """A game with the order of battle: the set-up of the campaign, at a later turn; who has come by then is not there,
    unless the test places him."""

    def __init__(self, turn: str, player: str, options: str = "", chance: object = 0) -> None:
        super().__init__(turn, player, options, chance)
        moment = self.state.turn
        self.state = _set_up(options).copy()
        self.state.turn, self.state.player, self.state.surprise = moment, player, False
        self.state.phase = self.state.step = "initial"


@cache
def _set_up(options: str) -> State:
    rules = game("western-desert").table(load_pack("western-desert").tree, "campaign", _switches(options))
    state: State = play(rules, Checkpoint(rules.start()), [], Dice("set-up")).state
    return state


def _switches(options: str) -> dict[str, str]:
    return {"options": options} if options else {}


@dataclass(frozen=True)
class Row:
    """What an optional rule changes. ``play`` plays a game with the options it is given.

    ``events``: ``+ KIND FIELD=VALUE, ..`` is told with the rule only, ``- ..`` without it only, ``KIND FIELD: OLD ->
    NEW`` in both, with another value. ``after``: ``PLACE: OLD -> NEW`` in the position. A line may end in ``...``: the
    rest of it is of no interest. ``example`` are the same lines, events and position, for the bundled example.
    """

    option: str
    play: Callable[[str], Game]
    events: Sequence[str]
    after: Sequence[str]
    example: Sequence[str]


ROWS: dict[str, Row] = {}


def option(
    name: str, events: Sequence[str], after: Sequence[str] = (), example: Sequence[str] = ()
) -> Callable[[Callable[[str], Game]], Callable[[str], Game]]:
    """Make a row of the game that a function plays."""

    def keep(function: Callable[[str], Game]) -> Callable[[str], Game]:
        assert name not in ROWS, f"{name} has a row already"
        ROWS[name] = Row(name, function, events, after, example)
        return function

    return keep


# --- what differs ------------------------------------------------------------------------------------------------


def differing(before: Sequence[Event], after: Sequence[Event]) -> list[str]:
    """Lines of the events of one game that the other has not; two of the same kind about the same thing are told as one
    that has changed."""
    lost, gained = _left(before, after), _left(after, before)
    found = []
    for event in list(lost):
        twin = next((other for other in gained if _about(other) == _about(event)), None)
        if twin is not None:
            lost.remove(event)
            gained.remove(twin)
            old, new = ({**flat(dict(one.data)), "rule": one.rule, "when": str(one.on)} for one in (event, twin))
            found += [f"{event.kind} {line}" for line in changes(old, new)]
    return [*found, *(f"- {_said(event)}" for event in lost), *(f"+ {_said(event)}" for event in gained)]


def _left(events: Sequence[Event], others: Sequence[Event]) -> list[Event]:
    spare = Counter(map(_whole, others))
    found = []
    for event in events:
        if spare[_whole(event)]:
            spare[_whole(event)] -= 1
        else:
            found.append(event)
    return found


def _about(event: Event) -> tuple[str, str]:
    """What an event is about, as far as its first telling field says it."""
    return event.kind, next((str(event.data[key]) for key in ABOUT if event.data.get(key)), "")


def _whole(event: Event) -> str:
    return f"{event.on} {event.rule} {_said(event)}"


def _said(event: Event) -> str:
    fields = flat(dict(event.data))
    return f"{event.kind} " + ", ".join(f"{name}={fields[name]}" for name in sorted(fields))


def changes(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """Lines of the places whose text differs; a place that one has not is empty there."""
    places = sorted(place for place in {*old, *new} if old.get(place, "") != new.get(place, ""))
    return [f"{place}: {old.get(place, '')} -> {new.get(place, '')}" for place in places]


def flat(tree: object, place: str = "") -> dict[str, str]:
    """Texts of a tree by place; rows of a list by what names them, else by their number."""
    if isinstance(tree, dict):
        return {key: text for name, value in tree.items() for key, text in flat(value, f"{place}/{name}").items()}
    if isinstance(tree, list):
        named = [_name(item, number) for number, item in enumerate(tree)]
        return {key: text for name, item in zip(named, tree, strict=True) for key, text in _rest(item, place, name)}
    return {place.removeprefix("/"): str(tree)}


def _name(item: object, number: int) -> str:
    if isinstance(item, dict):
        return next((str(item[key]) for key in ("id", "name", "hex", "key") if key in item), str(number))
    return str(item)


def _rest(item: object, place: str, name: str) -> Iterator[tuple[str, str]]:
    rest = {key: value for key, value in item.items() if value != name} if isinstance(item, dict) else ""
    yield from (flat(rest, f"{place}/{name}") if rest else {f"{place}/{name}".removeprefix("/"): "there"}).items()


def told(found: Sequence[str], wanted: Sequence[str]) -> None:
    """The lines found are those that are wanted, each once, in any order."""
    left = list(found)
    missing = []
    for line in wanted:
        fits = line.removesuffix(OPEN)
        match = next((other for other in left if other == line or (line.endswith(OPEN) and other.startswith(fits))), "")
        if match:
            left.remove(match)
        else:
            missing.append(line)
    assert not left and not missing, "\n".join(["not expected:", *left, "expected, and not there:", *missing])


# --- the bundled example -----------------------------------------------------------------------------------------


@cache
def example(options: str) -> tuple[list[Event], dict[str, str], dict[str, tuple[int, ...]]]:
    """The orders of the bundled example under some options: events, position, dice."""
    rules = game("western-desert").table(load_pack("western-desert").tree, "compass", _switches(options))
    bodies = [json.loads(line)["body"] for line in EXAMPLE.read_text("utf-8").splitlines()]
    messages = [message_of(int(body["seq"]), body["side"], body["orders"]) for body in bodies[1:]]
    dice = Dice("example")
    run = play(rules, Checkpoint(rules.start()), messages, dice)
    return list(run.events), flat(position(run.state)), dice.rolled
