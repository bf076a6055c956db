"""Set-up of a scenario (WD 30) and Italian disarray (WD 28.A.3). Runs on the seed of genesis."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Proc, Roll
from adjudicator.western_desert.state import State, World, other
from adjudicator.western_desert.victory.running import open_period
from adjudicator.western_desert.world import Record, rows, text, texts

DISARRAY_FROM = 4
DISARRAY_COUNTRY = "Libya"
LISTED = "listed"
DEPLOYERS = ("axis", "allied")
"""Who sets up, one after the other (WD 30)."""
FREE, DEPLOY = "free", "deploy"
"""The value of the switch ``setup`` for free set-up, and the step in which a player deploys."""


def is_free(world: World) -> bool:
    """Whether the players set up by themselves."""
    return world.switches.get("setup") == FREE


def setup_step(ctx: Ctx[State]) -> Proc[None]:
    """Place everything, settle control, roll disarray, and open the first player turn. With free set-up only what is
    printed and built stands here, and the first player is asked where he deploys."""
    scenario = ctx.state.world.scenario
    ctx.emit("setup", "WD 30", scenario=text(scenario, "id"), title=text(scenario, "title"))
    if is_free(ctx.state.world):
        place_works(ctx, scenario)
        _place_status(ctx, scenario)
        open_deployment(ctx, DEPLOYERS[0])
        return
    place_units(ctx, scenario)
    place_works(ctx, scenario)
    place_boxes(ctx, scenario, ())
    _place_status(ctx, scenario)
    start_control(ctx, scenario)
    yield from disarray_of(ctx)
    open_game(ctx)


def open_deployment(ctx: Ctx[State], player: str) -> None:
    """A player is asked to set up."""
    start = text(ctx.state.world.scenario, "start")
    ctx.emit("phase", "WD 30", turn=start, player=player, phase="setup", step=DEPLOY, surprise="")


def disarray_of(ctx: Ctx[State]) -> Proc[None]:
    """Italian disarray, where the scenario has it (WD 28.A.3)."""
    if any(text(rule, "id") == "disarray" for rule in rows(ctx.state.world.scenario, "special_rules")):
        yield from disarray(ctx)


def open_game(ctx: Ctx[State]) -> None:
    """The first player turn begins (WD 4.A, 28.B.3)."""
    scenario = ctx.state.world.scenario
    surprise = "yes" if text(scenario, "opening") == "surprise" else ""
    ctx.emit(
        "phase",
        "WD 28.B.3" if surprise else "WD 4.A",
        turn=text(scenario, "start"),
        player=text(scenario, "first"),
        phase="initial",
        surprise=surprise,
    )
    open_period(ctx)


def start_control(ctx: Ctx[State], scenario: Record) -> None:
    """Who holds what when all units stand: as the scenario lists it, else by their zones (WD 30)."""
    if text(scenario, "control_rule") == LISTED:
        _listed_control(ctx, scenario)
    else:
        _start_control(ctx, scenario)


def place_units(ctx: Ctx[State], scenario: Record) -> None:
    """All that stands on the map, where the scenario lists it."""
    for row in rows(scenario, "deploy"):
        ctx.emit("deploy", "WD 30", unit=text(row, "unit"), hex=text(row, "hex"), step=text(row, "step"))
    for row in rows(scenario, "air_deploy"):
        ctx.emit("deploy-air", "WD 30", air=text(row, "unit") or text(row, "air"), hex=text(row, "hex"))
    for row in rows(scenario, "supply"):
        ctx.emit(
            "deploy-supply",
            "WD 30",
            counter=text(row, "id"),
            side=text(row, "side"),
            hex=text(row, "hex"),
            steps=text(row, "steps"),
        )


def place_works(ctx: Ctx[State], scenario: Record) -> None:
    """Fortresses, forts and airfields (WD 14.A, 17)."""
    for row in rows(scenario, "fortresses"):
        ctx.emit("deploy-works", "WD 14.A", what="fortress", hex=text(row, "hex"), state=text(row, "state"))
    for row in rows(scenario, "forts"):
        ctx.emit("deploy-works", "WD 14.A", what="fort", hex=text(row, "hex"), side=text(row, "side"))
    for row in rows(scenario, "airfields"):
        ctx.emit("deploy-works", "WD 14.A", what="airfield", hex=text(row, "hex"), side=text(row, "side"))


def place_boxes(ctx: Ctx[State], scenario: Record, sides: Sequence[str]) -> None:
    """Who is off the map, of some sides; of all without any."""
    for row in rows(scenario, "boxes"):
        if sides and _side_of(ctx.state, text(row, "unit")) not in sides:
            continue
        box, of, step = (text(row, key) for key in ("box", "of", "step"))
        ctx.emit("deploy-box", "WD 30", unit=text(row, "unit"), box=box, of=of, step=step)


def _side_of(state: State, name: str) -> str:
    units = state.world.units
    return units[name].side if name in units else text(state.world.air[name], "side")


def _place_status(ctx: Ctx[State], scenario: Record) -> None:
    """The status of Malta, and whether the Levant has been conquered before (WD 26.C, 28.C)."""
    if text(scenario, "malta_status"):
        ctx.emit("malta-status", "WD 26.C", status=text(scenario, "malta_status"))
    if text(scenario, "levant"):
        invaded, gained = text(scenario, "levant_invaded"), text(scenario, "levant_gained")
        ctx.emit("levant", "WD 28.C", state=text(scenario, "levant"), invaded=invaded, gained=gained)


def _listed_control(ctx: Ctx[State], scenario: Record) -> None:
    """The hexes that the scenario names as another's than the map prints."""
    board = ctx.state.board
    taken: dict[str, list[int]] = {}
    for row in rows(scenario, "control"):
        taken.setdefault(text(row, "side"), []).append(board.find(text(row, "hex")))
    for side in sorted(taken):
        ctx.emit("control", "WD 30", side=side, hexes=[board.name(h) for h in sorted(taken[side])])


def _start_control(ctx: Ctx[State], scenario: Record) -> None:
    """WD 30.control: in the countries named, what enemy units occupy or have in their ZOC is theirs; own units hold
    theirs."""
    state = ctx.state
    countries = texts(scenario, "control_countries")
    taken: dict[str, list[int]] = {"axis": [], "allied": []}
    for h in sorted(state.board.land):
        owner = state.owner(h)
        if owner not in taken or not any(state.board.in_region(h, country) for country in countries):
            continue
        if not state.friends_at(h, owner) and (state.enemy_in(h, owner) or state.ezoc(h, owner)):
            taken[other(owner)].append(h)
    for side, hexes in taken.items():
        if hexes:
            ctx.emit("control", "WD 30", side=side, hexes=[state.board.name(h) for h in hexes])


def disarray(ctx: Ctx[State]) -> Proc[None]:
    """One die for each Italian air unit in Libya; 4 to 6 makes it inoperative (WD 28.A.3.air)."""
    state = ctx.state
    for aid in sorted(state.air):
        record = state.world.air.get(aid, {})
        if text(record, "nat") != "italian" or not state.board.in_region(state.air[aid].hex, DISARRAY_COUNTRY):
            continue
        label = f"setup/axis/{aid}/disarray"
        (die,) = yield from ctx.roll(Roll(label, "setup", who="axis", assume=(1,)))
        result = "inoperative" if die >= DISARRAY_FROM else "operative"
        ctx.emit("disarray", "WD 28.A.3", air=aid, die=str(die), label=label, state=result)
