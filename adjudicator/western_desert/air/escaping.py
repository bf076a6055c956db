"""Air units that try to escape from a base which an enemy ground unit enters, and what is lost with a base (WD 17.B;
pbem M1).

Each operative air unit there is asked; then the status of the hex is checked, and who is still at a base of the enemy
is lost with it. A zone of control may give the enemy the hex before a unit enters (WD 3.G, 17.C): the air units have
the same chance to escape then. A glider can't fly by itself and does not try (WD 24.C).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudicator.engine.core import Ask, Ctx, Order, Problem, Proc, Roll, Tree, texts_of
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.airbase import ESCAPE_RULE, ESCAPED, FLY_RULE, LOST_RULE, escape, havens, may_try
from adjudicator.western_desert.air.book import towed
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.air.facts import bases_from
from adjudicator.western_desert.air.landing import Base
from adjudicator.western_desert.air.orders import ESCAPES
from adjudicator.western_desert.air.places import for_air, over
from adjudicator.western_desert.asking import asked
from adjudicator.western_desert.bases import base_capacity
from adjudicator.western_desert.choices import answer_to, told
from adjudicator.western_desert.standing import clauses, hex_in
from adjudicator.western_desert.state import ENEMY, State

STAY = -1
"""The choice of an air unit that does not try."""
STAYS, REMAINS, BASE_LOST = "stay", "remains", "base_lost"
UNSAFE = 3  # pbem M1: the base it flies to lies beyond 3 hexes of enemy units


def grounded_at(state: State, h: int) -> list[str]:
    """The air units at the base of a hex that are not flying, in order of id (WD 17). Who is in the air lands elsewhere
    when his base falls (ruling DS-BASE)."""
    there = [aid for aid, unit in state.air.items() if unit.hex == h and unit.sortie is None]
    flying = towed(state) if there else {}
    return sorted(aid for aid in there if aid not in flying)


def invaded(ctx: Ctx[State], uid: str, h: int, by: Iterable[int] = ()) -> Proc[None]:
    """A ground unit has entered a hex: the enemy's air units at the base there try to escape, whoever holds the hex
    after that (WD 17.B). Then all bases that have fallen are seen to."""
    state, seqs = ctx.state, tuple(by)
    unit = state.world.units[uid]
    if not unit.counter:
        yield from _escapes(ctx, h, ENEMY.get(unit.side, ""), seqs)
    yield from bases_fall(ctx, seqs)


def bases_fall(ctx: Ctx[State], by: Iterable[int] = ()) -> Proc[None]:
    """The air units at bases that the enemy controls now try to escape if they have not; those still there are lost (WD
    17.B.capture, 17.C)."""
    state, seqs = ctx.state, tuple(by)
    fallen = {unit.hex for aid, unit in state.air.items() if state.owner(unit.hex) != craft_of(state.world, aid).side}
    for h in sorted(fallen):
        if not _entered_before(state, h):
            yield from _escapes(ctx, h, ENEMY.get(state.owner(h), ""), seqs)
        for aid in grounded_at(state, h):
            side = craft_of(state.world, aid).side
            if state.owner(h) == ENEMY.get(side):
                ctx.emit("air-lost", LOST_RULE, seqs, air=aid, hex=state.board.name(h), side=side, why=BASE_LOST)


def _entered_before(state: State, h: int) -> bool:
    """Whether who holds the hex now came from the air, in an earlier phase: escapes were tried then (WD 17.B)."""
    here = state.friends_at(h, state.owner(h))
    return state.phase != "air" and any(state.pieces[uid].dropped for uid in here)


def _escapes(ctx: Ctx[State], h: int, side: str, by: tuple[int, ...]) -> Proc[None]:
    """Each air unit of the side at the base tries once in a player turn, however often it is entered: who remains is
    lost as soon as the enemy gains control (WD 17.B, 17.B.capture)."""
    state = ctx.state
    for aid in grounded_at(state, h):
        if craft_of(state.world, aid).side == side and not state.air[aid].stayed:
            yield from _try(ctx, aid, f"escape/{state.board.label(h)}/{aid}", by)


def _try(ctx: Ctx[State], aid: str, label: str, by: tuple[int, ...]) -> Proc[None]:
    """One air unit: its owner's choice, the die, where it comes to."""
    state, unit, craft = ctx.state, ctx.state.air[aid], craft_of(ctx.state.world, aid)
    if craft.glider or not may_try(unit.operative):
        return
    places = places_for(state, aid)
    answer = yield from asked(ctx, escape_ask(state, aid, places))
    data: dict[str, Tree] = {"air": aid, "hex": state.board.name(unit.hex), "side": craft.side}
    result, to, rule = REMAINS, "", ESCAPE_RULE
    if answer.value != STAY:
        (die,) = yield from ctx.roll(Roll(label, "escape", assume=(1,), who=craft.side))
        there = Base(state.board.name(answer.value), hexes.distance(unit.hex, answer.value))
        result, to = escape(state.world, craft, die, [there])
        rule = FLY_RULE if result == ESCAPED else ESCAPE_RULE
        data |= {"die": str(die), "label": label}
    ctx.emit("air-escape", rule, (*by, *answer.by), "public", **data, result=result, to=to, **told(answer))


# --- the choice -------------------------------------------------------------------------------------------------


def places_for(state: State, aid: str) -> list[int]:
    """The bases in range of an escape, the safe ones first, of these the nearest, of equal ones the larger (WD
    17.B.fly, pbem M1)."""
    craft, at, find = craft_of(state.world, aid), state.air[aid].hex, state.board.find
    near = havens(craft, [base for base in bases_from(state, craft.side, at) if base.distance])
    enemies = {state.hex_of(uid) for uid in state.side_units(ENEMY[craft.side])}

    def liking(base: Base) -> tuple[bool, int, int, str]:
        h = find(base.id)
        unsafe = any(hexes.distance(h, enemy) <= UNSAFE for enemy in enemies)
        return unsafe, base.distance, -base_capacity(state, h), base.id

    return [find(base.id) for base in sorted(near, key=liking)]


def escape_ask(state: State, aid: str, places: Sequence[int]) -> Ask[int]:
    """Whether an air unit tries to escape, and where to (WD 17.B, default pbem M1): a base, or :data:`STAY`.

    Without a base in range nobody tries: the die could only eliminate it (WD 17.B.fly).
    """
    craft, at = craft_of(state.world, aid), state.air[aid].hex
    key = f"escape/{state.board.label(at)}/{aid}"
    usual = places[0] if places else STAY
    return Ask(
        key=key,
        side=craft.side,
        rule=ESCAPE_RULE,
        topic=ESCAPES,
        find=lambda orders: _answered(state, key, usual, orders),
        problems=lambda h: _problems(state, aid, places, h),
        atoms=lambda: [*places, STAY],
        default=lambda: usual,
        clause=lambda rules: by_clauses(state, aid, places, rules),
        askable=True,
    )


def _answered(state: State, key: str, usual: int, orders: Sequence[Order]) -> int | None:
    """An answer names the base under ``path``; ``use`` says whether it tries at all."""
    answer = answer_to(orders, key)
    if answer is None:
        return None
    if answer.text("use") == "no":
        return STAY
    path = answer.texts("path")
    return hex_in(state, path[0]) if path else usual


def _problems(state: State, aid: str, places: Sequence[int], h: int) -> list[Problem]:
    if h == STAY or h in places:
        return []
    craft = craft_of(state.world, aid)
    name = craft.name or aid
    text = f"{state.board.name(h)} is no base of yours that {name} reaches when it escapes"
    around = ", ".join(state.board.name(place) for place in places) or "nothing: it stays"
    return [Problem("haven", FLY_RULE, text, f"choose from {around}", field="path")]


def by_clauses(state: State, aid: str, places: Sequence[int], rules: Tree) -> tuple[int, str] | None:
    """The first clause about the air unit and its base: stay, or try and fly to the first base that it names and that
    is in range, else to the nearest that is safe (pbem M1)."""
    for n, clause in clauses(rules):
        if not (for_air(clause, aid) and over(state, clause, state.air[aid].hex, "base")):
            continue
        if clause.get("do") == STAYS or not places:
            return STAY, f"escape clause {n}"
        named = [hex_in(state, text) for text in texts_of(clause.get("to"))]
        return next((h for h in named if h is not None and h in places), places[0]), f"escape clause {n}"
    return None
