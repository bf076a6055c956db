"""The sequence of play (WD 4.A) as steps of the driver, with the surprise turn (WD 28.B.3).

A player turn is a stop of its owner: its first message holds the orders of the initial phase and, in sections, of the
phases after it. A section that is there is on file, one that is absent is a stop (DESIGN, Turn file).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Proc
from adjudicator.engine.driver import Step, Waits
from adjudicator.engine.sections import Section, section, sections
from adjudicator.western_desert.air.carrying_out import carry_out_missions
from adjudicator.western_desert.air.dogfight import air_combats
from adjudicator.western_desert.air.flying import air_movement, may_fly
from adjudicator.western_desert.air.homecoming import fly_home, land_support
from adjudicator.western_desert.air.reacting import REACTION, react
from adjudicator.western_desert.apply import DROP_OVER
from adjudicator.western_desert.combat import combat_phase
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.deploying import RULE as DEPLOY_RULE
from adjudicator.western_desert.deploying import deploy
from adjudicator.western_desert.eligible import may_exploit
from adjudicator.western_desert.gate import sound
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.orderbook import last_turn, missing
from adjudicator.western_desert.orders import TYPES, belongs
from adjudicator.western_desert.remarks import idle_answers
from adjudicator.western_desert.running import acting, bound, hang, to_run
from adjudicator.western_desert.sequence import PHASES, RULES, PlayerTurn
from adjudicator.western_desert.setup import (
    DEPLOY,
    DEPLOYERS,
    disarray_of,
    open_deployment,
    open_game,
    setup_step,
    start_control,
)
from adjudicator.western_desert.sites import settle_sites
from adjudicator.western_desert.state import ENEMY, State, turn_name
from adjudicator.western_desert.theatre.assault import ready
from adjudicator.western_desert.theatre.displaying import SHOWN, seal_lists, show_by_orders, show_due
from adjudicator.western_desert.theatre.operation import announce, count_losses, seal_plans, stand_down
from adjudicator.western_desert.theatre.plans import CARRY_OUT
from adjudicator.western_desert.victory.running import open_period, reckon, turn_over

FIRST_ORDERS = 3
KNOWN_SECTIONS = ("movement", "air", "combat", "exploitation")
EXPLOITATION = "exploitation"
SECTION = "section"
VICTORY = "victory"
SAY_NONE, SAY_ASK = "none", "ask"
Orders = tuple[Order, ...]


def next_step(state: State) -> tuple[str, Step[State]] | Waits:
    """The step at which the cursor stands; what this version does not play yet says so."""
    steps: dict[str, Step[State]] = {
        "setup": setup_step,
        DEPLOY: deploy_step,
        "initial": initial_step,
        "movement": movement_step,
        "air": air_step,
        REACTION: reaction_step,
        "combat": combat_step,
        "exploitation": exploitation_step,
    }
    if state.level and state.step == VICTORY:
        return Waits("over")
    body = steps.get(state.step)
    if body is None or (state.step == "initial" and missing(state)):
        return Waits("unbuilt", state.player, state.step)
    return state.step, body


def orders_ask(
    name: str, side: str, rule: str, find: Callable[[Sequence[Order]], Orders | None], stop: bool = True, **more: Any
) -> Ask[Orders]:
    """The orders of a phase, asked with the same verb as every other choice; never settled by standing orders."""
    return Ask(
        key=f"orders/{name}",
        side=side,
        rule=rule,
        topic="orders",
        find=find,
        problems=lambda _orders: [],
        atoms=lambda: (),
        default=lambda: (),
        stop=stop,
        forced=False,
        **more,
    )


def _phase_orders(name: str) -> Callable[[Sequence[Order]], Orders | None]:
    def find(orders: Sequence[Order]) -> Orders | None:
        found = section(orders, name)
        if found is None or _says(found) == SAY_ASK:
            return None
        return () if _says(found) == SAY_NONE else found.orders

    return find


def _says(found: Section) -> str:
    """What the head of a section says of it: ``none``, ``ask`` or nothing (PROTOCOL 9.1)."""
    return found.head.text("say") if found.head is not None and found.name == EXPLOITATION else ""


def deploy_step(ctx: Ctx[State]) -> Proc[None]:
    """A player sets up (WD 30); the Axis player rolls for Italian disarray behind it (WD 28.A.3)."""
    state = ctx.state
    ask = orders_ask(DEPLOY, state.player, DEPLOY_RULE, tuple, fresh=True, earliest=FIRST_ORDERS)
    answer: Answer[Orders] = yield from ctx.ask(ask)
    told = [order for order in answer.value if order.type != SECTION]
    deploy(ctx, state.player, to_run(ctx, told, answer.by), answer.by)
    if state.player == DEPLOYERS[0]:
        start_control(ctx, state.world.scenario)
        yield from disarray_of(ctx)
        open_deployment(ctx, DEPLOYERS[1])
    else:
        open_game(ctx)


def initial_step(ctx: Ctx[State]) -> Proc[None]:
    """Initial phase: supply of both sides (WD 4.A.1). Opens the player turn, so nothing said before is on file."""
    state = ctx.state
    ask = orders_ask("initial", state.player, "WD 4.A.1", tuple, fresh=True, earliest=FIRST_ORDERS)
    answer: Answer[Orders] = yield from ctx.ask(ask)
    everything = answer.value
    _refuse_strays(ctx, everything, _sections(state, "movement"), answer.by)
    carried_out = sound(ctx, [order for order in everything if order.type == CARRY_OUT], answer.by)
    announce(ctx, state.player, carried_out, answer.proofs, answer.by)
    seal_plans(ctx, state.player, answer.by)
    shown = sound(ctx, [order for order in everything if order.type == SHOWN], answer.by)
    show_by_orders(ctx, state.player, shown, answer.proofs, answer.by)
    seal_lists(ctx, state.player, answer.by)
    opening = section(everything, "")
    own = to_run(ctx, opening.orders if opening else (), answer.by)
    yield from initial_phase(ctx, state.player, own, answer.by)
    _go_on(ctx)


def movement_step(ctx: Ctx[State]) -> Proc[None]:
    """Movement phase (WD 4.A.2)."""
    yield from moving(ctx, "movement")
    _go_on(ctx)


def moving(ctx: Ctx[State], name: str, stop: bool = True) -> Proc[None]:
    """Ask for the orders of a movement or exploitation phase and carry them out."""
    answer = yield from _phase(ctx, name, RULES[name], stop)
    yield from movement_phase(ctx, ctx.state.player, to_run(ctx, answer.value, answer.by), answer.by)


def air_step(ctx: Ctx[State]) -> Proc[None]:
    """Air movement step of the air phase (WD 4.A.3, 16.C.1). Nobody is waited for where no air unit may fly."""
    state = ctx.state
    yield from land_support(ctx, state.player)
    answer = yield from _phase(ctx, "air", RULES["air"], may_fly(state, state.player))
    yield from air_movement(ctx, state.player, to_run(ctx, answer.value, answer.by), answer.by)
    ctx.emit("air-step", "WD 16.C.2", answer.by, step=REACTION)


def reaction_step(ctx: Ctx[State]) -> Proc[None]:
    """The other player's reaction, and all that follows from it: the other steps of the air phase (WD 16.C.2 to 6)."""
    yield from react(ctx, ENEMY[ctx.state.player])
    yield from air_combats(ctx)
    yield from carry_out_missions(ctx)
    yield from fly_home(ctx)
    _go_on(ctx)


def combat_step(ctx: Ctx[State]) -> Proc[None]:
    """Combat phase (WD 4.A.4). After it the surprise turn is over; the regular one goes on to exploitation."""
    answer = yield from _phase(ctx, "combat", RULES["combat"])
    for order, problem in idle_answers(ctx.state, answer.value) if ctx.remarks is not None else ():
        ctx.remark(order, partial(list, (problem,)), answer.by)
    yield from combat_phase(ctx, ctx.state.player, to_run(ctx, answer.value, answer.by), answer.by)
    if ctx.state.surprise:
        yield from show_due(ctx)
    _go_on(ctx)


def exploitation_step(ctx: Ctx[State]) -> Proc[None]:
    """Exploitation phase (WD 4.A.5), the last of the player turn. Nobody is waited for where no unit may move in it."""
    state = ctx.state
    able = any(may_exploit(state, state.player, uid) for uid in state.side_units(state.player)) or bool(ready(state))
    yield from moving(ctx, EXPLOITATION, stop=able)
    yield from show_due(ctx)
    _go_on(ctx)


def player_turn(state: State) -> PlayerTurn:
    """The player turn at which the cursor stands."""
    return PlayerTurn(state.turn, state.player, state.surprise)


def _go_on(ctx: Ctx[State]) -> None:
    """Open the next phase of the player turn, else the next player turn (WD 4, 4.A)."""
    state = ctx.state
    settle_sites(ctx)
    count_losses(ctx)
    now = player_turn(state)
    phase = now.after(state.phase)
    if state.level:
        _open(ctx, VICTORY, "WD 31.B", surprise="")
    elif phase:
        _open(ctx, phase, RULES[phase])
    elif now.surprise:
        _open(ctx, PHASES[0], "WD 28.B.3", surprise="")
    else:
        _next_player(ctx, now.next())


def _next_player(ctx: Ctx[State], following: PlayerTurn) -> None:
    """The next player turn (WD 4, 4.B), to the last turn of the scenario (WD 31.A). What the next initial phase needs
    and this version does not play is named at once."""
    state = ctx.state
    stand_down(ctx)
    turn, player, before = following.turn, following.player, state.turn
    turn_over(ctx, last=turn > before)
    if state.level or turn > last_turn(state):
        _open(ctx, VICTORY, "WD 31", surprise="")
        if not state.level:
            reckon(ctx)
        return
    dropped = sorted(piece.hex for piece in state.pieces.values() if piece.dropped)
    ctx.emit("phase", "WD 4.B", turn=turn_name(turn), player=player, phase="initial", surprise="")
    if turn > before:
        open_period(ctx)
    settle(ctx, dropped, DROP_OVER)
    why = missing(state)
    if state.level:
        _open(ctx, VICTORY, "WD 31.B", surprise="")
    elif why:
        ctx.emit("unbuilt", "WD 29", what="initial", why=why)


def _sections(state: State, first: str) -> tuple[str, ...]:
    """The sections that may still come, from a phase on; the surprise turn has no exploitation (WD 28.B.3)."""
    found = KNOWN_SECTIONS[KNOWN_SECTIONS.index(first) :]
    return tuple(name for name in found if name != EXPLOITATION) if state.surprise else found


def _phase(ctx: Ctx[State], name: str, rule: str, stop: bool = True) -> Proc[Answer[Orders]]:
    """Ask for the orders of a phase; where a new message brought them, its other sections come too late."""
    ask = orders_ask(name, ctx.state.player, rule, _phase_orders(name), stop)
    answer: Answer[Orders] = yield from ctx.ask(ask)
    if answer.message:
        _refuse_late(ctx, name, answer.message)
    for seq, orders in answer.later:
        bound(ctx, name, orders, answer.by, seq)
    if not answer.message:
        hang(ctx, answer.value, answer.by)
    return answer


def _refuse_late(ctx: Ctx[State], name: str, message: Orders) -> None:
    """A stop's answer may hold the section asked for and those after it; anything else comes too late."""
    _refuse_strays(ctx, message, _sections(ctx.state, name), (ctx.on,))
    asked = section(message, name)
    if asked is not None and asked.head is not None and _says(asked) == SAY_ASK:
        text = f"say: ask in the section {name}: it has been asked for, and this message is the answer"
        problem = Problem("asked", "PROTOCOL 5", text, "give orders, or say: none", field="say")
        ctx.void(asked.head, [problem], (ctx.on,))
    opening = section(message, "")
    for order in acting(opening.orders if opening else ()):
        ctx.void(order, [_before_sections(order)], (ctx.on,))
    for order in (order for order in message if order.type in (CARRY_OUT, SHOWN)):
        ctx.void(order, [_too_late(order, "the initial phase")], (ctx.on,))


def _open(ctx: Ctx[State], phase: str, rule: str, surprise: str | None = None) -> None:
    state = ctx.state
    settle_sites(ctx)
    was = "yes" if state.surprise else ""
    ctx.emit(
        "phase",
        rule,
        turn=turn_name(state.turn),
        player=state.player,
        phase=phase,
        surprise=was if surprise is None else surprise,
    )


def _refuse_strays(ctx: Ctx[State], orders: Sequence[Order], allowed: Sequence[str], by: Sequence[int]) -> None:
    """Sections of phases that are not built, over, unknown or there already: each of their orders is void, by name."""
    seen: set[str] = set()
    for found in sections(orders):
        head = (found.head,) if found.head else ()
        told = acting(found.orders)
        if found.name in seen:
            for order in told or head:
                ctx.void(order, [_twice(found, order)], by)
        elif found.name and found.name not in allowed:
            for order in told or (head if found.name not in KNOWN_SECTIONS else ()):
                ctx.void(order, [_stray(ctx.state, found, order)], by)
        elif found.head is not None and "say" in found.head.data:
            for order in told or (head if found.name != EXPLOITATION else ()):
                ctx.void(order, [_said(found)], by)
        seen.add(found.name)


def _twice(found: Section, order: Order) -> Problem:
    text = f"{order.type} stands in a second section {found.name}; one holds all orders of its phase"
    return Problem("section", "WD 4.A", text, "put its orders into the first one")


def _said(found: Section) -> Problem:
    """``say`` stands in the place of orders, and only where a phase may be left out or put off (PROTOCOL 9.1)."""
    assert found.head is not None
    said = found.head.text("say")
    if found.name != EXPLOITATION:
        text = f"say: {said} belongs in the section {EXPLOITATION}; the section {found.name} holds orders or none"
        return Problem("say", "PROTOCOL 9.1", text, "leave say: out", field="say")
    text = f"the section {found.name} says {said} and holds orders"
    return Problem("say", "PROTOCOL 9.1", text, "leave out one of the two", field="say")


def _stray(state: State, found: Section, order: Order) -> Problem:
    if found.name == REACTION:
        text = f"{order.type}: the section {REACTION} is for the player whose turn it is not"
        return Problem("section", "WD 16.C.2", text, "leave the section out")
    if found.name not in KNOWN_SECTIONS:
        names = ", ".join(KNOWN_SECTIONS)
        return Problem("section", "WD 4.A", f"there is no section {found.name}", f"the sections are {names}")
    if found.name == EXPLOITATION and state.surprise:
        text = f"{order.type}: the surprise turn has no exploitation phase"
        return Problem("surprise", "WD 28.B.3", text, "leave the section out")
    return _too_late(order, f"the {found.name} phase")


def _before_sections(order: Order) -> Problem:
    """An order above the first section when the initial phase is over: it came too late, or its section is missing."""
    if not (TYPES[order.type].section if order.type in TYPES else ""):
        return _too_late(order, "the initial phase")
    text = f"{order.type} stands before the first section, where orders of the initial phase stand"
    return Problem("late", "WD 4.C", text, belongs(order.type))


def _too_late(order: Order, phase: str) -> Problem:
    return Problem("late", "WD 4.C", f"{order.type}: {phase} of this player turn is over", "leave the order out")
