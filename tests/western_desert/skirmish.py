"""Small positions and combat phases for the tests of combat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from adjudicator.engine.core import Answer, Ask, Ctx, Event, Order, Roll, Tree
from adjudicator.engine.dice import Assume, DiceSource, Local
from adjudicator.engine.driver import Checkpoint, Message, Run, Step, Waits, play
from adjudicator.western_desert import apply as changes
from adjudicator.western_desert import hexes
from adjudicator.western_desert.attack_check import attack_options
from adjudicator.western_desert.board import Board
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.drive import drive, settled
from adjudicator.western_desert.combat import combat_phase
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import State, Supply
from adjudicator.western_desert.units import Unit, with_back

ALLIED, AXIS = "allied", "axis"


def unit(uid: str, side: str, strength: int = 2, **more: Any) -> Unit:
    """A supported infantry brigade, or whatever the keywords make of it."""
    cadre = more.pop("cadre", "")
    data: dict[str, Any] = {
        "nat": "british" if side == ALLIED else "italian",
        "type": "infantry",
        "size": "division" if cadre else "brigade",
        "attack": Fraction(strength),
        "defense": Fraction(strength),
        "movement": 8,
        "name": uid,
        "short": uid,
        "re2": 6 if cadre else 2,
        **more,
    }
    return with_back(Unit(id=uid, side=side, **data), cadre)


def position(pieces: Mapping[str, Iterable[Unit]], board: Board | None = None, player: str = ALLIED) -> State:
    """Units by hex name on the small board around T, in the combat phase."""
    state = build.new_state(board or build.mini_board(), player, "combat", AXIS)
    for name, units in pieces.items():
        for one in units:
            build.put(state, one, state.board.find(name))
    return state


def orders(*rows: Mapping[str, object]) -> list[Order]:
    """Orders out of records with a ``type``."""
    found = []
    for index, row in enumerate(rows):
        data = {key: tree(value) for key, value in row.items() if key != "type"}
        found.append(Order(index, str(row["type"]), data))
    return found


def tree(value: object) -> Tree:
    """A value as text tree."""
    if isinstance(value, Mapping):
        return {str(key): tree(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [tree(item) for item in value]
    return str(value)


def fixed(*dice: int) -> DiceSource:
    """Dice in order, whatever they are rolled for."""
    left = list(dice)

    def source(seq: int, roll: Roll) -> tuple[int, ...]:
        return tuple(left.pop(0) for _ in range(roll.count))

    return source


def chance(seed: int) -> DiceSource:
    """Dice of a seed."""
    return Local(Random(seed).randrange)


def fight(
    state: State,
    section: Sequence[Order],
    dice: DiceSource | None = None,
    reply: Callable[[Ask[Any]], Answer[Any]] = settled,
    side: str = ALLIED,
) -> Ctx[State]:
    """Run a combat phase on the position itself."""
    ctx: Ctx[State] = Ctx(state, changes.apply)
    drive(combat_phase(ctx, side, section, (1,)), dice or Assume(), reply)
    return ctx


def told(ctx: Ctx[State], kind: str) -> list[Event]:
    """The events of a kind."""
    return [event for event in ctx.events if event.kind == kind]


class OnePhase:
    """A game of one combat phase, for the driver: standing orders and orders of both sides."""

    sides = (AXIS, ALLIED)

    def __init__(self, section: Sequence[Order]) -> None:
        self._section = section

    def apply(self, state: State, event: Event) -> None:
        changes.apply(state, event)

    def copy(self, state: State) -> State:
        return state.copy()

    def next_step(self, state: State) -> tuple[str, Step[State]] | Waits:
        if state.step == "done":
            return Waits("over")
        return "combat", self._step

    def _step(self, ctx: Ctx[State]) -> Any:
        yield from combat_phase(ctx, ctx.state.player, self._section, (5,))
        ctx.state.step = "done"


def play_phase(
    state: State, section: Sequence[Order], messages: Sequence[Message], dice: DiceSource, at: int = 5
) -> Run[State]:
    """Run the phase through the driver on the seed of message ``at``, whose orders are the section."""
    mine = Message(at, state.player, tuple(section))
    game = OnePhase(section)
    start = Checkpoint(state, at=at, since=at, answered=(at,))
    return play(game, start, [*messages, mine], dice)


def stock(state: State, counter: str, name: str, side: str = ALLIED, steps: int = 1) -> None:
    """A supply counter."""
    state.supply[counter] = Supply(state.board.find(name), side, steps)


# --- random positions -------------------------------------------------------------------------------------------


def random_unit(random: Random, uid: str, side: str) -> Unit:
    """Any kind of unit that matters to combat."""
    kind = random.choice(("brigade", "brigade", "division", "artillery", "hq", "battalion", "gun", "armor"))
    strength = random.choice((1, 2, 2, 3))
    if kind == "division":
        cadre = random.choice(("", "1", "2"))
        return unit(uid, side, random.choice((3, 4, 8)), size="division", re2=6, giver=True, cadre=cadre)
    if kind == "artillery":
        return unit(uid, side, strength, type="artillery", artillery=True, giver=True, aeca="neutral")
    if kind == "hq":
        return unit(uid, side, 0, type="headquarters", size="headquarters", giver=True)
    if kind == "gun":
        return unit(uid, side, 0, type="position_aa", size="none", re2=0, movement=0)
    if kind == "armor":
        return unit(uid, side, 4, type="armor", motorized=True, aeca="full", aecd="half", atec="half")
    size, re2 = ("battalion", 1) if kind == "battalion" else ("brigade", 2)
    return unit(uid, side, strength, size=size, re2=re2, supported=random.random() < 0.7)


def random_position(seed: int) -> State:
    """A crowded front with terrain, supply counters of both sides, and stacks within the limit."""
    random = Random(seed)
    board = build.mini_board(2)
    places = sorted(board.land)
    for h in places:
        terrain = random.choice(("clear", "clear", "clear", "rough", "sand", "mountain", "swamp"))
        features = random.choice(((), (), (), ("dot_city",), ("fortress",)))
        build.set_hex(board, h, terrain, features)
        for n in hexes.neighbours(h):
            if n in board.land and h < n and random.random() < 0.2:
                kind = random.choice(("river", "wadi", "impassable", "mountain", "escarpment_up", "sebkha"))
                build.set_side(board, h, n, kind)
    state = build.new_state(board, ALLIED, "combat", AXIS)
    number = 0
    for h in places:
        if random.random() < 0.45:
            continue
        side = random.choice((ALLIED, AXIS))
        for _ in range(random.choice((1, 1, 2, 2, 3, 4, 6))):
            one = random_unit(random, f"{side[:2]}-{number}", side)
            build.put(state, one, h)
            if not fits(state, h, side):
                state.take_off(one.id, "spare")
                del state.gone[one.id], state.world.units[one.id]
                continue
            state.pieces[one.id].gs = random.random() < 0.8
            number += 1
    _counters(random, state, places)
    return state


def _counters(random: Random, state: State, places: Sequence[int]) -> None:
    for number in range(4):
        side = random.choice((ALLIED, AXIS))
        h = random.choice([p for p in places if not state.enemy_in(p, side)] or list(places))
        if not state.enemy_in(h, side):
            state.supply[f"supply-{side}-{number}"] = Supply(h, side, random.choice((1, 2)))


def random_orders(seed: int, state: State) -> list[Order]:
    """Lawful looking attack orders from the listing of a position."""
    random = Random(seed)
    rows: list[Mapping[str, object]] = []
    used: set[str] = set()
    options = list(attack_options(state, ALLIED).items())
    random.shuffle(options)
    for h, units in options:
        free = [uid for uid in units if uid not in used]
        chosen = [uid for uid in free if random.random() < 0.7]
        if not any(state.unit(uid).attack > 0 for uid in chosen):
            continue
        used |= set(chosen)
        random.shuffle(chosen)
        row: dict[str, object] = {"type": "attack", "hex": state.board.name(h), "with": chosen}
        row["advance"] = random.choice(("all", []))
        own = sorted(sid for sid, c in state.supply.items() if c.side == ALLIED)
        if own and random.random() < 0.6:
            row["supply"] = [{"counter": random.choice(own), "steps": "1"}]
        rows.append(row)
    return orders(*rows)
